import { formatFieldPath } from '../../src/field-path.ts'
import { equalJson, isRecord, type JsonValue, lookup, memberOf } from '../../src/json.ts'
import type { Difference } from './adapter.ts'

/** The difference between two values as wholes, none when they are equal in meaning. */
export function differ(what: string, actual: JsonValue | undefined, expected: JsonValue | undefined): readonly Difference[] {
  return equalJson(actual, expected) ? [] : [{ what, expected, actual }]
}

/** The differences between two values, each at its own field: lists of one length item by item, others as wholes. */
export function differByField(
  what: string,
  actual: JsonValue | undefined,
  expected: JsonValue | undefined,
  path: readonly (string | number)[] = [],
): readonly Difference[] {
  if (Array.isArray(actual) && Array.isArray(expected) && actual.length === expected.length)
    return expected.flatMap((item, index) => differByField(what, actual[index], item, [...path, index]))
  if (!isRecord(actual) || !isRecord(expected))
    return differ(path.length === 0 ? what : `${what}: ${formatFieldPath(path)}`, actual, expected)
  const keys = [...new Set([...Object.keys(expected), ...Object.keys(actual)])]
  return keys.flatMap((key) => differByField(what, lookup(actual, key), lookup(expected, key), [...path, key]))
}

/** The differences between two lists whose order does not count; an entry that stands twice counts twice. */
export function differInAnyOrder(what: string, actual: readonly string[], expected: readonly string[]): readonly Difference[] {
  return differ(what, [...actual].sort(), [...expected].sort())
}

/** Returns what stands at each step of a field, as `formatFieldPath` prints it, and at last at the field itself. */
export function valuesAlong(value: JsonValue | undefined, field: string): readonly (JsonValue | undefined)[] {
  const values = [value]
  for (const [step, quoted] of field.matchAll(/\["((?:[^"\\]|\\.)*)"\]|[^.[\]]+/g)) {
    const holder = values.at(-1)
    values.push(memberOf(holder, Array.isArray(holder) ? Number(step) : (quoted ?? step)))
  }
  return values
}

/** One line: `WHAT: expected X, got Y`; what has neither says enough. */
export function formatDifference({ what, expected, actual }: Difference): string {
  return expected === undefined && actual === undefined ? what : `${what}: expected ${print(expected)}, got ${print(actual)}`
}

function print(value: JsonValue | undefined): string {
  return value === undefined ? 'nothing' : JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part))
}
