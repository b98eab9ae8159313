import type { FieldPath } from '../../../src/field-path.ts'
import { asRecord, equalJson, isRecord, type JsonValue, lookup } from '../../../src/json.ts'
import { entryKey, keyOfList, likelyKeys, tellsApart, usedFields } from './keyed-lists.ts'
import type { Reports } from './reports.ts'
import { same } from './same.ts'

/** A value of base, upstream, downstream and result; undefined where the side has none. */
export interface Values {
  readonly o: JsonValue | undefined
  readonly u: JsonValue | undefined
  readonly d: JsonValue | undefined
  readonly r: JsonValue | undefined
}

/** The facts about the resource in which the judge judges a field. */
export interface FieldScope {
  readonly of: readonly { readonly apiVersion: string; readonly kind: string }[]
  readonly reports: Reports
}

/** The faults of the result, and the places where the sides have values of different types, so that a merge may be refused. */
export interface FieldJudgement {
  readonly faults: readonly string[]
  readonly mayRefuse: boolean
}

/**
 * Judges the result of a three-way merge, field by field, from the three sides alone. What one side changed and the other left alone must
 * be in the result. Where both changed a field, the result has one side's value and a warning names the field. Maps are judged by key.
 * Lists are judged by entry where the entries must have keys; other lists may be merged by entry or taken whole.
 *
 * @example
 * base `{a: 1, b: 1}`, upstream `{a: 2, b: 1}`, downstream `{a: 1, b: 3}`: the result must be `{a: 2, b: 3}`
 */
export function judgeFields(values: Values, scope: FieldScope): FieldJudgement {
  const judge = new FieldJudge(scope)
  const faults = judge.field(values, [])
  return { faults, mayRefuse: judge.mayRefuse }
}

class FieldJudge {
  mayRefuse = false
  readonly #scope: FieldScope

  constructor(scope: FieldScope) {
    this.#scope = scope
  }

  field(values: Values, path: FieldPath): readonly string[] {
    const { o, u, d, r } = values
    if (isUnchanged(o, u)) return same(r, d) ? [] : fault(': the downstream alone changed', values, path)
    if (isUnchanged(u, d)) return same(r, d) ? [] : fault(': both sides changed in one way', values, path)
    const kinds = new Set([o, u, d].flatMap((value) => kindOf(value) ?? []))
    this.mayRefuse ||= kinds.size > 1 || hasTypeChange(o, u)
    if (isUnchanged(o, d)) return isTaken(values) ? [] : fault(': upstream alone changed', values, path)
    if (kinds.size > 1) return this.#oneOf(values, path)
    if (kinds.has('map')) return this.#map(values, path)
    return kinds.has('list') ? this.#list(values, path) : this.#oneOf(values, path)
  }

  #map(values: Values, path: FieldPath, keyFields: readonly string[] = []): readonly string[] {
    // The name that every metadata has is not judged.
    if (isDeleted(values) && path.join() !== 'metadata') return this.#returning(values, path)
    if (isEmpty(values.u) && isEmpty(values.r) && this.#scope.reports.covers(path, values)) return []
    const sides = [values.o, values.u, values.d, values.r].map(asRecord)
    const keys = new Set(sides.flatMap((side) => Object.keys(side)))
    return [...keys].flatMap((key) => {
      if (keyFields.includes(key)) return []
      const [o, u, d, r] = sides.map((side) => lookup(side, key))
      return this.field({ o, u, d, r }, [...path, key])
    })
  }

  /**
   * Returns the faults of what the downstream deleted and upstream changed: with a warning, the result has all, a part or nothing of
   * upstream's value.
   */
  #returning(values: Values, path: FieldPath): readonly string[] {
    if (!this.#scope.reports.covers(path, values))
      return fault('was deleted here and changed upstream, and no warning names it', values, path)
    return isPartOf(values.r, values.u) ? [] : fault('has something of neither side', values, path)
  }

  #list(values: Values, path: FieldPath): readonly string[] {
    const { o, u, d, r } = values
    const lists = [o, u, d].map((side) => (Array.isArray(side) ? side : []))
    const key = keyOfList(this.#scope.of, path)
    const promised = key === 'likely' ? undefined : usedFields(lists, key)
    if (promised !== undefined && Array.isArray(u) && Array.isArray(d) && tellsApart(lists, promised))
      return this.#entries(values, path, promised)
    if (isDeleted(values)) return this.#returning(values, path)
    const whole = this.#oneOf(values, path)
    const likely = whole.length === 0 ? [] : likelyKeys([...lists, Array.isArray(r) ? r : []])
    return likely.some((fields) => this.#entries(values, path, fields).length === 0) ? [] : whole
  }

  #entries({ o, u, d, r }: Values, path: FieldPath, fields: readonly string[]): readonly string[] {
    const sides = [o, u, d, r].map((list) => (Array.isArray(list) ? list : []))
    const [ofO = [], ofU = [], ofD = [], ofR = []] = sides.map((list) => list.map((entry) => entryKey(entry, fields) ?? ''))
    if (new Set(ofR).size < ofR.length) return fault('has an entry twice', { o, u, d, r }, path)
    const entries = [...new Set([...ofD, ...ofO, ...ofU, ...ofR])].flatMap((key) => {
      const [inO, inU, inD, inR] = [ofO, ofU, ofD, ofR].map((keys, side) => sides[side]?.[keys.indexOf(key)])
      const at = [...path, ofD.includes(key) ? ofD.indexOf(key) : ofD.length]
      return this.#entry({ o: inO, u: inU, d: inD, r: inR }, at, fields)
    })
    return [...entries, ...misorder({ ofO, ofU, ofD, ofR }, path)]
  }

  /** Of an entry that upstream removed and the downstream changed, what the downstream added may stay, with the key. */
  #entry(values: Values, path: FieldPath, fields: readonly string[]): readonly string[] {
    const { o, u, d, r } = values
    if (r !== undefined && isRecord(r) && Object.keys(r).length === 0) return fault('is an empty entry', values, path)
    if (isRecord(o) && isRecord(d) && u === undefined && !same(o, d)) {
      if (!this.#scope.reports.covers(path, values)) return fault('goes without a warning', values, path)
      return this.#map({ ...values, u: {} }, path, [...fields, ...FUNCTION_KEYS])
    }
    const areMaps = isRecord(u) && isRecord(d) && (o === undefined || isRecord(o))
    return areMaps ? this.#map(values, path, fields) : this.field(values, path)
  }

  /** One side's value, with a warning about the other's. `1` and `"1"` are one value to kpt, so upstream's quotes alone are no change. */
  #oneOf(values: Values, path: FieldPath): readonly string[] {
    const { o, u, d, r } = values
    if (isRetyped(o, u) && same(r, d)) return []
    if (!same(r, u) && !same(r, d)) return fault('has the value of neither side', values, path)
    return this.#scope.reports.covers(path, values) ? [] : fault('was changed on both sides, and no warning names it', values, path)
  }
}

/** The fields that a pipeline function keeps as long as it is there. */
const FUNCTION_KEYS = ['name', 'image', 'exec']

/** Returns true if a side left a value alone; a null and a missing field are one. */
function isUnchanged(before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  return equalJson(before ?? null, after ?? null)
}

/** Returns true if the result has upstream's value, or a null that the downstream wrote. */
function isTaken({ u, d, r }: Values): boolean {
  return same(r, u) || (isEmpty(u) && isEmpty(r)) || (d === null && r === null)
}

/** The entries of all three sides have upstream's order where the downstream left their order alone, else the downstream's. */
function misorder(
  { ofO, ofU, ofD, ofR }: Readonly<Record<'ofO' | 'ofU' | 'ofD' | 'ofR', readonly string[]>>,
  path: FieldPath,
): readonly string[] {
  const common = ofO.filter((key) => [ofU, ofD, ofR].every((keys) => keys.includes(key)))
  const [base, theirs, ours, result] = [ofO, ofU, ofD, ofR].map((keys) => keys.filter((key) => common.includes(key)).join())
  const wanted = base === ours ? theirs : ours
  return result === wanted ? [] : [`${name(path)} has the order ${result}, not ${wanted}`]
}

function isDeleted({ o, d }: Values): boolean {
  return !same(o, undefined) && same(d, undefined)
}

function fault(what: string, values: Values, path: FieldPath): readonly string[] {
  const sides = Object.entries(values).map(([side, value]) => `${side} ${show(value)}`)
  return [`${name(path)} ${what} (${sides.join(', ')})`]
}

function isRetyped(o: JsonValue | undefined, u: JsonValue | undefined): boolean {
  return kindOf(o) === 'scalar' && kindOf(u) === 'scalar' && String(o) === String(u)
}

function kindOf(value: JsonValue | undefined): 'map' | 'list' | 'scalar' | undefined {
  if (value === undefined || value === null) return undefined
  return isRecord(value) ? 'map' : Array.isArray(value) ? 'list' : 'scalar'
}

/** Returns true if a field of one value is a scalar, a map or a list, and another of these in the other value. */
function hasTypeChange(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (isRecord(a) && isRecord(b)) return Object.entries(a).some(([key, value]) => hasTypeChange(value, lookup(b, key)))
  if (Array.isArray(a) && Array.isArray(b)) return a.some((entry) => b.some((other) => hasTypeChange(entry, other)))
  return kindOf(a) !== undefined && kindOf(b) !== undefined && kindOf(a) !== kindOf(b)
}

function isEmpty(value: JsonValue | undefined): boolean {
  return same(value, undefined) || same(value, {})
}

/** Returns true if a value is another one without some of its fields and entries. */
function isPartOf(part: JsonValue | undefined, whole: JsonValue | undefined): boolean {
  if (part === undefined || part === null || same(part, whole)) return true
  if (isRecord(part) && isRecord(whole)) return Object.entries(part).every(([key, value]) => isPartOf(value, lookup(whole, key)))
  return Array.isArray(part) && Array.isArray(whole) && part.every((entry) => whole.some((other) => isPartOf(entry, other)))
}

function name(path: FieldPath): string {
  return path.length === 0 ? 'the resource' : path.join('.')
}

function show(value: JsonValue | undefined): string {
  const text = JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part)) ?? 'nothing'
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
