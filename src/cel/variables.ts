import { compareText } from '../field-path.ts'
import { isRecord, type JsonRecord, type JsonValue } from '../json.ts'
import { remember } from '../remember.ts'
import type { Read } from './reads.ts'
import { type CelValue, isMap, type MapValue } from './value.ts'

/** The variables of one target as values, by name: made once by `prepareVariables`, used by every expression. */
export type Variables = ReadonlyMap<string, CelValue>

/**
 * The fields of an object that expressions may see (seed 000, PackageVariant Template). The maps are not copied, so the caller must not
 * change them.
 */
export interface VisibleObject {
  readonly name: string
  readonly namespace: string
  readonly labels: ReadonlyMap<string, string>
  readonly annotations: ReadonlyMap<string, string>
}

/**
 * Converts template variables for evaluation. Maps iterate by sorted keys (cel-go's order is random).
 *
 * @param values `repoDefault`, `packageDefault`: strings; `upstream`, `repository`, `target`: records
 */
export function prepareVariables(values: ReadonlyMap<string, JsonValue>): Variables {
  return new Map(Array.from(values, ([name, value]) => [name, celValue(value)]))
}

/** Returns the same variables and one more, an object. The converted values of the others are shared. */
export function extendVariables(variables: Variables, name: string, object: VisibleObject): Variables {
  return new Map(variables).set(name, visibleValue(object))
}

/** Returns the same variables, of which one has another value in a field, or lacks the field. The other values are shared. */
export function replaceField(variables: Variables, { path: [name, ...rest], value }: Read): Variables {
  const replaced = replacedIn(variables.get(name), rest, value)
  return replaced === undefined ? variables : new Map(variables).set(name, replaced)
}

function replacedIn(holder: CelValue | undefined, [key, ...rest]: readonly string[], value: JsonValue | undefined): CelValue | undefined {
  if (key === undefined) return value === undefined ? undefined : celValue(value)
  if (holder === undefined || !isMap(holder)) return holder
  const fields = new Map(holder)
  const replaced = replacedIn(fields.get(key), rest, value)
  if (replaced === undefined) fields.delete(key)
  else fields.set(key, replaced)
  return new Map([...fields].sort(([a], [b]) => compareText(String(a), String(b))))
}

/** Returns the value of an object that expressions see. */
export function visibleValue({ annotations, labels, name, namespace }: VisibleObject): MapValue {
  const fields = new Map<string, CelValue>()
  fields.set('annotations', sortedTexts(annotations))
  fields.set('labels', sortedTexts(labels))
  fields.set('name', name)
  fields.set('namespace', namespace)
  return fields
}

/** The values of objects that expressions of thousands of targets see. */
const SHARED = new WeakMap<VisibleObject, MapValue>()

/** Returns the value of an object that many targets have in common: a Repository or an upstream. */
export function sharedVisibleValue(object: VisibleObject): MapValue {
  return remember(SHARED, object, visibleValue)
}

/** The copies by their source, since thousands of targets read one Repository. */
const COPIES = new WeakMap<ReadonlyMap<string, string>, ReadonlyMap<string, string>>()

/** Returns the texts sorted by key. Labels and annotations are mostly sorted already; sorted maps are not copied. */
export function sortedTexts(texts: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return isSorted(texts) ? texts : remember(COPIES, texts, () => new Map([...texts].sort(([a], [b]) => compareText(a, b))))
}

function isSorted(texts: ReadonlyMap<string, string>): boolean {
  let last = ''
  for (const key of texts.keys()) {
    if (key < last) return false
    last = key
  }
  return true
}

/** Returns a value of JSON as a value of CEL. Whole numbers become ints, as Kubernetes reads them; maps iterate by sorted keys. */
export function celValue(value: JsonValue): CelValue {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value
  if (typeof value !== 'object' || value === null) return value
  return isRecord(value) ? mapOf(value) : value.map(celValue)
}

function mapOf(record: JsonRecord): MapValue {
  const keys = Object.keys(record).sort(compareText)
  return new Map(keys.map((key) => [key, celValue(record[key] ?? null)]))
}
