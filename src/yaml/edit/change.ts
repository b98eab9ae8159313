import type { Node } from '../read/node.ts'
import { isAsAsked } from './as-asked.ts'
import type { Change } from './changes.ts'
import { anchoredFault, EditError, layoutFault } from './edit-fault.ts'
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

/**
 * As `change`, for a text that only the full parser reads: much of what YAML allows there a splice does not know.
 *
 * @throws EditError  where the text would mean something else than what was asked for, or an alias in it would
 */
export function changeOrRefuse(text: string, root: Node, step: Change, sequences: Sequences): string {
  const fault = anchoredFault(root, step)
  if (fault !== undefined) throw new EditError(fault)
  const after = change(text, root, step, sequences)
  if (!isAsAsked(text, root, step, after)) throw new EditError(layoutFault(step.path))
  return after
}
