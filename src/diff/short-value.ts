import type { JsonValue } from '../json.ts'
import { cutAround, cutText } from '../wording.ts'

const LONGEST = 80

/** Returns a value as part of a line: a text as written, a map or list as JSON, both cut if long; `none` for a missing value. */
export function shortValue(value: JsonValue | undefined): string {
  return cutText(wholeValue(value), LONGEST)
}

/** Returns two values that differ, `before → after`, each as `shortValue` returns it; long values are cut around their first difference. */
export function shortChange(before: JsonValue | undefined, after: JsonValue | undefined): string {
  const [old, present] = cutAround([wholeValue(before), wholeValue(after)], LONGEST)
  return `${old} → ${present}`
}

function wholeValue(value: JsonValue | undefined): string {
  if (value === undefined) return 'none'
  if (value === '') return "''"
  return typeof value === 'string' ? value : printed(value)
}

function printed(value: JsonValue): string {
  return JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? Number(each) : each))
}
