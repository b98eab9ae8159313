import type { FieldPath } from '../../field-path.ts'
import { isRecord, type JsonValue, lookup } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { FieldPlace } from '../place.ts'

/** A value of an object, with the way to it. The path is made only when somebody asks: a catalog has a million fields. */
export interface ObjectField {
  readonly object: KrmObject
  readonly value: JsonValue | undefined
  readonly key: string | number
  readonly parent: ObjectField | undefined
}

/** The field of an object at a path; its value is undefined where there is none. */
export function fieldAt(object: KrmObject, path: FieldPath): ObjectField {
  const [key = '', ...above] = [...path].reverse()
  const parent = path.length > 1 ? pathField(object, above.reverse()) : undefined
  return { object, value: object.get(path), key, parent }
}

function pathField(object: KrmObject, path: FieldPath): ObjectField {
  const parent = path.length > 1 ? pathField(object, path.slice(0, -1)) : undefined
  return { object, value: undefined, key: path.at(-1) ?? '', parent }
}

/** The value of a key of a map. */
export function childField(field: ObjectField, key: string): ObjectField {
  const value = isRecord(field.value) ? lookup(field.value, key) : undefined
  return { object: field.object, value: value ?? undefined, key, parent: field }
}

/** Whether a map has a value for a key that is not null. */
export function hasValue({ value }: ObjectField, key: string): boolean {
  return isRecord(value) && (lookup(value, key) ?? undefined) !== undefined
}

/** The items of a list; none of anything else. */
export function itemFields(field: ObjectField): ObjectField[] {
  if (!Array.isArray(field.value)) return []
  return field.value.map((value: JsonValue, key) => ({ object: field.object, value, key, parent: field }))
}

/** The keys of a map; none of anything else. */
export function keysOf(field: ObjectField): string[] {
  return isRecord(field.value) ? Object.keys(field.value) : []
}

/** The text of a string; undefined of anything else. */
export function textOfField(field: ObjectField): string | undefined {
  return typeof field.value === 'string' ? field.value : undefined
}

/** The text of a string below a field; '' of anything else. */
export function childText(field: ObjectField, key: string): string {
  return childTextIfAny(field, key) ?? ''
}

/** The text of a string below a field; undefined of anything else. */
export function childTextIfAny({ value }: ObjectField, key: string): string | undefined {
  const text = isRecord(value) ? lookup(value, key) : undefined
  return typeof text === 'string' ? text : undefined
}

/** The strings of a list of strings. */
export function textsOfField(field: ObjectField): string[] {
  return itemFields(field).flatMap((item) => textOfField(item) ?? [])
}

export function pathOfField({ key, parent }: ObjectField): FieldPath {
  return parent === undefined ? [key] : [...pathOfField(parent), key]
}

/** The field as a place of a result. */
export function placeOfField(field: ObjectField): FieldPlace {
  return placeIn(field.object, pathOfField(field), field.value)
}

/** A place in an object. Line and column are made only when somebody asks. */
export function placeIn(object: KrmObject, path: FieldPath, currentValue?: JsonValue): FieldPlace {
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
export function isTrue(field: ObjectField): boolean {
  return field.value === true || field.value === 'true'
}
