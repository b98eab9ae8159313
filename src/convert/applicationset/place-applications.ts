import { groupBy } from '../../group-by.ts'
import { asRecord, type JsonRecord, scalarText } from '../../json.ts'
import { isLabelKey, isLabelValue } from '../../kubernetes/names.ts'
import type { Overlay } from '../fleet-texts.ts'
import { freeName, slugOf } from '../free-names.ts'
import type { GeneratedApplication } from './expand-set.ts'
import { type ArgoCluster, LOCAL_CLUSTER } from './generators.ts'

/** An Application with the upstream package that its source is a variant of. */
export interface SourcedApplication {
  readonly application: GeneratedApplication
  /** The folder of the source, relative to the root of the repository. */
  readonly path: string
  /** The folder of the upstream package. */
  readonly base: string
}

export interface PlacedApplication extends SourcedApplication {
  readonly overlay: Overlay
}

/**
 * Returns the place of each Application: the cluster of its destination, a Repository. If two Applications of a cluster have one folder or
 * one upstream package, each of them has a Repository of its own, which is called as the Application.
 */
export function placeApplications(
  sourced: readonly SourcedApplication[],
  clusters: readonly ArgoCluster[],
  labelsOf: (name: string) => Readonly<Record<string, string>>,
): readonly PlacedApplication[] {
  const ofClusters = groupBy(sourced, ({ application }) => clusterNameOf(application, clusters))
  const names = uniqueSlugs([...ofClusters.keys()])
  const alone = new Set([...ofClusters.values()].flatMap((own) => own.filter((each) => own.some((other) => clash(each, other)))))
  const taken = new Set(names.values())
  return sourced.map((each) => {
    const { application, path, base } = each
    const target = alone.has(each)
      ? freeName(slugOf(application.name, 'cluster'), taken)
      : (names.get(clusterNameOf(application, clusters)) ?? '')
    const labels = { ...labelsOf(target), ...labelsOfSecret(application, clusters) }
    const git = { repo: scalarText(asRecord(application.spec.source).repoURL), branch: `clusters/${target}` }
    const overlay = {
      path: application.name,
      id: application.name,
      target,
      folder: `${target}/${path}`,
      packagePath: path,
      labels,
      git,
      bases: [base],
    }
    return { ...each, overlay }
  })
}

function clash(one: SourcedApplication, other: SourcedApplication): boolean {
  if (one === other) return false
  return (
    one.base === other.base || one.path === other.path || one.path.startsWith(`${other.path}/`) || other.path.startsWith(`${one.path}/`)
  )
}

/** Returns the destination of an Application: the server or the name of a cluster, and the namespace. */
export function destinationOf({ spec }: GeneratedApplication): { readonly text: string; readonly namespace: string } {
  const { server, name, namespace } = asRecord(spec.destination)
  return { text: scalarText(server) || scalarText(name), namespace: scalarText(namespace) }
}

function clusterOf(application: GeneratedApplication, clusters: readonly ArgoCluster[]): ArgoCluster | undefined {
  const { text } = destinationOf(application)
  return [...clusters, LOCAL_CLUSTER].find(({ name, server }) => name === text || server === text)
}

function clusterNameOf(application: GeneratedApplication, clusters: readonly ArgoCluster[]): string {
  const { text } = destinationOf(application)
  return clusterOf(application, clusters)?.name ?? text.replace(/^https?:\/\//, '').replace(/:\d+$/, '')
}

/** Returns the labels of the Secret of a cluster, without that by which Argo CD finds the Secret. */
function labelsOfSecret(application: GeneratedApplication, clusters: readonly ArgoCluster[]): Readonly<Record<string, string>> {
  const labels = [...(clusterOf(application, clusters)?.labels ?? [])]
  return Object.fromEntries(
    labels.filter(
      ([key, value]) => key !== 'argocd.argoproj.io/secret-type' && key !== 'cluster' && isLabelKey(key) && isLabelValue(value),
    ),
  )
}

function uniqueSlugs(names: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set<string>()
  return new Map(names.map((name) => [name, freeName(slugOf(name, 'cluster'), taken)]))
}

/** Returns the fields of an Application that convert keeps, apart from its source. */
export function keptFields({ metadata, spec }: GeneratedApplication): JsonRecord {
  const { labels, annotations, finalizers } = metadata
  const { project, destination, syncPolicy, ignoreDifferences, info, revisionHistoryLimit } = spec
  return {
    metadata: withValues({ labels, annotations, finalizers }),
    spec: withValues({ project, destination, syncPolicy, ignoreDifferences, info, revisionHistoryLimit }),
  }
}

function withValues(record: Readonly<Record<string, JsonRecord[string] | undefined>>): JsonRecord {
  return Object.fromEntries(
    Object.entries(record).flatMap(([key, value]) => {
      const isUnset =
        value === undefined || value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)
      return isUnset ? [] : [[key, value]]
    }),
  )
}
