import { type FieldPath, formatFieldPath } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import { DEFAULT_NAMESPACE, readKinds } from '../../kubernetes/kinds.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { Result } from '../../result.ts'
import { duplicateKeyResults } from '../../schema/document-faults.ts'
import { type NearestAmong, nearestNames } from '../../schema/nearest-name.ts'

/** A resource that configuration is taken from: what Porch's controller would look up in the cluster. */
export interface InjectionSource {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  /** Undefined where it names none: then it counts as being in the variant's. */
  readonly namespace: string | undefined
  /** Where it is written, for people; worked out when somebody asks. */
  place(): string
  /** The object that holds it, and where: at its root, or in a list of a functionConfig. */
  readonly object: KrmObject
  readonly path: FieldPath
}

/** The sources of a kind that can be seen from a namespace. */
export interface Candidates {
  readonly all: readonly InjectionSource[]
  /** Those of a name: a cluster would have one at most. */
  named(name: string): readonly InjectionSource[]
  /** The name of one that was most likely meant by another name, as far as a run has time for such questions. */
  nearest(name: string): string | undefined
  /** Reports keys that stand twice in resources of the kind: which of them a name finds would be an accident. */
  readonly faults: readonly Result[]
}

/** The sources of one run. */
export interface InjectionSources {
  /** Those of a kind, of whatever group and version; looked for when somebody asks, since most fleets inject nothing. */
  ofKind(kind: string): readonly InjectionSource[]
  /** Worked out once for a kind and a namespace: a fleet asks for the same ones thousands of times. */
  candidates(apiVersion: string, kind: string, namespace: string): Candidates
  /** Whether a cluster with these resources would know a kind (docs/porch.md 12, 23). */
  knows(apiVersion: string, kind: string): boolean
}

/** Nothing to take from. */
export const NO_SOURCES: InjectionSources = {
  ofKind: () => [],
  candidates: () => ({ all: [], named: () => [], nearest: () => undefined, faults: [] }),
  knows: () => false,
}

/**
 * The resources below source folders, and those written in a functionConfig.
 *
 * @param written  the object that holds them, and the path of the list; none where the functionConfig holds no resources
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
      const candidates = known.get(key) ?? findCandidates(ofKind(kind), { apiVersion, namespace, nearestAmong })
      known.set(key, candidates)
      return candidates
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

/** Whether a source can be seen from a namespace; '' and `default` are one. */
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
