import type { JsonValue } from '../json.ts'
import type { Severity } from '../result.ts'
import type { CoreRule } from './core-rules.ts'
import type { FieldPlace } from './place.ts'

/** What the tags of a result say beside its rule. */
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

/** One thing found, before the user's severities are applied. An ecosystem has rules of its own beside those of the core. */
export interface Finding<Rule extends string = CoreRule> {
  readonly rule: Rule
  /** Where it differs from the rule's own severity. */
  readonly severity?: Severity
  readonly message: string
  readonly place: FieldPlace
  readonly proposedValue?: JsonValue | undefined
  readonly tags: FindingTags
}

// A message lists that many; a package that everybody requires has hundreds.
export const MOST_LISTED = 10

/** The first of some names, and how many more there are. */
export function listSome(names: readonly string[]): readonly string[] {
  return nameSome(names, (name) => name)
}

/** The names of some things, of which not every one may be asked. */
export function nameSome<Each>(all: readonly Each[], nameOf: (each: Each) => string): readonly string[] {
  const more = all.length - MOST_LISTED
  return more > 0 ? [...all.slice(0, MOST_LISTED).map(nameOf), `${more} more`] : all.map(nameOf)
}

// A value of a user may be as long as a file.
const MOST_SHOWN = 200

/** As much of a text as a message shows. */
export function shorten(text: string): string {
  return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}…`
}

/** A user's text in double quotes: `">=1.0.0"`. */
export function quote(text: string): string {
  return `"${shorten(text)}"`
}

/** `a`, `a and b`, `a, b and c`. */
export function listNames(names: readonly string[]): string {
  if (names.length < 2) return names.join('')
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
