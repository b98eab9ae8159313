import type { FleetVariant } from '../fleet/fleet-variants.ts'
import { onlyDocument } from '../folder/split-documents.ts'
import { isRecord } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { namespacedName } from '../variant/find-variant.ts'
import { VARIANT_ANNOTATION } from '../well-known.ts'

/**
 * The annotation with the deletion policy of a package, recorded in the package because the variant may be gone when the policy
 * applies.
 */
export const DELETION_ANNOTATION = 'krm-variants.dev/deletion-policy'

/**
 * The annotation with the name of the package's fleet: packages of several fleets may be in one folder, and their variants may share
 * names.
 */
const FLEET_ANNOTATION = 'krm-variants.dev/fleet'

/**
 * The annotation with the keys that the variant of a package wrote, recorded because the variant may be gone when the package is removed.
 */
export const VARIANT_KEYS_ANNOTATION = 'krm-variants.dev/variant-keys'

/** The annotations that together record the owner of a package. */
export const PACKAGE_OWNER_ANNOTATIONS = [VARIANT_ANNOTATION, DELETION_ANNOTATION, FLEET_ANNOTATION, VARIANT_KEYS_ANNOTATION] as const

const ANNOTATIONS = ['metadata', 'annotations']

/** The variant that a package was made for, as recorded in the package's Kptfile. */
export interface OwnerAnnotation {
  /** `NAMESPACE/NAME` */
  readonly variant: string
  readonly deletionPolicy: 'delete' | 'orphan'
  /** The fleet of the variant, where its name is known. */
  readonly fleet?: string
}

/** Returns the owner of a package by its annotations; undefined for a package without an owner. */
export function readOwnerAnnotation({ annotations }: Pick<KrmObject, 'annotations'>): OwnerAnnotation | undefined {
  const variant = annotations.get(VARIANT_ANNOTATION)
  if (variant === undefined) return undefined
  const fleet = annotations.get(FLEET_ANNOTATION)
  const deletionPolicy = annotations.get(DELETION_ANNOTATION) === 'orphan' ? 'orphan' : 'delete'
  return { variant, deletionPolicy, ...(fleet !== undefined && { fleet }) }
}

/** Returns the owner annotation for the package of a variant, without the fleet. */
export function ownerFor({ object, deletionPolicy = 'delete' }: FleetVariant): OwnerAnnotation {
  return { variant: namespacedName(object), deletionPolicy }
}

/** Writes an owner into the annotations of a Kptfile. Without a fleet, the name of the fleet there stays. */
export function writeOwnerAnnotation(kptfile: KrmObject, { variant, deletionPolicy, fleet }: OwnerAnnotation): void {
  kptfile.set([...ANNOTATIONS, VARIANT_ANNOTATION], variant)
  kptfile.set([...ANNOTATIONS, DELETION_ANNOTATION], deletionPolicy)
  if (fleet !== undefined) kptfile.set([...ANNOTATIONS, FLEET_ANNOTATION], fleet)
}

/** Returns the text of a Kptfile without the name of the fleet. */
export function withoutFleet(text: string): string {
  const kptfile = KrmObject.fromDocument(onlyDocument(text).text)
  kptfile.delete([...ANNOTATIONS, FLEET_ANNOTATION])
  return kptfile.toText()
}

/** Removes the owner annotations of an orphaned package. */
export function removeOwnerAnnotation(kptfile: KrmObject): void {
  for (const annotation of PACKAGE_OWNER_ANNOTATIONS) kptfile.delete([...ANNOTATIONS, annotation])
  const left = kptfile.get(ANNOTATIONS)
  if (isRecord(left) && Object.keys(left).length === 0) kptfile.delete(ANNOTATIONS)
}
