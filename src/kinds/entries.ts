import type { FieldPath } from '../field-path.ts'

/** An entry of a list field, with the path of the entry. */
export interface ListEntry<T> {
  readonly path: FieldPath
  readonly value: T
}

/**
 * Returns the entries of a list field with their paths. A map in the place of the list is returned as one entry, at the path of the field
 * itself (seed 000 writes maps there).
 */
export function listEntries<T extends object>(field: readonly T[] | T | undefined, path: FieldPath): ListEntry<T>[] {
  if (field === undefined) return []
  return isList(field) ? field.map((value, index) => ({ path: [...path, index], value })) : [{ path, value: field }]
}

/** Returns true if a field that holds a list or a single entry holds a list. */
export function isList<T extends object>(field: readonly T[] | T): field is readonly T[] {
  return Array.isArray(field)
}
