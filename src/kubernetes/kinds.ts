import { scalarText } from '../json.ts'
import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { kindsOf, OTHER_CLUSTER_KINDS } from './built-in-kinds.ts'

/** Kinds that every API server with Porch serves. */
export const SERVED_KINDS = kindsOf('porch')

/** The namespace of an object without `metadata.namespace`. */
export const DEFAULT_NAMESPACE = 'default'

const DEFINITION_KIND = 'CustomResourceDefinition'

/** The kinds that an API server with the objects of a list would know. */
export interface Kinds {
  /** Returns true if a kind is built in, is served by a CustomResourceDefinition of the list, or is the kind of an object of the list. */
  exists(apiVersion: string, kind: string): boolean
  /** Returns the versions that CustomResourceDefinitions of the list serve for a kind; undefined if the list defines no such kind. */
  servedVersions(group: string, kind: string): ReadonlySet<string> | undefined
  /** Returns the namespace of an object: its own, `default` if the object names none, '' if the kind has no namespaces. */
  namespaceOf(object: KrmObject): string
}

/**
 * Reads the kinds of a list: built-in kinds, kinds of CustomResourceDefinitions in the list, and kinds of objects in the list
 * (docs/porch.md 12).
 */
export function readKinds(items: readonly KrmObject[]): Kinds {
  const known = new Set(builtInKinds)
  const cluster = new Set(builtInClusterKinds)
  const served = new Map<string, Set<string>>()
  for (const { apiVersion = '', kind = '' } of oneOfEachKind(items)) known.add(kindKey(apiVersion, kind))
  for (const item of items)
    if (item.kind === DEFINITION_KIND && groupOf(item.apiVersion ?? '') === 'apiextensions.k8s.io')
      readDefinition(item, { known, cluster, served })
  return {
    servedVersions: (group, kind) => served.get(kindKey(group, kind)),
    exists: (apiVersion, kind) => known.has(kindKey(apiVersion, kind)),
    namespaceOf: (object) =>
      cluster.has(kindKey(groupOf(object.apiVersion ?? ''), object.kind ?? '')) ? '' : object.namespace || DEFAULT_NAMESPACE,
  }
}

/**
 * Returns the first object of each apiVersion and kind: what is asked of a kind needs no look at each object. Objects of one kind mostly
 * follow each other.
 */
export function oneOfEachKind(items: readonly KrmObject[]): readonly KrmObject[] {
  const firsts = new Map<string, KrmObject>()
  let last: { readonly apiVersion: string; readonly kind: string } | undefined
  for (const item of items) {
    const { apiVersion = '', kind = '' } = item
    if (last?.apiVersion === apiVersion && last.kind === kind) continue
    last = { apiVersion, kind }
    const key = kindKey(apiVersion, kind)
    if (!firsts.has(key)) firsts.set(key, item)
  }
  return [...firsts.values()]
}

/** Returns the version of an apiVersion: `v1` for `apps/v1`. */
export function versionOf(apiVersion: string): string {
  return apiVersion.slice(apiVersion.indexOf('/') + 1)
}

const builtInKinds = SERVED_KINDS.map(({ apiVersion, kind }) => kindKey(apiVersion, kind))

const builtInClusterKinds = [
  ...SERVED_KINDS.flatMap(({ apiVersion, kind, scope }) => (scope === 'cluster' ? [kindKey(groupOf(apiVersion), kind)] : [])),
  ...Object.entries(OTHER_CLUSTER_KINDS).flatMap(([group, kinds]) => kinds.split(' ').map((kind) => kindKey(group, kind))),
]

function kindKey(apiVersionOrGroup: string, kind: string): string {
  return `${apiVersionOrGroup} ${kind}`
}

interface DefinedKinds {
  readonly known: Set<string>
  readonly cluster: Set<string>
  readonly served: Map<string, Set<string>>
}

/** Adds the kinds that a CustomResourceDefinition serves. Of an invalid definition, the readable parts are used. */
function readDefinition(definition: KrmObject, { known, cluster, served }: DefinedKinds): void {
  const group = scalarText(definition.get(['spec', 'group']))
  const kind = scalarText(definition.get(['spec', 'names', 'kind']))
  if (group === '' || kind === '') return
  const versions = versionsServedBy(definition)
  for (const version of versions) known.add(kindKey(`${group}/${version}`, kind))
  if (versions.length > 0) served.set(kindKey(group, kind), new Set([...(served.get(kindKey(group, kind)) ?? []), ...versions]))
  if (definition.get(['spec', 'scope']) === 'Cluster') cluster.add(kindKey(group, kind))
}

/**
 * Returns the served versions of a definition. Reads only names and `served`, since the schemas beside the names have thousands of lines.
 */
export function versionsServedBy(definition: KrmObject): string[] {
  const names: string[] = []
  for (let index = 0; ; index++) {
    const name = definition.get(['spec', 'versions', index, 'name'])
    if (name === undefined) return names
    const text = definition.get(['spec', 'versions', index, 'served']) === false ? '' : scalarText(name)
    if (text !== '') names.push(text)
  }
}
