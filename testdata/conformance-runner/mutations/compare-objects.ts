import { compareText } from '../../../src/field-path.ts'
import { isRecord, type JsonRecord, type JsonValue, lookup, memberOf } from '../../../src/json.ts'
import type { Difference } from '../adapter.ts'
import { differ, differByField } from '../difference.ts'
import type { WrittenResource } from '../written-resource.ts'
import { jsonOfKptfile, objectsOf } from './package-objects.ts'
import { unreadableFiles } from './package-wire.ts'
import type { MutationVector } from './vector.ts'

/** Returns the differences of the package after our run from the controller's, field by field: `FILE[DOCUMENT]: FIELD`. */
export function compareObjects(items: readonly WrittenResource[], { input, expected }: MutationVector): readonly Difference[] {
  const written = objectsOf(input)
  const ours = byFile(items, (item) => withoutWireTraces(item, written))
  const theirs = Object.entries(expected.expectedObjects ?? {}).map(([path, objects]) => [path, objects.filter(isRecord)] as const)
  const wanted = new Map(theirs.filter(([, objects]) => objects.length > 0))
  const unread = unreadableFiles(input.package)
  const paths = [...new Set([...ours.keys(), ...wanted.keys()])].filter((path) => !path.startsWith('sources/') && !unread.includes(path))
  return paths.flatMap((path) => compareDocuments(path, ours.get(path) ?? [], wanted.get(path) ?? [], jsonOfKptfile(input)))
}

function byFile(
  items: readonly WrittenResource[],
  toValue: (item: WrittenResource) => JsonRecord,
): ReadonlyMap<string, readonly JsonRecord[]> {
  const files = new Map<string, JsonRecord[]>()
  for (const item of items) {
    const { path } = item
    files.set(path, [...(files.get(path) ?? []), toValue(item)])
  }
  return files
}

/** The maps that only the annotations of the wire made are none of the document. */
function withoutWireTraces(item: WrittenResource, written: readonly WrittenResource[]): JsonRecord {
  const found = written.find(({ path, index }) => path === item.path && index === item.index)
  const [before, after] = [found?.value ?? {}, item.value]
  const withoutAnnotations = isTrace(after, before, ['metadata', 'annotations']) ? without(after, 'annotations') : after
  if (!isTrace(withoutAnnotations, before, ['metadata'])) return withoutAnnotations
  const { metadata: _, ...rest } = withoutAnnotations
  return rest
}

function isTrace(after: JsonRecord, before: JsonRecord, path: readonly string[]): boolean {
  const [now, earlier] = [after, before].map((value) => path.reduce<JsonValue | undefined>(memberOf, value))
  return isRecord(now) && Object.keys(now).length === 0 && earlier === undefined
}

function without(object: JsonRecord, key: string): JsonRecord {
  const metadata = isRecord(object.metadata) ? object.metadata : {}
  return { ...object, metadata: Object.fromEntries(Object.entries(metadata).filter(([name]) => name !== key)) }
}

/** The lists of a Kptfile whose entries are told apart by a type. */
export const TYPED_LISTS = [
  { part: 'info', list: 'readinessGates', key: 'conditionType' },
  { part: 'status', list: 'conditions', key: 'type' },
] as const
type TypedList = (typeof TYPED_LISTS)[number]

/** The types in a list of gates or conditions, in their order; one that stands twice has its number. */
export function typesIn(kptfile: JsonRecord | undefined, { part, list, key }: TypedList): readonly string[] {
  const holder = kptfile && lookup(kptfile, part)
  const entries = isRecord(holder) ? lookup(holder, list) : undefined
  const types = Array.isArray(entries) ? entries.map((entry: JsonValue) => (isRecord(entry) ? String(entry[key]) : '')) : []
  return types.map((type, index) => {
    const earlier = types.slice(0, index).filter((other) => other === type).length
    return earlier === 0 ? type : `${type} (${earlier + 1})`
  })
}

/**
 * Documents of a file. Gates and conditions are compared by their types, not by their places: the controller sorts them, ours stay
 * where they are, and new ones follow sorted (docs/porch.md 5).
 */
function compareDocuments(
  path: string,
  ours: readonly JsonRecord[],
  theirs: readonly JsonRecord[],
  before: JsonRecord | undefined,
): readonly Difference[] {
  if (path !== 'Kptfile') return differByField(path, ours, theirs)
  const orders = TYPED_LISTS.flatMap((typed) => {
    const [old, now] = [typesIn(before, typed), typesIn(ours[0], typed)]
    const added = now.filter((type) => !old.includes(type)).sort(compareText)
    return differ(`the order of ${typed.list}`, [...now], [...old.filter((type) => now.includes(type)), ...added])
  })
  return [...differByField(path, ours.map(byType), theirs.map(byType)), ...orders]
}

/** A Kptfile with its gates and conditions under their types. */
export function byType(kptfile: JsonRecord): JsonRecord {
  return TYPED_LISTS.reduce(keyedByType, kptfile)
}

function keyedByType(object: JsonRecord, typed: TypedList): JsonRecord {
  const holder = lookup(object, typed.part)
  const entries = isRecord(holder) ? lookup(holder, typed.list) : undefined
  if (!isRecord(holder) || !Array.isArray(entries)) return object
  const named = typesIn(object, typed).map((type, index) => [type, entries[index]])
  return { ...object, [typed.part]: { ...holder, [typed.list]: Object.fromEntries(named) } }
}
