import { type FieldPath, formatFieldPath } from '../field-path.ts'
import type { JsonValue } from '../json.ts'
import { type FileRef, formatResourceRef, type Position, type ResourceRef, type Severity } from '../result.ts'
import type { PackageRule } from './rule-severities.ts'

/** The tags of a result beside its rule. */
export interface FindingTags {
  readonly ecosystem?: string
  readonly dialect?: string
  readonly package?: string
  readonly dependency?: string
  readonly required?: string
  readonly installed?: string
  /** The version that would be installed for a missing package. */
  readonly candidate?: string
}

/** A fault, warning or note, before the user's severities are applied. */
export interface Finding {
  readonly rule: PackageRule | 'package-repository'
  /** The severity, if it differs from the rule's default. */
  readonly severity?: Severity
  readonly message: string
  readonly place: FieldPlace
  readonly proposedValue?: JsonValue | undefined
  readonly tags: FindingTags
}

// The most names that a message lists: a package may be required by hundreds of others.
export const MOST_LISTED = 10

/** Returns the first names of a list, and `N more` for the rest. */
export function listSome(names: readonly string[]): readonly string[] {
  return nameSome(names, (name) => name)
}

/** Returns the names of the first items of a list, and `N more` for the rest. Calls `nameOf` for the listed items only. */
export function nameSome<Each>(all: readonly Each[], nameOf: (each: Each) => string, most = MOST_LISTED): readonly string[] {
  const more = all.length - most
  return more > 0 ? [...all.slice(0, most).map(nameOf), `${more} more`] : all.map(nameOf)
}

// The most characters of a user's value that a message shows.
const MOST_SHOWN = 200

/** Returns a text, cut to the length that a message shows. */
export function shorten(text: string): string {
  return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}…`
}

/** Returns a user's text in double quotes, shortened: `">=1.0.0"`. */
export function quote(text: string): string {
  return `"${shorten(text)}"`
}

/** Joins names: `a`, `a and b`, `a, b and c`. */
export function listNames(names: readonly string[], joint: 'and' | 'or' = 'and'): string {
  if (names.length < 2) return names.join('')
  return `${names.slice(0, -1).join(', ')} ${joint} ${names.at(-1)}`
}

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
