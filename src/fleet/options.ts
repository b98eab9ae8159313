import type { DeletionOptions } from './deletion-guard.ts'

/** Whether a lookup in a list that holds no object of the kind fails, as in the controller, or is left out. */
export type Lookups = 'optional' | 'required'

/** What the user may choose about a fan-out. */
export interface Options extends DeletionOptions {
  readonly lookups: Lookups
  /** Whether to write `status.conditions` of each set. */
  readonly status: boolean
}

/** What holds where nobody chose. */
export const DEFAULT_OPTIONS: Options = { allowEmpty: false, lookups: 'optional', status: false }
