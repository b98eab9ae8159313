import { isRecord, type JsonRecord, type JsonValue, lookup } from '../../../src/json.ts'

/** The key of a list's order in its keyed view, a text; no field is called so. */
export const ORDER = '(order)'

/** The fields that tell entries of lists apart. */
const KEYS = ['containerPort', 'port', 'mountPath', 'name', 'image'] as const

/**
 * A value in which the entries of lists stand under what they are called, so that each can be compared with its own; the order is a field
 * beside them.
 */
export function keyedView(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return keyedList(value)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, SETS.includes(key) ? setView(child) : keyedView(child)]))
}

/** Lists of texts that are sets. */
const SETS = ['finalizers', 'podCIDRs']

function setView(value: JsonValue): JsonValue {
  const isSet = Array.isArray(value) && value.every((text) => typeof text === 'string') && new Set(value).size === value.length
  return isSet ? { ...Object.fromEntries(value.map((text) => [String(text), text])), [ORDER]: JSON.stringify(value) } : keyedView(value)
}

function keyedList(list: readonly JsonValue[]): JsonValue {
  const names = list.map(nameOf)
  const isKeyed = list.length > 0 && names.every((name) => name !== undefined) && new Set(names).size === names.length
  if (!isKeyed) return list.map(keyedView)
  return {
    ...Object.fromEntries(list.map((entry, place) => [names[place] ?? '', keyedView(entry)])),
    [ORDER]: JSON.stringify(names),
  }
}

function nameOf(entry: JsonValue): string | undefined {
  const key = isRecord(entry) ? KEYS.find((field) => lookup(entry, field) !== undefined) : undefined
  if (!isRecord(entry) || key === undefined) return undefined
  const text = String(entry[key])
  if (key === 'image') return text.replace(/:[^:/]*$/, '')
  return key === 'port' || key === 'containerPort' ? [text, entry.protocol].filter((part) => part !== undefined).join('/') : text
}

/** Two views without the order of what only one of them has. */
export function withCommonOrder(
  a: JsonValue | undefined,
  b: JsonValue | undefined,
): readonly [JsonValue | undefined, JsonValue | undefined] {
  if (!isRecord(a) || !isRecord(b)) return [a, b]
  const pairs = Object.keys(a).map((key) => [key, withCommonOrder(a[key], lookup(b, key))] as const)
  const [left, right] = [0, 1].map((side) =>
    Object.fromEntries(pairs.flatMap(([key, pair]) => (pair[side] === undefined ? [] : [[key, pair[side]]]))),
  )
  return [withOrder(left ?? {}, a, b), withOrder({ ...b, ...right }, b, a)]
}

function withOrder(view: JsonRecord, own: JsonRecord, other: JsonRecord): JsonRecord {
  if (own[ORDER] === undefined || other[ORDER] === undefined) return view
  const others = namesIn(other[ORDER])
  return { ...view, [ORDER]: JSON.stringify(namesIn(own[ORDER]).filter((name) => others.includes(name))) }
}

/** The names in an order. */
export function namesIn(order: JsonValue | undefined): readonly string[] {
  return typeof order === 'string' ? (JSON.parse(order) as readonly string[]) : []
}
