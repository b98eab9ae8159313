import { compactJson, type JsonValue } from '../json.ts'
import { hideKnownSecrets } from '../known-secrets.ts'
import { cutAround } from '../wording.ts'

const LONGEST = 80

/**
 * Returns two values that differ, `before → after`: a text as written, a map or list as JSON, `none` for a missing value. Long values are
 * cut around their first difference.
 */
export function shortChange(before: JsonValue | undefined, after: JsonValue | undefined): string {
  const [was, is] = [wholeValue(before), wholeValue(after)]
  const [old, present] = cutAround([hideKnownSecrets(was), hideKnownSecrets(is, was)], LONGEST)
  return `${old} → ${present}`
}

function wholeValue(value: JsonValue | undefined): string {
  if (value === undefined) return 'none'
  if (value === '') return "''"
  return typeof value === 'string' ? value : compactJson(value)
}
