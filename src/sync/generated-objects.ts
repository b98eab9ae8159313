import { asRecord, isRecord, type JsonRecord, parseJson } from '../json.ts'
import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { LAST_GENERATED_ANNOTATION, SYNC_ANNOTATION } from '../well-known.ts'
import { isSettled, settledObject } from './left-objects.ts'
import type { SyncSystem } from './options.ts'

/** The kinds that sync objects have, with the system that reads them. */
const SYSTEM_OF_KIND: ReadonlyMap<string, SyncSystem> = new Map([
  ['source.toolkit.fluxcd.io GitRepository', 'flux'],
  ['source.toolkit.fluxcd.io OCIRepository', 'flux'],
  ['kustomize.toolkit.fluxcd.io Kustomization', 'flux'],
  ['argoproj.io Application', 'argocd'],
  ['argoproj.io ApplicationSet', 'argocd'],
  ['configsync.gke.io RootSync', 'config-sync'],
  ['configsync.gke.io RepoSync', 'config-sync'],
])

/** Returns the system that reads an object; undefined for an object of another kind. */
export function systemOf({ apiVersion = '', kind = '' }: KrmObject): SyncSystem | undefined {
  return SYSTEM_OF_KIND.get(`${groupOf(apiVersion)} ${kind}`)
}

/** Returns the name of the GenerateSync for which a sync object was made; '' for an object that no GenerateSync generated. */
export function generatorOf({ annotations }: KrmObject): string {
  return annotations.get(SYNC_ANNOTATION) ?? ''
}

/** Returns the object as it was last generated; undefined if the annotation is gone or no JSON object. */
export function mergeBaseOf({ annotations }: KrmObject): JsonRecord | undefined {
  const value = parseJson(annotations.get(LAST_GENERATED_ANNOTATION) ?? '')
  return isRecord(value) ? value : undefined
}

/** Returns an object with the annotations of a generated one: the name of its GenerateSync, and the object as it was generated. */
export function withMarks(value: JsonRecord, generated: JsonRecord, name: string): JsonRecord {
  const metadata = asRecord(value.metadata)
  const ours = { [SYNC_ANNOTATION]: name, [LAST_GENERATED_ANNOTATION]: JSON.stringify(generated) }
  return { ...value, metadata: { ...metadata, annotations: { ...asRecord(metadata.annotations), ...ours } } }
}

/** Returns an object without the annotations of a generated one. */
export function withoutMarks(value: JsonRecord): JsonRecord {
  const { annotations, ...metadata } = asRecord(value.metadata)
  const { [SYNC_ANNOTATION]: _, [LAST_GENERATED_ANNOTATION]: __, ...others } = asRecord(annotations)
  return { ...value, metadata: { ...metadata, ...(Object.keys(others).length > 0 && { annotations: others }) } }
}

/**
 * Returns an object that nothing needs, so that it deletes nothing. What was last generated changes too: a cluster that comes back is
 * merged.
 */
export function settleLeft(object: KrmObject): JsonRecord {
  const ours = withoutMarks(object.toJson())
  const value = isSettled(ours) ? ours : settledObject(ours)
  const base = mergeBaseOf(object)
  return withMarks(value, base === undefined ? value : settledObject(base), generatorOf(object))
}
