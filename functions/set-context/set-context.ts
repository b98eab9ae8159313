import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import { NO_SOURCES } from '../../src/variant/injection/injection-source.ts'
import { rootPackage } from '../../src/variant/list-packages.ts'
import { mutateContext } from '../../src/variant/mutate.ts'
import { decodeSetContextConfig } from './function-config.ts'

/** Writes a variant's package context into the ConfigMap kptfile.kpt.dev of the package (seed 000, Package Context Injection). */
export function setContext(list: ResourceList): void {
  const pkg = rootPackage(list)
  const context = decodeSetContextConfig(list, pkg)
  list.results.push(...mutateContext(pkg, { context }, NO_SOURCES))
}
