import { asUrl } from '../git/git-address.ts'
import { groupBy } from '../group-by.ts'
import type { JsonRecord } from '../json.ts'
import { sha256Hex, truncateName } from '../kubernetes/truncated-name.ts'
import type { Deployment, SyncOptions } from './options.ts'

const GIT_REPOSITORY = 'source.toolkit.fluxcd.io/v1'
const KUSTOMIZATION = 'kustomize.toolkit.fluxcd.io/v1'

/**
 * Returns a GitRepository for each git repository that deployments read, and a Kustomization for each deployment (Flux v2).
 *
 * Deployments of one URL, branch and Secret share a GitRepository: only then a Kustomization waits until what it depends on has applied the
 * same revision (kustomize-controller, checkDependencies). With another source, a dependency that is ready at its old revision is enough.
 */
export function fluxObjects(deployments: readonly Deployment[], options: SyncOptions): readonly JsonRecord[] {
  const names = sourceNames(deployments)
  const nameOf = (deployment: Deployment): string => names.get(sourceKey(deployment)) ?? deployment.repository
  const sources = new Map(deployments.map((deployment) => [nameOf(deployment), deployment]))
  return [
    ...Array.from(sources, ([name, deployment]) => gitRepository(name, deployment, options)),
    ...deployments.map((deployment) => kustomization(deployment, nameOf(deployment), options)),
  ]
}

/** Returns the text that names the source of a deployment: URL, branch and Secret. */
export function sourceKey({ url, branch, secret = '' }: Deployment): string {
  return `${asUrl(url)} ${branch} ${secret}`
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

function nameOfUrl({ url, branch }: Deployment): string {
  const last = asUrl(url)
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .replace(/^.*[/:]/, '')
  const text = branch === 'main' ? last : `${last}-${branch}`
  const name = text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  return truncateName(name.replace(/^-+|-+$/g, '') || 'fleet')
}

function gitRepository(name: string, { url, branch, secret }: Deployment, { namespace, interval = '10m' }: SyncOptions): JsonRecord {
  return {
    apiVersion: GIT_REPOSITORY,
    kind: 'GitRepository',
    metadata: { name, namespace },
    spec: { interval, url: asUrl(url), ref: { branch }, ...(secret !== undefined && { secretRef: { name: secret } }) },
  }
}

function kustomization(
  deployment: Deployment,
  source: string,
  { namespace, interval = '10m', retryInterval, timeout, wait, prune }: SyncOptions,
): JsonRecord {
  const { name, folder, destination, targetNamespace, waitsFor } = deployment
  return {
    apiVersion: KUSTOMIZATION,
    kind: 'Kustomization',
    metadata: { name, namespace },
    spec: {
      ...(waitsFor.length > 0 && { dependsOn: waitsFor.map((other) => ({ name: other })) }),
      interval,
      ...(retryInterval !== undefined && { retryInterval }),
      ...(timeout !== undefined && { timeout }),
      path: `./${folder}`,
      prune,
      sourceRef: { kind: 'GitRepository', name: source },
      ...(targetNamespace !== undefined && { targetNamespace }),
      ...(destination !== undefined && { kubeConfig: { secretRef: { name: destination } } }),
      // Others wait until the resources are ready, not only until they are applied.
      wait,
    },
  }
}
