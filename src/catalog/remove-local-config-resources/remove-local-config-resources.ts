import { isLocalConfig } from '../../resource-list/applied-objects.ts'
import type { ResourceList } from '../../resource-list/resource-list.ts'
import type { CatalogFunction } from '../catalog-function.ts'

/** Removes the objects that are for tools on disk only. */
export const REMOVE_LOCAL_CONFIG_RESOURCES: CatalogFunction = {
  name: 'remove-local-config-resources',
  versions: ['v0.1.0'],
  at: () => removeLocalConfigResources,
}

function removeLocalConfigResources(list: ResourceList): void {
  const { results } = list
  const removed = list.items.filter((item) => item.isMap() && isLocalConfig(item))
  const tags = { rule: 'local-config-removed' } as const
  if (removed.length === 0) {
    results.push({
      severity: 'warning',
      message: 'Found no resources to prune with the local config annotation',
      tags: { rule: 'no-local-config' },
    })
    return
  }
  results.push({ severity: 'info', message: `Number of resources pruned: ${removed.length}`, tags })
  for (const item of removed) {
    const { name = '', ref, file } = item
    results.push({ severity: 'info', message: `Resource name: [${name}]`, resourceRef: ref, ...(file && { file }), tags })
    list.remove(item)
  }
}
