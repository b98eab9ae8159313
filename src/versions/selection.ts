import type { Dialect } from './dialects.ts'
import type { Version } from './version.ts'

/** Which prereleases take part: undefined none, no identifiers all, else those with one of the identifiers as a part. */
export interface Prereleases {
  readonly identifiers: readonly string[]
}

/** A filter with the name it has in the trail of a failed selection. */
export interface VersionFilter {
  readonly name: string
  readonly admits: (version: Version) => boolean
}

/** What a selection chose, or how many versions were left after each filter. */
export interface VersionSelection {
  readonly highest?: Version
  /** `all=3 -> after-prereleases-filter=2 -> after-constraints-filter=0` */
  readonly trail: string
}

/** Versions as vendir reads tags: one leading `v` is dropped, texts that do not parse are left out. The order is kept. */
export function parseRelaxed(texts: readonly string[], parse: (text: string) => Version | undefined): Version[] {
  return texts.flatMap((text) => {
    const version = parse(text.startsWith('v') ? text.slice(1) : text)
    if (version === undefined) return []
    return version.text === text ? [version] : [{ ...version, text }]
  })
}

/** Lowest first; equal ones keep their order. */
export function sortVersions(versions: readonly Version[], dialect: Dialect): Version[] {
  return versions.toSorted(dialect.compare)
}

/** Whether prereleases such as this one take part (vendir FilterPrereleases). */
export function admitsPrerelease(version: Version, prereleases: Prereleases | undefined): boolean {
  if (version.pre.length === 0) return true
  if (prereleases === undefined) return false
  return prereleases.identifiers.length === 0 || version.pre.some((part) => prereleases.identifiers.includes(part))
}

/**
 * The highest version that passes every filter, one after the other (vendir HighestConstrainedVersion).
 * The last of equal versions wins.
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
