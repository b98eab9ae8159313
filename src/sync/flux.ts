import type { JsonRecord } from '../json.ts'
import { asUrl } from '../package/git-address.ts'
import type { Deployment, SyncOptions } from './options.ts'

const GIT_REPOSITORY = 'source.toolkit.fluxcd.io/v1'
const KUSTOMIZATION = 'kustomize.toolkit.fluxcd.io/v1'

/** Returns a GitRepository for each git repository that deployments read, and a Kustomization for each deployment (Flux v2). */
export function fluxObjects(deployments: readonly Deployment[], options: SyncOptions): readonly JsonRecord[] {
  const sources = new Map(deployments.map((deployment) => [deployment.repository, deployment]))
  return [
    ...[...sources.values()].map((deployment) => gitRepository(deployment, options)),
    ...deployments.map((deployment) => kustomization(deployment, options)),
  ]
}

function gitRepository({ repository, url, branch, secret }: Deployment, { namespace, interval = '10m' }: SyncOptions): JsonRecord {
  return {
    apiVersion: GIT_REPOSITORY,
    kind: 'GitRepository',
    metadata: { name: repository, namespace },
    spec: { interval, url: asUrl(url), ref: { branch }, ...(secret !== undefined && { secretRef: { name: secret } }) },
  }
}

function kustomization(deployment: Deployment, { namespace, interval = '10m', prune }: SyncOptions): JsonRecord {
  const { name, repository, folder, destination, targetNamespace, waitsFor } = deployment
  return {
    apiVersion: KUSTOMIZATION,
    kind: 'Kustomization',
    metadata: { name, namespace },
    spec: {
      ...(waitsFor.length > 0 && { dependsOn: waitsFor.map((other) => ({ name: other })) }),
      interval,
      path: `./${folder}`,
      prune,
      sourceRef: { kind: 'GitRepository', name: repository },
      ...(targetNamespace !== undefined && { targetNamespace }),
      ...(destination !== undefined && { kubeConfig: { secretRef: { name: destination } } }),
      // Others wait until the resources are ready, not only until they are applied.
      wait: true,
    },
  }
}
