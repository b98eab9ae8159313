import type { FieldPath } from '../field-path.ts'
import type { JsonRecord, JsonValue } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'

/** Whether a value is a map or a list. */
export function isNestedValue(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null
}

/**
 * The scalars of a map as they are written, null as '': kpt writes strings without quotes that only YAML 1.1 takes for something else,
 * and `1.30` is no number where a string is wanted (docs/porch.md 27).
 *
 * @param values  what the object holds at the path
 */
export function scalarTexts(object: KrmObject, path: FieldPath, values: JsonRecord): ReadonlyMap<string, string> {
  const own = object.scalars(path).filter((scalar) => scalar.path.length === path.length + 1)
  const texts = new Map(own.map((scalar) => [String(scalar.path.at(-1)), scalar.text]))
  const scalars = Object.entries(values).filter(([, value]) => !isNestedValue(value))
  return new Map(scalars.map(([key, value]) => [key, value === null ? '' : (texts.get(key) ?? '')]))
}
