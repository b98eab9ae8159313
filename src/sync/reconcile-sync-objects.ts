import { formatFieldPath } from '../field-path.ts'
import { groupBy } from '../group-by.ts'
import { asRecord, equalJson, isRecord, type JsonRecord, type JsonValue, scalarText } from '../json.ts'
import { mergeFields } from '../merge/merge-fields.ts'
import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { keyOfIdentity } from '../resource-list/object-index.ts'
import { formatResourceRef, type Result } from '../result.ts'
import { describeValue, quoteText } from '../schema/describe-value.ts'
import { faultToResult } from '../schema/fault.ts'
import { LAST_GENERATED_ANNOTATION, SYNC_ANNOTATION } from '../well-known.ts'
import { countOf } from '../wording.ts'
import type { SyncOptions, SyncSystem } from './options.ts'
import { removalFaults } from './removals.ts'

/** The changes of the sync objects of a list. */
export interface SyncChanges {
  readonly created: readonly JsonRecord[]
  /** The objects that change, with their new values. */
  readonly updated: readonly { readonly object: KrmObject; readonly value: JsonRecord }[]
  readonly removed: readonly KrmObject[]
  readonly results: readonly Result[]
}

/** The kinds that sync objects have, with the system that reads them. */
const SYSTEM_OF_KIND: ReadonlyMap<string, SyncSystem> = new Map([
  ['source.toolkit.fluxcd.io GitRepository', 'flux'],
  ['kustomize.toolkit.fluxcd.io Kustomization', 'flux'],
  ['argoproj.io Application', 'argocd'],
  ['argoproj.io ApplicationSet', 'argocd'],
  ['configsync.gke.io RootSync', 'config-sync'],
  ['configsync.gke.io RepoSync', 'config-sync'],
])

function systemOf({ apiVersion = '', kind = '' }: KrmObject): SyncSystem | undefined {
  return SYSTEM_OF_KIND.get(`${groupOf(apiVersion)} ${kind}`)
}

/**
 * Compares the wanted objects with those of a list. An object that is there is merged: the object as it was last generated is the base, so
 * that people's edits stay. An object that nothing needs any more is kept and deletes nothing in its cluster, until its name is in the
 * option `remove`.
 */
export function reconcileSyncObjects(wanted: readonly JsonRecord[], items: readonly KrmObject[], options: SyncOptions): SyncChanges {
  const present = items.filter((object) => systemOf(object) !== undefined)
  const byKey = new Map(present.map((object) => [keyOf(object.toJson()), object]))
  const merged = wanted.map((value) => reconcile(value, byKey.get(keyOf(value)), options))
  const needed = new Set(wanted.map(keyOf))
  const left = present.filter((object) => ownerOf(object) === options.name && !needed.has(keyOf(object.toJson())))
  const settled = left.map((object) => ({ object, value: settleLeft(object) }))
  // Flux deletes all resources of a Kustomization that goes while it prunes: `prune: false` must be in the cluster first.
  const isSettled = settled.every(({ object, value }) => equalJson(object.toJson(), value))
  const removed = isSettled ? left.filter(({ name = '' }) => options.remove.has(name)) : []
  const kept = left.filter((object) => !removed.includes(object))
  const updated = [...merged.flatMap((each) => each.updated ?? []), ...settled]
  const scene = () => ({
    left,
    wanted: new Set(wanted.map(({ metadata }) => scalarText(asRecord(metadata).name))),
    values: new Map([
      ...items.map((object) => [object, object.toJson()] as const),
      ...updated.map(({ object, value }) => [object, value] as const),
    ]),
  })
  return {
    created: merged.flatMap(({ created }) => (created === undefined ? [] : [created])),
    updated: updated.filter(({ object, value }) => !equalJson(object.toJson(), value)),
    removed,
    results: [
      ...(options.remove.size === 0 ? [] : removalFaults(scene(), options)),
      ...merged.flatMap(({ results }) => results),
      ...kept.map((object) => leftWarning(object, options)),
      ...orphans(present, items, options),
    ],
  }
}

interface Reconciled {
  readonly created?: JsonRecord
  readonly updated?: { readonly object: KrmObject; readonly value: JsonRecord }
  readonly results: readonly Result[]
}

function reconcile(wanted: JsonRecord, object: KrmObject | undefined, { name }: SyncOptions): Reconciled {
  if (object === undefined) return { created: withAnnotations(wanted, wanted, name), results: [] }
  const owner = ownerOf(object)
  if (owner !== name) {
    const whose = owner === '' ? 'nobody generated it' : `the GenerateSync '${owner}' generated it`
    const message = `must be '${name}' for an object that is generated, and ${whose}; rename one of the two, or write the annotation to hand it over`
    const path = ['metadata', 'annotations', SYNC_ANNOTATION]
    return { results: [faultToResult(object, { severity: 'error', rule: 'sync-name', path, message })] }
  }
  const base = lastGenerated(object)
  const ours = withoutMarks(object.toJson())
  const { value, outcomes } = mergeFields({ base: base ?? wanted, theirs: wanted, ours }, undefined)
  const lost = outcomes.filter((outcome) => outcome.result === 'lost' && outcome.contested)
  return {
    updated: { object, value: withAnnotations(asRecord(value), wanted, name) },
    results: lost.map(({ ours: mine, theirs }) => {
      const message = `\`${formatFieldPath(mine.field)}\` is ${shown(mine.value)} here; the fleet changed it to ${shown(theirs.value)}, and that is taken`
      return {
        severity: 'warning',
        message,
        resourceRef: object.ref,
        ...(object.file && { file: object.file }),
        tags: { rule: 'sync-edit-lost' },
      }
    }),
  }
}

function shown(value: JsonValue | undefined): string {
  return value === undefined ? 'absent' : describeValue(value)
}

/** Returns an object that nothing needs, so that it deletes nothing. What was last generated changes too: a cluster that comes back is merged. */
function settleLeft(object: KrmObject): JsonRecord {
  const value = leftObject(withoutMarks(object.toJson()))
  const base = lastGenerated(object)
  return withAnnotations(value, base === undefined ? value : leftObject(base), ownerOf(object))
}

function leftWarning(object: KrmObject, { remove }: SyncOptions): Result {
  const { name = '' } = object
  const how = remove.has(name)
    ? 'the next run removes it: apply this state first, so that its controller deletes nothing'
    : `--remove ${name}, or \`remove: [${name}]\` in the GenerateSync, removes it`
  const message = `is '${name}', for which the fleet has no variant any more; the object stays and deletes nothing in its cluster; ${how}`
  return faultToResult(object, { severity: 'warning', rule: 'sync-left', path: ['metadata', 'name'], message })
}

/**
 * Returns a warning for each GenerateSync that the list does not have, at the first of the objects that it generated. Objects of another
 * system are the concern of a run for that system.
 */
function orphans(present: readonly KrmObject[], items: readonly KrmObject[], { name, system }: SyncOptions): readonly Result[] {
  const known = new Set([name, ...items.filter(({ kind }) => kind === 'GenerateSync').map((config) => config.name)])
  const left = present.filter((object) => systemOf(object) === system && ownerOf(object) !== '' && !known.has(ownerOf(object)))
  return [...groupBy(left, ownerOf)].map(([owner, [object, ...others]]) => {
    const which = `${formatResourceRef(object.ref)}${others.length === 0 ? ' stays as it is' : ` and ${countOf(others.length, 'other object')} stay as they are`}`
    const message = `names a GenerateSync that the list does not have, ${quoteText(owner)}; ${which}`
    const path = ['metadata', 'annotations', SYNC_ANNOTATION]
    return faultToResult(object, { severity: 'warning', rule: 'sync-orphaned', path, message })
  })
}

function ownerOf({ annotations }: KrmObject): string {
  return annotations.get(SYNC_ANNOTATION) ?? ''
}

/** Returns the object as it was last generated; undefined if the annotation is gone or no JSON object. */
function lastGenerated({ annotations }: KrmObject): JsonRecord | undefined {
  try {
    const value: JsonValue = JSON.parse(annotations.get(LAST_GENERATED_ANNOTATION) ?? '')
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

function withAnnotations(value: JsonRecord, generated: JsonRecord, name: string): JsonRecord {
  const metadata = asRecord(value.metadata)
  const ours = { [SYNC_ANNOTATION]: name, [LAST_GENERATED_ANNOTATION]: JSON.stringify(generated) }
  return { ...value, metadata: { ...metadata, annotations: { ...asRecord(metadata.annotations), ...ours } } }
}

function withoutMarks(value: JsonRecord): JsonRecord {
  const { annotations, ...metadata } = asRecord(value.metadata)
  const { [SYNC_ANNOTATION]: _, [LAST_GENERATED_ANNOTATION]: __, ...others } = asRecord(annotations)
  return { ...value, metadata: { ...metadata, ...(Object.keys(others).length > 0 && { annotations: others }) } }
}

function keyOf(value: JsonRecord): string {
  const { apiVersion, kind, namespace, name } = keyOfIdentity(value)
  return [groupOf(scalarText(apiVersion)), kind, namespace, name].join(' ')
}

/** The finalizers with which Argo CD deletes the resources of an Application together with the Application. */
const DELETING_FINALIZER = /^(resources-finalizer|post-delete-finalizer)\.argocd\.argoproj\.io/

/** The annotation with which Config Sync deletes the resources of a RootSync together with the RootSync. */
const PROPAGATION = 'configsync.gke.io/deletion-propagation-policy'

/** Returns a sync object whose controller deletes nothing: neither what leaves git, nor everything when the object itself is deleted. */
function leftObject(value: JsonRecord): JsonRecord {
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
