import type { FieldPath } from '../../src/field-path.ts'
import { isRecord, type JsonRecord, type JsonValue, lookup } from '../../src/json.ts'
import { nastyJson, nastyText } from './nasty-value.ts'
import type { Random } from './random.ts'

/** An edit of an object: a value is put somewhere, or removed. */
export type Edit =
  | { readonly op: 'set'; readonly path: FieldPath; readonly value: JsonValue }
  | { readonly op: 'delete'; readonly path: FieldPath }

/** A random edit of a value that is a map. */
export function randomEdit(random: Random, root: JsonRecord): Edit {
  const places = [...placesIn(root, [])]
  const { path, value } = random.pick(places)
  if (path.length === 0) return { op: 'set', path: [newKey(random, root)], value: nastyJson(random, 2) }
  if (random.oneIn(4)) return { op: 'delete', path }
  if (isRecord(value) && random.oneIn(2))
    return { op: 'set', path: [...path, newKey(random, value), ...deeper(random)], value: nastyJson(random, 2) }
  if (Array.isArray(value) && random.oneIn(3)) return { op: 'set', path: [...path, value.length], value: nastyJson(random, 2) }
  if (Array.isArray(value)) return { op: 'set', path, value: changedList(random, value) }
  if (isRecord(value) && random.oneIn(2)) return { op: 'set', path, value: changedRecord(random, value) }
  return { op: 'set', path, value: nastyJson(random, random.below(3)) }
}

function* placesIn(value: JsonValue, path: FieldPath): Generator<{ path: FieldPath; value: JsonValue }> {
  yield { path, value }
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* placesIn(item, [...path, index])
  else if (isRecord(value)) for (const [key, child] of Object.entries(value)) yield* placesIn(child, [...path, key])
}

function newKey(random: Random, record: JsonRecord): string {
  const key = random.oneIn(2) ? `new${random.below(9)}` : nastyText(random, 2)
  return Object.hasOwn(record, key) ? newKey(random, record) : key
}

function deeper(random: Random): FieldPath {
  return random.oneIn(4) ? ['made', 'deeper'] : []
}

/** Some items gone, moved, changed, new. */
function changedList(random: Random, list: readonly JsonValue[]): JsonValue {
  const kept = list.filter(() => !random.oneIn(4)).map((item) => (random.oneIn(5) ? changed(random, item) : item))
  const moved = random.oneIn(4) ? kept.toReversed() : kept
  return random.oneIn(2) ? moved : moved.toSpliced(random.below(moved.length + 1), 0, nastyJson(random, 2))
}

function changedRecord(random: Random, record: JsonRecord): JsonValue {
  const kept = Object.entries(record).filter(() => !random.oneIn(4))
  const entries = kept.map(([key, value]) => [key, random.oneIn(4) ? changed(random, value) : value] as const)
  return Object.fromEntries(random.oneIn(2) ? entries : [...entries, [newKey(random, record), nastyJson(random, 2)] as const])
}

function changed(random: Random, value: JsonValue): JsonValue {
  if (Array.isArray(value)) return changedList(random, value)
  return isRecord(value) ? changedRecord(random, value) : nastyJson(random, 1)
}

/** The edit on plain values: what the text must mean afterwards. */
export function applyEdit(root: JsonValue, edit: Edit): JsonValue {
  return edit.op === 'set' ? put(root, edit.path, edit.value) : take(root, edit.path)
}

function put(value: JsonValue | undefined, path: FieldPath, wanted: JsonValue): JsonValue {
  const [step, ...rest] = path
  if (step === undefined) return wanted
  if (typeof step === 'number') {
    const list = Array.isArray(value) ? value : []
    return list.toSpliced(step, 1, put(list[step], rest, wanted))
  }
  const record = isRecord(value) ? value : {}
  return withEntry(record, step, put(Object.hasOwn(record, step) ? record[step] : undefined, rest, wanted))
}

function take(value: JsonValue, path: FieldPath): JsonValue {
  const [step, ...rest] = path
  if (Array.isArray(value) && typeof step === 'number') {
    return rest.length === 0 ? value.toSpliced(step, 1) : value.with(step, take(value[step], rest))
  }
  if (!isRecord(value) || typeof step !== 'string') return value
  if (rest.length > 0) return withEntry(value, step, take(value[step] ?? null, rest))
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== step))
}

/** `__proto__` is an ordinary key for `fromEntries`, not for a spread. */
function withEntry(record: JsonRecord, key: string, value: JsonValue): JsonRecord {
  const entries = Object.entries(record)
  const at = entries.findIndex(([other]) => other === key)
  return Object.fromEntries(at === -1 ? [...entries, [key, value]] : entries.with(at, [key, value]))
}

/** Returns true if the edit makes sense in a text that was made smaller. */
export function leadsInto(value: JsonValue, { op, path }: Edit): boolean {
  const known = valuesAlong(value, path)
  if (known.length > path.length || op === 'delete') return known.length > path.length
  const last = known.at(-1)
  const [step, ...made] = path.slice(known.length - 1)
  if (made.some((inner) => typeof inner === 'number' && inner > 0)) return false
  return typeof step === 'number' ? Array.isArray(last) && step === last.length : isRecord(last)
}

/** The values from the root along a path, as far as it exists. */
function valuesAlong(value: JsonValue, path: FieldPath): readonly JsonValue[] {
  const values = [value]
  for (const step of path) {
    const last = values.at(-1)
    const child = typeof step === 'number' ? listItem(last, step) : isRecord(last) ? lookup(last, step) : undefined
    if (child === undefined) break
    values.push(child)
  }
  return values
}

function listItem(value: JsonValue | undefined, index: number): JsonValue | undefined {
  return Array.isArray(value) ? value[index] : undefined
}
