import type { Version } from './version.ts'

/** A parsed version constraint. */
export interface Constraint {
  readonly text: string
  /** Every version in the text, in order; missing parts are filled with zeros. */
  readonly literals: readonly Version[]
  /** True if the library panics on some versions (Carvel: `1.0.0 || || 2.0.0`); `check` may then return `panics`. */
  readonly panics: boolean
  check(version: Version): boolean | 'panics'
}
