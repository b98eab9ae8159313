import type { KrmObject } from '../resource-list/krm-object.ts'

/** `required`: a lookup fails if the list has no object of the kind, as in Porch's controller. `optional`: such a lookup is not made. */
export type Lookups = 'optional' | 'required'

/** A number of removals, or a percentage of the existing variants. */
export type DeletionLimit = { readonly count: number } | { readonly percent: number }

/** The options about removals. */
export interface DeletionOptions {
  readonly allowEmpty: boolean
  readonly maxDeletions?: DeletionLimit
  /** The functionConfig with the options, if there is one. */
  readonly config?: KrmObject
}

/** The options of a fan-out. */
export interface FleetOptions extends DeletionOptions {
  readonly lookups: Lookups
}

/** The options that a user did not set. */
export const DEFAULT_OPTIONS: FleetOptions = { allowEmpty: false, lookups: 'optional' }
