import { readCatalogObjects } from '../../src/dependencies/config/catalogs.ts'
import { toResults } from '../../src/dependencies/config/results.ts'
import { describeResolved, type Resolution, resolveObjects } from '../../src/dependencies/resolve-objects.ts'
import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import { hasErrors } from '../../src/result.ts'
import { decodeOptions } from './function-config.ts'

/** Adds what the packages of a list require, moves what no longer meets a requirement, and removes what nobody needs when that is asked for. */
export function resolveDependencies(list: ResourceList): void {
  const options = decodeOptions(list.functionConfig)
  const { read, apis, catalog, resolve } = options
  const catalogs = [...readCatalogObjects(list.items), ...(catalog === undefined ? [] : [catalog])]
  const input = () => ({ objects: list.items, catalogs, apis, options: read })
  const { edits, findings } = resolveObjects(input(), resolve)
  list.results.push(...toResults(findings, options))
  if (hasErrors(list.results)) return
  for (const edit of edits) apply(edit, list)
  const resolved = describeResolved(input())
  if (options.lifecycle) for (const edit of resolved.edits) apply(edit, list)
  // What the list comes to, not what was done: a second run says the same.
  list.results.push(...toResults(resolved.findings, options))
}

const FILE = 'dependencies.yaml'

function apply(edit: Resolution['edits'][number], list: ResourceList): void {
  if (edit.type === 'remove') list.remove(edit.object)
  else if (edit.type === 'set') for (const { path, value } of edit.fields) edit.object.set(path, value)
  else list.upsert(edit.object, `${folderOf(edit.near?.file?.path)}${FILE}`, edit.near)
}

function folderOf(path = ''): string {
  return path.replace(/[^/]*$/, '')
}
