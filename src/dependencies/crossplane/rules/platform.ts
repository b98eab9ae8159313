import { type Finding, quote } from '../../finding.ts'
import type { FieldPlace } from '../../place.ts'
import { formatPlace } from '../../place.ts'
import type { RangeReader } from '../../range.ts'

/** A range of platform versions that a package runs on. */
export interface CrossplaneVersionRequirement {
  readonly ecosystem: string
  readonly package: string
  /** The package and its version, as messages name it. */
  readonly name: string
  /** `Crossplane` */
  readonly platform: string
  /** The option of the function config that gives its version. */
  readonly option: string
  readonly constraint: string
  readonly version: string | undefined
  readonly place: FieldPlace
}

/**
 * Returns a finding if the package does not run on the cluster's version; the finding has severity info when the cluster's version is not
 * given.
 */
export function checkPlatform(required: CrossplaneVersionRequirement, reader: RangeReader): Finding[] {
  const { constraint, version, platform, option } = required
  const range = reader.range(constraint)
  if (range === undefined) return []
  const what = `${required.name} requires ${platform} ${quote(constraint)} (${formatPlace(required.place)})`
  if (version === undefined)
    return [{ ...finding(required, `${what}; not checked, since \`cluster.${option}\` is not given`), severity: 'info' }]
  return runsOn(constraint, version, reader) ? [] : [finding(required, `${what}, the cluster has ${version}`)]
}

/** Returns true if a platform's version is in a range, or if the range does not parse, which is reported elsewhere. */
export function runsOn(constraint: string, version: string, reader: RangeReader): boolean {
  const range = reader.range(constraint)
  const parsed = reader.version(version)
  return range === undefined || (parsed !== undefined && range.accepts(parsed))
}

function finding({ ecosystem, place, constraint, version, ...required }: CrossplaneVersionRequirement, message: string): Finding {
  const tags = { ecosystem, package: required.package, required: constraint, ...(version !== undefined && { installed: version }) }
  return { rule: 'platform-incompatible', message, place, tags }
}
