import { asList, asRecord, equalJson, isRecord, type JsonRecord, type JsonValue } from '../json.ts'

/** The finalizers with which Argo CD deletes the resources of an Application together with the Application. */
const DELETING_FINALIZER = /^(resources-finalizer|post-delete-finalizer)\.argocd\.argoproj\.io/

/** The annotation with which Config Sync deletes the resources of a RootSync together with the RootSync. */
const PROPAGATION = 'configsync.gke.io/deletion-propagation-policy'

/** The values of `deletionPolicy` with which Flux deletes the resources of a Kustomization even if the Kustomization does not prune. */
const DELETING_POLICY: ReadonlySet<JsonValue | undefined> = new Set(['Delete', 'WaitForTermination'])

/**
 * Returns a sync object whose controller deletes nothing: neither what leaves git, nor everything when the object itself is deleted.
 *
 * @example  a Kustomization with `prune: true` gets `prune: false`
 */
export function settledObject(value: JsonRecord): JsonRecord {
  if (value.kind === 'Kustomization') return settledKustomization(value)
  if (value.kind === 'Application') return settledApplication(value)
  if (value.kind === 'ApplicationSet') {
    const spec = asRecord(value.spec)
    return { ...value, spec: { ...spec, syncPolicy: { ...asRecord(spec.syncPolicy), preserveResourcesOnDeletion: true } } }
  }
  const { annotations, ...metadata } = asRecord(value.metadata)
  const { [PROPAGATION]: _, ...others } = asRecord(annotations)
  return { ...value, metadata: { ...metadata, ...(Object.keys(others).length > 0 && { annotations: others }) } }
}

/** Returns true for a sync object that can be deleted in its cluster without a resource that goes with the object. */
export function isSettled(value: JsonRecord): boolean {
  const spec = asRecord(value.spec)
  // With `Orphan` Flux keeps the resources even of a Kustomization that prunes.
  return (value.kind === 'Kustomization' && spec.deletionPolicy === 'Orphan') || equalJson(settledObject(value), value)
}

function settledKustomization(value: JsonRecord): JsonRecord {
  const spec = asRecord(value.spec)
  const policy = DELETING_POLICY.has(spec.deletionPolicy) ? { deletionPolicy: 'Orphan' } : {}
  return { ...value, spec: { ...spec, prune: false, ...policy } }
}

function settledApplication(value: JsonRecord): JsonRecord {
  const { finalizers, ...metadata } = asRecord(value.metadata)
  const kept = asList(finalizers).filter((name) => !DELETING_FINALIZER.test(String(name)))
  const spec = asRecord(value.spec)
  const policy = asRecord(spec.syncPolicy)
  const automated = isRecord(policy.automated) ? { syncPolicy: { ...policy, automated: { ...policy.automated, prune: false } } } : {}
  return { ...value, metadata: { ...metadata, ...(kept.length > 0 && { finalizers: kept }) }, spec: { ...spec, ...automated } }
}
