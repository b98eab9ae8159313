import type { FieldPath } from '../field-path.ts'
import type { KrmObject } from './krm-object.ts'

/** Returns the place of a field of another object as the end of a sentence: ` in FILE:LINE:COLUMN`; '' if the object has no file. */
export function inFile(object: KrmObject, path: FieldPath): string {
  if (object.file === undefined) return ''
  const { line, column } = object.positionOf(path)
  return ` in ${object.file.path}:${line}:${column}`
}
