import { equalJson, isRecord, type JsonRecord } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { WireError } from '../resource-list/wire-error.ts'
import { FunctionError, type Result } from '../result.ts'
import { applySplices } from '../yaml/edit/splice.ts'
import { withCloneMarksOf, withoutCloneMarks } from './clone-marks.ts'
import { graftSplices } from './graft-texts.ts'
import { ruleOfObject } from './kubernetes-lists.ts'
import { lostComments, type PlacedComment } from './lost-comments.ts'
import { type FieldOutcome, type MergedFields, mergeFields, type TypeChange } from './merge-fields.ts'
import type { MergeRule } from './merge-rule.ts'
import { ownText } from './own-text.ts'
import { SIDES, type ThreeWay } from './three-way.ts'

/** A resource on the sides that have it. */
export interface ResourceSides extends ThreeWay<KrmObject> {
  readonly downstream: KrmObject
}

/** What an update makes of one resource. */
export interface MergedResource {
  /** The object of the downstream where nothing changed, else a draft of it; upstream's where it is taken whole. */
  readonly object: KrmObject
  readonly outcomes: readonly FieldOutcome[]
  readonly typeChanges: readonly TypeChange[]
  /** Comments of the downstream that the object does not have. */
  readonly lostComments: readonly PlacedComment[]
  /** Errors: aliases, and what keeps the text from being edited. */
  readonly results: readonly Result[]
}

/** What of an object takes part in a merge. The rest of the downstream's stays. */
export interface Share {
  readonly rule: MergeRule | undefined
  take(object: JsonRecord): JsonRecord
  /** The downstream's object with the merged share in the place of its own. */
  put(merged: JsonRecord, downstream: JsonRecord): JsonRecord
  /** Brings entries of lists to their places in the new value, with their comments, before that value is written. */
  arrange?(draft: KrmObject, value: JsonRecord): void
}

/**
 * The three-way merge of one resource, on the text of the downstream: lines that do not have to change keep their bytes.
 *
 * It goes field by field; an alias has the value that the alias stands for, and stays where that is the merged value.
 */
export function mergeObject(sides: ResourceSides, share: Share = WHOLE): MergedResource {
  const { original, upstream, downstream } = sides
  const texts = { original: original && ownText(original), upstream: upstream && ownText(upstream), downstream: ownText(downstream) }
  if (texts.upstream === texts.original || texts.upstream === texts.downstream) return unchanged(downstream)
  if (upstream !== undefined && texts.downstream === texts.original && SIDES.some((side) => hasAlias(sides[side])))
    return unchanged(upstream)
  try {
    return mergeValues(sides, share)
  } catch (error) {
    if (error instanceof FunctionError) return { ...unchanged(downstream), results: error.results }
    throw error
  }
}

/** Only a text with an asterisk is worth a look at every node of it. */
function hasAlias(object: KrmObject | undefined): boolean {
  return object?.toText().includes('*') === true && object.aliases().length > 0
}

function unchanged(object: KrmObject): MergedResource {
  return { object, outcomes: [], typeChanges: [], lostComments: [], results: [] }
}

const WHOLE: Share = { rule: undefined, take: (object) => object, put: (merged) => merged }

function mergeValues(sides: ResourceSides, share: Share): MergedResource {
  const { original, upstream, downstream } = sides
  const whole = downstream.toJson()
  const merged = mergeFields(
    {
      original: original && shareOf(original, share),
      upstream: upstream && shareOf(upstream, share),
      downstream: shareOf(downstream, share),
    },
    share.rule,
  )
  const object = withValue(sides, withCloneMarksOf(share.put(recordOf(merged), whole), whole, upstream?.toJson()), share)
  return { object, outcomes: merged.outcomes, typeChanges: merged.typeChanges, lostComments: lostComments(object, sides), results: [] }
}

function shareOf(object: KrmObject, share: Share): JsonRecord {
  return withoutCloneMarks(share.take(object.toJson()))
}

function recordOf({ value }: MergedFields): JsonRecord {
  return isRecord(value) ? value : {}
}

/** The downstream's object with a value, and with what the sides wrote around the fields that upstream changed. */
function withValue(sides: ResourceSides, value: JsonRecord, { rule, arrange }: Share): KrmObject {
  const { original, upstream, downstream } = sides
  const draft = downstream.draft()
  arrange?.(draft, value)
  draft.set([], value)
  const written = { original: original?.written(), upstream: upstream?.written(), downstream: downstream.written() }
  const lineFeed = draft.toText().includes('\r\n') ? '\r\n' : '\n'
  const splices = graftSplices(draft.written(), written, rule ?? ruleOfObject(value))
  const inserted = splices.map((splice) => ({ ...splice, text: splice.text.replaceAll('\n', lineFeed) }))
  const grafted = withText(draft, applySplices(draft.toText(), inserted))
  const object = grafted !== undefined && equalJson(grafted.toJson(), value) ? grafted : draft
  return object.toText() === downstream.toText() ? downstream : object
}

/** Undefined where the text is no YAML: a layout that a graft does not know. */
function withText(object: KrmObject, text: string): KrmObject | undefined {
  const draft = object.draft()
  try {
    draft.takeText(text)
    draft.readAll()
    return draft
  } catch (error) {
    if (error instanceof WireError) return undefined
    throw error
  }
}
