import type { FieldPath } from '../field-path.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Fault } from './fault.ts'
import type { Infer, Schema } from './schema.ts'

/** The value that a value of another tool stands for; undefined if there is none, and a sentence about it. */
export interface OtherValue {
  readonly value?: string
  readonly hint: string
}

/** A kind: its schema, and the rules that a schema cannot express. */
export interface Validator<S extends Schema = Schema> {
  readonly schema: S
  /** Field names of older versions and of common mistakes, each with the fields to propose: the first that the map can have is named. */
  readonly formerNames?: Readonly<Record<string, readonly string[]>>
  /** Values of other tools by the key of their field, each with the value that it stands for, and what else to write. */
  readonly otherValues?: Readonly<Record<string, Readonly<Record<string, OtherValue>>>>
  /** Returns the reason of the controller's condition for a field that is missing or empty, or has a value that is not allowed. */
  readonly reasonAt?: (path: FieldPath) => string
  /** Returns one fault in the place of all others, for objects of a form that this project does not check. */
  readonly refuse?: (object: KrmObject) => Fault | undefined
  /**
   * Returns the faults of rules between fields. The value always has the schema's type: a faulty part is replaced, and faults about the
   * replacement are dropped.
   */
  readonly rules?: (value: Infer<S>) => readonly Fault[]
}
