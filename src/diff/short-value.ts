import type { JsonValue } from '../json.ts'
import { cutText } from '../wording.ts'

const LONGEST = 80

/** Returns a value as part of a line: a text as written, a map or list as JSON, both cut if long; `none` for a missing value. */
export function shortValue(value: JsonValue | undefined): string {
  if (value === undefined) return 'none'
  if (value === '') return "''"
  return cutText(typeof value === 'string' ? value : printed(value), LONGEST)
}

function printed(value: JsonValue): string {
  return JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? Number(each) : each))
}
