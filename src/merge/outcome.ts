import type { FieldPath } from '../field-path.ts'
import type { JsonValue } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'

/**
 * What became of one field, resource or file in which the sides differ:
 * `taken`: upstream changed it, the downstream did not; `kept`: the downstream has a value of its own, which stays;
 * `lost`: both changed it, and the downstream's value gives way (kpt's resource-merge has no conflicts: upstream wins).
 */
export interface Outcome {
  readonly result: 'taken' | 'kept' | 'lost'
  /** The file in the package. */
  readonly path: string
  /** Undefined for a file that is taken as bytes. */
  readonly resource: { readonly kind: string; readonly name: string } | undefined
  /** What the two sides had before the merge; undefined where a side has no such file. */
  readonly downstream: OutcomeSide | undefined
  readonly upstream: OutcomeSide | undefined
}

/** A value of one side, and where it stands: `object.positionOf(field)`, `object.file`. */
export interface OutcomeSide {
  /** Undefined for bytes. */
  readonly object: KrmObject | undefined
  /** `[]` for the whole object. List positions are those of this side. */
  readonly field: FieldPath
  /** Undefined where the field is not there; of a whole object or file nothing is given. */
  readonly value: JsonValue | undefined
}
