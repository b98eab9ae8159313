import type { FieldPath } from '../../field-path.ts'
import type { Node } from '../read/node.ts'
import { type EditTree, isNode } from './edit-tree.ts'
import { type Member, membersOf } from './members.ts'
import { isKept, type Row, rowsOf } from './rows.ts'

/** Returns the longest path that contains all changes of a draft; undefined when the draft changes nothing. */
export function changedPath(draft: EditTree, node: Node | undefined): FieldPath | undefined {
  if (isNode(draft)) return undefined
  if (draft.type === 'written') return []
  const members = node === undefined ? [] : membersOf(node)
  const rows = rowsOf(draft, members)
  const kept = new Set(rows.map(({ at }) => at))
  const gone = members.flatMap((member, at) => (kept.has(at) ? [] : [[stepOf(member, at)]]))
  const paths = [...gone, ...rows.flatMap((row, index) => pathIn(row, index) ?? [])]
  return paths.length > 1 ? [] : paths[0]
}

function pathIn(row: Row, index: number): readonly FieldPath[] {
  if (!isKept(row))
    return [[typeof row.key === 'string' ? row.key : (row.key?.text ?? index), ...(changedPath(row.draft, undefined) ?? [])]]
  const path = changedPath(row.draft, row.member.value)
  return path === undefined ? [] : [[stepOf(row.member, index), ...path]]
}

function stepOf({ key }: Member, index: number): string | number {
  return key?.text ?? index
}
