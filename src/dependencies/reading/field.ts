import type { FieldPath } from '../../field-path.ts'
import { isRecord, type JsonValue, lookup, textIn } from '../../json.ts'
import { remember } from '../../remember.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { FieldPlace } from '../finding.ts'
import { originAt } from './origins.ts'

/**
 * A value of an object with its key and its parent. The path is built only when needed: a catalog has a million fields. A class, because V8
 * soon allocates object literals of one place in its old generation if some of them are held: nearly all fields of a large list are needed
 * once, and would then stay in memory.
 */
export class ObjectField {
  readonly object: KrmObject
  readonly value: JsonValue | undefined
  readonly key: string | number
  readonly parent: ObjectField | undefined

  constructor(object: KrmObject, value: JsonValue | undefined, key: string | number, parent: ObjectField | undefined) {
    this.object = object
    this.value = value
    this.key = key
    this.parent = parent
  }
}

/** Returns the field of an object at a path; its value is undefined if the object has none there. */
export function fieldAt(object: KrmObject, path: FieldPath): ObjectField {
  const [key = '', ...above] = [...path].reverse()
  const parent = path.length > 1 ? pathField(object, above.reverse()) : undefined
  return { object, value: object.get(path), key, parent }
}

function pathField(object: KrmObject, path: FieldPath): ObjectField {
  const parent = path.length > 1 ? pathField(object, path.slice(0, -1)) : undefined
  return { object, value: undefined, key: path.at(-1) ?? '', parent }
}

/** Returns the field of a key of a map; its value is undefined for a missing key and for null. */
export function childField(field: ObjectField, key: string): ObjectField {
  const value = isRecord(field.value) ? lookup(field.value, key) : undefined
  return new ObjectField(field.object, value ?? undefined, key, field)
}

/** Returns true if the field is a map with a value for the key that is not null. */
export function hasValue({ value }: ObjectField, key: string): boolean {
  return isRecord(value) && (lookup(value, key) ?? undefined) !== undefined
}

/** Returns the items of a list; an empty list for any other value. */
export function itemFields(field: ObjectField): ObjectField[] {
  if (!Array.isArray(field.value)) return []
  return field.value.map((value: JsonValue, key) => new ObjectField(field.object, value, key, field))
}

/** Returns the keys of a map; an empty list for any other value. */
export function keysOf(field: ObjectField): string[] {
  return isRecord(field.value) ? Object.keys(field.value) : []
}

/** Returns the value of a string field; undefined for any other value. */
export function textOfField(field: ObjectField): string | undefined {
  return typeof field.value === 'string' ? field.value : undefined
}

/** Returns the string at a key of a field; '' for any other value. */
export function childText({ value }: ObjectField, key: string): string {
  return value === undefined ? '' : textIn(value, key)
}

/** Returns the path of a field in its object. */
export function pathOfField({ key, parent }: ObjectField): FieldPath {
  return parent === undefined ? [key] : [...pathOfField(parent), key]
}

/** Returns the place of a field, for results. */
export function placeOfField(field: ObjectField): FieldPlace {
  return placeIn(field.object, pathOfField(field), field.value)
}

/** Returns a place in an object, in the file that the field comes from. Line and column are computed only when read. */
export function placeIn(object: KrmObject, path: FieldPath, currentValue?: JsonValue): FieldPlace {
  const origin = originAt(object, path)
  return {
    ref: object.ref,
    path,
    file: (origin ?? object).file,
    currentValue,
    get position() {
      return origin?.positionOf(path)
    },
    get isOwnReading() {
      return origin !== undefined && isOwnReading(origin)
    },
  }
}

const ownReadings = new WeakMap<KrmObject, boolean>()

// An orchestrator's copy names its file in an annotation; an object that has a file without one was read from that file.
function isOwnReading(object: KrmObject): boolean {
  return remember(ownReadings, object, () => object.file !== undefined && !object.toText().includes('config.kubernetes.io/path'))
}

/** Returns the string at a path of an object; '' for any other value. */
export function textAt(object: KrmObject, ...path: FieldPath): string {
  const value = object.get(path)
  return typeof value === 'string' ? value : ''
}

/** Returns true for `true` and for the text 'true': values of a ConfigMap are strings. */
export function isTrue(field: ObjectField): boolean {
  return field.value === true || field.value === 'true'
}
