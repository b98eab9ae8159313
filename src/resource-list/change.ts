import type { Change } from './changes.ts'
import type { Node } from './node.ts'
import { insert, put, type Sequences } from './put.ts'
import { remove } from './remove.ts'

/** The text after one step of an edit. `root` is what a reader made of the text. */
export function change(text: string, root: Node, step: Change, sequences: Sequences): string {
  switch (step.op) {
    case 'put':
      return put(text, root, step.path, step.value, sequences)
    case 'insert':
      return insert(text, root, step.path, step.value, sequences)
    case 'delete':
      return remove(text, root, step.path, sequences)
  }
}
