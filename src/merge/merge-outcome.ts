import type { FieldPath } from '../field-path.ts'
import type { JsonValue } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'

/**
 * What became of one field, resource or file in which the sides differ. Of a resource that upstream left alone nothing is told.
 *
 * `taken`: upstream changed it, and the result has upstream's; `kept`: the result has the downstream's;
 * `lost`: both changed it, and the downstream's edit gives way (kpt's resource-merge knows no conflicts: upstream wins).
 */
export interface MergeOutcome {
  readonly result: 'taken' | 'kept' | 'lost'
  /** Whether both sides changed it, each in its way. */
  readonly contested: boolean
  /** The file in the package. */
  readonly path: string
  /** What the two sides had before the merge. */
  readonly downstream: OutcomeSide
  readonly upstream: OutcomeSide
}

/** A value of one side. It stands at `object.positionOf(field)` in `object.file`. */
export interface OutcomeSide {
  /** Undefined where the side has no such resource, and for a file that is taken as bytes. */
  readonly object: KrmObject | undefined
  /** `[]` for a whole resource or file. List positions are those of this side; a field that is not there has the path that it would have. */
  readonly field: FieldPath
  /** Undefined where the field is not there, and for a whole resource or file. */
  readonly value: JsonValue | undefined
  /** Whether the side has the field, resource or file. */
  readonly exists: boolean
}
