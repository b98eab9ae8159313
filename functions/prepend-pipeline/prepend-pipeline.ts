import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import { changePipeline } from '../../src/variant/pipeline.ts'
import { rootPackage } from '../../src/variant/variant-package.ts'
import { decodeChange } from './function-config.ts'

/** Puts a variant's functions at the front of the Kptfile's pipeline (seed 000, Kptfile Function Pipeline Editing). */
export function prependPipeline(list: ResourceList): void {
  const pkg = rootPackage(list.items)
  changePipeline(pkg, decodeChange(list, pkg))
}
