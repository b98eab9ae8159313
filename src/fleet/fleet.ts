import type { VisibleObject } from '../cel/variables.ts'
import { compareText } from '../field-path.ts'
import { firstOfEach, groupBy } from '../group-by.ts'
import { type JsonValue, scalarText } from '../json.ts'
import { typedNames } from '../kinds/misread-metadata.ts'
import type { ObjectCriteria, RepositoryCriteria } from '../kinds/target.ts'
import { type Kinds, readKinds, versionOf } from '../kubernetes/kinds.ts'
import { once, remember } from '../remember.ts'
import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import { duplicateKeyFaults } from '../schema/document-faults.ts'
import { faultToResult } from '../schema/fault.ts'
import { type NearestAmong, nearestNames } from '../schema/nearest-name.ts'
import { INJECTION_ANNOTATION, PORCH_GROUP, REPOSITORY_API } from '../well-known.ts'
import type { Lookups } from './options.ts'
import { SelectableObjects } from './targets/selectable-objects.ts'

/** An object of the list, with the properties that targets, lookups and expressions use. */
export interface FleetObject extends VisibleObject {
  readonly apiVersion: string
  readonly kind: string
  /** The namespace of the object: `default` if the object names none, '' if its kind has no namespaces. */
  readonly namespace: string
  readonly object: KrmObject
}

/** The objects of a list, by kind, version and namespace. */
export interface Fleet {
  readonly kinds: Kinds
  /** Returns the kinds of the objects of the list, each once. */
  kindNames(): readonly string[]
  /** Returns the objects of a group's kind, in all versions and namespaces, sorted by name (docs/porch.md 6). */
  allOf(group: string, kind: string): readonly FleetObject[]
  /** Returns true if the list has objects of a group's kind, also if none of them has a name. */
  holds(group: string, kind: string): boolean
  /**
   * Returns the objects of a kind in all namespaces, sorted by name. An object has every version that a CustomResourceDefinition of the
   * list serves for its kind, as in the API server; without a definition, only the version in its apiVersion.
   */
  ofVersion(apiVersion: string, kind: string): readonly FleetObject[]
  /**
   * Returns the objects of a kind and namespace that are injection points inside packages. No cluster has such an object, so `objectsOf`
   * leaves them out and they are no targets. Computed once for each kind and namespace.
   */
  placeholdersOf(apiVersion: string, kind: string, namespace: string): SelectableObjects<FleetObject>
  /**
   * Returns the objects of a kind and namespace, of two with one name the first. Objects of a kind without namespaces are in every
   * namespace. Computed once for each kind and namespace.
   */
  objectsOf(apiVersion: string, kind: string, namespace: string): SelectableObjects<FleetObject>
  /** Returns the Repositories of a namespace by name, sorted by name. */
  repositories(namespace: string): ReadonlyMap<string, FleetObject>
  /** Returns the PackageRevisions by package; keys are those of `packageKey`. */
  revisions(): ReadonlyMap<string, readonly [FleetObject, ...FleetObject[]]>
  /**
   * Returns the faults of the objects of all kinds that were looked up so far: no name, or one that is no text, a duplicate key, a label
   * without a value.
   */
  faults(): readonly Result[]
  /** Returns the names that were most likely meant, with one limit for all findings of a run. */
  readonly nearestAmong: NearestAmong
}

/** Returns a text that identifies a package in a repository. */
export function packageKey(namespace: string, repo: JsonValue | undefined, packageName: JsonValue | undefined): string {
  return JSON.stringify([namespace, scalarText(repo), scalarText(packageName)])
}

/** Returns the kind of object that a selector selects. */
export function criteriaKind(criteria: RepositoryCriteria | ObjectCriteria): { readonly apiVersion: string; readonly kind: string } {
  return criteria.type === 'objectSelector' ? criteria : { apiVersion: REPOSITORY_API, kind: 'Repository' }
}

/** The fleet in which a set looks up its upstream, its targets and their repositories. */
export interface SetSurroundings {
  readonly fleet: Fleet
  /** The namespace of the set. */
  readonly namespace: string
  readonly lookups: Lookups
}

/** Reads the objects of a list by kind. An object without a name is no target and is not found by lookups; `faults` reports the object. */
export function readFleet(items: readonly KrmObject[]): Fleet {
  const kinds = readKinds(items)
  const kindOf = ofLastKind(({ apiVersion = '', kind = '' }) => kindKey(groupOf(apiVersion), kind))
  const byKind = groupBy(items, kindOf)
  const faults: Result[] = []
  const objectsByKind = new Map<string, readonly FleetObject[]>()
  const allOf: Fleet['allOf'] = (group, kind) =>
    remember(objectsByKind, kindKey(group, kind), (key) => {
      const objects = byKind.get(key) ?? []
      for (const object of objects) faults.push(...objectFaults(object))
      return sortByName(objects.flatMap((object) => ((object.name ?? '') === '' ? [] : [fleetObject(object, kinds)])))
    })
  const versions = new Map<string, readonly FleetObject[]>()
  const ofVersion: Fleet['ofVersion'] = (apiVersion, kind) =>
    remember(versions, kindKey(apiVersion, kind), () => {
      const group = groupOf(apiVersion)
      const isServed = kinds.servedVersions(group, kind)?.has(versionOf(apiVersion))
      return allOf(group, kind).filter((object) => isServed ?? object.apiVersion === apiVersion)
    })
  const inNamespace = (apiVersion: string, kind: string, namespace: string) =>
    ofVersion(apiVersion, kind).filter((object) => isIn(object, namespace))
  const objectsOf = rememberSelectable((...wanted) => {
    const objects = inNamespace(...wanted).filter((object) => !isPlaceholder(object))
    return [...firstOfEach(objects, nameOf).values()]
  })
  const placeholdersOf = rememberSelectable((...wanted) => inNamespace(...wanted).filter(isPlaceholder))
  const repositories = new Map<string, ReadonlyMap<string, FleetObject>>()
  const revisions = once(() => groupBy(allOf(PORCH_GROUP, 'PackageRevision'), packageOf))
  const kindNames = once(() => [...new Set(items.map(({ kind = '' }) => kind))])
  return {
    kinds,
    kindNames,
    allOf,
    holds: (group, kind) => byKind.has(kindKey(group, kind)),
    ofVersion,
    objectsOf,
    placeholdersOf,
    repositories: (namespace) =>
      remember(repositories, namespace, () => firstOfEach(objectsOf(REPOSITORY_API, 'Repository', namespace).all, nameOf)),
    revisions,
    faults: () => faults,
    nearestAmong: nearestNames(),
  }
}

const NO_FAULTS: readonly Result[] = []

/** Returns the faults with which an object is not found as its author intended. */
function objectFaults(object: KrmObject): readonly Result[] {
  const { name = '', blanks } = object
  const repeated = duplicateKeyFaults(object)
  const typed = typedNames(object)
  if (repeated.length === 0 && typed.length === 0 && name !== '' && blanks.length === 0) return NO_FAULTS
  return [
    ...repeated.map((fault) => faultToResult(object, fault)),
    ...typed,
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

/** Returns a function that collects the objects of a kind and namespace once. */
function rememberSelectable(collect: (apiVersion: string, kind: string, namespace: string) => readonly FleetObject[]): Fleet['objectsOf'] {
  const made = new Map<string, SelectableObjects<FleetObject>>()
  return (...wanted) => remember(made, JSON.stringify(wanted), () => new SelectableObjects(collect(...wanted)))
}

function isIn({ namespace }: FleetObject, wanted: string): boolean {
  return namespace === wanted || namespace === ''
}

/** Returns a function for texts of kinds. Objects of one kind mostly follow each other, so the text of the last kind is kept. */
export function ofLastKind(textOf: (object: KrmObject) => string): (object: KrmObject) => string {
  let last: { readonly apiVersion: string | undefined; readonly kind: string | undefined; readonly text: string } | undefined
  return (object) => {
    const { apiVersion, kind } = object
    if (last === undefined || last.apiVersion !== apiVersion || last.kind !== kind) last = { apiVersion, kind, text: textOf(object) }
    return last.text
  }
}

function nameOf({ name }: FleetObject): string {
  return name
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

/**
 * Returns the number of objects by version if the list has objects of a kind only in other versions: `it has 2 of
 * 'example.com/v1alpha1'`. Returns undefined in all other cases.
 */
export function otherVersions({ apiVersion, kind }: Pick<ObjectCriteria, 'apiVersion' | 'kind'>, fleet: Fleet): string | undefined {
  const all = fleet.allOf(groupOf(apiVersion), kind)
  if (all.length === 0 || fleet.ofVersion(apiVersion, kind).length > 0) return undefined
  const found = groupBy(all, (object) => object.apiVersion)
  return `it has ${Array.from(found, ([version, objects]) => `${objects.length} of '${version}'`).join(', ')}`
}
