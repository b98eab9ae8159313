import { equalJson, isRecord, type JsonRecord, type JsonValue, lookup, newRecord } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { ResourceList } from '../../resource-list/resource-list.ts'
import { textAt } from '../reading/field.ts'
import { groupKind } from '../reading/object-identity.ts'
import { ownersOf } from '../reading/owner-references.ts'

/** Sets a uid on every Crossplane package and revision without one, as an API server does: owner references need a uid. */
export function giveUids(list: ResourceList): void {
  for (const object of list.items) {
    const isOwner = groupKind(object).startsWith('pkg.crossplane.io/') && object.name !== undefined
    if (isOwner && textAt(object, 'metadata', 'uid') === '') object.set(['metadata', 'uid'], `${object.kind} ${object.name}`)
  }
}

/**
 * Merges a change into the object with the same identity, as an API server merges a patch (RFC 7386), or adds the change as an object.
 * A change with a `deletionTimestamp` removes the object. A change of `spec` raises the generation. Changes the list.
 *
 * @param file  the file of the change, which a new object is added to
 * @returns a function that undoes the change
 */
export function applyChange(list: ResourceList, object: KrmObject, file: string): () => void {
  const change = object.toJson()
  const existing = list.items.find((item) => isSameIdentity(item, object))
  if (existing === undefined) {
    const added = list.upsert(change, file)
    return () => list.remove(added)
  }
  if (isRecord(lookup(change, 'metadata')) && fieldOf(change, 'metadata', 'deletionTimestamp') !== undefined)
    return remove(list, existing, file)
  const before = existing.toJson()
  const merged = mergePatch(before, change)
  const isSame = equalJson(lookup(before, 'spec') ?? null, lookup(merged, 'spec') ?? null)
  existing.set([], isSame ? merged : withNextGeneration(merged))
  return () => existing.set([], before)
}

/** Returns true if two objects are one to an API server: of one group, kind, namespace and name, whatever the version. */
export function isSameIdentity(a: KrmObject, b: KrmObject): boolean {
  return groupKind(a) === groupKind(b) && a.namespace === b.namespace && a.name === b.name
}

function fieldOf(object: JsonRecord, holder: string, key: string): JsonValue | undefined {
  const value = lookup(object, holder)
  return isRecord(value) ? lookup(value, key) : undefined
}

function mergePatch(target: JsonRecord, patch: JsonRecord): JsonRecord {
  const merged = Object.assign(newRecord(), target)
  for (const [key, value] of Object.entries(patch)) {
    const there = merged[key]
    if (value === null) delete merged[key]
    else merged[key] = isRecord(value) ? mergePatch(isRecord(there) ? there : newRecord(), value) : value
  }
  return merged
}

function withNextGeneration(object: JsonRecord): JsonRecord {
  const metadata = lookup(object, 'metadata')
  const generation = Number(fieldOf(object, 'metadata', 'generation') ?? 1) + 1
  return { ...object, metadata: { ...(isRecord(metadata) ? metadata : {}), generation } }
}

function remove(list: ResourceList, gone: KrmObject, elsewhere: string): () => void {
  const text = gone.toJson()
  const file = gone.file?.path ?? elsewhere
  list.remove(gone)
  return () => void list.upsert(text, file)
}

/** Removes the objects all of whose owners are missing, as the garbage collector of a cluster does. Returns the removed objects. */
export function collectOrphans(list: ResourceList): KrmObject[] {
  const names = new Set(list.items.map(({ kind, name }) => `${kind} ${name}`))
  const orphans = list.items.filter((object) => {
    const owners = ownersOf(object)
    return owners.length > 0 && owners.every(({ kind, name }) => !names.has(`${kind} ${name}`))
  })
  for (const object of orphans) list.remove(object)
  return orphans
}

/** Makes the PackageInfos ready whose manifest is known, as Glasskube's operator does after fetching it. Returns these objects. */
export function fetchManifests(list: ResourceList, isKnown: (packageName: string, version: string) => boolean): KrmObject[] {
  const waiting = list.items.filter(
    (object) => groupKind(object) === 'packages.glasskube.dev/PackageInfo' && object.get(['status', 'conditions']) === undefined,
  )
  const fetched = waiting.filter((object) => isKnown(textAt(object, 'spec', 'name'), textAt(object, 'spec', 'version')))
  for (const object of fetched) {
    object.set(['status', 'conditions'], [{ type: 'Ready', status: 'True' }])
    object.set(['status', 'version'], textAt(object, 'spec', 'version'))
  }
  return fetched
}
