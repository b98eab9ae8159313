import { countOf } from '../../src/wording.ts'

/** The past of each operation, for a summary of what was written. */
const DONE = { create: 'created', update: 'updated', remove: 'removed', delete: 'deleted', add: 'added', change: 'changed' } as const

/** An operation on a file, an object or a version of a Catalog. */
type Operation = keyof typeof DONE

/**
 * Returns the number of each operation, in the order of the operations: `2 files to update`, after a write `2 files updated`; '' for none.
 *
 * @param isWritten  true if the operations were carried out
 */
export function countOperations(
  noun: string,
  { found, order, isWritten }: { readonly found: readonly Operation[]; readonly order: readonly Operation[]; readonly isWritten: boolean },
): string {
  return order
    .flatMap((op) => {
      const count = found.filter((each) => each === op).length
      return count === 0 ? [] : [`${countOf(count, noun)} ${isWritten ? DONE[op] : `to ${op}`}`]
    })
    .join(', ')
}
