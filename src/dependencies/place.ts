import { type FieldPath, formatFieldPath } from '../field-path.ts'
import type { JsonValue } from '../json.ts'
import { type FileRef, formatResourceRef, type Position, type ResourceRef } from '../result.ts'

/** A field of an object, for messages and results. */
export interface FieldPlace {
  readonly ref: ResourceRef
  readonly path: FieldPath
  readonly file?: FileRef | undefined
  /** Undefined in an object that is too long to count its lines. */
  readonly position?: Position | undefined
  /** True if the object was read from the file itself, not from a host's copy: then messages name the line. */
  readonly isOwnReading: boolean
  readonly currentValue?: JsonValue | undefined
}

/** Returns the place of the whole object of a place. */
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

/** Returns a place in words: `file:line` when the file itself was read, else `file FIELD-PATH`. */
export function formatPlace(place: FieldPlace): string {
  const { ref, file, path } = place
  const line = place.isOwnReading ? place.position?.line : undefined
  if (file !== undefined && line !== undefined) return `${file.path}:${line}`
  return `${file === undefined ? formatResourceRef(ref) : file.path} ${formatFieldPath(path)}`
}
