import type { FieldPath } from '../field-path.ts'
import type { KrmObject } from './krm-object.ts'

/** Where a field of another object stands, as the end of a sentence: ` in FILE:LINE:COLUMN`, or nothing when the object is of no file. */
export function inFile(object: KrmObject, path: FieldPath): string {
  if (object.file === undefined) return ''
  const { line, column } = object.positionOf(path)
  return ` in ${object.file.path}:${line}:${column}`
}
