import type { FieldPath } from '../../src/field-path.ts'
import { isRecord, type JsonValue } from '../../src/json.ts'

/** A field, and a value of another type for it. */
export interface Replacement {
  readonly path: FieldPath
  readonly value: JsonValue
}

/** A value of each type. */
const VALUES: readonly JsonValue[] = [null, true, 7.5, 'text', ['text'], { key: 'value' }]

/** Every field below a value, with a value of each type that it is not of. */
export function replacementsIn(value: JsonValue): Replacement[] {
  return pathsBelow(value, []).flatMap(({ path, type }) =>
    VALUES.filter((other) => typeOf(other) !== type).map((other) => ({ path, value: other })),
  )
}

function pathsBelow(value: JsonValue | undefined, path: FieldPath): { path: FieldPath; type: string }[] {
  const children: readonly (readonly [string | number, JsonValue])[] = Array.isArray(value)
    ? value.map((child: JsonValue, i) => [i, child] as const)
    : isRecord(value)
      ? Object.entries(value)
      : []
  return children.flatMap(([key, child]) => [{ path: [...path, key], type: typeOf(child) }, ...pathsBelow(child, [...path, key])])
}

function typeOf(value: JsonValue): string {
  return value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value
}

/** The value with another one at a path; what does not change is shared. */
export function replaced(value: JsonValue, [key, ...rest]: FieldPath, by: JsonValue): JsonValue {
  if (key === undefined) return by
  if (Array.isArray(value)) return value.map((child: JsonValue, i) => (i === key ? replaced(child, rest, by) : child))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, name === key ? replaced(child, rest, by) : child]))
}
