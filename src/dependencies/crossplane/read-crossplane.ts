import type { KrmObject } from '../../resource-list/krm-object.ts'
import { DIALECTS } from '../../versions/dialects.ts'
import type { Finding } from '../finding.ts'
import { type RangeReader, rangeReader } from '../range.ts'
import { broughtBy } from '../reading/brings.ts'
import { Collector } from '../reading/collector.ts'
import { placeIn, placeOf } from '../reading/field.ts'
import type { BroughtObject, FrontEnd, ProvidedKind } from '../reading/front-end.ts'
import { type TargetTable, targetTable } from '../targets.ts'
import type { Dependent, Install, Place, Requirement, Target } from '../universe.ts'
import { checkRegistry, type DependsOn } from './dependencies.ts'
import { findKnownPackages, type KnownPackages, metadataOf, type PackageMetadata } from './known.ts'
import { isLock, type LockPackage, readCrossplanePackages, readLock } from './objects.ts'
import { type PresentPackage, readPresent } from './present.ts'
import { isCompleteTag, isDigest } from './reference.ts'
import { checkDuplicatePackages, checkGeneratedNames, checkLock, checkRecorded, checkReferences } from './rules/packages.ts'
import { checkPlatform } from './rules/platform.ts'
import { checkActiveRevisions, crossplaneRevisions } from './rules/revisions.ts'

interface Reading {
  readonly reader: RangeReader
  readonly targets: TargetTable
  readonly known: KnownPackages
}

/** Reads Providers, Configurations, Functions, their metadata, the Lock and catalogs of Crossplane (seed 003). */
export const readCrossplane: FrontEnd = (objects, catalog, options) => {
  const reader = rangeReader(DIALECTS.m350)
  const collector = new Collector('crossplane', reader)
  const known = findKnownPackages(objects, catalog, options)
  const reading: Reading = { reader, targets: targetTable(), known }
  for (const each of known.all) checkConstraints(each.id, each.read(collector), reading, collector)
  const packages = readCrossplanePackages(objects)
  for (const { field, reference } of packages) checkRegistry(field, reference.source, collector)
  const lock = readLock(objects)
  const present = readPresent(packages, lock, known, collector)
  for (const each of present) reading.targets.install(installOf(each, reading))
  const written = known.written.map(({ object, known: each }) => ({ id: each.id, object, metadata: metadataOf(each, collector) }))
  const dependents = [...present.flatMap((each) => dependentOf(each, reading)), ...written.map((each) => writtenDependent(each, reading))]
  const platform = options.cluster.crossplaneVersion
  const revisions = crossplaneRevisions(objects)
  const kinds = kindsOf([...present, ...written].map(({ metadata }) => metadata))
  const findings = [
    ...checkReferences(packages),
    ...checkDuplicatePackages(packages, lock),
    ...checkGeneratedNames(dependents, packages, (source) => kinds.get(source) ?? known.kindOf(source)),
    ...checkLock(lock, packages, new Set(revisions.map(({ name }) => name ?? ''))),
    ...checkRecorded(present),
    ...checkActiveRevisions(revisions),
    ...present.flatMap((each) => (each.ignoresPlatform ? [] : platformFindings(each.source, each.name, each.metadata, platform, reader))),
    ...written.flatMap(({ id, metadata }) => platformFindings(id, id, metadata, platform, reader)),
  ]
  return {
    universe: {
      ecosystem: 'crossplane',
      dialect: reader.dialect.name,
      compare: reader.dialect.compare,
      dependents,
      installs: reading.targets.installs,
      closed: options.closed || objects.some(isLock),
      unknownMissing: 'dependency-missing',
    },
    findings: [...collector.findings, ...findings],
    provided: provided(known, present),
    brought: present.flatMap(brought),
  }
}

function installOf({ source, tag, digest, metadata, recorded, ...present }: PresentPackage, reading: Reading): Install {
  return {
    target: targetOf(source, reading),
    version: tag === '' ? undefined : reading.reader.version(tag),
    text: tag || digest,
    digest: digest === '' ? undefined : digest,
    place: present.place,
    fieldFor: ({ text }) => `${source}:${text}`,
    generated: present.generated,
    metadataKnown: present.skipsDependencies || metadata?.dependsOn !== undefined || recorded !== undefined,
  }
}

// Only whole versions are ever chosen, so only those are known.
function targetOf(source: string, { targets, known, reader }: Reading): Target {
  return targets.target(source, source, () => {
    const tags = known.tagsOf(source).filter(isCompleteTag)
    const versions = tags.flatMap((tag) => reader.version(tag) ?? [])
    return versions.sort(reader.dialect.compare).reverse()
  })
}

function dependentOf({ source, name, place, metadata, recorded, skipsDependencies }: PresentPackage, reading: Reading): Dependent[] {
  if (skipsDependencies) return []
  const requirements = metadata?.dependsOn === undefined ? recordedRequirements(recorded, reading) : requirementsOf(metadata, reading)
  return [{ id: source, name, target: targetOf(source, reading), place, requirements }]
}

function writtenDependent(
  { id, object, metadata }: { id: string; object: KrmObject; metadata: PackageMetadata },
  reading: Reading,
): Dependent {
  const place = placeIn(object, ['metadata', 'name'], object.name ?? '')
  return { id, name: id, place, requirements: requirementsOf(metadata, reading) }
}

function requirementsOf({ dependsOn = [] }: PackageMetadata, reading: Reading): Requirement[] {
  return dependsOn.flatMap((each) => requirementOf(each, reading))
}

function requirementOf(each: DependsOn, reading: Reading): Requirement[] {
  if (each.type === 'crossplane') return []
  const place = placeOf(each.field)
  if (each.type === 'gvk') return [{ type: 'gvk', wanted: each.wanted, optional: false, place }]
  const constraintPlace = each.constraintField.value === undefined ? place : placeOf(each.constraintField)
  return [packageRequirement(each.source, each.constraint, constraintPlace, reading)]
}

function recordedRequirements(entry: LockPackage | undefined, reading: Reading): Requirement[] {
  return (entry?.dependencies ?? []).map(({ source, constraint, field }) => packageRequirement(source, constraint, placeOf(field), reading))
}

function packageRequirement(source: string, constraint: string, place: Place, reading: Reading): Requirement {
  const wanted = isDigest(constraint) ? { digest: constraint } : { range: constraint === '' ? undefined : reading.reader.range(constraint) }
  return { type: 'package', target: targetOf(source, reading), ...wanted, optional: false, validateOnly: false, place }
}

// An absent range is a fault today: Crossplane reads it as "". In the seed it asks for any version.
function checkConstraints(id: string, { dependsOn = [], platform }: PackageMetadata, reading: Reading, collector: Collector): void {
  if (platform !== undefined) collector.constraint(platform.field, platform.constraint, { known: () => [], tags: { package: id } })
  for (const each of dependsOn) {
    if (each.type !== 'package' || isDigest(each.constraint)) continue
    const { kind, constraint, constraintField, source } = each
    const noText = constraintField.value !== undefined && typeof constraintField.value !== 'string'
    if (noText || (kind === '' && constraint === '')) continue
    const known = () => targetOf(source, reading).known
    collector.constraint(constraintField, constraint, { known, tags: { package: id, dependency: source } })
  }
}

function kindsOf(metadata: readonly (PackageMetadata | undefined)[]): ReadonlyMap<string, string> {
  const dependencies = metadata.flatMap((each) => each?.dependsOn ?? [])
  return new Map(dependencies.flatMap((each) => (each.type === 'package' && each.kind !== '' ? [[each.source, each.kind]] : [])))
}

function platformFindings(
  source: string,
  name: string,
  metadata: PackageMetadata | undefined,
  version: string | undefined,
  reader: RangeReader,
): Finding[] {
  if (metadata?.platform === undefined) return []
  const { constraint, field } = metadata.platform
  const platform = { platform: 'Crossplane', option: 'crossplaneVersion', constraint, version, place: placeOf(field) }
  return checkPlatform({ ecosystem: 'crossplane', package: source, name, ...platform }, reader)
}

function provided(known: KnownPackages, present: readonly PresentPackage[]): ProvidedKind[] {
  const installed = new Set(present.flatMap(({ source, tag, digest }) => [known.find(source, tag), known.find(source, digest)]))
  return known.all.flatMap((each) => each.provides().map((kind) => ({ ...kind, by: each.id, installed: installed.has(each) })))
}

function brought({ metadata, name, source, revisionPrefix }: PresentPackage): BroughtObject[] {
  if (metadata === undefined) return []
  const contents = metadata.contents.map(({ object, place }) => ({ object, by: name, package: source, place }))
  const all = [...contents, ...broughtBy(metadata.brings, name, source)]
  return revisionPrefix === undefined ? all : all.map((each) => ({ ...each, revisionPrefix }))
}
