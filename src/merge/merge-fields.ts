import type { FieldPath } from '../field-path.ts'
import { asRecord, equalJson, isRecord, type JsonRecord, type JsonValue, lookup, newRecord } from '../json.ts'
import { entryOrder } from './entry-order.ts'
import { ruleOfObject } from './kubernetes-lists.ts'
import { fieldRule, keyText, type ListRule, listRule, type MergeRule, withKeys } from './merge-rule.ts'
import { type EntryPlaces, pairListEntries } from './pair-entries.ts'
import type { ThreeWay } from './three-way.ts'

/** The outcome of a field in which the sides differ; `MergeOutcome` explains the words. */
export interface FieldOutcome {
  readonly result: 'taken' | 'kept' | 'lost'
  readonly contested: boolean
  readonly downstream: FieldOfSide
  readonly upstream: FieldOfSide
}

/** A field of one side. A missing field has the path that it would have. */
export interface FieldOfSide {
  readonly field: FieldPath
  readonly value: JsonValue | undefined
}

/** A field with different kinds of values (scalar, map, list) on different sides. */
export interface TypeChange {
  readonly downstream: FieldOfSide
  readonly upstream: FieldOfSide
}

export interface MergedFields {
  readonly value: JsonValue | undefined
  readonly outcomes: readonly FieldOutcome[]
  readonly typeChanges: readonly TypeChange[]
}

type Values = ThreeWay<JsonValue>

/** The paths of a value in the downstream and in upstream. */
interface At {
  readonly downstream: FieldPath
  readonly upstream: FieldPath
}

/**
 * Merges three values as kpt's resource-merge does (kpt pkg/lib/update/merge3, kyaml yaml/walk): a field that upstream changed has
 * upstream's value, any other the downstream's. Maps, and lists whose entries have a key, are merged field by field; every other list
 * is one value. A field that only one side changed keeps that side's value, even where kpt would leave an empty map or drop a null.
 *
 * @example  original `{a: 1, b: 1}`, upstream `{a: 2, b: 1}`, downstream `{a: 1, b: 3}` → `{a: 2, b: 3}`
 */
export function mergeFields(sides: Values, rule: MergeRule | undefined): MergedFields {
  const merge = new FieldMerge()
  const value = merge.field(sides, rule, { downstream: [], upstream: [] })
  return { value, outcomes: merge.outcomes, typeChanges: merge.typeChanges }
}

class FieldMerge {
  readonly outcomes: FieldOutcome[] = []
  readonly typeChanges: TypeChange[] = []

  field(sides: Values, rule: MergeRule | undefined, at: At): JsonValue | undefined {
    const { original, upstream, downstream } = sides
    if (original === null && upstream === undefined && downstream === null) return this.#upstreams(sides, at, undefined)
    if (equalJson(original, upstream) || (isNothing(original) && isNothing(upstream))) {
      if (!equalJson(original, downstream)) this.#tell('kept', sides, at)
      return downstream
    }
    if (equalJson(downstream, upstream)) return downstream
    if (upstream === null) return this.#upstreams(sides, at, undefined)
    if (downstream === null && original !== null) {
      this.#tell('kept', sides, at)
      return null
    }
    if (new Set([original, upstream, downstream].flatMap((value) => kindOf(value) ?? [])).size > 1) {
      this.typeChanges.push(sidesAt(sides, at))
      return downstream
    }
    return this.#sameKind(sides, rule, at)
  }

  #sameKind(sides: Values, rule: MergeRule | undefined, at: At): JsonValue | undefined {
    const { original, upstream, downstream } = sides
    if (isNothing(downstream) && isNothing(original)) return this.#upstreams(sides, at, upstream)
    if (isNothing(downstream)) return this.#deleted(sides, rule, at)
    if (isRecord(downstream)) return this.#map(sides, rule ?? ruleOfObject(downstream) ?? ruleOfObject(upstream), at)
    const known = listRule(rule, sides)
    const list = upstream !== undefined || (known !== undefined && 'pair' in known.key) ? known : undefined
    const lists = { original: asList(original), upstream: asList(upstream), downstream: asList(downstream) }
    const entries = list && pairListEntries(lists, list.key)
    return list && entries ? this.#list(lists, entries, list, at) : this.#oneValue(sides, at)
  }

  /** Merges a scalar or list as one value. Scalars are compared by their texts, since `1` and `"1"` are equal in kpt. */
  #oneValue(sides: Values, at: At): JsonValue | undefined {
    const { original, upstream, downstream } = sides
    const sameText = keyText(original) !== undefined && keyText(original) === keyText(upstream)
    if (!sameText || equalJson(original, downstream)) return this.#upstreams(sides, at, upstream)
    this.#tell('kept', sides, at)
    return downstream
  }

  /** Restores the part of a field deleted downstream that upstream changed. */
  #deleted(sides: Values, rule: MergeRule | undefined, at: At): JsonValue | undefined {
    const back = restoredByUpstream(sides.original, sides.upstream, rule)
    this.#tell(back === undefined ? 'kept' : 'lost', sides, at)
    return back
  }

  #map(sides: Values, rule: MergeRule | undefined, at: At): JsonValue | undefined {
    const { original, upstream, downstream } = sides
    if (upstream === undefined && equalJson(original, downstream)) return this.#upstreams(sides, at, undefined)
    const maps = { original: asRecord(original), upstream: asRecord(upstream), downstream: asRecord(downstream) }
    const merged = newRecord()
    for (const key of new Set([...Object.keys(maps.downstream), ...Object.keys(maps.upstream)])) {
      const field = { original: lookup(maps.original, key), upstream: lookup(maps.upstream, key), downstream: lookup(maps.downstream, key) }
      const value = this.field(field, fieldRule(rule, key), below(at, key, key))
      if (value !== undefined) merged[key] = value
    }
    return merged
  }

  #list(lists: ThreeWay<readonly JsonValue[]>, entries: readonly EntryPlaces[], rule: ListRule, at: At): JsonValue | undefined {
    const counts = { downstream: lists.downstream?.length ?? 0, upstream: lists.upstream?.length ?? 0 }
    const merged = new Map<EntryPlaces, JsonValue>()
    for (const entry of entries) {
      const sides = {
        original: entryOf(lists.original, entry.original),
        upstream: entryOf(lists.upstream, entry.upstream),
        downstream: entryOf(lists.downstream, entry.downstream),
      }
      const value = this.#entry(sides, rule, below(at, entry.downstream ?? counts.downstream, entry.upstream ?? counts.upstream))
      if (value !== undefined && !isEmptyMap(value)) merged.set(entry, value)
    }
    return merged.size === 0 && lists.upstream === undefined ? undefined : entryOrder(entries).flatMap((entry) => merged.get(entry) ?? [])
  }

  #entry(sides: Values, { key, entries: rule }: ListRule, at: At): JsonValue | undefined {
    const { original, upstream, downstream } = sides
    const removed = upstream === undefined && original !== undefined
    if (downstream === undefined) return withKeys(this.field(sides, rule, at), [upstream], key)
    if (!removed || equalJson(original, downstream)) return this.field(sides, rule, at)
    this.#tell('lost', sides, at)
    return withKeys(upstreamLeftovers(original, downstream), [downstream], key)
  }

  /** Returns upstream's value, or undefined if upstream removed the field, and records the outcome. */
  #upstreams(sides: Values, at: At, value: JsonValue | undefined): JsonValue | undefined {
    const untouched = equalJson(sides.original, sides.downstream) || (isNothing(sides.downstream) && isNothing(sides.original))
    this.#tell(untouched ? 'taken' : value === undefined && isNothing(sides.downstream) ? 'kept' : 'lost', sides, at)
    return value
  }

  #tell(result: FieldOutcome['result'], sides: Values, at: At): void {
    const contested = !equalJson(sides.original, sides.upstream) && !equalJson(sides.original, sides.downstream)
    this.outcomes.push({ result, contested, ...sidesAt(sides, at) })
  }
}

function sidesAt({ downstream, upstream }: Values, at: At): TypeChange {
  return { downstream: { field: at.downstream, value: downstream }, upstream: { field: at.upstream, value: upstream } }
}

function below({ downstream, upstream }: At, downstreamStep: string | number, upstreamStep: string | number): At {
  return { downstream: [...downstream, downstreamStep], upstream: [...upstream, upstreamStep] }
}

/** Returns true for a missing value or null, which are equal in kpt. */
function isNothing(value: JsonValue | undefined): value is null | undefined {
  return value === undefined || value === null
}

function kindOf(value: JsonValue | undefined): 'map' | 'list' | 'scalar' | undefined {
  if (isNothing(value)) return undefined
  return isRecord(value) ? 'map' : Array.isArray(value) ? 'list' : 'scalar'
}

function asList(value: JsonValue | undefined): readonly JsonValue[] | undefined {
  return Array.isArray(value) ? value : undefined
}

function entryOf(list: readonly JsonValue[] | undefined, place: number | undefined): JsonValue | undefined {
  return place === undefined ? undefined : list?.[place]
}

function isEmptyMap(value: JsonValue): boolean {
  return isRecord(value) && Object.keys(value).length === 0
}

/**
 * Returns the rest of a value that upstream removed: as in kpt, the fields that only the downstream has; undefined if there are none.
 * Lists are removed whole.
 */
function upstreamLeftovers(original: JsonValue | undefined, downstream: JsonValue | undefined): JsonRecord | undefined {
  if (!isRecord(original) || !isRecord(downstream)) return undefined
  const left = newRecord()
  for (const [key, value] of Object.entries(downstream)) {
    const field = Object.hasOwn(original, key) ? upstreamLeftovers(original[key], value) : value
    if (field !== undefined) left[key] = field
  }
  return Object.keys(left).length === 0 ? undefined : left
}

/**
 * Returns the part of a value that the downstream deleted and upstream changed: as in kpt, the fields that upstream changed or added;
 * undefined if there are none. A list that is one value is returned whole.
 */
function restoredByUpstream(original: JsonValue | undefined, upstream: JsonValue | undefined, rule?: MergeRule): JsonValue | undefined {
  if (upstream === undefined || upstream === null || equalJson(original, upstream)) return undefined
  if (isRecord(original) && isRecord(upstream)) {
    const back = newRecord()
    for (const [key, value] of Object.entries(upstream)) {
      const field = restoredByUpstream(lookup(original, key), value, fieldRule(rule, key))
      if (field !== undefined) back[key] = field
    }
    return Object.keys(back).length === 0 ? undefined : back
  }
  if (Array.isArray(original) && Array.isArray(upstream)) return returningEntries(original, upstream, rule)
  return keyText(original) !== undefined && keyText(original) === keyText(upstream) ? undefined : upstream
}

function returningEntries(original: readonly JsonValue[], upstream: readonly JsonValue[], rule?: MergeRule): JsonValue | undefined {
  const sides = { original, upstream, downstream: undefined }
  const list = listRule(rule, sides)
  const entries = list && pairListEntries(sides, list.key)
  if (list === undefined || entries === undefined) return upstream
  const places = new Map(entries.map((entry) => [entry.upstream, entry.original]))
  const back = upstream.flatMap((value, place) => {
    const at = places.get(place)
    const before = at === undefined ? undefined : original[at]
    return withKeys(restoredByUpstream(before, value, list.entries), [value], list.key) ?? []
  })
  return back.length === 0 ? undefined : back
}
