import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { Result } from '../../result.ts'
import type { FleetVariant } from '../fleet-variants.ts'
import type { OwnerAnnotation } from '../owner-annotation.ts'

/** What stands where downstream packages are. */
export interface DownstreamPlace {
  readonly folder: string
  /** The repository, as the folder says it. */
  readonly repo: string
  /** Whether there is a Kptfile. */
  readonly isPackage: boolean
  /** The Kptfile, read when somebody asks. */
  kptfile(): KrmObject | undefined
  /** Which variant it was made for. */
  readonly mark: OwnerAnnotation | undefined
}

/** Where downstream packages are. */
export interface DownstreamPlaces {
  /** What is in a folder; undefined when nothing is. */
  at(folder: string): DownstreamPlace | undefined
  /** Every package that was made for a variant. */
  readonly marked: readonly DownstreamPlace[]
  /** The Kptfiles of packages that were made for variants, and nobody can tell for which. */
  readonly faults: readonly Result[]
  /** Whether another fleet, which nobody sees here, may have its packages there too. */
  readonly isShared: boolean
  /** The symbolic link that a folder is reached through. */
  linkAbove(folder: string): string | undefined
  /** Where a variant's package belongs. */
  folderOf(variant: FleetVariant): string
}

/** What is to become of the package of a variant. */
export interface VariantStep {
  /** `leave`: a package of somebody else is there. */
  readonly op: 'create' | 'update' | 'leave'
  readonly variant: FleetVariant
  readonly folder: string
  /** The folder that the package stands in until now. */
  readonly movedFrom?: string
}

/** What is to become of a package whose variant is gone, or wants it elsewhere. */
export interface LeftoverStep {
  readonly op: 'remove' | 'orphan'
  readonly place: DownstreamPlace
}
