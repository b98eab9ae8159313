import { attempt } from '../attempt.ts'
import { asRecord, equalJson, isRecord, type JsonRecord } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { lostComments, type PlacedComment } from '../resource-list/lost-comments.ts'
import { WireError } from '../resource-list/wire-error.ts'
import { FunctionError, type Result } from '../result.ts'
import { applySplices, type Splice } from '../yaml/edit/apply-splices.ts'
import { ownText, readMergeComment, withCloneMarksOf, withoutCloneMarks } from './clone-marks.ts'
import { footSplices, graftSplices } from './graft-texts.ts'
import { ruleOfObject } from './kubernetes-lists.ts'
import { type FieldOutcome, type MergedFields, mergeFields, type TypeChange } from './merge-fields.ts'
import { withoutOverridden } from './merge-key-overrides.ts'
import type { MergeRule } from './merge-rule.ts'
import { SIDES, type ThreeWay } from './package-files.ts'

/** The three sides of a resource that the downstream has. */
export interface ResourceSides extends ThreeWay<KrmObject> {
  readonly ours: KrmObject
}

/** A resource after a merge. */
export interface MergedResource {
  /** The unchanged object of the downstream, or a draft of it; upstream's object if upstream's is taken whole. */
  readonly object: KrmObject
  readonly outcomes: readonly FieldOutcome[]
  readonly typeChanges: readonly TypeChange[]
  /** Comments that one side wrote and that the object lacks. */
  readonly lostComments: { readonly ours: readonly PlacedComment[]; readonly theirs: readonly PlacedComment[] }
  /** Errors: aliases, and texts that cannot be edited. */
  readonly results: readonly Result[]
}

/** The part of an object that is merged. The rest stays as in the downstream. */
export interface Share {
  readonly rule: MergeRule | undefined
  take(object: JsonRecord): JsonRecord
  /** Returns the downstream's object with the merged part instead of its own. */
  put(merged: JsonRecord, ours: JsonRecord): JsonRecord
  /** Moves entries of lists to their places in the new value, with their comments, before the value is written. */
  arrange?(draft: KrmObject, value: JsonRecord): void
}

/**
 * Merges the three sides of one resource in the text of the downstream, field by field: unchanged lines keep their bytes.
 *
 * An alias is merged as the value that it refers to, and stays if that is the merged value.
 */
export function mergeObject(sides: ResourceSides, share: Share = WHOLE): MergedResource {
  const { base, theirs, ours } = sides
  const texts = { base: base && ownText(base), theirs: theirs && ownText(theirs), ours: ownText(ours) }
  if (texts.theirs === texts.base || texts.theirs === texts.ours) return unchanged(ours)
  if (theirs !== undefined && texts.ours === texts.base && SIDES.some((side) => hasAlias(sides[side]))) return unchanged(theirs)
  try {
    return mergeValues(sides, share)
  } catch (error) {
    if (error instanceof FunctionError) return { ...unchanged(ours), results: error.results }
    throw error
  }
}

/** Returns true if an object has an alias. A text without an asterisk is not parsed for this. */
function hasAlias(object: KrmObject | undefined): boolean {
  return object?.toText().includes('*') === true && object.aliases().length > 0
}

function unchanged(object: KrmObject): MergedResource {
  return { object, outcomes: [], typeChanges: [], lostComments: { ours: [], theirs: [] }, results: [] }
}

const WHOLE: Share = { rule: undefined, take: (object) => object, put: (merged) => merged }

function mergeValues(sides: ResourceSides, share: Share): MergedResource {
  const { base, theirs, ours } = sides
  const whole = ours.toJson()
  const merged = mergeFields(
    {
      base: base && shareOf(base, share),
      theirs: theirs && withoutCloneMarks(share.take(upstreamValue(sides, share))),
      ours: shareOf(ours, share),
    },
    share.rule,
  )
  const object = withValue(sides, withCloneMarksOf(share.put(recordOf(merged), whole), whole, theirs?.toJson()), share)
  const lost = { ours: lostComments(object, sides), theirs: theirs === undefined ? [] : upstreamComments(object, { base, theirs }) }
  return { object, outcomes: merged.outcomes, typeChanges: merged.typeChanges, lostComments: lost, results: [] }
}

/** Returns the comments that upstream wrote and that the result lacks, since the downstream changed the same comment or its entry. */
function upstreamComments(
  object: KrmObject,
  { base, theirs }: { readonly base: KrmObject | undefined; readonly theirs: KrmObject },
): readonly PlacedComment[] {
  return lostComments(object, { base, ours: theirs }).filter(({ comment }) => readMergeComment(comment) === undefined)
}

function shareOf(object: KrmObject, share: Share): JsonRecord {
  return withoutCloneMarks(share.take(object.toJson()))
}

/** Returns upstream's value, without changes of what merge keys stand for where the downstream overrides them. */
function upstreamValue({ base, theirs, ours }: ResourceSides, share: Share): JsonRecord {
  const value = theirs?.toJson() ?? {}
  if (!ours.toText().includes('<<')) return value
  const nodes = { base: base?.written().node, theirs: theirs?.written().node, ours: ours.written().node }
  const own = withoutOverridden(value, nodes, share.rule ?? ruleOfObject(value))
  return isRecord(own) ? own : value
}

function recordOf({ value }: MergedFields): JsonRecord {
  return asRecord(value)
}

/** Returns the downstream's object with a value, and with the text of both sides around the fields that upstream changed. */
function withValue(sides: ResourceSides, value: JsonRecord, { rule, arrange }: Share): KrmObject {
  const { base, theirs, ours } = sides
  const draft = ours.draft()
  arrange?.(draft, value)
  draft.set([], value)
  const written = { base: base?.written(), theirs: theirs?.written(), ours: ours.written() }
  const lineFeed = draft.toText().includes('\r\n') ? '\r\n' : '\n'
  const apply = (to: KrmObject, splices: readonly Splice[]): KrmObject => {
    const inserted = splices.map((splice) => ({ ...splice, text: splice.text.replaceAll('\n', lineFeed) }))
    const after = splices.length === 0 ? undefined : withText(to, applySplices(to.toText(), inserted))
    return after !== undefined && equalJson(after.toJson(), value) ? after : to
  }
  const grafted = apply(draft, graftSplices(draft.written(), written, rule ?? ruleOfObject(value)))
  const object = apply(grafted, footSplices(grafted.written(), written))
  return object.toText() === ours.toText() ? ours : object
}

/** Returns the object with another text; undefined if the text is no YAML, for a layout that grafting does not support. */
function withText(object: KrmObject, text: string): KrmObject | undefined {
  const draft = object.draft()
  const read = (): KrmObject => {
    draft.takeText(text)
    draft.readAll()
    return draft
  }
  return attempt(read, WireError)
}
