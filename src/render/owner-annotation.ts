import { isRecord } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { variantMark } from '../variant/find-variant.ts'
import { VARIANT_ANNOTATION } from '../well-known.ts'
import type { FleetVariant } from './fleet-variants.ts'

/** What becomes of the package when its variant is gone; written down, since then there is nobody to ask. */
export const DELETION_ANNOTATION = 'krm-variants.dev/deletion-policy'

/** Which fleet a package is of: several may have their packages in one folder, and variants of one name. */
const FLEET_ANNOTATION = 'krm-variants.dev/fleet'

/** Where a mark is written. */
export const MARK_ANNOTATIONS = [VARIANT_ANNOTATION, DELETION_ANNOTATION, FLEET_ANNOTATION] as const

const ANNOTATIONS = ['metadata', 'annotations']

/** Which variant a package was made for, as its Kptfile says. */
export interface OwnerAnnotation {
  /** `NAMESPACE/NAME` */
  readonly variant: string
  readonly deletionPolicy: 'delete' | 'orphan'
  /** The fleet of the variant, where its name is known. */
  readonly fleet?: string
}

/** The mark of a package; undefined for one of nobody's. */
export function readOwnerAnnotation({ annotations }: Pick<KrmObject, 'annotations'>): OwnerAnnotation | undefined {
  const variant = annotations.get(VARIANT_ANNOTATION)
  if (variant === undefined) return undefined
  const fleet = annotations.get(FLEET_ANNOTATION)
  const deletionPolicy = annotations.get(DELETION_ANNOTATION) === 'orphan' ? 'orphan' : 'delete'
  return { variant, deletionPolicy, ...(fleet !== undefined && { fleet }) }
}

/** The mark that a variant's package carries. */
export function markFor({ object, deletionPolicy = 'delete' }: FleetVariant): OwnerAnnotation {
  return { variant: variantMark(object), deletionPolicy }
}

export function writeMark(kptfile: KrmObject, { variant, deletionPolicy, fleet }: OwnerAnnotation): void {
  kptfile.set([...ANNOTATIONS, VARIANT_ANNOTATION], variant)
  kptfile.set([...ANNOTATIONS, DELETION_ANNOTATION], deletionPolicy)
  if (fleet !== undefined) kptfile.set([...ANNOTATIONS, FLEET_ANNOTATION], fleet)
}

/** Leaves the package to itself. */
export function dropMark(kptfile: KrmObject): void {
  for (const annotation of MARK_ANNOTATIONS) kptfile.delete([...ANNOTATIONS, annotation])
  const left = kptfile.get(ANNOTATIONS)
  if (isRecord(left) && Object.keys(left).length === 0) kptfile.delete(ANNOTATIONS)
}
