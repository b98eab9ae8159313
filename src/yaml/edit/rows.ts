import type { FieldPath } from '../../field-path.ts'
import type { Node, ScalarNode } from '../read/node.ts'
import { type Member, membersOf, type Run } from './members.ts'
import { keptInOrder } from './pair-entries.ts'
import { contentOf, type EditedList, type EditedMap, type EditTree, isNode, nodeOf } from './tree.ts'

/** A member of an edited map or list, in the new order: a kept member with its position in the text, or a new one. */
export type Row = KeptRow | AddedRow

export interface KeptRow {
  readonly at: number
  readonly member: Member
  readonly tree: EditTree
}

export interface AddedRow {
  readonly at: undefined
  readonly tree: EditTree
  /** The key of a map entry; undefined for a list item. */
  readonly key: string | ScalarNode | undefined
}

/** Returns the members of an edited map or list: kept and new ones, in the new order. */
export function rowsOf(edited: EditedMap | EditedList, members: readonly Member[]): readonly Row[] {
  const positions = new Positions(members)
  const rows: Row[] = []
  if (edited.type === 'edited-list') for (const item of edited.items) rows.push(rowOf(item, undefined, positions, members))
  else for (const [key, value] of edited.entries()) rows.push(rowOf(value, key, positions, members))
  return rows
}

function rowOf(tree: EditTree, key: string | undefined, positions: Positions, members: readonly Member[]): Row {
  const node = nodeOf(tree)
  const at = node && positions.of(node)
  const member = at === undefined ? undefined : members[at]
  if (at !== undefined && member !== undefined) return { at, member, tree }
  return addedRow(tree, key)
}

export function addedRow(tree: EditTree, key: string | undefined): AddedRow {
  return { at: undefined, tree, key: (tree.type === 'written' ? tree.key : undefined) ?? key }
}

/** Finds the positions of values among members. Fast for values in order: the next member is tried first. */
class Positions {
  readonly #members: readonly Member[]
  #next = 0
  #all: ReadonlyMap<Node, number> | undefined

  constructor(members: readonly Member[]) {
    this.#members = members
  }

  of(value: Node): number | undefined {
    if (this.#members[this.#next]?.value !== value) return this.#find(value)
    this.#next++
    return this.#next - 1
  }

  #find(value: Node): number | undefined {
    this.#all ??= new Map(this.#members.map((member, at) => [member.value, at]))
    const at = this.#all.get(value)
    if (at !== undefined) this.#next = at + 1
    return at
  }
}

/** Returns the rows with as many kept members in their order as possible; the others become new rows. */
export function rewritten(rows: readonly Row[]): readonly Row[] {
  const kept = rows.filter(isKept)
  const staying = new Set([...keptInOrder(kept.map(({ at }) => at))].map((index) => kept[index]))
  return rows.map((row) => (!isKept(row) || staying.has(row) ? row : newRow(row)))
}

function newRow({ tree }: KeptRow): AddedRow {
  return { at: undefined, tree: { type: 'written', was: undefined, content: contentOf(tree) }, key: undefined }
}

/** Returns the members without a row, adjacent ones as one run. */
export function goneRuns(members: readonly Member[], rows: readonly Row[]): readonly Run[] {
  if (rows.reduce((count, row) => count + (isKept(row) ? 1 : 0), 0) === members.length) return []
  const kept = new Set(rows.map(({ at }) => at))
  const runs: Run[] = []
  for (let at = 0; at < members.length; at++) {
    const first = members[at]
    if (first === undefined || kept.has(at)) continue
    const before = members[at - 1]
    while (at + 1 < members.length && !kept.has(at + 1)) at++
    runs.push({ first, last: members[at] ?? first, before, after: members[at + 1] })
  }
  return runs
}

export function isKept(row: Row): row is KeptRow {
  return row.at !== undefined
}

/** Returns true if the kept members have the order of the text. */
export function isInOrder(rows: readonly Row[]): boolean {
  let last = -1
  for (const row of rows) {
    if (!isKept(row)) continue
    if (row.at < last) return false
    last = row.at
  }
  return true
}

/** Returns the longest path that contains all changes of a tree; undefined when the tree changes nothing. */
export function changedPath(tree: EditTree, node: Node | undefined): FieldPath | undefined {
  if (isNode(tree)) return undefined
  if (tree.type === 'written') return []
  const members = node === undefined ? [] : membersOf(node)
  const rows = rowsOf(tree, members)
  const kept = new Set(rows.map(({ at }) => at))
  const gone = members.flatMap((member, at) => (kept.has(at) ? [] : [[stepOf(member, at)]]))
  const paths = [...gone, ...rows.flatMap((row, index) => pathIn(row, index) ?? [])]
  return paths.length > 1 ? [] : paths[0]
}

function pathIn(row: Row, index: number): readonly FieldPath[] {
  if (!isKept(row)) return [[typeof row.key === 'string' ? row.key : (row.key?.text ?? index), ...(changedPath(row.tree, undefined) ?? [])]]
  const path = changedPath(row.tree, row.member.value)
  return path === undefined ? [] : [[stepOf(row.member, index), ...path]]
}

function stepOf({ key }: Member, index: number): string | number {
  return key?.text ?? index
}
