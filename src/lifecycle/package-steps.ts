import type { FleetVariant } from '../fleet/fleet-variants.ts'
import type { DeletionOptions } from '../fleet/options.ts'
import type { ObjectsInPackages } from '../fleet/unseen-declarations.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import type { OwnerAnnotation } from './owner-annotation.ts'

/** A folder for a downstream package, and its current content. */
export interface DownstreamPlace {
  readonly folder: string
  /** The repository that the folder belongs to. */
  readonly repo: string
  /** True if the folder has a Kptfile. */
  readonly isPackage: boolean
  /** Returns the Kptfile, read at the call. */
  kptfile(): KrmObject | undefined
  /** Returns the error of a Kptfile that cannot be parsed, or without a kind or name; undefined for another Kptfile, and without one. */
  kptfileFault(): Result | undefined
  /** The owner of the package. */
  readonly owner: OwnerAnnotation | undefined
}

/** The folders of downstream packages. */
export interface DownstreamPlaces {
  /** Returns the place at a folder; undefined for an empty folder. */
  at(folder: string): DownstreamPlace | undefined
  /** Every package that was made for a variant. */
  readonly owned: readonly DownstreamPlace[]
  /** Errors of Kptfiles whose owner annotation cannot be read. */
  readonly faults: readonly Result[]
  /** True if another, unknown fleet may have packages in the same place. */
  readonly isShared: boolean
  /** Returns the symbolic link on the way to a folder, or the folder if it is one. */
  linkOnWayTo(folder: string): string | undefined
  /** Returns the real path of a folder on disk; unset for packages of a list. */
  locate?(folder: string): string
  /**
   * Returns the objects of some kinds in the packages that were made for variants; unset for packages of a list, whose objects are its
   * items.
   */
  readonly objectsOf?: ObjectsInPackages | undefined
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

/** The options that decide what becomes of packages. */
export interface LifecycleOptions extends DeletionOptions {
  /** If true, a package whose variant wants another downstream now is moved there with its edits. */
  readonly followRenames: boolean
  /** The name of the fleet, recorded in its packages; if unset, a run cannot distinguish them from packages of other fleets. */
  readonly fleet?: string
  /** If true, a package may be removed or replaced together with people's edits. */
  readonly discardEdits: boolean
}

/** Facts that the plan depends on beside variants and places. */
export interface LifecycleFacts {
  readonly options: LifecycleOptions
  /** Returns true for an earlier name of the fleet. */
  hadName(fleet: string): boolean
  /** All variants of the fleet, including those that are not rendered now. */
  readonly everyVariant: readonly FleetVariant[]
  /** The number of variants of the fleet that are in other shards. */
  readonly others: number
  readonly everyOwned: readonly DownstreamPlace[]
  /** Returns the folder of a variant's upstream package in its repository: a package of another upstream was not renamed. */
  upstreamDirectory(variant: FleetVariant): string | undefined
  /** Returns the downstream that the set gave the variant's target while the upstream package had another name. */
  formerDownstream(variant: FleetVariant, upstreamPackage: string): FleetVariant['downstream'] | undefined
}
