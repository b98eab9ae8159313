import type { Adapter } from './adapter.ts'
import { CATALOG_FUNCTIONS } from './catalog/adapter.ts'
import { CEL } from './cel/adapter.ts'
import { PORCH_CLONE } from './clone/adapter.ts'
import { DEPENDENCIES } from './dependencies/all.ts'
import { PORCH_FAN_OUT } from './fan-out/adapter.ts'
import { PORCH_MUTATIONS } from './mutations/adapter.ts'
import { KPT_RENDER } from './pipelines/adapter.ts'
import { PORCH_UPDATE } from './update/adapter.ts'

/** Every adapter; a folder of vectors that none is for fails. */
export const ADAPTERS: readonly Adapter[] = [
  CATALOG_FUNCTIONS,
  CEL,
  ...DEPENDENCIES,
  KPT_RENDER,
  PORCH_CLONE,
  PORCH_FAN_OUT,
  PORCH_MUTATIONS,
  PORCH_UPDATE,
]
