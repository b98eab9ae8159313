import { isRecord, type JsonValue, lookup } from '../json.ts'
import { SIDES, type ThreeWay } from './package-files.ts'

/** The key that identifies the entries of a list. A list without a key is merged as one value. */
export type ListKey = FieldKey | PairKey

interface EntryKey {
  /** The fields that an entry keeps as long as the entry exists. */
  readonly fields: readonly string[]
}

/** A key that consists of fields of the entry. */
export interface FieldKey extends EntryKey {
  /** Returns the texts that identify an entry, one for each field; undefined if the entry has no key. */
  readonly of: (entry: JsonValue) => readonly (string | undefined)[] | undefined
  /** If true, an entry without the second field may be paired with an entry that has it. */
  readonly loose: boolean
}

/** A key that pairs the entries of three lists together. Entries of the downstream stay when upstream removes the list. */
interface PairKey extends EntryKey {
  /** Returns the positions of each entry on the three sides, the downstream's entries first. */
  readonly pair: (lists: ThreeWay<readonly JsonValue[]>) => readonly ThreeWay<number>[]
}

/** The key of a list's entries, and the merge rule of each entry. */
export interface ListRule {
  readonly key: ListKey
  readonly entries?: MergeRule
}

/** The rule by which a value is merged: rules of its fields, and for a list the key of its entries. */
export interface MergeRule {
  readonly fields?: Readonly<Record<string, MergeRule>>
  readonly list?: ListRule
}

/**
 * The rule of a value without a schema: a list is merged by `name` if every entry of every side has a name (kyaml walk.go
 * InferAssociativeLists), and the rule applies to everything below.
 */
export const INFERRED: MergeRule = {}

/** Returns the rule of a list of maps that are identified by the given fields. */
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

/** The rule of a list of texts that is a set. */
export const SET: MergeRule = { list: { key: { of: textsOf, fields: [], loose: false } } }

function textsOf(entry: JsonValue): readonly string[] | undefined {
  const text = keyText(entry)
  return text === undefined ? undefined : [text]
}

/** Returns the text of a scalar as kpt compares it: a port 80 equals a port "80". */
export function keyText(value: JsonValue | undefined): string | undefined {
  return value === undefined || value === null || typeof value === 'object' ? undefined : String(value)
}

/** Returns the rule of a field of a map. */
export function fieldRule(rule: MergeRule | undefined, key: string): MergeRule | undefined {
  const own = rule?.fields !== undefined && Object.hasOwn(rule.fields, key) ? rule.fields[key] : undefined
  return own ?? (rule === INFERRED ? INFERRED : undefined)
}

const NAME_KEY = keyOfFields(['name'])
const BY_NAME: ListRule = { key: NAME_KEY, entries: INFERRED }

/** Returns the rule of a list; undefined for a list that is merged as one value, and for a value that is no list. */
export function listRule(rule: MergeRule | undefined, sides: ThreeWay<JsonValue>): ListRule | undefined {
  if (rule !== INFERRED) return rule?.list
  return SIDES.some((side) => Array.isArray(sides[side])) ? BY_NAME : undefined
}

/** Returns an entry with the fields of its key, the missing ones from `source`; a value that is no map is returned unchanged. */
export function withKeys(entry: JsonValue | undefined, source: JsonValue | undefined, { fields }: ListKey): JsonValue | undefined {
  if (!isRecord(entry) || !isRecord(source)) return entry
  const missing = fields.filter((field) => !Object.hasOwn(entry, field) && Object.hasOwn(source, field))
  return { ...Object.fromEntries(missing.map((field) => [field, source[field] ?? null])), ...entry }
}
