import { columnOf } from './lines.ts'
import { type Node, walk } from './node.ts'

/** Whether the first block list below a key stands further right than its key. */
export function firstListIsWide(text: string, root: Node): boolean {
  for (const { key, node } of walk(root)) {
    if (key !== undefined && node.type === 'sequence' && !node.flow) return columnOf(text, node.start) > columnOf(text, key.start)
  }
  return false
}
