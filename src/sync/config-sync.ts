import { isSsh } from '../git/git-address.ts'
import type { JsonRecord } from '../json.ts'
import type { Deployment, SyncOptions } from './options.ts'

/** Returns a RootSync for each deployment, or a RepoSync in the namespace that the option `namespaceExpr` gives (Config Sync). */
export function configSyncObjects(deployments: readonly Deployment[], options: SyncOptions): readonly JsonRecord[] {
  return deployments.map((deployment) => {
    const { name, isOci, targetNamespace } = deployment
    const source = isOci ? { sourceType: 'oci', oci: artifactOf(deployment, options) } : { git: gitOf(deployment, options) }
    return {
      apiVersion: 'configsync.gke.io/v1beta1',
      kind: targetNamespace === undefined ? 'RootSync' : 'RepoSync',
      metadata: { name, namespace: targetNamespace ?? options.namespace },
      spec: { sourceFormat: 'unstructured', ...source },
    }
  })
}

function gitOf({ url, branch, tag, folder, secret }: Deployment, { interval = '15s' }: SyncOptions): JsonRecord {
  return {
    repo: url,
    ...(tag === undefined ? { branch } : { revision: tag }),
    ...(folder !== '' && { dir: folder }),
    period: interval,
    auth: isSsh(url) ? 'ssh' : secret === undefined ? 'none' : 'token',
    ...(secret !== undefined && { secretRef: { name: secret } }),
  }
}

/** Config Sync reads an artifact with an account of the cluster; which one, only its people know. */
function artifactOf({ url, tag = 'latest', folder }: Deployment, { interval = '15s' }: SyncOptions): JsonRecord {
  return { image: `${url.replace('oci://', '')}:${tag}`, ...(folder !== '' && { dir: folder }), period: interval, auth: 'none' }
}
