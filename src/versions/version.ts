/**
 * A version as one of the dialects reads it. `pre` and `build` are the parts between dots; empty: there is none.
 * `text` is what was written, a leading `v` and missing parts included.
 */
export interface Version {
  readonly text: string
  readonly major: bigint
  readonly minor: bigint
  readonly patch: bigint
  /** The three in one number, where they are as small as nearly all are; else -1. */
  readonly core: number
  readonly pre: readonly string[]
  readonly build: readonly string[]
}

/** What a parser of versions or constraints gives: the value, or the words of the Go library it follows. */
export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: string }

export function accepted<T>(value: T): Parsed<T> {
  return { ok: true, value }
}

export function refused(error: string): { readonly ok: false; readonly error: string } {
  return { ok: false, error }
}

const CORE_BITS = 17
const SMALL = 1n << BigInt(CORE_BITS)

/** What `core` is of major, minor and patch. To compare bigints takes twenty times as long. */
export function coreOf({ major, minor, patch }: Pick<Version, 'major' | 'minor' | 'patch'>): number {
  if (major >= SMALL || minor >= SMALL || patch >= SMALL) return -1
  return (Number(major) * 2 ** CORE_BITS + Number(minor)) * 2 ** CORE_BITS + Number(patch)
}

/** Orders versions by major, minor and patch alone. */
export function compareCores(a: Version, b: Version): number {
  if (a.core >= 0 && b.core >= 0) return Math.sign(a.core - b.core)
  return compareNumbers(a.major, b.major) || compareNumbers(a.minor, b.minor) || compareNumbers(a.patch, b.patch)
}

export function compareNumbers(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}
