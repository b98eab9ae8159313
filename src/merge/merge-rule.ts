import { isRecord, type JsonValue, lookup } from '../json.ts'
import { SIDES, type ThreeWay } from './three-way.ts'

/** What tells the entries of a list apart. Without it a list is one value. */
export type ListKey = FieldKey | PairKey

interface EntryKey {
  /** The fields that an entry keeps as long as it is there. */
  readonly fields: readonly string[]
}

/** Fields of an entry tell it apart. */
export interface FieldKey extends EntryKey {
  /** The texts by which entries are the same on two sides, one for each field; undefined: the entry has none. */
  readonly of: (entry: JsonValue) => readonly (string | undefined)[] | undefined
  /** Whether an entry without the second field is the same as one with it. */
  readonly loose: boolean
}

/** The three lists together say which entries are the same. Entries of the downstream survive a list that upstream removes. */
interface PairKey extends EntryKey {
  /** The positions of each entry on the three sides, those of the downstream first. */
  readonly pair: (lists: ThreeWay<readonly JsonValue[]>) => readonly ThreeWay<number>[]
}

/** How the entries of a list are told apart, and what rule each has. */
export interface ListRule {
  readonly key: ListKey
  readonly entries?: MergeRule
}

/** How a value is merged: which fields have rules of their own, and for a list how its entries are told apart. */
export interface MergeRule {
  readonly fields?: Readonly<Record<string, MergeRule>>
  readonly list?: ListRule
}

/**
 * For what has no schema: a list is merged by `name` where every entry of every side has one (kyaml walk.go InferAssociativeLists), and so
 * is everything below it.
 */
export const INFERRED: MergeRule = {}

/** A list of maps, told apart by fields of theirs. */
export function keyedBy(fields: readonly [string, ...string[]], entries?: MergeRule): MergeRule {
  return { list: { key: keyOfFields(fields), ...(entries && { entries }) } }
}

function keyOfFields(fields: readonly [string, ...string[]]): FieldKey {
  const of: FieldKey['of'] = (entry) => {
    const texts = fields.map((field) => keyText(isRecord(entry) ? lookup(entry, field) : undefined))
    return texts[0] === undefined ? undefined : texts
  }
  return { of, fields, loose: fields.length > 1 }
}

/** A list of texts that is a set. */
export const SET: MergeRule = { list: { key: { of: textsOf, fields: [], loose: false } } }

function textsOf(entry: JsonValue): readonly string[] | undefined {
  const text = keyText(entry)
  return text === undefined ? undefined : [text]
}

/** The text of a scalar by which kpt compares: a port 80 is a port "80". */
export function keyText(value: JsonValue | undefined): string | undefined {
  return value === undefined || value === null || typeof value === 'object' ? undefined : String(value)
}

/** The rule of a field of a map. */
export function fieldRule(rule: MergeRule | undefined, key: string): MergeRule | undefined {
  const own = rule?.fields !== undefined && Object.hasOwn(rule.fields, key) ? rule.fields[key] : undefined
  return own ?? (rule === INFERRED ? INFERRED : undefined)
}

const NAME_KEY = keyOfFields(['name'])
const BY_NAME: ListRule = { key: NAME_KEY, entries: INFERRED }

/** The rule of a list; undefined where it is one value. */
export function listRule(rule: MergeRule | undefined, sides: ThreeWay<JsonValue>): ListRule | undefined {
  if (rule !== INFERRED) return rule?.list
  const lists = SIDES.flatMap((side) => (Array.isArray(sides[side]) && sides[side].length > 0 ? [sides[side]] : []))
  const named = (entry: JsonValue): boolean => NAME_KEY.of(entry) !== undefined
  return lists.length > 0 && lists.every((list) => list.every(named)) ? BY_NAME : undefined
}

/** An entry with the fields of its key, wherever they come from; what is no map has none. */
export function withKeys(
  entry: JsonValue | undefined,
  sources: readonly (JsonValue | undefined)[],
  { fields }: ListKey,
): JsonValue | undefined {
  if (!isRecord(entry)) return entry
  const source = sources.find((value) => isRecord(value))
  const missing = fields.filter((field) => !Object.hasOwn(entry, field) && isRecord(source) && Object.hasOwn(source, field))
  if (missing.length === 0 || !isRecord(source) || Object.keys(entry).length === 0) return entry
  return { ...Object.fromEntries(missing.map((field) => [field, source[field] ?? null])), ...entry }
}
