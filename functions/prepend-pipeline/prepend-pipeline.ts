import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import { NO_SOURCES } from '../../src/variant/injection/injection-source.ts'
import { rootPackage } from '../../src/variant/list-packages.ts'
import { mutatePipeline } from '../../src/variant/mutate.ts'
import { decodeChange } from './function-config.ts'

/** Puts a variant's functions at the front of the Kptfile's pipeline (seed 000, Kptfile Function Pipeline Editing). */
export function prependPipeline(list: ResourceList): void {
  const pkg = rootPackage(list)
  const pipeline = decodeChange(list, pkg)
  list.results.push(...mutatePipeline(pkg, { pipeline }, NO_SOURCES))
}
