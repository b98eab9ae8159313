import { asRecord, equalJson, isRecord, type JsonRecord, lookup, memberOf, newRecord } from '../../json.ts'
import { appliedObjects, placeInList } from '../../resource-list/applied-objects.ts'
import { identityOfObject } from '../../resource-list/identity.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { ResourceList } from '../../resource-list/resource-list.ts'
import { formatResourceRef, type Result } from '../../result.ts'
import { quoteNames, quoteText } from '../../schema/describe-value.ts'
import { faultToResult } from '../../schema/fault.ts'
import { didYouMean, nearestName } from '../../schema/nearest-name.ts'
import { PACKAGE_FIELDS } from '../crossplane/rules/package-fields.ts'
import { type Finding, formatPlace } from '../finding.ts'
import { placeIn, textAt } from '../reading/field.ts'
import { groupKind, ownersOf } from '../reading/object-metadata.ts'
import { originsOf, setOrigins } from '../reading/origins.ts'

/**
 * Keeps the texts that the objects of a list have: places in them stay those of the files, whatever changes the objects. The entries of a
 * List become objects of their own, as in a cluster: a change of an entry would change the List.
 */
export function keepTexts(list: ResourceList): void {
  for (const object of list.items) {
    const entries = appliedObjects(object)
    if (entries[0] === object && placeInList(object) === undefined) setOrigins(object, [object.draft()])
    else {
      for (const entry of entries) setOrigins(list.add(entry.toJson(), entry.file?.path ?? '', object), [entry])
      list.remove(object)
    }
  }
}

/** Notes the objects that controllers made, which no file has. */
export function noteMade({ items }: ResourceList): void {
  for (const object of items) if (originsOf(object) === undefined) setOrigins(object, [])
}

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
  const existing = objectLike(object, list)
  if (existing === undefined) {
    const added = list.upsert(change, file)
    setOrigins(added, [object])
    return () => list.remove(added)
  }
  if (memberOf(lookup(change, 'metadata'), 'deletionTimestamp') !== undefined) return remove(list, existing, file)
  const before = existing.toJson()
  const texts = originsOf(existing) ?? []
  const merged = mergePatch(before, change)
  const isSame = equalJson(lookup(before, 'spec') ?? null, lookup(merged, 'spec') ?? null)
  existing.set([], isSame ? merged : withNextGeneration(merged))
  setOrigins(existing, [object, ...texts])
  return () => {
    existing.set([], before)
    setOrigins(existing, texts)
  }
}

/** Returns the object of a list that is one with an object to an API server, whatever the version. */
function objectLike(object: KrmObject, { items }: ResourceList): KrmObject | undefined {
  const identity = identityOfObject(object)
  return items.find((item) => identityOfObject(item) === identity)
}

/**
 * Removes the package objects that a later object of the list replaces: two of one name are one object in a cluster, and whoever applies
 * the files writes both in turn. Returns a finding for each of the removed objects.
 */
export function dropReplaced(list: ResourceList): Finding[] {
  const last = new Map(list.items.flatMap((item) => (groupKind(item) in SPECS ? [[identityOfObject(item), item] as const] : [])))
  const replaced = list.items.filter((item) => (last.get(identityOfObject(item)) ?? item) !== item)
  return replaced.flatMap((object) => {
    const kept = last.get(identityOfObject(object))
    list.remove(object)
    if (kept === undefined) return []
    const [first, second] = [object, kept].map((each) => formatPlace(placeIn(each, ['metadata', 'name'])))
    const message = `${first} and ${second} both write ${formatResourceRef(object.ref)}, which is one object in a cluster: the later one is simulated`
    return [{ rule: 'controllers-fight', message, place: placeIn(kept, ['metadata', 'name'], kept.name ?? ''), tags: {} }]
  })
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
  const metadata = asRecord(lookup(object, 'metadata'))
  return { ...object, metadata: { ...metadata, generation: Number(lookup(metadata, 'generation') ?? 1) + 1 } }
}

function remove(list: ResourceList, gone: KrmObject, elsewhere: string): () => void {
  const text = gone.toJson()
  const file = gone.file?.path ?? elsewhere
  list.remove(gone)
  return () => setOrigins(list.upsert(text, file), originsOf(gone) ?? [])
}

/**
 * Returns the owners of objects that no object of the list is. A folder need not hold the whole cluster, so these are not known to be gone.
 */
export function ownersOutside({ items }: ResourceList): ReadonlySet<string> {
  const names = new Set(items.map(({ kind, name }) => `${kind} ${name}`))
  return new Set(items.flatMap(ownersOf).flatMap(({ kind, name }) => (names.has(`${kind} ${name}`) ? [] : [`${kind} ${name}`])))
}

/**
 * Removes the objects all of whose owners are missing, as the garbage collector of a cluster does. Returns the removed objects.
 *
 * @param outside  the owners that may be in the cluster although the list lacks them
 */
export function collectOrphans(list: ResourceList, outside: ReadonlySet<string>): KrmObject[] {
  const names = new Set([...outside, ...list.items.map(({ kind, name }) => `${kind} ${name}`)])
  const orphans = list.items.filter((object) => {
    const owners = ownersOf(object)
    return owners.length > 0 && owners.every(({ kind, name }) => !names.has(`${kind} ${name}`))
  })
  for (const object of orphans) list.remove(object)
  return orphans
}

/** Makes the PackageInfos ready whose manifest is known, as Glasskube's operator does after fetching it. Returns these objects. */
export function fetchManifests(list: ResourceList, isKnown: (packageName: string, version: string) => boolean): KrmObject[] {
  const infos = list.items.filter((object) => groupKind(object) === 'packages.glasskube.dev/PackageInfo')
  const waiting = infos.filter((object) => object.get(['status', 'conditions']) === undefined)
  const fetched = waiting.filter((object) => isKnown(textAt(object, 'spec', 'name'), textAt(object, 'spec', 'version')))
  for (const object of fetched) {
    object.set(['status', 'conditions'], [{ type: 'Ready', status: 'True' }])
    object.set(['status', 'version'], textAt(object, 'spec', 'version'))
  }
  return fetched
}

/** The fields that `spec` of a kind may have, and those without which a new object of the kind is refused by its CRD. */
interface SpecFields {
  readonly fields: readonly string[]
  readonly required: readonly string[]
}

const OF_PACKAGES = PACKAGE_FIELDS.filter((field) => field !== 'runtimeConfigRef').sort()
const WITH_RUNTIME = [...OF_PACKAGES, 'controllerConfigRef', 'runtimeConfigRef']
const OF_GLASSKUBE = ['packageInfo', 'suspend', 'values']
const OF_INSTALLS = [
  'canceled',
  'cluster',
  'defaultNamespace',
  'noopDelete',
  'packageRef',
  'paused',
  'serviceAccountName',
  'syncPeriod',
  'values',
]

/** By group and kind: the CRDs of Crossplane 2, Glasskube and kapp-controller, and `dependencies` of seed 002. */
const SPECS: Readonly<Record<string, SpecFields>> = {
  'pkg.crossplane.io/Configuration': { fields: OF_PACKAGES, required: ['package'] },
  'pkg.crossplane.io/Function': { fields: WITH_RUNTIME, required: ['package'] },
  'pkg.crossplane.io/Provider': { fields: WITH_RUNTIME, required: ['package'] },
  'packages.glasskube.dev/ClusterPackage': { fields: OF_GLASSKUBE, required: ['packageInfo'] },
  'packages.glasskube.dev/Package': { fields: OF_GLASSKUBE, required: ['packageInfo'] },
  'packaging.carvel.dev/PackageInstall': { fields: [...OF_INSTALLS, 'dependencies'], required: ['packageRef'] },
}

/** Reports each field of `spec` that the kind of an object does not have, with the nearest that it has. */
export function unknownSpecFields(object: KrmObject): Result[] {
  const fields = SPECS[groupKind(object)]?.fields
  const spec = object.get(['spec'])
  if (fields === undefined || !isRecord(spec)) return []
  return Object.keys(spec)
    .filter((key) => !fields.includes(key))
    .map((key) => {
      const meant = nearestName(key, fields)
      const hint = meant === undefined ? `its fields are ${quoteNames(fields)}` : `did you mean '${meant}'?`
      const message = `is not a field of spec of a ${object.kind}; ${hint}`
      return faultToResult(object, { severity: 'error', rule: 'unknown-field', path: ['spec', key], message })
    })
}

/**
 * Returns the fault of a change that names an object which is missing: a deletion, or a part that is no whole object of its kind. A whole
 * object is added instead.
 */
export function findMissingObject(list: ResourceList, change: KrmObject): Finding | undefined {
  if (objectLike(change, list) !== undefined) return undefined
  const isDeletion = change.get(['metadata', 'deletionTimestamp']) !== undefined
  const missing = (SPECS[groupKind(change)]?.required ?? []).filter((field) => !isGiven(change, field))
  if (!isDeletion && missing.length === 0) return undefined
  const names = list.items.filter((item) => groupKind(item) === groupKind(change)).flatMap(({ name }) => name ?? [])
  const hint = didYouMean(change.name ?? '', names) || (names.length === 0 ? '' : `; there are ${quoteNames(names)}`)
  const why = isDeletion ? ', so none can be deleted' : `; a new one must set ${quoteNames(missing.map((field) => `spec.${field}`))}`
  const where = change.namespace === undefined ? '' : ` in namespace '${change.namespace}'`
  return {
    rule: 'object-not-found',
    message: `no ${change.kind} is named ${quoteText(change.name ?? '')}${where}${why}${hint}`,
    place: placeIn(change, ['metadata', 'name'], change.name ?? ''),
    tags: {},
  }
}

function isGiven(change: KrmObject, field: string): boolean {
  const value = change.get(['spec', field])
  // `packageInfo: {version: …}` names no package.
  return value !== undefined && (field !== 'packageInfo' || (isRecord(value) && lookup(value, 'name') !== undefined))
}
