import { type FieldPath, formatFieldPath } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import { DEFAULT_NAMESPACE, readKinds } from '../../kubernetes/kinds.ts'
import { remember } from '../../remember.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { Result } from '../../result.ts'
import { duplicateKeyResults } from '../../schema/document-faults.ts'
import { type NearestAmong, nearestNames } from '../../schema/nearest-name.ts'

/** A resource that configuration is copied from. Porch's controller would look up such a resource in the cluster. */
export interface InjectionSource {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  /** Undefined if the resource names no namespace: the resource then counts as in the variant's namespace. */
  readonly namespace: string | undefined
  /** Returns the place in which the resource is written, for messages. Computed on each call, since few runs need the place. */
  place(): string
  /** The object that holds the resource, and the path: the root, or an entry of a list in a functionConfig. */
  readonly object: KrmObject
  readonly path: FieldPath
}

/** The sources of a kind that are visible from a namespace. */
export interface Candidates {
  readonly all: readonly InjectionSource[]
  /** Returns the sources of a name. A cluster would have at most one. */
  named(name: string): readonly InjectionSource[]
  /** Returns the name of a source that was most likely meant by a misspelt name, within the limit of such look-ups in a run. */
  nearest(name: string): string | undefined
  /** Results for duplicate keys in resources of the kind, with which the name of a resource would be ambiguous. */
  readonly faults: readonly Result[]
}

/** The sources of one run. */
export interface InjectionSources {
  /** Returns the sources of a kind, of any group and version. Computed on demand, since most fleets inject nothing. */
  ofKind(kind: string): readonly InjectionSource[]
  /**
   * Returns the candidates of a kind and namespace. Computed once for each pair, since a fleet asks for the same ones thousands of times.
   */
  candidates(apiVersion: string, kind: string, namespace: string): Candidates
  /** Returns true if a cluster with these resources would know a kind (docs/porch.md 12, 23). */
  knows(apiVersion: string, kind: string): boolean
}

/** The sources of a run without any resources to inject. */
export const NO_SOURCES: InjectionSources = {
  ofKind: () => [],
  candidates: () => ({ all: [], named: () => [], nearest: () => undefined, faults: [] }),
  knows: () => false,
}

/**
 * Returns the sources of a run: the resources below source folders, and those written in a functionConfig.
 *
 * @param written  the object that holds resources, and the path of the list; undefined if the functionConfig holds none
 */
export function readSources(
  items: readonly KrmObject[],
  written?: { readonly object: KrmObject; readonly path: FieldPath },
): InjectionSources {
  const listed = written === undefined ? [] : writtenSources(written.object, written.path)
  const kinds = readKinds(items)
  const types = new Set([...items, ...listed].map(({ apiVersion = '', kind = '' }) => `${apiVersion} ${kind}`))
  const itemsByKind = groupBy(items, ({ kind = '' }) => kind)
  const listedByKind = groupBy(listed, ({ kind }) => kind)
  const ofKind: InjectionSources['ofKind'] = (kind) => [...(itemsByKind.get(kind) ?? []).map(itemSource), ...(listedByKind.get(kind) ?? [])]
  const known = new Map<string, Candidates>()
  const nearestAmong = nearestNames()
  return {
    ofKind,
    candidates: (apiVersion, kind, namespace) => {
      const key = JSON.stringify([apiVersion, kind, namespace])
      return remember(known, key, () => findCandidates(ofKind(kind), { apiVersion, namespace, nearestAmong }))
    },
    knows: (apiVersion, kind) => types.has(`${apiVersion} ${kind}`) || kinds.exists(apiVersion, kind),
  }
}

interface Wanted {
  readonly apiVersion: string
  readonly namespace: string
  readonly nearestAmong: NearestAmong
}

function findCandidates(ofKind: readonly InjectionSource[], { apiVersion, namespace, nearestAmong }: Wanted): Candidates {
  const all = ofKind.filter((source) => source.apiVersion === apiVersion && isVisible(source, namespace))
  const byName = groupBy(all, ({ name }) => name)
  const faults = duplicateKeyResults([...new Set(ofKind.map(({ object }) => object))])
  return { all, named: (name) => byName.get(name) ?? [], nearest: nearestAmong([...byName.keys()]), faults }
}

/** Returns true if a source is visible from a namespace. The namespaces '' and `default` are the same. */
function isVisible({ namespace }: InjectionSource, from: string): boolean {
  return !namespace || namespace === (from || DEFAULT_NAMESPACE)
}

function itemSource(object: KrmObject): InjectionSource {
  const { apiVersion = '', kind = '', name = '', namespace } = object
  return {
    apiVersion,
    kind,
    name,
    namespace,
    place: () => (object.file === undefined ? `${kind} ${name}` : `${object.file.path}:${object.positionOf([]).line}`),
    object,
    path: [],
  }
}

function writtenSources(object: KrmObject, path: FieldPath): readonly InjectionSource[] {
  const list = object.get(path)
  return Array.isArray(list) ? list.map((_, index) => writtenSource(object, [...path, index])) : []
}

function writtenSource(object: KrmObject, path: FieldPath): InjectionSource {
  const textAt = (...steps: readonly string[]): string | undefined => {
    const text = object.get([...path, ...steps])
    return typeof text === 'string' ? text : undefined
  }
  return {
    apiVersion: textAt('apiVersion') ?? '',
    kind: textAt('kind') ?? '',
    name: textAt('metadata', 'name') ?? '',
    namespace: textAt('metadata', 'namespace'),
    place: () => `the functionConfig's ${formatFieldPath(path)}`,
    object,
    path,
  }
}
