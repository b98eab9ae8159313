import { asRecord, isRecord, type JsonRecord } from '../json.ts'

/** The finalizers with which Argo CD deletes the resources of an Application together with the Application. */
const DELETING_FINALIZER = /^(resources-finalizer|post-delete-finalizer)\.argocd\.argoproj\.io/

/** The annotation with which Config Sync deletes the resources of a RootSync together with the RootSync. */
const PROPAGATION = 'configsync.gke.io/deletion-propagation-policy'

/** Returns a sync object whose controller deletes nothing: neither what leaves git, nor everything when the object itself is deleted. */
export function leftObject(value: JsonRecord): JsonRecord {
  if (value.kind === 'Kustomization') return { ...value, spec: { ...asRecord(value.spec), prune: false } }
  if (value.kind === 'Application') return leftApplication(value)
  if (value.kind === 'ApplicationSet') {
    const spec = asRecord(value.spec)
    return { ...value, spec: { ...spec, syncPolicy: { ...asRecord(spec.syncPolicy), preserveResourcesOnDeletion: true } } }
  }
  const { annotations, ...metadata } = asRecord(value.metadata)
  const { [PROPAGATION]: _, ...others } = asRecord(annotations)
  return { ...value, metadata: { ...metadata, ...(Object.keys(others).length > 0 && { annotations: others }) } }
}

function leftApplication(value: JsonRecord): JsonRecord {
  const { finalizers, ...metadata } = asRecord(value.metadata)
  const kept = (Array.isArray(finalizers) ? finalizers : []).filter((name) => !DELETING_FINALIZER.test(String(name)))
  const spec = asRecord(value.spec)
  const policy = asRecord(spec.syncPolicy)
  const automated = isRecord(policy.automated) ? { syncPolicy: { ...policy, automated: { ...policy.automated, prune: false } } } : {}
  return { ...value, metadata: { ...metadata, ...(kept.length > 0 && { finalizers: kept }) }, spec: { ...spec, ...automated } }
}
