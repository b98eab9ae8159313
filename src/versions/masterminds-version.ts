import { byteLength, outOfRange, parseUint64 } from './go-text.ts'
import { accepted, compareCores, coreOf, type Parsed, refused, type Version } from './version.ts'

/**
 * The differences between the versions of github.com/Masterminds/semver that package managers use.
 *
 * 1.5 (Crossplane before v2.3): `^0.2.3` admits 0.9.0, `>1` admits 1.0.1, `1.2` is 1.2.0 alone; comparators are joined by commas only.
 * 3.3.1 (Glasskube): numbers have no leading zeros; each comparator decides separately whether it admits a prerelease.
 * 3.4 and 3.5 (Crossplane, kpt): leading zeros are read; one comparator with a prerelease admits prereleases for its whole AND group.
 */
export interface MastermindsRelease {
  readonly major: 1 | 3
  readonly leadingZeros: boolean
  readonly prereleasesByGroup: boolean
  readonly quotes: boolean
  readonly maxVersionLength: number
  readonly maxConstraintLength: number
  readonly maxGroups: number
}

export const MASTERMINDS_3_3_1: MastermindsRelease = {
  major: 3,
  leadingZeros: false,
  prereleasesByGroup: false,
  quotes: false,
  maxVersionLength: Number.POSITIVE_INFINITY,
  maxConstraintLength: Number.POSITIVE_INFINITY,
  maxGroups: Number.POSITIVE_INFINITY,
}

export const MASTERMINDS_1_5_0: MastermindsRelease = { ...MASTERMINDS_3_3_1, major: 1, leadingZeros: true }

export const MASTERMINDS_3_5_0: MastermindsRelease = {
  major: 3,
  leadingZeros: true,
  prereleasesByGroup: true,
  quotes: true,
  maxVersionLength: 256,
  maxConstraintLength: 512,
  maxGroups: 32,
}

const VERSION =
  /^v?([0-9]+)(?:\.([0-9]+))?(?:\.([0-9]+))?(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?$/
const LEADING_ZERO = /^0[0-9]+$/

/** Parses `1`, `v1.2` or `1.2.3-rc.1+5`, by the rules of Masterminds' NewVersion. */
export function parseMastermindsVersion(text: string, release: MastermindsRelease): Parsed<Version> {
  if (byteLength(text) > release.maxVersionLength) return refused(`version string is too long (max ${release.maxVersionLength} bytes)`)
  const match = VERSION.exec(text)
  if (match === null) return refused(invalidVersion(release))
  const pre = match[4]?.split('.') ?? []
  const zeros = [match[1], match[2], match[3]].some((part) => LEADING_ZERO.test(part ?? ''))
  if (!release.leadingZeros && (zeros || pre.some(isZeroPadded))) return refused(invalidVersion(release))
  const numbers = [match[1] ?? '', match[2] ?? '0', match[3] ?? '0']
  const [major, minor, patch] = numbers.map(parseUint64)
  if (major === undefined || minor === undefined || patch === undefined) return refused(tooLarge(numbers, release))
  if (release.major !== 1 && pre.some(isZeroPadded)) return refused('version segment starts with 0')
  return accepted({ text, major, minor, patch, core: coreOf({ major, minor, patch }), pre, build: match[5]?.split('.') ?? [] })
}

function isZeroPadded(part: string): boolean {
  return LEADING_ZERO.test(part)
}

function invalidVersion(release: MastermindsRelease): string {
  return release.quotes ? 'invalid semantic version' : 'Invalid Semantic Version'
}

function tooLarge(numbers: readonly string[], release: MastermindsRelease): string {
  const large = numbers.find((number) => parseUint64(number) === undefined) ?? ''
  return `${release.quotes ? 'error' : 'Error'} parsing version segment: ${outOfRange(large)}`
}

/** Compares versions by the rules of Masterminds, without build metadata. */
export function compareMasterminds(a: Version, b: Version): number {
  return compareCores(a, b) || comparePrereleases(a.pre, b.pre)
}

/** Compares prereleases part by part. No prerelease is higher than any; a missing part is lower than every part. */
export function comparePrereleases(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return Math.sign(b.length - a.length)
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const order = compareParts(a[i] ?? '', b[i] ?? '')
    if (order !== 0) return order
  }
  return 0
}

// Numbers sort below words. A number beyond uint64 is a word; two spellings of one number are never equal.
function compareParts(a: string, b: string): number {
  if (a === b) return 0
  if (a === '' || b === '') return a === '' ? -1 : 1
  const [x, y] = [parseUint64(a), parseUint64(b)]
  if (x === undefined && y === undefined) return a > b ? 1 : -1
  if (x === undefined) return 1
  return y === undefined || x <= y ? -1 : 1
}
