import type { JsonValue } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Fault } from './fault.ts'
import type { Infer, Schema } from './schema.ts'

/** One error as the compiled code reports it (ajv's ErrorObject, without what we do not read). */
export interface CheckError {
  readonly keyword: string
  /** JSON pointer of the value. */
  readonly instancePath: string
  readonly params: Readonly<Record<string, unknown>>
}

/** What `scripts/compile-schemas.mjs` makes of a schema: true when the value fits, else the errors are in `errors`. */
interface Check {
  (value: JsonValue): boolean
  readonly errors?: readonly CheckError[] | null
}

/** Everything that is known about a kind: its schema, the compiled check of it, and the rules that a schema cannot say. */
export interface Validator<S extends Schema = Schema> {
  readonly schema: S
  readonly check: Check
  /** Names of older versions and of public mistakes, with the field to suggest. Used where a field of that name is. */
  readonly formerNames?: Readonly<Record<string, string>>
  /** The reason of the controller's condition when a field is missing, empty, or has none of the allowed values. */
  readonly reason?: string
  /** One fault that stands for all others, for objects of a form that is not ours to check. */
  readonly refuse?: (object: KrmObject) => Fault | undefined
  /** The rules between fields. Gets a value of the schema's type even where the object had none: such faults are dropped. */
  readonly rules?: (value: Infer<S>) => readonly Fault[]
}
