import { compareMasterminds, comparePrereleases } from './masterminds-version.ts'
import { compareCores, type Version } from './version.ts'

/** One comparator of a constraint: `>=1.2` has the operator `>=`, the version 1.2.0 and the wildcard `patch`. */
export interface Comparator {
  readonly operator: string
  readonly version: Version
  /** The first part that is missing or x, X, *. */
  readonly wildcard?: 'major' | 'minor' | 'patch'
}

type Rule = (version: Version, comparator: Comparator) => boolean

/**
 * The versions that each operator admits, apart from the rules for prereleases (Masterminds constraints.go, constraintOps). `1.2` and
 * `1.x` are read as `~`; `>1` means 2 and above; `~0.0.0` admits everything from 0.0.0 up.
 */
export const OPERATORS: Readonly<Record<string, Rule>> = {
  '': tildeOrEqual,
  '=': tildeOrEqual,
  '!=': notEqual,
  '>': greater,
  '<': (version, { version: bound }) => compareMasterminds(version, bound) < 0,
  '>=': (version, { version: bound }) => compareMasterminds(version, bound) >= 0,
  '=>': (version, { version: bound }) => compareMasterminds(version, bound) >= 0,
  '<=': lessOrEqual,
  '=<': lessOrEqual,
  '~': tilde,
  '~>': tilde,
  '^': caret,
}

function tildeOrEqual(version: Version, comparator: Comparator): boolean {
  return comparator.wildcard === undefined ? compareMasterminds(version, comparator.version) === 0 : tilde(version, comparator)
}

function notEqual(version: Version, { version: bound, wildcard }: Comparator): boolean {
  if (wildcard === undefined) return compareMasterminds(version, bound) !== 0
  if (version.major !== bound.major) return true
  if (wildcard === 'minor') return false
  if (version.minor !== bound.minor) return true
  if (wildcard === 'patch') return hasPrerelease(version, bound) && comparePrereleases(version.pre, bound.pre) !== 0
  return compareMasterminds(version, bound) !== 0
}

function hasPrerelease(a: Version, b: Version): boolean {
  return a.pre.length > 0 || b.pre.length > 0
}

function greater(version: Version, { version: bound, wildcard }: Comparator): boolean {
  if (wildcard === undefined || version.major !== bound.major) return compareMasterminds(version, bound) > 0
  if (wildcard === 'minor') return false
  if (wildcard === 'patch') return version.minor > bound.minor
  return compareMasterminds(version, bound) > 0
}

function lessOrEqual(version: Version, { version: bound, wildcard }: Comparator): boolean {
  if (wildcard === undefined) return compareMasterminds(version, bound) <= 0
  if (version.major !== bound.major) return version.major < bound.major
  return version.minor <= bound.minor || wildcard === 'minor'
}

function tilde(version: Version, { version: bound, wildcard }: Comparator): boolean {
  if (compareMasterminds(version, bound) < 0) return false
  const everything = isZero(bound) && wildcard !== 'minor' && wildcard !== 'patch'
  return everything || (version.major === bound.major && (version.minor === bound.minor || wildcard === 'minor'))
}

function isZero({ major, minor, patch }: Version): boolean {
  return major === 0n && minor === 0n && patch === 0n
}

function caret(version: Version, { version: bound, wildcard }: Comparator): boolean {
  if (compareMasterminds(version, bound) < 0 || version.major !== bound.major) return false
  if (bound.major > 0n || wildcard === 'minor') return true
  if (bound.minor > 0n || wildcard === 'patch') return version.minor === bound.minor
  return compareCores(version, bound) === 0
}
