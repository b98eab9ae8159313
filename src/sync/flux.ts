import { asUrl } from '../git/git-address.ts'
import { groupBy } from '../group-by.ts'
import type { JsonRecord } from '../json.ts'
import { sha256Hex, truncateName } from '../kubernetes/truncated-name.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Deployment, SyncOptions } from './options.ts'

const SOURCE = 'source.toolkit.fluxcd.io/v1'
const KUSTOMIZATION = 'kustomize.toolkit.fluxcd.io/v1'

/**
 * Returns a GitRepository or OCIRepository for each source that deployments read, and a Kustomization for each deployment (Flux v2).
 *
 * Deployments of one URL, branch and Secret share a GitRepository: only then a Kustomization waits until what it depends on has applied the
 * same revision (kustomize-controller, checkDependencies). With another source, a dependency that is ready at its old revision is enough,
 * unless `readyExpr` names the tag that the dependency must have applied.
 *
 * @param items  the objects beside; the definition of Kustomizations among them says if `readyExpr` is known
 */
export function fluxObjects(
  deployments: readonly Deployment[],
  options: SyncOptions,
  items: readonly KrmObject[] = [],
): readonly JsonRecord[] {
  const names = sourceNames(deployments)
  const nameOf = (deployment: Deployment): string => names.get(sourceKey(deployment)) ?? deployment.repository
  const sources = new Map(deployments.map((deployment) => [nameOf(deployment), deployment]))
  const byName = new Map(deployments.map((deployment) => [deployment.name, deployment]))
  const isKnown = knowsReadyExpr(items)
  const dependenciesOf = (deployment: Deployment): readonly JsonRecord[] =>
    deployment.waitsFor.map((name) => {
      const other = byName.get(name)
      return {
        name,
        ...(isKnown && other !== undefined && hasTagOfItsOwn(other, deployment) && { readyExpr: appliedTag(other.tag ?? '') }),
      }
    })
  return [
    ...Array.from(sources, ([name, deployment]) => sourceObject(name, deployment, options)),
    ...deployments.map((deployment) =>
      kustomization(deployment, { name: nameOf(deployment), dependsOn: dependenciesOf(deployment) }, options),
    ),
  ]
}

/** Returns false if the definition of Kustomizations is among objects and has no `readyExpr`, which Flux has since 2.7. */
export function knowsReadyExpr(items: readonly KrmObject[]): boolean {
  const definition = items.find(
    ({ kind, name }) => kind === 'CustomResourceDefinition' && name === 'kustomizations.kustomize.toolkit.fluxcd.io',
  )
  return definition === undefined || JSON.stringify(definition.toJson()).includes('"readyExpr"')
}

/** Returns true if what a deployment waits for is read from another source by a tag that names a state. */
export function hasTagOfItsOwn(dependency: Deployment, deployment: Deployment): boolean {
  const { tag } = dependency
  return tag !== undefined && tag !== 'latest' && sourceKey(dependency) !== sourceKey(deployment)
}

/** Returns the expression of a dependency that is ready with a tag: Flux writes the revision as `TAG@sha1:…` or `TAG@sha256:…`. */
function appliedTag(tag: string): string {
  return `dep.status.lastAppliedRevision.startsWith('${tag}@') && dep.metadata.generation == dep.status.observedGeneration && dep.status.conditions.exists(c, c.type == 'Ready' && c.status == 'True')`
}

/** Returns the text that names the source of a deployment: URL, branch or tag, and Secret. */
export function sourceKey({ url, branch, tag, secret = '' }: Deployment): string {
  return `${asUrl(url)} ${tag === undefined ? branch : `tag ${tag}`} ${secret}`
}

/**
 * Returns the names of the GitRepositories by their sources: that of the only Repository of a source, else the last part of the URL, with
 * the branch if it is not `main`, and with a hash where two sources would get one name.
 *
 * @example  `https://git.example.com/fleet.git` of many Repositories → `fleet`; branch `next` → `fleet-next`
 */
export function sourceNames(deployments: readonly Deployment[]): ReadonlyMap<string, string> {
  const sources = [...groupBy(deployments, sourceKey)].map(([key, own]) => {
    const [first] = own
    const isShared = own.some(({ repository }) => repository !== first.repository)
    return { key, isShared, name: isShared ? nameOfUrl(first) : first.repository }
  })
  const byName = groupBy(sources, ({ name }) => name)
  return new Map(
    sources.map(({ key, isShared, name }) => {
      const isTaken = (byName.get(name)?.length ?? 0) > 1
      return [key, isShared && isTaken ? `${name}-${sha256Hex(key).slice(0, 8)}` : name]
    }),
  )
}

function nameOfUrl({ url, branch, tag }: Deployment): string {
  const last = asUrl(url)
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .replace(/^.*[/:]/, '')
  const text = tag !== undefined ? `${last}-${tag}` : branch === 'main' ? last : `${last}-${branch}`
  const name = text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  return truncateName(name.replace(/^-+|-+$/g, '') || 'fleet')
}

function sourceObject(
  name: string,
  { url, isOci, branch, tag, secret }: Deployment,
  { namespace, interval = '10m' }: SyncOptions,
): JsonRecord {
  const ref = tag === undefined ? { branch } : { tag }
  return {
    apiVersion: SOURCE,
    kind: sourceKind(isOci),
    metadata: { name, namespace },
    spec: { interval, url: asUrl(url), ref, ...(secret !== undefined && { secretRef: { name: secret } }) },
  }
}

function sourceKind(isOci: boolean): string {
  return isOci ? 'OCIRepository' : 'GitRepository'
}

function kustomization(
  deployment: Deployment,
  { name: source, dependsOn }: { readonly name: string; readonly dependsOn: readonly JsonRecord[] },
  { namespace, interval = '10m', retryInterval, timeout, wait, prune }: SyncOptions,
): JsonRecord {
  const { name, folder, destination, targetNamespace, isOci } = deployment
  return {
    apiVersion: KUSTOMIZATION,
    kind: 'Kustomization',
    metadata: { name, namespace },
    spec: {
      ...(dependsOn.length > 0 && { dependsOn }),
      interval,
      ...(retryInterval !== undefined && { retryInterval }),
      ...(timeout !== undefined && { timeout }),
      path: `./${folder}`,
      prune,
      sourceRef: { kind: sourceKind(isOci), name: source },
      ...(targetNamespace !== undefined && { targetNamespace }),
      ...(destination !== undefined && { kubeConfig: { secretRef: { name: destination } } }),
      // Others wait until the resources are ready, not only until they are applied.
      wait,
    },
  }
}
