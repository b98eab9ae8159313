import type { JsonRecord, JsonValue } from '../json.ts'
import type { FleetObject } from './fleet.ts'
import type { RenderedVariant } from './render-variant.ts'

/** What becomes of one variant of a set. A rename is the removal of `existing` and the creation of `name`. */
export interface VariantChange {
  readonly op: 'create' | 'update' | 'remove' | 'rename' | 'unchanged'
  /** The name it has afterwards; that of a removed one. */
  readonly name: string
  /** The namespace it is in. */
  readonly namespace: string
  /** The variant as it stands in the list; none for a new one. */
  readonly existing?: FleetObject
  /** `spec` as it stands, and as it will be. */
  readonly before?: JsonValue
  readonly after?: JsonRecord
  /** `NAMESPACE/NAME` of the variant of another set that has the same downstream from now on, or had it until now. */
  readonly handedTo?: string
  readonly takenFrom?: string
  /** Whether the marks of a set are added that got its uid after the variant was made. */
  readonly addsMarks?: boolean
  /** Why it is wanted: the place, and the expressions with their values. */
  readonly why?: RenderedVariant
}
