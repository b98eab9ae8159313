import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import { changePackageContext } from '../../src/variant/package-context.ts'
import { rootPackage } from '../../src/variant/variant-package.ts'
import { decodeOptions } from './function-config.ts'

/** Writes a variant's package context into the ConfigMap kptfile.kpt.dev of the package (seed 000, Package Context Injection). */
export function setContext(list: ResourceList): void {
  const pkg = rootPackage(list.items)
  const { change, create } = decodeOptions(list, pkg)
  list.results.push(...changePackageContext(list, pkg, change, create))
}
