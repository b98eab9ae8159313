import { outOfRange, parseUint64, quoteGo } from './go-text.ts'
import { compareMasterminds, MASTERMINDS_3_3_1, parseMastermindsVersion } from './masterminds-version.ts'
import { accepted, compareCores, compareNumbers, coreOf, type Parsed, refused, type Version } from './version.ts'

/**
 * The differences between github.com/blang/semver v4, its fork k14s/semver (kapp-controller 2024) and carvel-dev/semver (2026).
 *
 * k14s compares build metadata. carvel-dev also sorts `rc` below numbers and words by their numbers, reads `x` as a wildcard only in
 * major.minor.patch, and expands wildcards to bounds that end in `-0`.
 */
export interface BlangRelease {
  readonly buildCounts: boolean
  readonly naturalOrder: boolean
  readonly wildcards: 'anywhere' | 'core'
  readonly wildcardSuffix: string
}

export const BLANG: BlangRelease = { buildCounts: false, naturalOrder: false, wildcards: 'anywhere', wildcardSuffix: '' }
export const K14S: BlangRelease = { ...BLANG, buildCounts: true }
export const CARVEL_2026: BlangRelease = { buildCounts: true, naturalOrder: true, wildcards: 'core', wildcardSuffix: '-0' }

/**
 * Parses a full `major.minor.patch[-pre][+build]` without `v` and without leading zeros, by the rules of blang's Parse. An error has the
 * text of the library.
 */
export function parseBlangVersion(text: string, release: BlangRelease): Parsed<Version> {
  if (text === '') return refused('Version string empty')
  const [major, minor, rest] = splitCore(text)
  if (major === undefined || minor === undefined || rest === undefined) return refused('No Major.Minor.Patch elements found')
  const [beforeBuild, build] = cut(rest, '+')
  const [patch, pre] = cut(beforeBuild, '-')
  const error =
    numberError('major', major) ??
    numberError('minor', minor) ??
    numberError('patch', patch) ??
    pre.map((part) => prereleaseError(part, release)).find((fault) => fault !== undefined) ??
    build.map((part) => buildError(part, release)).find((fault) => fault !== undefined)
  if (error !== undefined) return refused(error)
  const numbers = { major: BigInt(major), minor: BigInt(minor), patch: BigInt(patch) }
  return accepted({ text, ...numbers, core: coreOf(numbers), pre, build })
}

// Returns at most three parts: the text after the second dot belongs to the third part.
function splitCore(text: string): string[] {
  const [major = '', minor, ...rest] = text.split('.')
  if (minor === undefined || rest.length === 0) return []
  return [major, minor, rest.join('.')]
}

function cut(text: string, separator: string): [string, string[]] {
  const index = text.indexOf(separator)
  return index === -1 ? [text, []] : [text.slice(0, index), text.slice(index + 1).split('.')]
}

function numberError(name: 'major' | 'minor' | 'patch', text: string): string | undefined {
  if (/[^0-9]/.test(text)) return `Invalid character(s) found in ${name} number ${quoteGo(text)}`
  if (/^0./.test(text)) return `${name[0]?.toUpperCase()}${name.slice(1)} number must not contain leading zeroes ${quoteGo(text)}`
  if (text === '') return 'strconv.ParseUint: parsing "": invalid syntax'
  return parseUint64(text) === undefined ? outOfRange(text) : undefined
}

function prereleaseError(part: string, release: BlangRelease): string | undefined {
  if (part === '') return `${release.buildCounts ? 'PreRelease' : 'Prerelease'} is empty`
  if (/[^0-9A-Za-z-]/.test(part))
    return `Invalid character(s) found in ${release.buildCounts ? 'PreRelease' : 'prerelease'} ${quoteGo(part)}`
  if (/[^0-9]/.test(part)) return undefined
  if (/^0./.test(part) && (!release.buildCounts || parseUint64(part) !== undefined))
    return `Numeric PreRelease version must not contain leading zeroes ${quoteGo(part)}`
  return numericError('PreRelease', part, release)
}

function buildError(part: string, release: BlangRelease): string | undefined {
  if (part === '') return release.buildCounts ? 'BuildMeta is empty' : 'Build meta data is empty'
  if (/[^0-9A-Za-z-]/.test(part))
    return `Invalid character(s) found in ${release.buildCounts ? 'BuildMeta' : 'build meta data'} ${quoteGo(part)}`
  return !release.buildCounts || /[^0-9]/.test(part) ? undefined : numericError('BuildMeta', part, release)
}

function numericError(type: string, part: string, release: BlangRelease): string | undefined {
  if (parseUint64(part) !== undefined) return undefined
  return release.naturalOrder ? `Invalid numeric ${type} ${quoteGo(part)}: ${outOfRange(part)}` : outOfRange(part)
}

/**
 * Compares versions: by core, then by prerelease (no prerelease is highest), and in the Carvel forks by build metadata (no metadata is
 * lowest).
 */
export function compareBlang(a: Version, b: Version, release: BlangRelease): number {
  const order = compareCores(a, b) || compareEmptyLast(a.pre, b.pre, release)
  return order !== 0 || !release.buildCounts ? order : compareParts(a.build, b.build, release)
}

function compareEmptyLast(a: readonly string[], b: readonly string[], release: BlangRelease): number {
  if (a.length === 0 || b.length === 0) return Math.sign(b.length - a.length)
  return compareParts(a, b, release)
}

function compareParts(a: readonly string[], b: readonly string[], release: BlangRelease): number {
  const compare = release.naturalOrder ? compareNaturalPart : comparePart
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = compare(a[i] ?? '', b[i] ?? '')
    if (order !== 0) return order
  }
  return Math.sign(a.length - b.length)
}

function comparePart(a: string, b: string): number {
  const [x, y] = [parseUint64(a), parseUint64(b)]
  if (x !== undefined && y !== undefined) return compareNumbers(x, y)
  if (x !== undefined || y !== undefined) return x !== undefined ? -1 : 1
  return a === b ? 0 : a > b ? 1 : -1
}

// carvel-dev/semver 2026: `rc` sorts below numbers, words with a prerelease mark sort below words without, and words are sorted by their
// numbers.
function compareNaturalPart(a: string, b: string): number {
  const [x, y] = [parseUint64(a), parseUint64(b)]
  if (x !== undefined && y !== undefined) return compareNumbers(x, y)
  if (x !== undefined) return isLabel(b) ? 1 : -1
  if (y !== undefined) return isLabel(a) ? -1 : 1
  if (a === b) return 0
  if (isMarked(a) !== isMarked(b)) return isMarked(a) ? -1 : 1
  return isNaturallyLess(a, b) ? -1 : 1
}

function isLabel(part: string): boolean {
  return /rc/i.test(part) || (part.includes('-') && /alpha|beta/i.test(part))
}

function isMarked(part: string): boolean {
  return /rc|alpha|beta/i.test(part)
}

function isNaturallyLess(a: string, b: string): boolean {
  const [left, right] = [a.match(/[0-9]+|[^0-9]+/g) ?? [], b.match(/[0-9]+|[^0-9]+/g) ?? []]
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const [x = '', y = ''] = [left[i], right[i]]
    const [m, n] = [parseUint64(x), parseUint64(y)]
    if (m !== undefined && n !== undefined ? m !== n : x !== y) return m !== undefined && n !== undefined ? m < n : x < y
  }
  return left.length < right.length
}

/**
 * Returns true if Glasskube treats `desired` as an upgrade of `installed` (glasskube internal/semver/compare.go). Build metadata counts,
 * as a number if both are numbers. If one of the texts is not a version, different texts are upgrades of each other.
 */
export function isUpgradable(installed: string, desired: string): boolean {
  const [from, to] = [parseMastermindsVersion(installed, MASTERMINDS_3_3_1), parseMastermindsVersion(desired, MASTERMINDS_3_3_1)]
  if (!from.ok || !to.ok) return installed !== desired
  return isVersionUpgrade(from.value, to.value)
}

function isVersionUpgrade(installed: Version, desired: Version): boolean {
  const order = compareMasterminds(desired, installed)
  return order > 0 || (order === 0 && isBuildUpgrade(installed.build.join('.'), desired.build.join('.')))
}

function isBuildUpgrade(installed: string, desired: string): boolean {
  if (desired === installed || desired === '') return false
  if (installed === '' || !isInteger(desired) || !isInteger(installed)) return true
  return BigInt(desired) > BigInt(installed)
}

// Returns true for a text that Go's Atoi reads: build metadata may begin with a minus.
function isInteger(text: string): boolean {
  return /^-?[0-9]+$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text)
}

/** Compares Glasskube's versions: by version, then by build metadata as a number (glasskube graph.go, Max). */
export function compareGlasskube(a: Version, b: Version): number {
  return compareMasterminds(a, b) || (isVersionUpgrade(a, b) ? -1 : isVersionUpgrade(b, a) ? 1 : 0)
}
