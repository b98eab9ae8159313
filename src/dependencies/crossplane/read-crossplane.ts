import type { KrmObject } from '../../resource-list/krm-object.ts'
import { DIALECTS } from '../../versions/dialects.ts'
import type { Finding } from '../finding.ts'
import type { BroughtObject } from '../owners.ts'
import { rangeReader } from '../range.ts'
import { broughtBy } from '../reading/brings.ts'
import type { CatalogPackage } from '../reading/catalog.ts'
import { Collector } from '../reading/collector.ts'
import type { ProvidedKind, Reading, ReadOptions } from '../reading/ecosystem.ts'
import { placeIn, placeOf } from '../reading/field.ts'
import { MASTERMINDS_TRAPS } from '../reading/masterminds-traps.ts'
import { suggestIds } from '../reading/suggest-ids.ts'
import { targetTable } from '../targets.ts'
import type { Dependent, Install, Universe } from '../universe.ts'
import { checkRegistry } from './dependencies.ts'
import { findKnownPackages, type KnownPackages, metadataOf, type PackageMetadata } from './known.ts'
import { isLock, readCrossplanePackages, readLock } from './objects.ts'
import type { CrossplaneOptions } from './options.ts'
import { type PresentPackage, readPresent } from './present.ts'
import { isDigest } from './reference.ts'
import { type CrossplaneContext, recordedRequirements, requirementsOf, targetOf } from './requirements.ts'
import { checkDuplicatePackages, checkGeneratedNames, checkLock, checkRecorded, checkReferences } from './rules/packages.ts'
import { checkPlatform } from './rules/platform.ts'
import { checkActiveRevisions, crossplaneRevisions } from './rules/revisions.ts'

/** Reads Providers, Configurations, Functions, their metadata, the Lock and catalogs of Crossplane (seed 003). */
export function readCrossplane(
  objects: readonly KrmObject[],
  catalog: readonly CatalogPackage[],
  options: ReadOptions & CrossplaneOptions,
): Reading & { readonly universe: Universe } {
  const reader = rangeReader(DIALECTS.m350)
  const collector = new Collector('crossplane', reader, MASTERMINDS_TRAPS)
  const known = findKnownPackages(objects, catalog, options)
  const context: CrossplaneContext = { reader, targets: targetTable(), known, collector }
  for (const each of known.all) checkConstraints(each.id, each.read(collector), context)
  const packages = readCrossplanePackages(objects).filter(({ field }) => collector.name(field) !== '')
  for (const { field, reference } of packages) checkRegistry(field, reference.source, collector)
  const lock = readLock(objects)
  const present = readPresent(packages, lock, known, collector)
  for (const each of present) context.targets.install(installOf(each, context))
  const written = known.written.map(({ object, known: each }) => ({ id: each.id, object, metadata: metadataOf(each, collector) }))
  const dependents = [...present.flatMap((each) => dependentOf(each, context)), ...written.map((each) => writtenDependent(each, context))]
  const revisions = crossplaneRevisions(objects)
  const kinds = kindsOf([...present, ...written].map(({ metadata }) => metadata))
  const platform = (id: string, name: string, metadata: PackageMetadata | undefined) =>
    platformFindings(id, name, metadata, options, context)
  const findings = [
    ...checkReferences(packages),
    ...checkDuplicatePackages(packages, lock),
    ...checkGeneratedNames(dependents, packages, (source) => kinds.get(source) ?? known.kindOf(source)),
    ...checkLock(lock, packages, new Set(revisions.map(({ name }) => name ?? ''))),
    ...checkRecorded(present),
    ...checkActiveRevisions(revisions),
    ...present.flatMap((each) => (each.ignoresPlatform ? [] : platform(each.source, each.name, each.metadata))),
    ...written.flatMap(({ id, metadata }) => platform(id, id, metadata)),
  ]
  return {
    universe: {
      ecosystem: 'crossplane',
      dialect: reader.dialect.name,
      compare: reader.dialect.compare,
      dependents,
      installs: context.targets.installs,
      closed: options.closed || objects.some(isLock),
      unknownMissing: 'dependency-missing',
      suggest: suggestIds(() => [...known.sources(), ...present.map(({ source }) => source)]),
      cycleConsequence: 'Crossplane installs nothing more',
    },
    findings: [...collector.findings, ...findings],
    provided: provided(known, present),
    brought: present.flatMap(brought),
  }
}

function installOf({ source, tag, digest, metadata, recorded, ...present }: PresentPackage, context: CrossplaneContext): Install {
  return {
    target: targetOf(source, context),
    version: tag === '' ? undefined : context.reader.version(tag),
    text: tag || digest,
    digest: digest === '' ? undefined : digest,
    place: present.place,
    fieldFor: ({ text }) => `${source}:${text}`,
    generated: present.generated,
    metadataKnown: present.skipsDependencies || metadata?.dependsOn !== undefined || recorded !== undefined,
  }
}

function dependentOf(
  { source, name, place, metadata, recorded, skipsDependencies }: PresentPackage,
  context: CrossplaneContext,
): Dependent[] {
  if (skipsDependencies) return []
  const requirements = (metadata && requirementsOf(metadata, context)) ?? recordedRequirements(recorded, context)
  return [{ id: source, name, target: targetOf(source, context), place, requirements }]
}

function writtenDependent(
  { id, object, metadata }: { id: string; object: KrmObject; metadata: PackageMetadata },
  context: CrossplaneContext,
): Dependent {
  const place = placeIn(object, ['metadata', 'name'], object.name ?? '')
  return { id, name: id, place, requirements: requirementsOf(metadata, context) ?? [] }
}

// An absent range is a fault today: Crossplane reads it as "". In the seed it asks for any version.
function checkConstraints(id: string, { dependsOn = [], platform }: PackageMetadata, context: CrossplaneContext): void {
  const { collector } = context
  if (platform !== undefined) collector.constraint(platform.field, platform.constraint, { known: () => [], tags: { package: id } })
  for (const each of dependsOn) {
    if (each.type !== 'package' || isDigest(each.constraint)) continue
    const { kind, constraint, constraintField, source } = each
    const noText = constraintField.value !== undefined && typeof constraintField.value !== 'string'
    if (noText || (kind === '' && constraint === '')) continue
    const known = () => targetOf(source, context).versions
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
  { crossplaneVersion }: CrossplaneOptions,
  { reader }: CrossplaneContext,
): Finding[] {
  if (metadata?.platform === undefined) return []
  const { constraint, field } = metadata.platform
  const platform = { platform: 'Crossplane', option: 'crossplaneVersion', constraint, version: crossplaneVersion, place: placeOf(field) }
  return checkPlatform({ ecosystem: 'crossplane', package: source, name, ...platform }, reader)
}

function provided(known: KnownPackages, present: readonly PresentPackage[]): ProvidedKind[] {
  const installed = new Set(present.flatMap(({ source, tag, digest }) => [known.find(source, tag), known.find(source, digest)]))
  return known.all.flatMap((each) =>
    each.provides().map((kind) => ({ ...kind, place: each.place, by: each.id, installed: installed.has(each) })),
  )
}

function brought({ metadata, name, source, revisionPrefix }: PresentPackage): BroughtObject[] {
  if (metadata === undefined) return []
  const contents = metadata.contents.map(({ object, place }) => ({ object, by: name, package: source, place }))
  const all = [...contents, ...broughtBy(metadata.brings, name, source)]
  return revisionPrefix === undefined ? all : all.map((each) => ({ ...each, revisionPrefix }))
}
