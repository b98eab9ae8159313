import type { FieldPath } from '../field-path.ts'
import type { JsonValue } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import type { ResourceMove } from './moved-resources.ts'
import type { MergedContent, PackageFiles, Packages } from './package-files.ts'

/** The update strategies of kpt (kpt pkg/lib/update). */
export type MergeStrategy = 'resource-merge' | 'fast-forward' | 'force-delete-replace' | 'copy-merge'

/** The inputs of an update. None of its packages is changed. */
export interface MergeRequest extends Packages {
  readonly strategy: MergeStrategy
  /** The folder of the downstream package, for findings about files without resources; if unset, their paths begin at the package. */
  readonly place?: string
  /** The files of `theirs` as they lie in upstream, if functions ran on `theirs`: findings name these lines. */
  readonly upstream?: PackageFiles
  /** The packages with the files that are not merged, if there are such files: people may have moved a resource there. */
  readonly whole?: Pick<Packages, 'base' | 'ours'>
  /** The resources that upstream moved, if there are files that are not merged: an object of these files may be a moved one's namesake. */
  readonly moves?: readonly ResourceMove[]
}

/** A downstream package after an update. */
export interface MergedPackage {
  /** Every file of the result, by path; with an error among the results, the unchanged files of the downstream. */
  readonly files: ReadonlyMap<string, MergedContent>
  /** The outcome of each field, resource or file in which the sides differ. */
  readonly outcomes: readonly MergeOutcome[]
  /**
   * Only the errors, if there are any. Else a warning for each lost edit, with both values and places, for each change of upstream that
   * was passed over, and for each lost comment.
   */
  readonly results: readonly Result[]
}

/** A file of the merge result. */
export interface MergedFile {
  readonly path: string
  /** Undefined for a file that is removed. */
  readonly content: MergedContent | undefined
  readonly outcomes: readonly MergeOutcome[]
  /** Errors, and warnings about lost comments. */
  readonly results: readonly Result[]
}

type WholeSide = Pick<OutcomeSide, 'object' | 'exists'>

/** Returns the outcome of a whole file or resource. */
export function wholeOutcome(
  outcome: Pick<MergeOutcome, 'result' | 'contested' | 'path' | 'edited'>,
  ours: WholeSide,
  theirs: WholeSide,
): MergeOutcome {
  const whole = { field: [], value: undefined }
  return { ...outcome, ours: { ...ours, ...whole }, theirs: { ...theirs, ...whole } }
}

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
  /** For a subpackage that stays because people edited it: the files that they edited. Messages name the first one. */
  readonly edited?: readonly EditedFile[]
}

/** A file that people added, changed or deleted. */
export interface EditedFile {
  readonly path: string
  readonly edit: 'added' | 'changed' | 'deleted'
  /** The first resource that differs from the one that was cloned; undefined for a file without such a resource. */
  readonly object: KrmObject | undefined
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
