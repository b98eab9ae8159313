import type { ScalarNode } from '../read/node.ts'
import { contentOf, type Draft, type EditedList, type EditedMap, nodeOf } from './draft.ts'
import type { Member } from './members.ts'
import { keptInOrder } from './pair-entries.ts'

/** A member of an edited map or list, in the new order: one that was there, at its position in the text, or a new one. */
export type Row = KeptRow | AddedRow

export interface KeptRow {
  readonly at: number
  readonly member: Member
  readonly draft: Draft
}

export interface AddedRow {
  readonly at: undefined
  readonly draft: Draft
  /** Of an entry. */
  readonly key: string | ScalarNode | undefined
}

/** What stays of the members of a map or list, and what is new. */
export function rowsOf(edited: EditedMap | EditedList, members: readonly Member[]): readonly Row[] {
  const positions = new Map(members.map(({ value }, at) => [value, at]))
  const row = (draft: Draft, key: string | undefined): Row => {
    const node = nodeOf(draft)
    const at = node && positions.get(node)
    const member = at === undefined ? undefined : members[at]
    if (at !== undefined && member !== undefined) return { at, member, draft }
    return { at: undefined, draft, key: (draft.type === 'written' ? draft.key : undefined) ?? key }
  }
  if (edited.type === 'edited-list') return edited.items.map((item) => row(item, undefined))
  return [...edited.entries].map(([key, value]) => row(value, key))
}

/** The rows with as many in their places as can be; those that moved are new ones. */
export function rewritten(rows: readonly Row[]): readonly Row[] {
  const kept = rows.filter(isKept)
  const staying = new Set([...keptInOrder(kept.map(({ at }) => at))].map((index) => kept[index]))
  return rows.map((row) => (!isKept(row) || staying.has(row) ? row : newRow(row)))
}

function newRow({ draft }: KeptRow): AddedRow {
  return { at: undefined, draft: { type: 'written', was: undefined, content: contentOf(draft) }, key: undefined }
}

/** Members that go, and those that stand beside them. */
export interface Run {
  readonly first: Member
  readonly last: Member
  readonly before: Member | undefined
  readonly after: Member | undefined
}

/** The members that are in no row, those that stand beside each other together. */
export function goneRuns(members: readonly Member[], rows: readonly Row[]): readonly Run[] {
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

/** Whether the members that stay stand in the order of the text. */
export function isInOrder(rows: readonly Row[]): boolean {
  const kept = rows.filter(isKept)
  return kept.every(({ at }, index) => index === 0 || (kept[index - 1]?.at ?? -1) < at)
}
