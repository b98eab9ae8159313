import type { Version } from '../../versions/version.ts'
import type { RangeReader } from '../range.ts'
import { commonDigest, isCompleteTag, isDigest } from './reference.ts'

/** The words of Crossplane's resolver. */
export function noValidVersion(source: string, constraints: readonly string[]): string {
  return `dependency (${source}) does not have a valid version to upgrade that satisfies all constraints. If there is a valid version that requires downgrade, manual intervention is required. Constraints: [${constraints.join(' ')}]`
}

/**
 * The version that a missing package is installed in: a digest is itself, else the highest whole version in the constraint of the first
 * parent (findDependencyVersionToInstall). Undefined: there is none.
 */
export function findVersionToInstall(constraint: string, available: readonly string[], reader: RangeReader): string | undefined {
  if (isDigest(constraint)) return constraint
  const range = constraint === '' ? undefined : reader.range(constraint)
  if (constraint !== '' && range === undefined) return undefined
  const versions = versionsIn(available.filter(isCompleteTag), reader)
  return versions.findLast((version) => range === undefined || range.accepts(version))?.text
}

/** An installed package, and what all its parents ask for. */
export interface WantedUpdate {
  readonly source: string
  /** Its tag or digest. */
  readonly installed: string
  readonly constraints: readonly string[]
  readonly available: readonly string[]
  readonly downgrades: boolean
}

/**
 * The version that an installed package moves to: the digest that all ask for, else the lowest that satisfies all and is not below what
 * is installed, else with downgrades the highest that does (findDependencyVersionToUpdate).
 */
export function findVersionToUpdate(wanted: WantedUpdate, reader: RangeReader): { readonly version: string } | { readonly error: string } {
  const { source, installed, constraints, available, downgrades } = wanted
  const common = commonDigest(constraints)
  if ('error' in common) return common
  if (common.digest !== '') return { version: common.digest }
  // Crossplane panics where ranges are required of a package that is installed by digest.
  if (isDigest(installed)) return { error: noValidVersion(source, constraints) }
  const ranges = constraints.filter((constraint) => constraint !== '').map((constraint) => reader.range(constraint))
  const valid = versionsIn(available, reader).filter((version) => ranges.every((range) => range?.accepts(version) === true))
  const current = reader.version(installed)
  const above = current === undefined ? undefined : valid.find((version) => reader.dialect.compare(version, current) >= 0)
  const found = above ?? (downgrades ? valid.at(-1) : undefined)
  return found === undefined ? { error: noValidVersion(source, constraints) } : { version: found.text }
}

/** Returns the tags that are versions, lowest first. Equal versions with different texts are sorted by text. */
function versionsIn(tags: readonly string[], reader: RangeReader): Version[] {
  return [...tags]
    .sort()
    .flatMap((tag) => reader.version(tag) ?? [])
    .sort(reader.dialect.compare)
}

/** Returns true if the installed version or digest meets none of the constraints. */
export function isOutdated(installed: string, constraints: readonly string[], reader: RangeReader): boolean {
  const version = reader.version(installed)
  return !constraints.some((constraint) => {
    if (isDigest(constraint)) return installed === constraint
    return constraint === '' || (version !== undefined && reader.range(constraint)?.accepts(version) === true)
  })
}

/** A package of the Lock. */
export interface LockedPackage {
  readonly source: string
  readonly version: string
  readonly dependencies: readonly { readonly source: string; readonly constraint: string }[]
}

/**
 * Returns the packages that take part in a resolution with upgrades: those that no package requires, and those that meet at least one of
 * the constraints on them (pruneOutdatedDependencies).
 */
export function withoutOutdated<Package extends LockedPackage>(packages: readonly Package[], reader: RangeReader): Package[] {
  const constraints = new Map<string, string[]>()
  for (const { source, constraint } of packages.flatMap(({ dependencies }) => dependencies)) {
    constraints.set(source, [...(constraints.get(source) ?? []), constraint])
  }
  return packages.filter(({ source, version }) => {
    const own = constraints.get(source)
    return own === undefined || !isOutdated(version, own, reader)
  })
}
