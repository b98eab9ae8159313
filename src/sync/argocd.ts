import type { JsonRecord } from '../json.ts'
import type { Deployment, SyncOptions } from './options.ts'

/** Returns an Application for each deployment (Argo CD v3). Waves are those of an application that deploys these Applications. */
export function argocdObjects(deployments: readonly Deployment[], { namespace, prune }: SyncOptions): readonly JsonRecord[] {
  const isOrdered = deployments.some(({ wave }) => wave !== 0)
  return deployments.map((deployment) => {
    const { name, url, branch, folder, project = 'default', destination = 'in-cluster', targetNamespace, wave } = deployment
    return {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name, namespace, ...(isOrdered && { annotations: { 'argocd.argoproj.io/sync-wave': String(wave) } }) },
      spec: {
        project,
        source: { repoURL: url, targetRevision: branch, path: folder === '' ? '.' : folder },
        destination: { name: destination, ...(targetNamespace !== undefined && { namespace: targetNamespace }) },
        syncPolicy: { automated: { prune, selfHeal: true } },
      },
    }
  })
}
