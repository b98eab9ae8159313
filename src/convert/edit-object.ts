import type { FieldPath } from '../field-path.ts'
import { equalJson, isRecord, type JsonRecord, type JsonValue, lookup } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'

/** Makes an object equal to another value and changes only the lines that differ. Returns the paths that were changed. */
export function editObject(object: KrmObject, wanted: JsonValue): readonly FieldPath[] {
  const changed: FieldPath[] = []
  edit(object, object.toJson(), wanted, [], changed)
  return changed
}

function edit(object: KrmObject, own: JsonValue | undefined, wanted: JsonValue, path: FieldPath, changed: FieldPath[]): void {
  if (equalJson(own, wanted)) return
  if (isRecord(own) && isRecord(wanted)) editMap(object, own, wanted, path, changed)
  else if (!Array.isArray(own) || !Array.isArray(wanted) || !editList(object, own, wanted, path, changed)) {
    object.set(path, wanted)
    changed.push(path)
  }
}

function editMap(object: KrmObject, own: JsonRecord, wanted: JsonRecord, path: FieldPath, changed: FieldPath[]): void {
  for (const key of Object.keys(own)) {
    if (Object.hasOwn(wanted, key)) continue
    object.delete([...path, key])
    changed.push([...path, key])
  }
  for (const [key, value] of Object.entries(wanted)) edit(object, lookup(own, key), value, [...path, key], changed)
}

/** Edits the entries of a list; false if the list must be written as a whole. */
function editList(
  object: KrmObject,
  own: readonly JsonValue[],
  wanted: readonly JsonValue[],
  path: FieldPath,
  changed: FieldPath[],
): boolean {
  const aligned = alignEntries(object, own, wanted, path)
  if (aligned !== undefined && aligned !== own) changed.push(path)
  if (aligned === undefined && (own.length !== wanted.length || !own.every(isRecord))) return false
  for (const [index, value] of wanted.entries()) edit(object, (aligned ?? own)[index], value, [...path, index], changed)
  return true
}

/**
 * Adds, removes and moves the entries of a list whose entries have names, so that those that stay keep their comments, and returns the
 * entries that the list then has. Returns undefined for another list, and for one of which no entry stays.
 */
function alignEntries(
  object: KrmObject,
  own: readonly JsonValue[],
  wanted: readonly JsonValue[],
  path: FieldPath,
): readonly JsonValue[] | undefined {
  const [before, after] = [namesOf(own), namesOf(wanted)]
  if (before === undefined || after === undefined) return undefined
  if (equalJson(before, after)) return own
  const current = before.filter((name) => after.includes(name))
  if (current.length === 0) return undefined
  const gone = before.flatMap((name, index) => (after.includes(name) ? [] : [index]))
  for (const index of gone.toReversed()) object.delete([...path, index])
  for (const name of after.filter((each) => !before.includes(each)))
    object.set([...path, current.push(name) - 1], wanted[after.indexOf(name)] ?? null)
  for (const [index, name] of after.entries()) {
    const from = current.indexOf(name)
    if (from === index) continue
    object.move(path, from, index)
    current.splice(index, 0, ...current.splice(from, 1))
  }
  return after.map((name, index) => own[before.indexOf(name)] ?? wanted[index] ?? null)
}

/** Returns the names of the entries of a list; undefined if one has none, or two have the same. */
function namesOf(list: readonly JsonValue[]): readonly string[] | undefined {
  const names = list.flatMap((entry) => (isRecord(entry) && typeof entry.name === 'string' ? [entry.name] : []))
  return names.length === list.length && new Set(names).size === names.length ? names : undefined
}

/**
 * Returns the value at a path of another object. Entries of lists are found by their `name`, as lists of the original have it. A reference,
 * such as a subject of a RoleBinding, that has another name there is found by its position.
 */
export function alignedValue(root: JsonValue, original: JsonValue, path: FieldPath): JsonValue | undefined {
  let [value, own]: [JsonValue | undefined, JsonValue | undefined] = [root, original]
  for (const step of path) {
    if (Array.isArray(value) && Array.isArray(own) && typeof step === 'number') {
      value = alignedEntry(value, own, step)
      own = own[step]
    } else if (isRecord(value) && isRecord(own) && typeof step === 'string') {
      value = lookup(value, step)
      own = lookup(own, step)
    } else return undefined
  }
  return value
}

function alignedEntry(list: readonly JsonValue[], own: readonly JsonValue[], at: number): JsonValue | undefined {
  const [entry, other] = [own[at], list[at]]
  const named = (all: readonly JsonValue[], name: JsonValue | undefined) => all.find((each) => isRecord(each) && each.name === name)
  if (!isRecord(entry) || entry.name === undefined) return other
  const found = named(list, entry.name)
  if (found !== undefined || list.length !== own.length || !isRecord(other)) return found
  const isRenamed = typeof entry.kind === 'string' && entry.kind === other.kind && named(own, other.name) === undefined
  return isRenamed ? other : undefined
}

/** Returns the paths of the deepest values of the original that differ in another object, with entries of lists found by name. */
export function changedPaths(original: JsonValue, other: JsonValue): readonly FieldPath[] {
  return walk(original, (path, value) => !equalJson(alignedValue(other, original, path), value))
}

function walk(value: JsonValue, isWanted: (path: FieldPath, value: JsonValue) => boolean, path: FieldPath = []): readonly FieldPath[] {
  if (isRecord(value)) return Object.entries(value).flatMap(([key, each]) => walk(each, isWanted, [...path, key]))
  if (Array.isArray(value) && value.some(isRecord)) return value.flatMap((each, index) => walk(each, isWanted, [...path, index]))
  return isWanted(path, value) ? [path] : []
}

/** Returns the name by which messages call an object. */
export function shownName({ kind = '', namespace, name = '' }: KrmObject): string {
  return `${kind} ${namespace ? `${namespace}/` : ''}${name}`
}
