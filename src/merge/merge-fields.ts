import type { FieldPath } from '../field-path.ts'
import { asRecord, equalJson, isRecord, type JsonRecord, type JsonValue, lookup, newRecord } from '../json.ts'
import { ruleOfObject } from './kubernetes-lists.ts'
import { fieldRule, keyText, type ListRule, listRule, type MergeRule, withKeys } from './merge-rule.ts'
import type { ThreeWay } from './package-files.ts'
import { type EntryPlaces, pairListEntries } from './pair-list-entries.ts'

/** The outcome of a field in which the sides differ; `MergeOutcome` explains the words. */
export interface FieldOutcome {
  readonly result: 'taken' | 'kept' | 'lost'
  readonly contested: boolean
  readonly ours: FieldOfSide
  readonly theirs: FieldOfSide
}

/** A field of one side. A missing field has the path that it would have. */
export interface FieldOfSide {
  readonly field: FieldPath
  readonly value: JsonValue | undefined
}

/** A field with different kinds of values (scalar, map, list) on different sides. */
export interface TypeChange {
  readonly ours: FieldOfSide
  readonly theirs: FieldOfSide
}

export interface MergedFields {
  readonly value: JsonValue | undefined
  readonly outcomes: readonly FieldOutcome[]
  readonly typeChanges: readonly TypeChange[]
}

type Values = ThreeWay<JsonValue>

/** The paths of a value in the downstream and in upstream. */
interface At {
  readonly ours: FieldPath
  readonly theirs: FieldPath
}

/**
 * Merges three values as kpt's resource-merge does (kpt pkg/lib/update/merge3, kyaml yaml/walk): a field that upstream changed has
 * upstream's value, any other the downstream's. Maps, and lists whose entries have a key, are merged field by field; every other list
 * is one value. A field that only one side changed keeps that side's value, even where kpt would leave an empty map or drop a null.
 *
 * @example  base `{a: 1, b: 1}`, theirs `{a: 2, b: 1}`, ours `{a: 1, b: 3}` → `{a: 2, b: 3}`
 */
export function mergeFields(sides: Values, rule: MergeRule | undefined): MergedFields {
  const merge = new FieldMerge()
  const value = merge.field(sides, rule, { ours: [], theirs: [] })
  return { value, outcomes: merge.outcomes, typeChanges: merge.typeChanges }
}

/** The list of the downstream, and the rule of its entries. */
interface OwnList {
  readonly ours: readonly JsonValue[] | undefined
  readonly rule: ListRule
}

class FieldMerge {
  readonly outcomes: FieldOutcome[] = []
  readonly typeChanges: TypeChange[] = []

  field(sides: Values, rule: MergeRule | undefined, at: At): JsonValue | undefined {
    const { base, theirs, ours } = sides
    if (base === null && theirs === undefined && ours === null) return this.#takeTheirs(sides, at, undefined)
    if (equalJson(base, theirs) || (isNothing(base) && isNothing(theirs))) {
      if (!equalJson(base, ours)) this.#addOutcome('kept', sides, at)
      return ours
    }
    if (equalJson(ours, theirs)) return ours
    if (theirs === null) return this.#takeTheirs(sides, at, undefined)
    if (ours === null && base !== null) {
      this.#addOutcome('kept', sides, at)
      return null
    }
    if (new Set([base, theirs, ours].flatMap((value) => kindOf(value) ?? [])).size > 1) {
      this.typeChanges.push(sidesAt(sides, at))
      return ours
    }
    return this.#sameKind(sides, rule, at)
  }

  #sameKind(sides: Values, rule: MergeRule | undefined, at: At): JsonValue | undefined {
    const { base, theirs, ours } = sides
    if (isNothing(ours) && isNothing(base)) return this.#takeTheirs(sides, at, theirs)
    if (isNothing(ours)) return this.#deleted(sides, rule, at)
    if (isRecord(ours)) return this.#map(sides, rule ?? ruleOfObject(ours) ?? ruleOfObject(theirs), at)
    const known = listRule(rule, sides)
    const list = theirs !== undefined || (known !== undefined && 'pair' in known.key) ? known : undefined
    const lists = { base: asList(base), theirs: asList(theirs), ours: asList(ours) }
    const entries = list && pairListEntries(lists, list.key)
    return list && entries ? this.#list(lists, entries, list, at) : this.#oneValue(sides, at)
  }

  /** Merges a scalar or list as one value. Scalars are compared by their texts, since `1` and `"1"` are equal in kpt. */
  #oneValue(sides: Values, at: At): JsonValue | undefined {
    const { base, theirs, ours } = sides
    const sameText = keyText(base) !== undefined && keyText(base) === keyText(theirs)
    if (!sameText || equalJson(base, ours)) return this.#takeTheirs(sides, at, theirs)
    this.#addOutcome('kept', sides, at)
    return ours
  }

  /** Restores the part of a field deleted downstream that upstream changed. */
  #deleted(sides: Values, rule: MergeRule | undefined, at: At): JsonValue | undefined {
    const back = restoredByUpstream(sides.base, sides.theirs, rule)
    this.#addOutcome(back === undefined ? 'kept' : 'lost', sides, at)
    return back
  }

  #map(sides: Values, rule: MergeRule | undefined, at: At): JsonValue | undefined {
    const { base, theirs, ours } = sides
    if (theirs === undefined && equalJson(base, ours)) return this.#takeTheirs(sides, at, undefined)
    const maps = { base: asRecord(base), theirs: asRecord(theirs), ours: asRecord(ours) }
    const merged = newRecord()
    for (const key of new Set([...Object.keys(maps.ours), ...Object.keys(maps.theirs)])) {
      const field = { base: lookup(maps.base, key), theirs: lookup(maps.theirs, key), ours: lookup(maps.ours, key) }
      const value = this.field(field, fieldRule(rule, key), below(at, key, key))
      if (value !== undefined) merged[key] = value
    }
    return merged
  }

  #list(lists: ThreeWay<readonly JsonValue[]>, entries: readonly EntryPlaces[], rule: ListRule, at: At): JsonValue | undefined {
    const counts = { ours: lists.ours?.length ?? 0, theirs: lists.theirs?.length ?? 0 }
    const merged = new Map<EntryPlaces, JsonValue>()
    for (const entry of entries) {
      const sides = {
        base: entryOf(lists.base, entry.base),
        theirs: entryOf(lists.theirs, entry.theirs),
        ours: entryOf(lists.ours, entry.ours),
      }
      this.#rekeyed(sides, entries, { ours: lists.ours, rule }, at)
      const value = this.#entry(sides, rule, below(at, entry.ours ?? counts.ours, entry.theirs ?? counts.theirs))
      if (value !== undefined && !isEmptyMap(value)) merged.set(entry, value)
    }
    return merged.size === 0 && lists.theirs === undefined ? undefined : entryOrder(entries).flatMap((entry) => merged.get(entry) ?? [])
  }

  /** Adds an outcome for an entry that upstream removed, and that the downstream has with another key. */
  #rekeyed(sides: Values, entries: readonly EntryPlaces[], own: OwnList, at: At): void {
    if (sides.base === undefined || sides.theirs !== undefined || sides.ours !== undefined) return
    const place = rekeyedEntry(sides.base, entries, own)
    if (place !== undefined) this.#addOutcome('kept', { ...sides, ours: entryOf(own.ours, place) }, below(at, place, place))
  }

  #entry(sides: Values, { key, entries: rule }: ListRule, at: At): JsonValue | undefined {
    const { base, theirs, ours } = sides
    const removed = theirs === undefined && base !== undefined
    if (ours === undefined) return withKeys(this.field(sides, rule, at), theirs, key)
    if (!removed || equalJson(base, ours)) return this.field(sides, rule, at)
    this.#addOutcome('lost', sides, at)
    return withKeys(theirLeftovers(base, ours), ours, key)
  }

  /** Returns upstream's value, or undefined if upstream removed the field, and records the outcome. */
  #takeTheirs(sides: Values, at: At, value: JsonValue | undefined): JsonValue | undefined {
    const untouched = equalJson(sides.base, sides.ours) || (isNothing(sides.ours) && isNothing(sides.base))
    this.#addOutcome(untouched ? 'taken' : value === undefined && isNothing(sides.ours) ? 'kept' : 'lost', sides, at)
    return value
  }

  #addOutcome(result: FieldOutcome['result'], sides: Values, at: At): void {
    const contested = !equalJson(sides.base, sides.theirs) && !equalJson(sides.base, sides.ours)
    this.outcomes.push({ result, contested, ...sidesAt(sides, at) })
  }
}

function sidesAt({ ours, theirs }: Values, at: At): TypeChange {
  return { ours: { field: at.ours, value: ours }, theirs: { field: at.theirs, value: theirs } }
}

function below({ ours, theirs }: At, oursStep: string | number, theirsStep: string | number): At {
  return { ours: [...ours, oursStep], theirs: [...theirs, theirsStep] }
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
 * Returns the place of the downstream's entry that has another key now: the first field of the key, or all fields beside the key, are as in
 * base.
 *
 * @example  base `{port: 80, protocol: TCP}` → `{port: 80, protocol: UDP}`
 */
function rekeyedEntry(base: JsonValue, entries: readonly EntryPlaces[], { ours, rule: { key } }: OwnList): number | undefined {
  const [first] = key.fields
  if (first === undefined || !isRecord(base)) return undefined
  const added = entries.filter((entry) => entry.base === undefined && entry.theirs === undefined)
  return added.find((entry) => {
    const value = entryOf(ours, entry.ours)
    if (!isRecord(value)) return false
    const isSame = (field: string) => equalJson(lookup(base, field), lookup(value, field))
    const others = [...new Set([...Object.keys(base), ...Object.keys(value)])].filter((field) => !key.fields.includes(field))
    return (key.fields.length > 1 && isSame(first)) || (others.length > 0 && others.every(isSame))
  })?.ours
}

/**
 * Returns the rest of a value that upstream removed: as in kpt, the fields that only the downstream has; undefined if there are none.
 * Lists are removed whole.
 */
function theirLeftovers(base: JsonValue | undefined, ours: JsonValue | undefined): JsonRecord | undefined {
  if (!isRecord(base) || !isRecord(ours)) return undefined
  const left = newRecord()
  for (const [key, value] of Object.entries(ours)) {
    const field = Object.hasOwn(base, key) ? theirLeftovers(base[key], value) : value
    if (field !== undefined) left[key] = field
  }
  return Object.keys(left).length === 0 ? undefined : left
}

/**
 * Returns the part of a value that the downstream deleted and upstream changed: as in kpt, the fields that upstream changed or added;
 * undefined if there are none. A list that is one value is returned whole.
 */
function restoredByUpstream(base: JsonValue | undefined, theirs: JsonValue | undefined, rule?: MergeRule): JsonValue | undefined {
  if (theirs === undefined || theirs === null || equalJson(base, theirs)) return undefined
  if (isRecord(base) && isRecord(theirs)) {
    const back = newRecord()
    for (const [key, value] of Object.entries(theirs)) {
      const field = restoredByUpstream(lookup(base, key), value, fieldRule(rule, key))
      if (field !== undefined) back[key] = field
    }
    return Object.keys(back).length === 0 ? undefined : back
  }
  if (Array.isArray(base) && Array.isArray(theirs)) return returningEntries(base, theirs, rule)
  return keyText(base) !== undefined && keyText(base) === keyText(theirs) ? undefined : theirs
}

function returningEntries(base: readonly JsonValue[], theirs: readonly JsonValue[], rule?: MergeRule): JsonValue | undefined {
  const sides = { base, theirs, ours: undefined }
  const list = listRule(rule, sides)
  const entries = list && pairListEntries(sides, list.key)
  if (list === undefined || entries === undefined) return theirs
  const places = new Map(entries.map((entry) => [entry.theirs, entry.base]))
  const back = theirs.flatMap((value, place) => {
    const at = places.get(place)
    const before = at === undefined ? undefined : base[at]
    return withKeys(restoredByUpstream(before, value, list.entries), value, list.key) ?? []
  })
  return back.length === 0 ? undefined : back
}

/**
 * Returns the entries of a merged list in order: the downstream's order, or upstream's if only upstream changed the order. An entry
 * that upstream added before another entry is placed before that entry. At the end are entries that upstream added at the end, as in
 * kpt, and entries that the downstream deleted and upstream changed.
 *
 * @param entries  first ours, in their order
 * @example  ours `[a, b]`, theirs `[a, x, b, y]` → `[a, x, b, y]`
 */
function entryOrder(entries: readonly EntryPlaces[]): readonly EntryPlaces[] {
  const ofOurs = inOrder(entries, 'ours')
  const ofTheirs = inOrder(entries, 'theirs')
  const isDeleted = ({ ours, base }: EntryPlaces) => ours === undefined && base !== undefined
  return [
    ...orderOf(
      ofOurs,
      ofTheirs.filter((entry) => !isDeleted(entry)),
    ),
    ...ofTheirs.filter(isDeleted),
  ]
}

function orderOf(ofOurs: readonly EntryPlaces[], ofTheirs: readonly EntryPlaces[]): readonly EntryPlaces[] {
  const reordered = !isAscending(ofOurs.map(({ theirs }) => theirs))
  const untouched = isAscending(ofOurs.map(({ base }) => base))
  if (reordered && untouched) return insertBehind(ofTheirs, ofOurs)
  return insertBehind(ofOurs.toReversed(), ofTheirs.toReversed()).toReversed()
}

function inOrder(entries: readonly EntryPlaces[], side: 'ours' | 'theirs'): readonly EntryPlaces[] {
  return entries.filter((entry) => entry[side] !== undefined).sort((a, b) => (a[side] ?? 0) - (b[side] ?? 0))
}

function isAscending(places: readonly (number | undefined)[]): boolean {
  const known = places.filter((place) => place !== undefined)
  return known.every((place, at) => at === 0 || place > (known[at - 1] ?? 0))
}

/** Returns the first list with the entries that only the second has, each after its predecessor in the second list, or at the start. */
function insertBehind(order: readonly EntryPlaces[], others: readonly EntryPlaces[]): readonly EntryPlaces[] {
  const placed = new Set(order)
  const behind = new Map<EntryPlaces | undefined, EntryPlaces[]>()
  let anchor: EntryPlaces | undefined
  for (const entry of others) {
    if (placed.has(entry)) anchor = entry
    else if (!behind.get(anchor)?.push(entry)) behind.set(anchor, [entry])
  }
  return [...(behind.get(undefined) ?? []), ...order.flatMap((entry) => [entry, ...(behind.get(entry) ?? [])])]
}
