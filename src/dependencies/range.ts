import { remember } from '../remember.ts'
import type { Dialect } from '../versions/dialects.ts'
import { admitsPrerelease, type Prereleases } from '../versions/selection.ts'
import { accepted, type Constraint, type Parsed, refused, type Version } from '../versions/version.ts'
import type { Range } from './package-index.ts'

/** A parser of versions and ranges of one dialect, which parses each text once, however often a catalog has the text. */
export interface RangeReader {
  readonly dialect: Dialect
  version(text: string): Version | undefined
  constraint(text: string): Parsed<ReadConstraint>
  /** Returns the range of a text that parses, else undefined. `prereleases` limits which prereleases the range selects (Carvel). */
  range(text: string, prereleases?: PrereleaseChoice): Range | undefined
}

/** A parsed constraint with its range. */
export interface ReadConstraint {
  readonly constraint: Constraint
  /** The range that selects every version that the constraint accepts. */
  readonly range: Range
  /** True if none of the versions around the constraint's bounds is in the range: then no version is. */
  readonly isEmpty: boolean
  /** The first version after a `<` that is no prerelease. */
  readonly upperBound: Version | undefined
}

/** The prereleases that the ecosystem chooses; `admitted: undefined` means none. */
export interface PrereleaseChoice {
  readonly admitted: Prereleases | undefined
}

/** Returns a reader of versions and ranges in a dialect. Each text is read once. */
export function rangeReader(dialect: Dialect): RangeReader {
  const versions = new Map<string, { readonly value: Version | undefined }>()
  const constraints = new Map<string, Parsed<ReadConstraint>>()
  const limited = new Map<string, Map<string, Range>>()
  const constraint = (text: string) => remember(constraints, text, () => readConstraint(text, dialect))
  return {
    dialect,
    version: (text) => remember(versions, text, () => ({ value: parsedOrUndefined(dialect.parseVersion(text)) })).value,
    constraint,
    range: (text, prereleases) => {
      const read = constraint(text)
      if (!read.ok) return undefined
      const { value } = read
      if (prereleases === undefined) return value.range
      const alike = remember(limited, prereleases.admitted?.identifiers.join() ?? '-', () => new Map<string, Range>())
      return remember(alike, text, () => rangeOf(value.constraint, prereleases))
    },
  }
}

function readConstraint(text: string, dialect: Dialect): Parsed<ReadConstraint> {
  const parsed = dialect.parseConstraint(text)
  if (!parsed.ok) return parsed
  const constraint = parsed.value
  // A constraint on which the library panics is treated as one that does not parse.
  if (constraint.panics) return refused(`${dialect.system} panics on two || in a row`)
  return accepted({
    constraint,
    range: rangeOf(constraint, undefined),
    isEmpty: isEmpty(constraint, dialect),
    upperBound: findUpperBound(constraint),
  })
}

function rangeOf({ text, literals, check }: Constraint, prereleases: PrereleaseChoice | undefined): Range {
  const accepts = (version: Version): boolean => check(version) === true
  const selects = (version: Version): boolean =>
    accepts(version) && (prereleases === undefined || admitsPrerelease(version, prereleases.admitted))
  return { text, literals, accepts, selects }
}

function findUpperBound({ text, literals }: Constraint): Version | undefined {
  const uppers = [...text.matchAll(/<\s*([0-9][^\s|]*)/g)].map(([, upper]) => upper)
  return literals.find((literal) => literal.pre.length === 0 && uppers.includes(literal.text))
}

function isEmpty({ literals, check }: Constraint, dialect: Dialect): boolean {
  const probes = literals.flatMap(textsAround).flatMap((text) => parsedOrUndefined(dialect.parseVersion(text)) ?? [])
  return ![...literals, ...probes].some((version) => check(version) === true)
}

// Returns versions just below and just above a bound: if a range begins or ends at the bound, one of them is in the range.
function textsAround({ major, minor, patch }: Version): string[] {
  const core = `${major}.${minor}.${patch}`
  const above = [
    `${core}-0`,
    `${core}-zzz`,
    `${core}+zzz`,
    `${major}.${minor}.${patch + 1n}`,
    `${major}.${minor}.${patch + 1n}-0`,
    `${major}.${minor + 1n}.0`,
    `${major + 1n}.0.0`,
  ]
  const below = [
    patch > 0n && `${major}.${minor}.${patch - 1n}`,
    minor > 0n && `${major}.${minor - 1n}.999`,
    major > 0n && `${major - 1n}.999.999`,
    '0.0.0',
  ]
  return [...above, ...below].filter((text) => text !== false)
}

function parsedOrUndefined(parsed: Parsed<Version>): Version | undefined {
  return parsed.ok ? parsed.value : undefined
}
