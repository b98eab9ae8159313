import type { Dialect } from './dialects.ts'
import type { Version } from './version.ts'

/**
 * The prereleases that a selection admits: none if undefined, all without identifiers, else those of which a part is one of the
 * identifiers.
 */
export interface Prereleases {
  readonly identifiers: readonly string[]
}

/** A filter, with its name in the trail of a failed selection. */
export interface VersionFilter {
  readonly name: string
  readonly admits: (version: Version) => boolean
}

/** The result of a selection: the chosen version, if any, and the number of versions after each filter. */
export interface VersionSelection {
  readonly highest?: Version
  /** `all=3 -> after-prereleases-filter=2 -> after-constraints-filter=0` */
  readonly trail: string
}

/** Parses versions by vendir's rules for tags: one leading `v` is dropped, and texts that do not parse are left out. Keeps the order. */
export function parseRelaxed(texts: readonly string[], parse: (text: string) => Version | undefined): Version[] {
  return texts.flatMap((text) => {
    const version = parse(text.startsWith('v') ? text.slice(1) : text)
    if (version === undefined) return []
    return version.text === text ? [version] : [{ ...version, text }]
  })
}

/** Returns versions sorted, lowest first. Equal versions keep their order. */
export function sortVersions(versions: readonly Version[], dialect: Dialect): Version[] {
  return versions.toSorted(dialect.compare)
}

/** Returns true if a version is no prerelease, or is an admitted one (vendir FilterPrereleases). */
export function admitsPrerelease(version: Version, prereleases: Prereleases | undefined): boolean {
  if (version.pre.length === 0) return true
  if (prereleases === undefined) return false
  return prereleases.identifiers.length === 0 || version.pre.some((part) => prereleases.identifiers.includes(part))
}

/**
 * Applies filters one after the other and returns the highest version that passes all filters (vendir HighestConstrainedVersion). The
 * last of equal versions is returned.
 */
export function selectHighest(versions: readonly Version[], filters: readonly VersionFilter[], dialect: Dialect): VersionSelection {
  let left = versions
  const trail = [`all=${left.length}`]
  for (const { name, admits } of filters) {
    left = left.filter(admits)
    trail.push(`after-${name}=${left.length}`)
  }
  const [first, ...others] = left
  const highest = first && others.reduce((high, version) => (dialect.compare(version, high) >= 0 ? version : high), first)
  return { ...(highest && { highest }), trail: trail.join(' -> ') }
}
