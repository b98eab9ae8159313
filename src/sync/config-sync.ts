import { isSsh } from '../git/git-address.ts'
import type { JsonRecord } from '../json.ts'
import type { Deployment, SyncOptions } from './options.ts'

/** Returns a RootSync for each deployment, or a RepoSync in the namespace that the option `namespaceExpr` gives (Config Sync). */
export function configSyncObjects(deployments: readonly Deployment[], { namespace, interval = '15s' }: SyncOptions): readonly JsonRecord[] {
  return deployments.map(({ name, url, branch, folder, secret, targetNamespace }) => ({
    apiVersion: 'configsync.gke.io/v1beta1',
    kind: targetNamespace === undefined ? 'RootSync' : 'RepoSync',
    metadata: { name, namespace: targetNamespace ?? namespace },
    spec: {
      sourceFormat: 'unstructured',
      git: {
        repo: url,
        branch,
        ...(folder !== '' && { dir: folder }),
        period: interval,
        auth: isSsh(url) ? 'ssh' : secret === undefined ? 'none' : 'token',
        ...(secret !== undefined && { secretRef: { name: secret } }),
      },
    },
  }))
}
