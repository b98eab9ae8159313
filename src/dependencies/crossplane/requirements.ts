import { type Finding, formatPlace, quote } from '../finding.ts'
import type { Package, PackageTable, Requirement } from '../package-index.ts'
import type { RangeReader } from '../range.ts'
import type { Collector } from '../reading/collector.ts'
import { type ObjectField, placeOfField } from '../reading/field.ts'
import { WrittenRequirement } from '../reading/written-constraint.ts'
import type { DependsOn } from './dependencies.ts'
import { type CrossplaneOptions, type KnownPackages, metadataOfPackage, type PackageMetadata } from './known.ts'
import type { LockPackage } from './objects.ts'
import { isCompleteTag, isDigest } from './reference.ts'
import { MAIN } from './releases.ts'

/** Everything about Crossplane that is needed to read what one package requires. */
export interface CrossplaneContext {
  readonly reader: RangeReader
  readonly table: PackageTable
  readonly known: KnownPackages
  readonly collector: Collector
  readonly options: CrossplaneOptions
}

/** Returns the package of a source. Only whole versions are ever chosen, so only those are known. */
export function packageOfSource(source: string, context: CrossplaneContext): Package {
  const { table, known, reader, collector } = context
  return table.package({
    key: source,
    id: source,
    name: source,
    versions: () => {
      const tags = known.tagsOf(source).filter(isCompleteTag)
      const versions = tags.flatMap((tag) => reader.version(tag) ?? [])
      return versions.sort(reader.dialect.compare).reverse()
    },
    requirements: (text) => {
      const found = known.find(source, text)
      if (found === undefined) return undefined
      const metadata = metadataOfPackage(found, collector)
      const requirements = crossplaneRequirements(metadata, context)
      return requirements && [...platformRequirements(metadata, context), ...requirements]
    },
  })
}

// An installed version runs, or is reported as a fault. A version that would be installed must run on the platform.
function platformRequirements({ platform }: PackageMetadata, { reader, options }: CrossplaneContext): Requirement[] {
  const crossplaneVersion = releaseOf(options)
  if (platform === undefined || crossplaneVersion === undefined) return []
  const wants = `Crossplane ${quote(platform.constraint)}, and the cluster has ${crossplaneVersion}`
  const met = runsOn(platform.constraint, crossplaneVersion, reader)
  return [{ type: 'platform', wants, met, optional: false, place: placeOfField(platform.field) }]
}

/** Returns the requirements of a version; undefined when they are not known. */
export function crossplaneRequirements({ dependsOn }: PackageMetadata, context: CrossplaneContext): readonly Requirement[] | undefined {
  return dependsOn?.flatMap((each) => requirementOf(each, context))
}

function requirementOf(each: DependsOn, context: CrossplaneContext): Requirement[] {
  if (each.type === 'crossplane') return []
  if (each.type === 'gvk') return [{ type: 'gvk', wanted: each.wanted, optional: false, place: placeOfField(each.field) }]
  const field = each.constraintField.value === undefined ? each.field : each.constraintField
  return [packageRequirement(each.source, each.constraint, field, context)]
}

/** Returns the requirements that the Lock recorded for a package. */
export function recordedRequirements(entry: LockPackage | undefined, context: CrossplaneContext): Requirement[] {
  return (entry?.dependencies ?? []).map(({ source, constraint, field }) => packageRequirement(source, constraint, field, context))
}

function packageRequirement(source: string, constraint: string, field: ObjectField, context: CrossplaneContext): Requirement {
  const digest = isDigest(constraint) ? constraint : undefined
  const range = digest !== undefined || constraint === '' ? undefined : context.reader.range(constraint)
  return new WrittenRequirement({ package: packageOfSource(source, context), range, digest, optional: false, validateOnly: false, field })
}

/**
 * Returns a finding if a package does not run on the cluster's version of Crossplane. The finding has severity info if that version is not
 * given.
 */
export function checkPlatform(
  { source, name, metadata }: { readonly source: string; readonly name: string; readonly metadata: PackageMetadata | undefined },
  { reader, options }: CrossplaneContext,
): Finding[] {
  if (metadata?.platform === undefined) return []
  const { constraint, field } = metadata.platform
  if (reader.range(constraint) === undefined) return []
  const version = releaseOf(options)
  const place = placeOfField(field)
  const what = `${name} requires Crossplane ${quote(constraint)} (${formatPlace(place)})`
  const tags = { ecosystem: 'crossplane', package: source, required: constraint, ...(version !== undefined && { installed: version }) }
  const found = (message: string): Finding => ({ rule: 'platform-incompatible', message, place, tags })
  if (version === undefined)
    return [{ ...found(`${what}; not checked, since \`cluster.crossplaneVersion\` is not given`), severity: 'info' }]
  return runsOn(constraint, version, reader) ? [] : [found(`${what}, the cluster has ${version}`)]
}

/** Returns the release that the cluster runs; undefined if it is not given, or is the main branch, which no range names. */
function releaseOf({ crossplaneVersion }: CrossplaneOptions): string | undefined {
  return crossplaneVersion === MAIN ? undefined : crossplaneVersion
}

/** Returns true if a platform's version is in a range, or if the range does not parse, which is reported elsewhere. */
function runsOn(constraint: string, version: string, reader: RangeReader): boolean {
  const range = reader.range(constraint)
  const parsed = reader.version(version)
  return range === undefined || (parsed !== undefined && range.accepts(parsed))
}
