import type { Version } from './version.ts'

/** A version constraint that parsed. */
export interface Constraint {
  readonly text: string
  /** Every version that stands in the text, in order; the partial ones filled with zeros. */
  readonly literals: readonly Version[]
  /** Whether the library panics on some versions (Carvel: `1.0.0 || || 2.0.0`); then `check` may answer `panics`. */
  readonly panics: boolean
  check(version: Version): boolean | 'panics'
}
