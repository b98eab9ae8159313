import type { KrmObject } from '../../../resource-list/krm-object.ts'
import type { Result } from '../../../result.ts'
import type { FleetVariant } from '../../fleet-variants.ts'
import type { OwnerAnnotation } from '../../package/owner-annotation.ts'

/** A folder for a downstream package, and its current content. */
export interface DownstreamPlace {
  readonly folder: string
  /** The repository that the folder belongs to. */
  readonly repo: string
  /** True if the folder has a Kptfile. */
  readonly isPackage: boolean
  /** Returns the Kptfile, read at the call. */
  kptfile(): KrmObject | undefined
  /** The owner of the package. */
  readonly mark: OwnerAnnotation | undefined
}

/** The folders of downstream packages. */
export interface DownstreamPlaces {
  /** Returns the place at a folder; undefined for an empty folder. */
  at(folder: string): DownstreamPlace | undefined
  /** Every package that was made for a variant. */
  readonly marked: readonly DownstreamPlace[]
  /** Errors of Kptfiles whose owner annotation cannot be read. */
  readonly faults: readonly Result[]
  /** True if another, unknown fleet may have packages in the same place. */
  readonly isShared: boolean
  /** Returns the symbolic link above a folder, if any. */
  linkAbove(folder: string): string | undefined
  /** Returns the folder of a variant's package. */
  folderOf(variant: Pick<FleetVariant, 'object' | 'downstream'>): string
}

/** The planned step for the package of a variant. */
export interface VariantStep {
  /** `leave`: the folder holds a package that this variant must not change. */
  readonly op: 'create' | 'update' | 'leave'
  readonly variant: FleetVariant
  readonly folder: string
  /** The folder of the package until now. */
  readonly movedFrom?: string
}

/** The planned step for a package whose variant is gone, or wants another folder. */
export interface LeftoverStep {
  readonly op: 'remove' | 'orphan'
  readonly place: DownstreamPlace
}
