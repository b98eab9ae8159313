import type { FieldPath } from '../field-path.ts'
import type { JsonRecord, JsonValue } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'

/** Returns true for a map or a list. */
export function isNestedValue(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null
}

/**
 * Returns the scalars of a map as texts of the file, null as ''. kpt writes strings without quotes that YAML 1.1 reads as other types,
 * and `1.30` must remain `1.30` in the place of a string (docs/porch.md 27).
 *
 * @param values  the map that the object has at the path
 */
export function scalarTexts(object: KrmObject, path: FieldPath, values: JsonRecord): ReadonlyMap<string, string> {
  const own = object.scalars(path).filter((scalar) => scalar.path.length === path.length + 1)
  const texts = new Map(own.map((scalar) => [String(scalar.path.at(-1)), scalar.text]))
  const scalars = Object.entries(values).filter(([, value]) => !isNestedValue(value))
  return new Map(scalars.map(([key, value]) => [key, value === null ? '' : (texts.get(key) ?? '')]))
}
