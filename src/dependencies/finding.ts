import { formatFieldPath } from '../field-path.ts'
import type { JsonValue } from '../json.ts'
import { formatResourceRef, type Severity } from '../result.ts'
import type { RuleId } from './rule.ts'
import type { Place } from './universe.ts'

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

/** One thing found, before the user's severities are applied. */
export interface Finding {
  readonly rule: RuleId
  /** Where it differs from the rule's own severity. */
  readonly severity?: Severity
  readonly message: string
  readonly place: Place
  readonly proposedValue?: JsonValue | undefined
  readonly tags: FindingTags
}

/** Where a place is, in a message: `file:line` when the file itself was read, else `file FIELD-PATH`. */
export function formatPlace(place: Place): string {
  const { ref, file, path } = place
  const line = place.isOwnReading ? place.position?.line : undefined
  if (file !== undefined && line !== undefined) return `${file.path}:${line}`
  return `${file === undefined ? formatResourceRef(ref) : file.path} ${formatFieldPath(path)}`
}

/** `a`, `a and b`, `a, b and c`. */
export function listNames(names: readonly string[]): string {
  if (names.length < 2) return names.join('')
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
