import type { JsonRecord, JsonValue } from '../json.ts'
import type { FleetObject } from './fleet.ts'
import type { RenderedVariant } from './templates/rendered-variant.ts'

/** The change of one variant of a set. A rename is the removal of `existing` and the creation of `name`. */
export interface VariantChange {
  readonly op: 'create' | 'update' | 'remove' | 'rename' | 'unchanged'
  /** The name after the change; for a removal, the name before. */
  readonly name: string
  /** The namespace of the variant. */
  readonly namespace: string
  /** The variant in the list; undefined for a new variant. */
  readonly existing?: FleetObject
  /** `before` is `spec` in the list, `after` is `spec` after the change. */
  readonly before?: JsonValue
  readonly after?: JsonRecord
  /**
   * `NAMESPACE/NAME` of a variant of another set: `handedTo` gets the downstream of this variant, `takenFrom` had the downstream of this
   * variant.
   */
  readonly handedTo?: string
  readonly takenFrom?: string
  /** True if Porch's marks are added, because the set got its uid after the variant was made. */
  readonly addsMarks?: boolean
  /** The reason for the variant: the place of the target, and the expressions with their values. */
  readonly why?: RenderedVariant
}
