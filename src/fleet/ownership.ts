import type { FieldPath } from '../field-path.ts'
import { isRecord, type JsonRecord, type JsonValue, lookup } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { FINALIZER, OWNER_ANNOTATION, OWNER_LABEL, PACKAGE_VARIANT_SET_API } from '../well-known.ts'
import type { FleetObject } from './fleet.ts'

/** A set as the mark on its variants names it. `namespace` is the effective one. */
export interface SetOwner {
  readonly name: string
  readonly namespace: string
  readonly uid: string | undefined
}

/** How a variant says which set it belongs to: NAMESPACE/NAME in our annotation, or the uid in Porch's label. */
export interface OwnerMark {
  readonly path: FieldPath
  readonly owner: string
}

/** The mark of a variant, undefined for one of nobody's. */
export function ownerMark({ object: { labels, annotations } }: FleetObject): OwnerMark | undefined {
  const named = annotations.get(OWNER_ANNOTATION)
  if (named !== undefined) return { path: ['metadata', 'annotations', OWNER_ANNOTATION], owner: named }
  const uid = labels.get(OWNER_LABEL) ?? ''
  return uid === '' ? undefined : { path: ['metadata', 'labels', OWNER_LABEL], owner: uid }
}

/**
 * Says of a variant which of these sets it belongs to: the one that our annotation names, or that has the uid in Porch's label.
 * A set owns nothing outside its namespace.
 */
export function ownerFinder<O extends SetOwner>(owners: readonly O[]): (variant: FleetObject) => O | undefined {
  const named = new Map(owners.map((owner) => [`${owner.namespace}/${owner.name}`, owner]))
  const byUid = new Map(owners.flatMap((owner) => (owner.uid === undefined ? [] : [[owner.uid, owner]])))
  return ({ namespace, object: { labels, annotations } }) => {
    const owner = named.get(annotations.get(OWNER_ANNOTATION) ?? '') ?? byUid.get(labels.get(OWNER_LABEL) ?? '')
    return owner?.namespace === namespace ? owner : undefined
  }
}

/** The metadata of a new variant: Porch's marks for a set that has a uid, else our annotation. It names a namespace only if the set does. */
export function ownerMetadata(name: string, writtenNamespace: string | undefined, { name: setName, namespace, uid }: SetOwner): JsonRecord {
  const identity = writtenNamespace === undefined ? { name } : { name, namespace: writtenNamespace }
  if (uid === undefined) return { ...identity, annotations: { [OWNER_ANNOTATION]: `${namespace}/${setName}` } }
  return { ...identity, labels: { [OWNER_LABEL]: uid }, ownerReferences: [ownerReference(setName, uid)], finalizers: [FINALIZER] }
}

/**
 * Whether a variant that this function made before its set had a uid lacks Porch's marks. Marks that Porch made and somebody
 * took off again are not repaired, as the controller does not (docs/porch.md 28).
 */
export function lacksMarks(variant: FleetObject, { uid }: SetOwner): boolean {
  return uid !== undefined && !variant.object.labels.has(OWNER_LABEL)
}

/** Adds those of Porch's marks that a variant has not; our annotation stays, and so does a controller that it has. */
export function addMarks(variant: KrmObject, { name, uid = '' }: SetOwner): void {
  variant.set(['metadata', 'labels', OWNER_LABEL], uid)
  const references = listAt(variant, 'ownerReferences')
  if (!references.some(isController)) variant.set(['metadata', 'ownerReferences'], [...references, ownerReference(name, uid)])
  const finalizers = listAt(variant, 'finalizers')
  if (!finalizers.includes(FINALIZER)) variant.set(['metadata', 'finalizers'], [...finalizers, FINALIZER])
}

/** An API server lets an object have one. */
function isController(reference: JsonValue): boolean {
  return isRecord(reference) && lookup(reference, 'controller') === true
}

function listAt(object: KrmObject, key: string): readonly JsonValue[] {
  const list = object.get(['metadata', key])
  return Array.isArray(list) ? list : []
}

function ownerReference(name: string, uid: string): JsonRecord {
  return { apiVersion: PACKAGE_VARIANT_SET_API, kind: 'PackageVariantSet', name, uid, controller: true }
}
