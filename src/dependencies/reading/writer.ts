import type { FieldPath } from '../../field-path.ts'
import type { JsonRecord, JsonValue } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { Step } from '../plan/plan.ts'
import type { Install } from '../universe.ts'

/** Writes the steps of a plan as objects of one ecosystem. Steps are written in order, a parent before the packages that it requires. */
export interface Writer {
  /** Returns the object that installs the package of a step. */
  create(step: Step): WrittenObject
  /** Returns the fields that a step changes in the existing object. */
  update(step: Step): readonly NewFieldValue[]
  /** Returns the object of an install; undefined if there is none. */
  objectOf(install: Install): KrmObject | undefined
}

/** A new object and the object beside which it is written, or the reason why there is none, as a clause. */
export type WrittenObject = { readonly object: JsonRecord; readonly near: KrmObject | undefined } | { readonly fault: string }

/** An edit of the objects of a list. */
export type ObjectEdit =
  | { readonly type: 'add'; readonly object: JsonRecord; readonly near: KrmObject | undefined }
  | ({ readonly type: 'set' } & ObjectFields)
  | { readonly type: 'remove'; readonly object: KrmObject }

/** Fields of one object. */
export interface ObjectFields {
  readonly object: KrmObject
  readonly fields: readonly NewFieldValue[]
}

export interface NewFieldValue {
  readonly path: FieldPath
  /** The new value; undefined removes the field. */
  readonly value: JsonValue | undefined
}

/** Returns the object of the existing package that a new object is made for, directly or through other new objects. */
export function rootObject({ parents: [parent] }: Step, objectOf: (install: Install) => KrmObject | undefined): KrmObject | undefined {
  if (parent?.step !== undefined) return rootObject(parent.step, objectOf)
  const install = parent?.dependent?.install
  return install && objectOf(install)
}
