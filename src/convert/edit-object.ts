import type { FieldPath } from '../field-path.ts'
import { equalJson, isRecord, type JsonValue, lookup } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'

/** Makes an object equal to another value and changes only the lines that differ. Returns the paths that were changed. */
export function editObject(object: KrmObject, wanted: JsonValue): readonly FieldPath[] {
  const changed: FieldPath[] = []
  edit(object, object.toJson(), wanted, [], changed)
  return changed
}

function edit(object: KrmObject, own: JsonValue | undefined, wanted: JsonValue, path: FieldPath, changed: FieldPath[]): void {
  if (equalJson(own, wanted)) return
  if (isRecord(own) && isRecord(wanted)) {
    for (const key of Object.keys(own)) {
      if (Object.hasOwn(wanted, key)) continue
      object.delete([...path, key])
      changed.push([...path, key])
    }
    for (const [key, value] of Object.entries(wanted)) edit(object, lookup(own, key), value, [...path, key], changed)
    return
  }
  if (Array.isArray(own) && Array.isArray(wanted) && own.length === wanted.length && own.every(isRecord)) {
    for (const [index, value] of wanted.entries()) edit(object, own[index], value, [...path, index], changed)
    return
  }
  object.set(path, wanted)
  changed.push(path)
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
