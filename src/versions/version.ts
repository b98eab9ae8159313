/**
 * A version, parsed by one of the dialects. `pre` and `build` have the parts between dots; empty if the version has none. `text` is the
 * text as written, with a leading `v` and without missing parts.
 */
export interface Version {
  readonly text: string
  readonly major: bigint
  readonly minor: bigint
  readonly patch: bigint
  /** Major, minor and patch as one number if all three are small, as nearly always; else -1. */
  readonly core: number
  readonly pre: readonly string[]
  readonly build: readonly string[]
}

/** The result of a parser of versions or constraints: the value, or the error text of the Go library. */
export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: string }

/** Returns the result of a text that a parser reads. */
export function accepted<T>(value: T): Parsed<T> {
  return { ok: true, value }
}

/** Returns the result of a text that a parser refuses, with the error text of the Go library. */
export function refused(error: string): { readonly ok: false; readonly error: string } {
  return { ok: false, error }
}

const CORE_BITS = 17
const SMALL = 1n << BigInt(CORE_BITS)

/** Returns `core` for major, minor and patch. A comparison of bigints would take twenty times as long. */
export function coreOf({ major, minor, patch }: Pick<Version, 'major' | 'minor' | 'patch'>): number {
  if (major >= SMALL || minor >= SMALL || patch >= SMALL) return -1
  return (Number(major) * 2 ** CORE_BITS + Number(minor)) * 2 ** CORE_BITS + Number(patch)
}

/** Compares versions by major, minor and patch only. */
export function compareCores(a: Version, b: Version): number {
  if (a.core >= 0 && b.core >= 0) return Math.sign(a.core - b.core)
  return compareNumbers(a.major, b.major) || compareNumbers(a.minor, b.minor) || compareNumbers(a.patch, b.patch)
}

/** Compares two integers: negative if `a` is less. */
export function compareNumbers(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** A parsed version constraint. */
export interface Constraint {
  readonly text: string
  /** Every version in the text, in order; missing parts are filled with zeros. */
  readonly literals: readonly Version[]
  /** True if the library panics on some versions (Carvel: `1.0.0 || || 2.0.0`); `check` may then return `panics`. */
  readonly panics: boolean
  check(version: Version): boolean | 'panics'
}
