import type { FieldPath } from '../../field-path.ts'
import { targetOf } from '../read/alias-targets.ts'
import { type MapNode, sizeOfCollection } from '../read/node.ts'
import { Meanings } from './meanings.ts'
import {
  contentEntries,
  type EditedList,
  EditedMap,
  type EditTree,
  type EmittedNode,
  inheritedChild,
  mergedKeys,
  newEntries,
  nodeOf,
  ownChild,
  refuseAlias,
  treeChild,
  treeEntries,
  treeItems,
} from './tree.ts'

/** Returns true if there is a value at a path, also through aliases: `treeAfter` then refuses an edit there. Throws as `treeAfter`. */
export function treeHas(root: EditTree, path: FieldPath): boolean {
  let tree: EditTree | undefined = root
  for (const [depth, step] of path.entries()) {
    if (tree === undefined) return false
    if (tree.type === 'alias' && targetOf(tree) === undefined) refuseAlias(tree, path, depth)
    tree = treeChild(tree, step)
  }
  return tree !== undefined
}

/**
 * Returns the tree after a change at a path. Missing maps and lists on the way are created. When nothing changes, returns the tree itself
 * and opens no map or list on the way.
 *
 * @param change  gets undefined for a missing value; returns undefined to remove the value
 * @throws AliasError  when the path leads through an alias
 */
export function treeAfter(
  tree: EditTree | undefined,
  path: FieldPath,
  change: (tree: EditTree | undefined) => EditTree | undefined,
  depth = 0,
): EditTree | undefined {
  const step = path[depth]
  if (step === undefined) return change(tree)
  if (tree !== undefined) refuseAlias(tree, path, depth)
  const child = tree && treeChild(tree, step)
  const after = treeAfter(child, path, change, depth + 1)
  if (tree !== undefined && (after === child || inheritsAlready(tree, step, after))) return tree
  const open = openTree(tree, step)
  if (open.type === 'edited-list') {
    // A position after the last appends.
    if (after === undefined) open.items.splice(Number(step), 1)
    else open.items.splice(Math.min(Number(step), open.items.length), 1, after)
  } else if (after !== undefined) open.set(String(step), after)
  else {
    if (mergedKeys(open).has(String(step))) open.spreadMerge()
    open.delete(String(step))
  }
  return open
}

/** Returns true if a map gets the value from its merge key already, so that the value need not be written. */
function inheritsAlready(tree: EditTree, step: string | number, after: EditTree | undefined): boolean {
  if (after === undefined || ownChild(tree, step) !== undefined) return false
  const inherited = inheritedChild(tree, String(step))
  if (inherited === undefined) return false
  const meanings = new Meanings({ tags: true })
  return meanings.of(inherited) === meanings.of(after)
}

/** Returns the tree after the entry at `from` of a list moved to the position `to`. Throws as `treeAfter`. */
export function treeAfterMove(tree: EditTree, path: FieldPath, from: number, to: number): EditTree | undefined {
  return treeAfter(tree, path, (child) => {
    const list = openTree(child, from)
    if (list.type === 'edited-list') list.items.splice(to, 0, ...list.items.splice(from, 1))
    return list
  })
}

/** A tree that is a map. */
type MapTree = MapNode | EmittedNode | EditedMap

/**
 * Returns the tree as an editable map or list for the next step of a path: a map for a text, a list for a number. A map that is not
 * empty stays a map for a number too. Any other value is replaced by an empty map or list.
 */
function openTree(tree: EditTree | undefined, step: string | number): EditedMap | EditedList {
  const was = tree && nodeOf(tree)
  if (isMap(tree) && (typeof step === 'string' || !isEmpty(tree))) return asMap(tree)
  if (typeof step === 'number')
    return tree?.type === 'edited-list' ? tree : { type: 'edited-list', was, items: (tree && treeItems(tree)) ?? [] }
  return new EditedMap(was, undefined)
}

function isMap(tree: EditTree | undefined): tree is MapTree {
  return tree?.type === 'map' || tree?.type === 'edited-map' || (tree?.type === 'written' && contentEntries(tree.content) !== undefined)
}

function isEmpty(tree: MapTree): boolean {
  return tree.type === 'map' ? sizeOfCollection(tree) === 0 : treeEntries(tree)?.size === 0
}

function asMap(tree: MapTree): EditedMap {
  if (tree.type === 'edited-map') return tree
  const edited = new EditedMap(nodeOf(tree), tree.type === 'map' ? tree : undefined)
  if (tree.type === 'written') for (const [key, entry] of newEntries(tree.content) ?? []) edited.set(key, entry)
  return edited
}
