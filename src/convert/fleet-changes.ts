import type { FieldPath } from '../field-path.ts'
import { equalJson, isRecord, type JsonRecord, type JsonValue, memberOf, scalarText } from '../json.ts'
import { sha256Hex } from '../kubernetes/truncated-name.ts'

/**
 * A digest of each field of each object of a cluster, without the values. A conversion writes the digests after it compared the fleet with
 * the tree; the next conversion sees by a digest if the tree, the fleet, or both changed a field.
 */
export type RecordedObjects = ReadonlyMap<string, RecordedFields>

/** The digests of the fields of an object: the digest of a path → that of its value. */
type RecordedFields = ReadonlyMap<string, string>

/** Letters of a digest, six bits each: no two paths of an object, and no two values, have the same. */
const PATH_LETTERS = 8
const VALUE_LETTERS = 12

/** Returns a line for each object, in the order of their identities: the identity, and the digests of its fields. */
export function recordObjects(objects: ReadonlyMap<string, JsonRecord>): string {
  const lines = [...objects].map(([identity, object]) => {
    const digests = fieldsOf(object, [], object).map(({ path, value }) => pathDigest(path) + valueDigest(value))
    return `${identity} ${digests.toSorted().join('')}\n`
  })
  return lines.toSorted().join('')
}

/** Reads the lines of `recordObjects`; undefined for a text of another form. */
export function readRecordedObjects(text: string): RecordedObjects | undefined {
  const objects = new Map<string, RecordedFields>()
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const at = line.lastIndexOf('] ')
    if (at === -1) return undefined
    const digests = line.slice(at + 2).match(new RegExp(`.{${PATH_LETTERS + VALUE_LETTERS}}`, 'g')) ?? []
    objects.set(line.slice(0, at + 1), new Map(digests.map((each) => [each.slice(0, PATH_LETTERS), each.slice(PATH_LETTERS)])))
  }
  return objects
}

interface Field {
  readonly path: FieldSteps
  readonly value: JsonValue
}

/** Keys, and names of the entries of lists in which each entry has a name of its own. */
type FieldSteps = readonly string[]

/** Returns the values of an object that are compared as a whole: scalars, empty maps, lists without names, and schemas of definitions. */
function fieldsOf(value: JsonValue, path: FieldSteps, root: JsonRecord): readonly Field[] {
  const children = isSchema(root, path) ? undefined : childrenOf(value)
  if (children === undefined || children.size === 0) return [{ path, value }]
  return [...children].flatMap(([key, each]) => fieldsOf(each, [...path, key], root))
}

/** Returns true for the schemas of a CustomResourceDefinition, thousands of fields that one vendor writes. */
function isSchema(root: JsonRecord, path: FieldSteps): boolean {
  return root.kind === 'CustomResourceDefinition' && path.length === 1 && path[0] === '.spec'
}

function childrenOf(value: JsonValue | undefined): ReadonlyMap<string, JsonValue> | undefined {
  if (isRecord(value)) return new Map(Object.entries(value).map(([key, each]) => [`.${key}`, each]))
  if (!Array.isArray(value) || value.length === 0) return undefined
  const named = value.flatMap((each): readonly (readonly [string, JsonValue])[] =>
    isRecord(each) && typeof each.name === 'string' ? [[`[${each.name}]`, each]] : [],
  )
  const children = new Map(named)
  return children.size === value.length ? children : undefined
}

function pathDigest(path: FieldSteps): string {
  return digest(JSON.stringify(path), PATH_LETTERS)
}

function valueDigest(value: JsonValue): string {
  return digest(canonical(value), VALUE_LETTERS)
}

function digest(text: string, letters: number): string {
  return Buffer.from(sha256Hex(text), 'hex').toString('base64url').slice(0, letters)
}

function canonical(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isRecord(value)) return typeof value === 'bigint' ? String(value) : JSON.stringify(value)
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join(',')}}`
}

/** A field that the fleet, or the fleet and the tree, changed since the last conversion. A value that is not there is undefined. */
export interface SideChange {
  /** The path in words, with the names of list entries: `spec.containers[web].image`; '' for the object itself. */
  readonly path: string
  readonly steps: FieldSteps
  readonly fleet: JsonValue | undefined
  readonly tree: JsonValue | undefined
}

/** An object with the changes of both sides. */
export interface KeptChanges {
  /** Undefined if one side deleted the object, and the other did not change it. */
  readonly value: JsonRecord | undefined
  /** The changes of the fleet, which the tree does not have. */
  readonly kept: readonly SideChange[]
  /** The fields that both sides changed, to different values. */
  readonly conflicts: readonly SideChange[]
}

/**
 * Merges the changes of the fleet since the last conversion into an object of the tree. A field that one side changed is as that side has
 * it.
 *
 * Example: recorded `replicas: 3, image: a`; fleet `replicas: 5, image: a`; tree `replicas: 3, image: b` → `replicas: 5, image: b`.
 */
export function mergeFleetChanges(
  recorded: RecordedFields | undefined,
  fleet: JsonRecord | undefined,
  tree: JsonRecord | undefined,
): KeptChanges {
  const merge: Merge = { recorded: recorded ?? new Map(), root: fleet ?? tree ?? {}, kept: [], conflicts: [] }
  const value = mergeValues(merge, fleet, tree, [])
  return { value: isRecord(value) ? value : undefined, kept: merge.kept, conflicts: merge.conflicts }
}

interface Merge {
  readonly recorded: RecordedFields
  readonly root: JsonRecord
  readonly kept: SideChange[]
  readonly conflicts: SideChange[]
}

function mergeValues(merge: Merge, fleet: JsonValue | undefined, tree: JsonValue | undefined, path: FieldSteps): JsonValue | undefined {
  if (equalJson(fleet, tree)) return tree
  const [own, other] = [fleet, tree].map((value) => (isSchema(merge.root, path) ? undefined : childrenOf(value)))
  if (own !== undefined && other !== undefined && Array.isArray(fleet) === Array.isArray(tree)) {
    const keys = keysOfBoth([...own.keys()], [...other.keys()])
    const entries = keys.flatMap((key): readonly (readonly [string, JsonValue])[] => {
      const value = mergeValues(merge, own.get(key), other.get(key), [...path, key])
      return value === undefined ? [] : [[key, value]]
    })
    return Array.isArray(tree)
      ? entries.map(([, value]) => value)
      : Object.fromEntries(entries.map(([key, value]) => [key.slice(1), value]))
  }
  if (isUnchanged(merge, fleet, tree, path)) return tree
  // An object that the fleet deleted stays deleted, as a file that a package deleted does in updates of kpt.
  const isDeleted = fleet === undefined && path.length === 0
  const isKept = isDeleted || isUnchanged(merge, tree, fleet, path)
  const found = isKept ? merge.kept : merge.conflicts
  found.push({ path: path.join('').replace(/^\./, ''), steps: path, fleet, tree })
  return isKept ? fleet : tree
}

/**
 * Returns the keys of the fleet and the tree, in the order of the fleet if the tree has its keys in that order, else first those of the
 * tree.
 */
function keysOfBoth(fleet: readonly string[], tree: readonly string[]): readonly string[] {
  const wanted = new Set(tree)
  const known = fleet.filter((key) => wanted.has(key))
  const isInOrder = equalJson(known, tree)
  return isInOrder ? fleet : [...tree, ...fleet.filter((key) => !wanted.has(key))]
}

/** Returns the path of a changed field in an object, as far as the object has it. */
export function fieldPathIn(object: JsonRecord, { steps }: SideChange): FieldPath {
  const path: (string | number)[] = []
  let value: JsonValue | undefined = object
  for (const step of steps) {
    const key = Array.isArray(value) ? value.findIndex((each) => `[${scalarText(memberOf(each, 'name'))}]` === step) : step.slice(1)
    value = memberOf(value, key)
    if (value === undefined) break
    path.push(key)
  }
  return path
}

/** Returns true if a value is as recorded. An absent value is if no field of the other one is recorded. */
function isUnchanged({ recorded, root }: Merge, value: JsonValue | undefined, other: JsonValue | undefined, path: FieldSteps): boolean {
  if (value === undefined) return other === undefined || fieldsOf(other, path, root).every((field) => !recorded.has(pathDigest(field.path)))
  return fieldsOf(value, path, root).every((field) => recorded.get(pathDigest(field.path)) === valueDigest(field.value))
}
