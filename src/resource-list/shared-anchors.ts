import { type FieldPath, formatFieldPath } from '../field-path.ts'
import { groupBy } from '../group-by.ts'
import { formatResourceRef, type Result } from '../result.ts'
import { Meanings } from '../yaml/edit/meanings.ts'
import { type Node, walk } from '../yaml/read/node.ts'
import { readYaml } from '../yaml/read/yaml-reader.ts'
import { fieldPlace } from './finding-place.ts'
import type { KrmObject } from './krm-object.ts'
import type { ParsedList } from './parse-list.ts'

const ANCHOR = /&[^\s,[\]{}]+/g
const ALIAS = /\*([^\s,[\]{}]+)/g

/**
 * Returns an error for each anchored value that was changed or removed although an alias in a later item refers to it. kpt sends no
 * such lists, so only changed items whose text has an `&` are examined.
 */
export function brokenAliases({ items, cut: { slices } }: ParsedList, removed: ReadonlySet<KrmObject>): readonly Result[] {
  const changed = items.flatMap((item, at) => ((removed.has(item) || item.changed) && slices[at]?.includes('&') === true ? [at] : []))
  if (changed.length === 0) return []
  const users = aliasUsers(items, slices, removed)
  return changed.flatMap((at) => {
    const [item, slice = ''] = [items[at], slices[at]]
    const isUsed = (slice.match(ANCHOR) ?? []).some((anchor) => users.has(anchor.slice(1)))
    return item === undefined || !isUsed ? [] : faultsOf(item, slice, { users, at, isRemoved: removed.has(item) })
  })
}

/** The items with an alias of a name that they define no anchor for, by that name. */
type Users = ReadonlyMap<string, readonly { readonly at: number; readonly item: KrmObject }[]>

function aliasUsers(items: readonly KrmObject[], slices: readonly string[], removed: ReadonlySet<KrmObject>): Users {
  const uses = items.flatMap((item, at) => {
    const names = removed.has(item) ? [] : foreignAliases(item, slices[at] ?? '')
    return names.map((name) => ({ name, at, item }))
  })
  return groupBy(uses, ({ name }) => name)
}

function foreignAliases(item: KrmObject, slice: string): readonly string[] {
  const names = new Set([...slice.matchAll(ALIAS)].map(([, name = '']) => name))
  return [...names].filter((name) => !slice.includes(`&${name}`) && holdsAlias(item, name))
}

/** Returns true if the item has an alias of this name: a `*` in a text may mean something else. */
function holdsAlias(item: KrmObject, name: string): boolean {
  return item.aliases().some(({ anchor }) => anchor === name)
}

interface Change {
  readonly users: Users
  readonly at: number
  readonly isRemoved: boolean
}

function faultsOf(item: KrmObject, slice: string, { users, at, isRemoved }: Change): readonly Result[] {
  const meanings = new Meanings({ tags: true })
  const after = isRemoved ? new Map<string, Anchored>() : anchoredIn(item.written().node)
  return [...anchoredIn(readYaml(slice))].flatMap(([anchor, { path, node }]) => {
    const user = users.get(anchor)?.find((other) => other.at > at)?.item
    const now = after.get(anchor)?.node
    if (user === undefined || (now !== undefined && meanings.of(now) === meanings.of(node))) return []
    return [fault(item, path.slice(1), `the alias *${anchor} in ${formatResourceRef(user.ref)} would change with it`)]
  })
}

interface Anchored {
  readonly path: FieldPath
  readonly node: Node
}

function anchoredIn(root: Node): ReadonlyMap<string, Anchored> {
  return new Map([...walk(root)].flatMap(({ path, node }) => (hasAnchor(node) ? [[node.anchor, { path, node }] as const] : [])))
}

function hasAnchor(node: Node): node is Node & { readonly anchor: string } {
  return node.type !== 'alias' && node.anchor !== undefined
}

function fault(object: KrmObject, path: FieldPath, reason: string): Result {
  const message = `\`${formatFieldPath(path)}\` must stay as it is: ${reason}`
  return { severity: 'error', message, ...fieldPlace(object, path), tags: { rule: 'anchored' } }
}
