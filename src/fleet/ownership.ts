import type { FieldPath } from '../field-path.ts'
import { asList, isRecord, type JsonRecord, type JsonValue, lookup, memberOf, scalarText } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { FINALIZER, OWNER_ANNOTATION, OWNER_LABEL, PACKAGE_VARIANT_SET_API } from '../well-known.ts'
import type { FleetObject } from './fleet.ts'

/** A set, with the properties by which its variants name the set. `namespace` is `default` for a set that names none. */
export interface SetOwner {
  readonly name: string
  readonly namespace: string
  readonly uid: string | undefined
  /** True for a matrix, which Porch's controller does not know. */
  readonly isMatrix?: boolean
}

/** The mark with which a variant names its set: NAMESPACE/NAME in our annotation, or the uid in Porch's label. */
export interface OwnerMark {
  readonly path: FieldPath
  readonly owner: string
}

/** Returns the mark of a variant; undefined for a variant without a set. */
export function ownerMark({ object: { labels, annotations } }: FleetObject): OwnerMark | undefined {
  const named = annotations.get(OWNER_ANNOTATION)
  if (named !== undefined) return { path: ['metadata', 'annotations', OWNER_ANNOTATION], owner: named }
  const uid = labels.get(OWNER_LABEL) ?? ''
  return uid === '' ? undefined : { path: ['metadata', 'labels', OWNER_LABEL], owner: uid }
}

/**
 * Returns a function that finds the set of a variant: the set that our annotation names, else the set with the uid in Porch's label. A
 * set owns no variants outside its namespace.
 */
export function ownerFinder<O extends SetOwner>(owners: readonly O[]): (variant: FleetObject) => O | undefined {
  const named = new Map(owners.map((owner) => [`${owner.namespace}/${owner.name}`, owner]))
  const byUid = new Map(owners.flatMap((owner) => (owner.uid === undefined ? [] : [[owner.uid, owner]])))
  return ({ namespace, object: { labels, annotations } }) => {
    const owner = named.get(annotations.get(OWNER_ANNOTATION) ?? '') ?? byUid.get(labels.get(OWNER_LABEL) ?? '')
    return owner?.namespace === namespace ? owner : undefined
  }
}

/**
 * Returns the metadata of a new variant: with Porch's marks for a set with a uid, else with our annotation. The metadata has a namespace
 * only if the set names one.
 */
export function ownerMetadata(name: string, writtenNamespace: string | undefined, { name: setName, namespace, uid }: SetOwner): JsonRecord {
  const identity = writtenNamespace === undefined ? { name } : { name, namespace: writtenNamespace }
  if (uid === undefined) return { ...identity, annotations: { [OWNER_ANNOTATION]: `${namespace}/${setName}` } }
  return { ...identity, labels: { [OWNER_LABEL]: uid }, ownerReferences: [ownerReference(setName, uid)], finalizers: [FINALIZER] }
}

/**
 * Returns true if a variant lacks Porch's label although its set has a uid: the variant was made before the set had a uid. Other marks of
 * Porch that a person removed are not added again, as in Porch's controller (docs/porch.md 28).
 */
export function lacksMarks(variant: FleetObject, { uid }: SetOwner): boolean {
  return uid !== undefined && !variant.object.labels.has(OWNER_LABEL)
}

/** Adds the marks of Porch that a variant lacks. Our annotation and an existing controller reference are kept. */
export function addMarks(variant: KrmObject, { name, uid = '' }: SetOwner): void {
  variant.set(['metadata', 'labels', OWNER_LABEL], uid)
  const references = listAt(variant, 'ownerReferences')
  if (!references.some(isController)) variant.set(['metadata', 'ownerReferences'], [...references, ownerReference(name, uid)])
  const finalizers = listAt(variant, 'finalizers')
  if (!finalizers.includes(FINALIZER)) variant.set(['metadata', 'finalizers'], [...finalizers, FINALIZER])
}

/** Writes the marks of Porch with the uid of a set, also where a variant has those of an earlier uid. Our annotation stays. */
export function writeMarks(variant: KrmObject, { name, uid = '', namespace }: SetOwner): void {
  const references = listAt(variant, 'ownerReferences')
  const own = references.findIndex(isController)
  if (own >= 0) variant.set(['metadata', 'ownerReferences', own, 'uid'], uid)
  addMarks(variant, { name, uid, namespace })
}

/** Returns the uid of the set that controls a variant in a cluster; undefined for a variant without Porch's marks, or of another set. */
export function controllingUid(variant: KrmObject, setName: string): string | undefined {
  if (!variant.labels.has(OWNER_LABEL)) return undefined
  const controller = listAt(variant, 'ownerReferences').find(isController)
  const isOfSet = memberOf(controller, 'kind') === 'PackageVariantSet' && memberOf(controller, 'name') === setName
  return isOfSet ? scalarText(memberOf(controller, 'uid')) || undefined : undefined
}

/** Returns the kind and name of the controller of a variant if the controller is not the set of this name. */
export function foreignController(variant: KrmObject, setName: string): string | undefined {
  const controller = listAt(variant, 'ownerReferences').find(isController)
  const [kind, name] = [memberOf(controller, 'kind'), memberOf(controller, 'name')].map(scalarText)
  return controller === undefined || (kind === 'PackageVariantSet' && name === setName) ? undefined : `${kind} ${name}`
}

/** Returns true for a controller reference. An API server allows one for each object. */
function isController(reference: JsonValue): boolean {
  return isRecord(reference) && lookup(reference, 'controller') === true
}

function listAt(object: KrmObject, key: string): readonly JsonValue[] {
  return asList(object.get(['metadata', key]))
}

function ownerReference(name: string, uid: string): JsonRecord {
  return { apiVersion: PACKAGE_VARIANT_SET_API, kind: 'PackageVariantSet', name, uid, controller: true }
}
