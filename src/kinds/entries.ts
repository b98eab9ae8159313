import type { FieldPath } from '../field-path.ts'

/** One entry of a list, with where it stands. */
export interface ListEntry<T> {
  readonly path: FieldPath
  readonly value: T
}

/** The entries of a list field; a map where a list of maps belongs is its one entry, at the field itself (seed 000 writes such). */
export function listEntries<T extends object>(field: readonly T[] | T | undefined, path: FieldPath): ListEntry<T>[] {
  if (field === undefined) return []
  return isList(field) ? field.map((value, index) => ({ path: [...path, index], value })) : [{ path, value: field }]
}

/** Whether a field that may be a list or its one entry is a list. */
export function isList<T extends object>(field: readonly T[] | T): field is readonly T[] {
  return Array.isArray(field)
}
