import { type FieldPath, formatFieldPath } from '../field-path.ts'
import type { JsonValue } from '../json.ts'
import { type FileRef, formatResourceRef, type Position, type ResourceRef } from '../result.ts'

/** Where something is written: an object and a field of it. */
export interface FieldPlace {
  readonly ref: ResourceRef
  readonly path: FieldPath
  readonly file?: FileRef | undefined
  /** None in an object too long to count its lines. */
  readonly position?: Position | undefined
  /** Whether the file itself was read, not a host's copy of it: then messages name the line. */
  readonly isOwnReading: boolean
  readonly currentValue?: JsonValue | undefined
}

/** The object of a place. */
export function wholeObject(place: FieldPlace): FieldPlace {
  return {
    ref: place.ref,
    path: [],
    file: place.file,
    get isOwnReading() {
      return place.isOwnReading
    },
  }
}

/** Where a place is, in a message: `file:line` when the file itself was read, else `file FIELD-PATH`. */
export function formatPlace(place: FieldPlace): string {
  const { ref, file, path } = place
  const line = place.isOwnReading ? place.position?.line : undefined
  if (file !== undefined && line !== undefined) return `${file.path}:${line}`
  return `${file === undefined ? formatResourceRef(ref) : file.path} ${formatFieldPath(path)}`
}
