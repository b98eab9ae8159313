import type { Constraint } from '../versions/constraint.ts'
import type { Dialect } from '../versions/dialects.ts'
import { admitsPrerelease, type Prereleases } from '../versions/selection.ts'
import { type Parsed, refused, type Version } from '../versions/version.ts'
import type { Range } from './universe.ts'

/** Reads versions and ranges of one dialect; each text is parsed once, however often it stands in a catalog. */
export interface RangeReader {
  readonly dialect: Dialect
  version(text: string): Version | undefined
  constraint(text: string): Parsed<Constraint>
  /** The range of a text that parses. `prereleases` limits what is chosen (Carvel); without it prereleases are the range's matter. */
  range(text: string, prereleases?: PrereleaseChoice): Range | undefined
  /** Whether none of the versions around the bounds of the constraint is in it: then no version is. */
  isEmpty(text: string): boolean
  /** The first version that stands behind a `<` of the constraint and is no prerelease. */
  upperBound(text: string): Version | undefined
}

/** Which prereleases the system chooses; `undefined` inside: none. */
export interface PrereleaseChoice {
  readonly admitted: Prereleases | undefined
}

export function rangeReader(dialect: Dialect): RangeReader {
  const versions = new Map<string, { readonly value: Version | undefined }>()
  const constraints = new Map<string, { readonly value: Parsed<Constraint> }>()
  const ranges = new Map<string, { readonly value: Range | undefined }>()
  const empty = new Map<string, { readonly value: boolean }>()
  const bounds = new Map<string, { readonly value: Version | undefined }>()
  const rangeIn = (parsed: Parsed<Constraint>, prereleases?: PrereleaseChoice) =>
    parsed.ok ? rangeOf(parsed.value, prereleases) : undefined
  const constraint = (text: string) => remember(constraints, text, () => refusePanics(dialect.parseConstraint(text)))
  return {
    dialect,
    version: (text) => remember(versions, text, () => parsedOrUndefined(dialect.parseVersion(text))),
    constraint,
    range: (text, prereleases) =>
      prereleases === undefined ? remember(ranges, text, () => rangeIn(constraint(text))) : rangeIn(constraint(text), prereleases),
    isEmpty: (text) => remember(empty, text, () => isEmptyConstraint(constraint(text), dialect)),
    upperBound: (text) => remember(bounds, text, () => findUpperBound(constraint(text))),
  }
}

function rangeOf({ text, literals, check }: Constraint, prereleases: PrereleaseChoice | undefined): Range {
  const accepts = (version: Version): boolean => check(version) === true
  const selects = (version: Version): boolean =>
    accepts(version) && (prereleases === undefined || admitsPrerelease(version, prereleases.admitted))
  return { text, literals, accepts, selects }
}

function findUpperBound(parsed: Parsed<Constraint>): Version | undefined {
  if (!parsed.ok) return undefined
  const uppers = [...parsed.value.text.matchAll(/<\s*([0-9][^\s|]*)/g)].map(([, upper]) => upper)
  return parsed.value.literals.find((literal) => literal.pre.length === 0 && uppers.includes(literal.text))
}

function isEmptyConstraint(parsed: Parsed<Constraint>, dialect: Dialect): boolean {
  if (!parsed.ok) return false
  const { literals, check } = parsed.value
  const probes = literals.flatMap(textsAround).flatMap((text) => parsedOrUndefined(dialect.parseVersion(text)) ?? [])
  return ![...literals, ...probes].some((version) => check(version) === true)
}

// A little below and a little above: where a range of bounds begins or ends, one of these is in it.
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

// A constraint on which the library panics is as good as one that does not parse.
function refusePanics(parsed: Parsed<Constraint>): Parsed<Constraint> {
  return parsed.ok && parsed.value.panics ? refused('kapp-controller panics on two || in a row') : parsed
}

function parsedOrUndefined(parsed: Parsed<Version>): Version | undefined {
  return parsed.ok ? parsed.value : undefined
}

function remember<T>(values: Map<string, { readonly value: T }>, key: string, compute: () => T): T {
  const kept = values.get(key)
  if (kept !== undefined) return kept.value
  const value = compute()
  values.set(key, { value })
  return value
}
