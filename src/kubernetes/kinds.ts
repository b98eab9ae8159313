import type { KrmObject } from '../resource-list/krm-object.ts'
import { OTHER_CLUSTER_KINDS, SERVED_KINDS } from './served-kinds.ts'

/** The namespace of an object that names none. */
export const DEFAULT_NAMESPACE = 'default'

/** What an API server with the objects of a list in it would know about kinds. */
export interface Kinds {
  /** Whether the kind is built in, served by a CustomResourceDefinition of the list, or that of an object of it. */
  exists(apiVersion: string, kind: string): boolean
  /** The namespace an object is in: its own, `default` when it names none, '' when its kind has no namespaces. */
  namespaceOf(object: KrmObject): string
}

/** Reads the kinds of a list: built-in ones, those of its CustomResourceDefinitions, and those of its objects (docs/porch.md 12). */
export function readKinds(items: readonly KrmObject[]): Kinds {
  const known = new Set(builtInKinds)
  const cluster = new Set(builtInClusterKinds)
  for (const item of items) {
    known.add(kindKey(item.apiVersion ?? '', item.kind ?? ''))
    if (item.kind === 'CustomResourceDefinition' && groupOf(item.apiVersion ?? '') === 'apiextensions.k8s.io')
      readDefinition(item, known, cluster)
  }
  return {
    exists: (apiVersion, kind) => known.has(kindKey(apiVersion, kind)),
    namespaceOf: (object) =>
      cluster.has(kindKey(groupOf(object.apiVersion ?? ''), object.kind ?? '')) ? '' : object.namespace || DEFAULT_NAMESPACE,
  }
}

/** The group of an apiVersion; '' is the core group. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/')
  return slash < 0 ? '' : apiVersion.slice(0, slash)
}

const builtInKinds = Object.entries(SERVED_KINDS).flatMap(([apiVersion, { namespaced, cluster }]) =>
  [...namespaced, ...cluster].map((kind) => kindKey(apiVersion, kind)),
)

const builtInClusterKinds = [
  ...Object.entries(SERVED_KINDS).flatMap(([apiVersion, { cluster }]) => cluster.map((kind) => kindKey(groupOf(apiVersion), kind))),
  ...Object.entries(OTHER_CLUSTER_KINDS).flatMap(([group, kinds]) => kinds.map((kind) => kindKey(group, kind))),
]

function kindKey(apiVersionOrGroup: string, kind: string): string {
  return `${apiVersionOrGroup} ${kind}`
}

/** Adds what one CustomResourceDefinition serves. Of one that is no legal one, what can be read of it. */
function readDefinition(definition: KrmObject, known: Set<string>, cluster: Set<string>): void {
  const group = String(definition.get(['spec', 'group']))
  const kind = String(definition.get(['spec', 'names', 'kind']))
  for (const version of servedVersions(definition)) known.add(kindKey(`${group}/${version}`, kind))
  if (definition.get(['spec', 'scope']) === 'Cluster') cluster.add(kindKey(group, kind))
}

/** Asks for the names only: beside them stand schemas of thousands of lines. */
function servedVersions(definition: KrmObject): string[] {
  const names: string[] = []
  for (let index = 0; ; index++) {
    const name = definition.get(['spec', 'versions', index, 'name'])
    if (name === undefined) return names
    if (definition.get(['spec', 'versions', index, 'served']) !== false) names.push(String(name))
  }
}
