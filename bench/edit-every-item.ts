import type { ResourceList } from '../src/resource-list/resource-list.ts'
import { main } from '../src/run.ts'

/** A function for the benchmark alone: one label on every item, as the Go function set-labels sets it. */
function editEveryItem(list: ResourceList): void {
  for (const item of list.items) item.set(['metadata', 'labels', 'bench'], 'edited')
}

await main(editEveryItem)
