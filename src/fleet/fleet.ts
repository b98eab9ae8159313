import type { VisibleObject } from '../cel/variables.ts'
import { compareText } from '../field-path.ts'
import { groupBy } from '../group-by.ts'
import { type JsonValue, scalarText } from '../json.ts'
import type { ObjectCriteria, RepositoryCriteria } from '../kinds/target.ts'
import { type Kinds, readKinds, versionOf } from '../kubernetes/kinds.ts'
import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import { duplicateKeyResults } from '../schema/document-faults.ts'
import { faultToResult } from '../schema/fault.ts'
import { type NearestAmong, nearestNames } from '../schema/nearest-name.ts'
import { INJECTION_ANNOTATION, PORCH_GROUP, REPOSITORY_API } from '../well-known.ts'
import { once } from './once.ts'
import type { Lookups } from './options.ts'

/** An object of the list as targets, lookups and expressions see it. */
export interface FleetObject extends VisibleObject {
  readonly apiVersion: string
  readonly kind: string
  /** The namespace it is in: `default` when it names none, '' when its kind has no namespaces. */
  readonly namespace: string
  readonly object: KrmObject
}

/** The objects of a list, found by what they are. */
export interface Fleet {
  readonly kinds: Kinds
  /** The kinds that the list has objects of, each once. */
  kindNames(): readonly string[]
  /** The objects of a group's kind, in all versions and namespaces, in name order (docs/porch.md 6). */
  allOf(group: string, kind: string): readonly FleetObject[]
  /**
   * The objects of a kind in all namespaces, in name order. An object is of every version that a CustomResourceDefinition of the list
   * serves for its kind, as in the API server; without one only of that it is written in.
   */
  ofVersion(apiVersion: string, kind: string): readonly FleetObject[]
  /** Those of `objectsOf` that stand inside packages until something is injected into them: no cluster has them, so they are no targets. */
  placeholdersOf(apiVersion: string, kind: string, namespace: string): readonly FleetObject[]
  /** Those of a namespace, of two with one name the first; objects of a kind without namespaces are in every one. Looked for once. */
  objectsOf(apiVersion: string, kind: string, namespace: string): readonly FleetObject[]
  /** The Repositories of a namespace by name, in name order. */
  repositories(namespace: string): ReadonlyMap<string, FleetObject>
  /** The PackageRevisions by package, as `packageKey` prints it. */
  revisions(): ReadonlyMap<string, readonly [FleetObject, ...FleetObject[]]>
  /** Reports what is wrong in the objects of the kinds that were asked for so far: no name, a key that stands twice, a label without a value. */
  faults(): readonly Result[]
  /** What was most likely meant by a name: one answer to all findings of a run, however many they are. */
  readonly nearestAmong: NearestAmong
}

/** One text for a package in a repository. */
export function packageKey(namespace: string, repo: JsonValue | undefined, packageName: JsonValue | undefined): string {
  return JSON.stringify([namespace, scalarText(repo), scalarText(packageName)])
}

/** The kind of object that a selector is about. */
export function criteriaKind(criteria: RepositoryCriteria | ObjectCriteria): { readonly apiVersion: string; readonly kind: string } {
  return criteria.type === 'objectSelector' ? criteria : { apiVersion: REPOSITORY_API, kind: 'Repository' }
}

/** Where a set looks for its upstream, its targets and their repositories. */
export interface SetSurroundings {
  readonly fleet: Fleet
  /** The set's. */
  readonly namespace: string
  readonly lookups: Lookups
}

/** Sorts the objects of a list by kind. An object without name is no target, and no lookup finds it: `faults` has it. */
export function readFleet(items: readonly KrmObject[]): Fleet {
  const kinds = readKinds(items)
  const byKind = groupBy(items, ({ apiVersion = '', kind = '' }) => kindKey(groupOf(apiVersion), kind))
  const named = (key: string) => (byKind.get(key) ?? []).filter(({ name = '' }) => name !== '')
  const faults: Result[] = []
  const allOf = remember((key) => {
    faults.push(...(byKind.get(key) ?? []).flatMap(objectFaults))
    return sortByName(named(key).map((item) => fleetObject(item, kinds)))
  })
  const ofVersion: Fleet['ofVersion'] = (apiVersion, kind) => {
    const group = groupOf(apiVersion)
    const isServed = kinds.servedVersions(group, kind)?.has(versionOf(apiVersion))
    return allOf(kindKey(group, kind)).filter((object) => isServed ?? object.apiVersion === apiVersion)
  }
  const inNamespace = (apiVersion: string, kind: string, namespace: string) =>
    ofVersion(apiVersion, kind).filter((object) => isIn(object, namespace))
  const found = new Map<string, readonly FleetObject[]>()
  const objectsOf: Fleet['objectsOf'] = (...wanted) => {
    const key = JSON.stringify(wanted)
    const objects = found.get(key) ?? [...byName(inNamespace(...wanted).filter((object) => !isPlaceholder(object))).values()]
    found.set(key, objects)
    return objects
  }
  const placeholdersOf: Fleet['placeholdersOf'] = (...wanted) => inNamespace(...wanted).filter(isPlaceholder)
  const repositories = remember((namespace) => byName(objectsOf(REPOSITORY_API, 'Repository', namespace)))
  const revisions = once(() => groupBy(allOf(kindKey(PORCH_GROUP, 'PackageRevision')), packageOf))
  const kindNames = once(() => [...new Set(items.map(({ kind = '' }) => kind))])
  return {
    kinds,
    kindNames,
    allOf: (group, kind) => allOf(kindKey(group, kind)),
    ofVersion,
    objectsOf,
    placeholdersOf,
    repositories,
    revisions,
    faults: () => faults,
    nearestAmong: nearestNames(),
  }
}

/** Reports what keeps an object from being found as what it was meant to be. */
function objectFaults(object: KrmObject): readonly Result[] {
  const { name = '', blanks } = object
  return [
    ...duplicateKeyResults([object]),
    ...(name === ''
      ? [faultToResult(object, { severity: 'error', rule: 'required', path: ['metadata', 'name'], message: 'must be set' })]
      : []),
    ...blanks.map((path) => faultToResult(object, { severity: 'warning', rule: 'blank-label', path, message: BLANK, atKey: true })),
  ]
}

const BLANK = "must be a text, got nothing, which counts as absent; write '' for an empty text"

function isPlaceholder({ annotations }: FleetObject): boolean {
  return annotations.has(INJECTION_ANNOTATION)
}

function packageOf({ namespace, object }: FleetObject): string {
  return packageKey(namespace, object.get(['spec', 'repository']), object.get(['spec', 'packageName']))
}

function remember<Value>(make: (key: string) => Value): (key: string) => Value {
  const made = new Map<string, Value>()
  return (key) => {
    const value = made.get(key) ?? make(key)
    made.set(key, value)
    return value
  }
}

function isIn({ namespace }: FleetObject, wanted: string): boolean {
  return namespace === wanted || namespace === ''
}

/** Of two with one name the first counts. */
function byName(objects: readonly FleetObject[]): ReadonlyMap<string, FleetObject> {
  const named = new Map<string, FleetObject>()
  for (const object of objects) if (!named.has(object.name)) named.set(object.name, object)
  return named
}

function kindKey(group: string, kind: string): string {
  return `${group} ${kind}`
}

function fleetObject(object: KrmObject, kinds: Kinds): FleetObject {
  const { apiVersion = '', kind = '', name = '', labels, annotations } = object
  return { apiVersion, kind, name, namespace: kinds.namespaceOf(object), labels, annotations, object }
}

function sortByName(objects: readonly FleetObject[]): readonly FleetObject[] {
  return [...objects].sort((a, b) => compareText(a.name, b.name) || compareText(a.namespace, b.namespace))
}
