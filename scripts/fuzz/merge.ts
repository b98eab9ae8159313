import { equalJson, isRecord, type JsonValue, lookup, memberOf, scalarText } from '../../src/json.ts'
import { BLUEPRINT } from '../../src/merge/clone-marks.ts'
import { type MergedResource, mergeObject } from '../../src/merge/merge-object.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { WireError } from '../../src/resource-list/wire-error.ts'
import type { Result } from '../../src/result.ts'
import { UPSTREAM_IDENTIFIER } from '../../src/well-known.ts'
import { lostText } from './kept-text.ts'
import { judgeFields } from './merge-judge/fields.ts'
import { type Reports, reportsOn } from './merge-judge/reports.ts'
import { oddDocument } from './odd-document.ts'
import { type Random, randomFrom } from './random.ts'
import { randomSide } from './random-side.ts'
import { fragment, realDocuments } from './real-texts.ts'
import { shrinkText } from './shrink.ts'
import { type FuzzOutcome, type FuzzTarget, runCases } from './target.ts'

interface Triple {
  readonly base: string
  readonly theirs: string
  readonly ours: string
}

/**
 * Three sides of one resource, merged: each change of either side is in the result or reported; without edits downstream the result is
 * upstream's; entries that upstream left alone keep their bytes, and the downstream's own comments stay, or are reported when they go; once
 * more changes nothing.
 */
export const merge: FuzzTarget = {
  name: 'merge',
  count: 20_000,
  run(count, seed): FuzzOutcome {
    const random = randomFrom(seed)
    const documents = realDocuments()
    const counts = { merged: 0, upstreams: 0, refused: 0 }
    const outcome = runCases(count, () => {
      const triple = randomTriple(random, documents)
      if (triple === undefined) return []
      const found = safeFault(triple, counts)
      return found === undefined ? [] : [describe(triple)]
    })
    return {
      ...outcome,
      note: `${counts.merged} merged, ${counts.upstreams} of them byte for byte upstream's without edits, ${counts.refused} refused`,
    }
  },
}

function randomTriple(random: Random, documents: readonly string[]): Triple | undefined {
  const base = random.oneIn(6) ? oddDocument(random) : fragment(random, random.pick(documents))
  if (!isPlainMap(base)) return undefined
  return { base, theirs: randomSide(random, base, 'theirs'), ours: randomSide(random, base, 'own') }
}

/**
 * Objects that can be edited at all: others are refused by the edits, which have a target of their own. What a clone marks is no part of a
 * merge.
 */
function isPlainMap(text: string): boolean {
  if (/\r(?!\n)/.test(text) || [UPSTREAM_IDENTIFIER, BLUEPRINT].some((mark) => text.includes(mark))) return false
  try {
    const object = KrmObject.fromDocument(text)
    return object.isMap() && object.duplicateKeys().length === 0 && object.aliases().length === 0 && isRecord(object.get([]))
  } catch (error) {
    if (error instanceof WireError) return false
    throw error
  }
}

function describe(triple: Triple): string {
  let least = triple
  for (const side of ['base', 'theirs', 'ours'] as const) {
    const text = shrinkText(least[side], (part) => isPlainMap(part) && safeFault({ ...least, [side]: part }) !== undefined)
    least = { ...least, [side]: text }
  }
  return `${JSON.stringify(least)}\n    ${safeFault(least)}`
}

function safeFault(triple: Triple, counts = { merged: 0, upstreams: 0, refused: 0 }): string | undefined {
  try {
    return fault(triple, counts)
  } catch (error) {
    return String(error)
  }
}

function fault({ base, theirs, ours }: Triple, counts: { merged: number; upstreams: number; refused: number }): string | undefined {
  const untouched = merged({ base, theirs, ours: base })
  const kept = merged({ base, theirs: base, ours })
  const both = merged({ base, theirs, ours })
  if (kept.object.toText() !== ours) return `without a change upstream: ${JSON.stringify(kept.object.toText())}`
  if (isRefused(untouched) || isRefused(both)) {
    counts.refused++
    return undefined
  }
  counts.merged++
  if (untouched.object.toText() === theirs) counts.upstreams++
  const [o, u, d, r] = [meaningOf(base), meaningOf(theirs), meaningOf(ours), meaningOf(both.object.toText())]
  if (!equalJson(withoutNulls(meaningOf(untouched.object.toText())), withoutNulls(u)))
    return `without an edit downstream: ${JSON.stringify(untouched.object.toText())}`
  const isLoose = [o, u, d].some(hasLoosePort) && !(isOfOneKind(o, u) && isOfOneKind(o, d))
  const { faults } = isLoose ? NO_FAULTS : judgeFields({ o, u, d, r }, { of: [o, u, d].map(kindOf), reports: reportsOf(both) })
  if (faults.length > 0) return `${faults.join('; ')}: ${JSON.stringify(both.object.toText())}`
  const again = merged({ base, theirs, ours: both.object.toText() })
  if (isOfOneKind(d, r) && ![o, u, d].some(hasLoosePort) && !isRefused(again) && !equalJson(meaningOf(again.object.toText()), r))
    return `once more: ${JSON.stringify(again.object.toText())}`
  return untoldComment(ours, both) ?? lostText({ base, theirs, ours, result: both.object.toText() })
}

/** No faults: the merge chooses how ports without a protocol are paired. */
const NO_FAULTS = { faults: [] }

/** The outcomes of which a result is made. */
function reportsOf({ outcomes, lostComments }: MergedResource): Reports {
  const losses = outcomes.filter(({ result, contested }) => result === 'lost' || (result === 'kept' && contested))
  const results = losses.map(({ ours, theirs }): Result => {
    const [currentValue, proposedValue] = [ours.value, theirs.value]
    const values = { ...(currentValue !== undefined && { currentValue }), ...(proposedValue !== undefined && { proposedValue }) }
    return { severity: 'warning', message: '', file: FILE, field: { path: ours.field, ...values }, tags: { rule: 'edit-lost' } }
  })
  const comments = lostComments.ours.map(
    ({ comment }): Result => ({ severity: 'warning', message: comment, file: FILE, tags: { rule: 'comment-lost' } }),
  )
  return reportsOn([...results, ...comments], FILE.path, undefined)
}

const FILE = { path: 'resource.yaml', index: 0 }

function kindOf(value: JsonValue): { readonly apiVersion: string; readonly kind: string } {
  return { apiVersion: scalarText(memberOf(value, 'apiVersion')), kind: scalarText(memberOf(value, 'kind')) }
}

/** A comment of the downstream that goes must be reported. */
function untoldComment(ours: string, { object, lostComments }: MergedResource): string | undefined {
  // What looks like a comment in a text of several lines is a part of a value.
  const values = JSON.stringify(meaningOf(ours), (_, part) => (typeof part === 'bigint' ? String(part) : part))
  const there = [object.toText(), values, ...lostComments.ours.map(({ comment }) => comment)].join('\n')
  const gone = (ours.match(/# own\d/g) ?? []).find((comment) => !there.includes(comment))
  return gone && `${gone} goes untold: ${JSON.stringify(object.toText())}`
}

function merged({ base, theirs, ours }: Triple): MergedResource {
  const [o, u, d] = [base, theirs, ours].map((text) => KrmObject.fromDocument(text))
  if (o === undefined || u === undefined || d === undefined) throw new Error('three sides')
  return mergeObject({ base: o, theirs: u, ours: d })
}

function isRefused({ typeChanges, results }: MergedResource): boolean {
  return typeChanges.length > 0 || results.length > 0
}

function meaningOf(text: string): JsonValue {
  return KrmObject.fromDocument(text).toJson()
}

/** The kind decides how lists are merged. */
function isOfOneKind(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return ['apiVersion', 'kind'].every((key) => equalJson(memberOf(a, key), memberOf(b, key)))
}

/** A port without a protocol is any port of its number, so the same lists may be paired in another way once one of two ports is gone. */
function hasLoosePort(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return value.some(hasLoosePort)
  if (!isRecord(value)) return false
  const isPort = Object.hasOwn(value, 'port') || Object.hasOwn(value, 'containerPort')
  return (isPort && typeof lookup(value, 'protocol') !== 'string') || Object.values(value).some(hasLoosePort)
}

/** A null upstream is a field that is not there. */
function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).flatMap(([key, child]) => (child === null ? [] : [[key, withoutNulls(child)]])))
}
