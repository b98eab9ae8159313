import type { FieldPath } from '../../field-path.ts'
import type { JsonRecord, JsonValue } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { Step } from '../plan/plan.ts'
import type { Install } from '../universe.ts'

/** Puts the steps of a plan into objects of one ecosystem. Steps come in their order: parents are written before what they need. */
export interface Writer {
  /** The object that installs what a step makes. */
  create(step: Step): WrittenObject
  /** The fields that a step changes in the object that is there. */
  update(step: Step): readonly NewFieldValue[]
  /** The object of an install. */
  objectOf(install: Install): KrmObject | undefined
}

/** A new object beside the one of its parent, or why there can be none, as part of a sentence. */
export type WrittenObject = { readonly object: JsonRecord; readonly near: KrmObject | undefined } | { readonly fault: string }

/** What is done to the objects of a list. */
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
  /** Undefined: the field goes. */
  readonly value: JsonValue | undefined
}

/** The object of the parent that was there first: what is made for somebody stands beside it. */
export function rootObject({ parents: [parent] }: Step, objectOf: (install: Install) => KrmObject | undefined): KrmObject | undefined {
  if (parent?.step !== undefined) return rootObject(parent.step, objectOf)
  const install = parent?.dependent?.install
  return install && objectOf(install)
}
