import type { FieldPath } from '../../field-path.ts'
import { isRecord, type JsonValue, lookup } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { Place } from '../place.ts'

/** A value of an object, with the way to it. The path is made only when somebody asks: a catalog has a million fields. */
export interface Field {
  readonly object: KrmObject
  readonly value: JsonValue | undefined
  readonly key: string | number
  readonly parent: Field | undefined
}

/** The field of an object at a path; its value is undefined where there is none. */
export function fieldAt(object: KrmObject, path: FieldPath): Field {
  const [key = '', ...above] = [...path].reverse()
  const parent = path.length > 1 ? pathField(object, above.reverse()) : undefined
  return { object, value: object.get(path), key, parent }
}

function pathField(object: KrmObject, path: FieldPath): Field {
  const parent = path.length > 1 ? pathField(object, path.slice(0, -1)) : undefined
  return { object, value: undefined, key: path.at(-1) ?? '', parent }
}

/** The value of a key of a map. */
export function childOf(field: Field, key: string): Field {
  const value = isRecord(field.value) ? lookup(field.value, key) : undefined
  return { object: field.object, value: value ?? undefined, key, parent: field }
}

/** Whether a map has a value for a key that is not null. */
export function hasValue({ value }: Field, key: string): boolean {
  return isRecord(value) && (lookup(value, key) ?? undefined) !== undefined
}

/** The items of a list; none of anything else. */
export function itemsOf(field: Field): Field[] {
  if (!Array.isArray(field.value)) return []
  return field.value.map((value: JsonValue, key) => ({ object: field.object, value, key, parent: field }))
}

/** The keys of a map; none of anything else. */
export function keysOf(field: Field): string[] {
  return isRecord(field.value) ? Object.keys(field.value) : []
}

/** The text of a string; undefined of anything else. */
export function textOf(field: Field): string | undefined {
  return typeof field.value === 'string' ? field.value : undefined
}

/** The text of a string below a field; '' of anything else. */
export function childText(field: Field, key: string): string {
  return childTextIfAny(field, key) ?? ''
}

/** The text of a string below a field; undefined of anything else. */
export function childTextIfAny({ value }: Field, key: string): string | undefined {
  const text = isRecord(value) ? lookup(value, key) : undefined
  return typeof text === 'string' ? text : undefined
}

/** The strings of a list of strings. */
export function textsOf(field: Field): string[] {
  return itemsOf(field).flatMap((item) => textOf(item) ?? [])
}

export function pathOf({ key, parent }: Field): FieldPath {
  return parent === undefined ? [key] : [...pathOf(parent), key]
}

/** The field as a place of a result. */
export function placeOf(field: Field): Place {
  return placeIn(field.object, pathOf(field), field.value)
}

/** A place in an object. Line and column are made only when somebody asks. */
export function placeIn(object: KrmObject, path: FieldPath, currentValue?: JsonValue): Place {
  return {
    ref: object.ref,
    path,
    file: object.file,
    currentValue,
    get position() {
      return object.positionOf(path)
    },
    get isOwnReading() {
      return isOwnReading(object)
    },
  }
}

const ownReadings = new WeakMap<KrmObject, boolean>()

// An orchestrator's copy names its file in an annotation; an object that has a file without one was read from that file.
function isOwnReading(object: KrmObject): boolean {
  const own = ownReadings.get(object) ?? (object.file !== undefined && !object.toText().includes('config.kubernetes.io/path'))
  ownReadings.set(object, own)
  return own
}

/** The text of a field of an object; '' when it is no string. */
export function textAt(object: KrmObject, ...path: FieldPath): string {
  const value = object.get(path)
  return typeof value === 'string' ? value : ''
}

/** Whether the value is `true`, or a text that says so: values of a ConfigMap are strings. */
export function isTrue(field: Field): boolean {
  return field.value === true || field.value === 'true'
}
