import type { FieldPath } from '../field-path.ts'
import type { JsonValue } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'

/**
 * The outcome of one field, resource or file in which the sides differ. A resource that upstream did not change has no outcome.
 *
 * `taken`: upstream changed it, and the result has upstream's value; `kept`: the result has the downstream's value; `lost`: both
 * changed it, and upstream's value replaces the downstream's edit (kpt's resource-merge has no conflicts: upstream wins).
 */
export interface MergeOutcome {
  readonly result: 'taken' | 'kept' | 'lost'
  /** True if both sides changed it, in different ways. */
  readonly contested: boolean
  /** The file in the package. */
  readonly path: string
  /** The downstream's side before the merge. */
  readonly ours: OutcomeSide
  readonly theirs: OutcomeSide
}

/** The value of one side, at `object.positionOf(field)` in `object.file`. */
export interface OutcomeSide {
  /** Undefined if the side lacks the resource, and for a file that is merged as bytes. */
  readonly object: KrmObject | undefined
  /** `[]` for a whole resource or file. Positions in lists are those of this side; a missing field has the path that it would have. */
  readonly field: FieldPath
  /** Undefined for a missing field, and for a whole resource or file. */
  readonly value: JsonValue | undefined
  /** True if the side has the field, resource or file. */
  readonly exists: boolean
}
