import type { KrmObject } from '../resource-list/krm-object.ts'
import type { DeletionLimit } from './deletion-limit.ts'

/** Whether a lookup in a list that holds no object of the kind fails, as in the controller, or is left out. */
export type Lookups = 'optional' | 'required'

/** What of the options bears on removals. */
export interface DeletionOptions {
  readonly allowEmpty: boolean
  readonly maxDeletions?: DeletionLimit
  /** The functionConfig that they stand in, where there is one. */
  readonly config?: KrmObject
}

/** What a user may choose about a fan-out. */
export interface FleetOptions extends DeletionOptions {
  readonly lookups: Lookups
}

/** What holds where nobody chose. */
export const DEFAULT_OPTIONS: FleetOptions = { allowEmpty: false, lookups: 'optional' }
