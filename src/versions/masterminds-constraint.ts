import { byteLength, quoteGo } from './go-text.ts'
import { compareMasterminds, comparePrereleases, type MastermindsRelease, parseMastermindsVersion } from './masterminds-version.ts'
import { accepted, type Constraint, compareCores, type Parsed, refused, type Version } from './version.ts'

/** The method of the library that a package manager calls: Glasskube calls Validate, all others call Check. */
export type MastermindsMethod = 'check' | 'validate'

// RE2's \s is ASCII; `|` is in the character class of numbers, as in the library.
const SPACE = '[\\t\\n\\f\\r ]'
const NUMBER = '[0-9|xX*]+'
const SUFFIX = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*'
const VERSION = `v?${NUMBER}(?:\\.${NUMBER})?(?:\\.${NUMBER})?(?:-${SUFFIX})?(?:\\+${SUFFIX})?`
const COMPARATOR = `(?:(?:!=|>=|=>|<=|=<|~>|=|>|<|~|\\^)${SPACE}*)?${VERSION}`
const GROUP = new RegExp(`^${SPACE}*${COMPARATOR}(?:(?:${SPACE}*,${SPACE}*|${SPACE}+)${COMPARATOR})*${SPACE}*$`)
const ALONE = new RegExp(`^${SPACE}*${COMPARATOR}${SPACE}*$`)
const COMPARATORS = new RegExp(COMPARATOR, 'g')
const PARTS = new RegExp(`^([!=<>~^]*)${SPACE}*(v?(${NUMBER})(?:\\.(${NUMBER}))?(?:\\.(${NUMBER}))?(-${SUFFIX})?(?:\\+${SUFFIX})?)$`)
const HYPHEN_RANGE = new RegExp(`${SPACE}*(${VERSION})${SPACE}+-${SPACE}+(${VERSION})${SPACE}*`, 'g')
const HYPHEN = new RegExp(`${SPACE}-${SPACE}`)

/**
 * Parses a constraint by the rules of Masterminds' NewConstraint: groups joined by `||`, and in a group comparators joined by comma or
 * space: `>=1.2, <2 || ^3`. An error has the text of the library.
 */
export function parseMastermindsConstraint(text: string, release: MastermindsRelease, method: MastermindsMethod): Parsed<Constraint> {
  if (byteLength(text) > release.maxConstraintLength)
    return refused(`constraint string is too long (max ${release.maxConstraintLength} bytes)`)
  const groups = rewriteHyphenRanges(text).split('||')
  if (groups.length > release.maxGroups) return refused(`too many constraint groups (max ${release.maxGroups})`)
  const parsed: Comparator[][] = []
  for (const group of groups) {
    const comparators = parseGroup(group, release)
    if (!comparators.ok) return comparators
    parsed.push(comparators.value)
  }
  return accepted(constraintOf(text, parsed, release, method))
}

function constraintOf(text: string, groups: readonly Comparator[][], release: MastermindsRelease, method: MastermindsMethod): Constraint {
  const operators = release.major === 1 ? FIRST_OPERATORS : OPERATORS
  const admits = release.prereleasesByGroup ? groupAdmits : method === 'check' ? comparatorAdmits : validateAdmits
  return {
    text,
    literals: groups.flat().map(({ version }) => version),
    panics: false,
    check: (version) =>
      groups.some((group) => group.every((each) => admits(version, each, group) && operators[each.operator]?.(version, each) === true)),
  }
}

// Since 3.4: one comparator with a prerelease admits prereleases for its whole group.
function groupAdmits(version: Version, _comparator: Comparator, group: readonly Comparator[]): boolean {
  return version.pre.length === 0 || group.some((each) => each.version.pre.length > 0)
}

// 3.3.1 Check: each comparator decides separately; `!=1.2.3` admits every prerelease.
function comparatorAdmits(version: Version, comparator: Comparator): boolean {
  const always = comparator.operator === '!=' && comparator.wildcard === undefined
  return always || validateAdmits(version, comparator)
}

function validateAdmits(version: Version, comparator: Comparator): boolean {
  return version.pre.length === 0 || comparator.version.pre.length > 0
}

function rewriteHyphenRanges(text: string): string {
  if (!HYPHEN.test(text)) return text
  let rewritten = text
  for (const [match, low, high] of text.matchAll(HYPHEN_RANGE)) rewritten = rewritten.replace(match, () => `>= ${low}, <= ${high} `)
  return rewritten
}

function parseGroup(group: string, release: MastermindsRelease): Parsed<Comparator[]> {
  const improper = release.major === 1 ? group.split(',').find((each) => !ALONE.test(each)) : GROUP.test(group) ? undefined : group
  if (improper !== undefined) return refused(`improper constraint: ${release.quotes ? quoteGo(improper) : improper}`)
  const comparators = (group.match(COMPARATORS) ?? []).map((text) => parseComparator(text, release))
  const known = comparators.filter((comparator) => comparator !== undefined)
  if (known.length < comparators.length) return refused(`constraint ${release.quotes ? 'parser error' : 'Parser Error'}`)
  return accepted(known)
}

function parseComparator(text: string, release: MastermindsRelease): Comparator | undefined {
  const [, operator = '', written = '', major, minor, patch, pre = ''] = PARTS.exec(text) ?? []
  const isPatch = isWildcard(patch) && !(release.major === 1 && patch === undefined)
  const wildcard = isWildcard(major) ? 'major' : isWildcard(minor) ? 'minor' : isPatch ? 'patch' : undefined
  const kept = release.major === 1 && wildcard === 'major' ? '' : pre
  const filled = wildcard === undefined ? written : fillWildcard(wildcard, major, minor) + kept
  const version = parseMastermindsVersion(filled, release)
  return version.ok ? { operator, version: version.value, ...(wildcard && { wildcard }) } : undefined
}

function isWildcard(part: string | undefined): boolean {
  return part === undefined || part === 'x' || part === 'X' || part === '*'
}

function fillWildcard(wildcard: 'major' | 'minor' | 'patch', major = '', minor = ''): string {
  if (wildcard === 'major') return '0.0.0'
  return wildcard === 'minor' ? `${major}.0.0` : `${major}.${minor}.0`
}

/** One comparator of a constraint: `>=1.2` has the operator `>=`, the version 1.2.0 and the wildcard `patch`. */
interface Comparator {
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
const OPERATORS: Readonly<Record<string, Rule>> = {
  '': tildeOrEqual,
  '=': tildeOrEqual,
  '!=': notEqual,
  '>': greater,
  '<': below,
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

/** The operators of 1.5 that admit other versions: `<1.2.x` and `!=1.2.x` mean any patch of 1.2, `>1` is `>1.0.0`. */
const FIRST_OPERATORS: Readonly<Record<string, Rule>> = {
  ...OPERATORS,
  '!=': (version, { version: bound, wildcard }) => {
    if (wildcard === undefined) return compareMasterminds(version, bound) !== 0
    return version.major !== bound.major || (wildcard !== 'minor' && version.minor !== bound.minor)
  },
  '>': (version, { version: bound }) => compareMasterminds(version, bound) > 0,
  '<': (version, comparator) => (comparator.wildcard === undefined ? below(version, comparator) : notAbove(version, comparator)),
  '<=': notAbove,
  '=<': notAbove,
  '^': (version, { version: bound }) => compareMasterminds(version, bound) >= 0 && version.major === bound.major,
}

function below(version: Version, { version: bound }: Comparator): boolean {
  return compareMasterminds(version, bound) < 0
}

function notAbove(version: Version, { version: bound, wildcard }: Comparator): boolean {
  if (wildcard === undefined) return compareMasterminds(version, bound) <= 0
  return version.major <= bound.major && (version.minor <= bound.minor || wildcard === 'minor')
}
