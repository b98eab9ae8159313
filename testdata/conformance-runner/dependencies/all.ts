import type { Adapter } from '../adapter.ts'
import { CARVEL } from './carvel.ts'
import { CROSSPLANE } from './crossplane.ts'
import { GLASSKUBE } from './glasskube.ts'
import { KPT_PORCH } from './kpt-porch.ts'
import { SEMVER } from './semver.ts'

/** The adapters of everything below `dependencies`. */
export const DEPENDENCIES: readonly Adapter[] = [CARVEL, CROSSPLANE, GLASSKUBE, KPT_PORCH, SEMVER]
