import { firstOfEach } from '../../group-by.ts'
import { once } from '../../remember.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { DIALECTS } from '../../versions/dialects.ts'
import type { Finding } from '../finding.ts'
import { type Dependent, type Install, type PackageIndex, packageTable } from '../package-index.ts'
import { rangeReader } from '../range.ts'
import type { CatalogPackage } from '../reading/catalog.ts'
import { Collector } from '../reading/collector.ts'
import { type Ecosystem, indexOn, type ReadEcosystem, type ReadOptions } from '../reading/ecosystem.ts'
import { placeIn } from '../reading/field.ts'
import { KUSTOMIZE_GROUP } from '../reading/kustomize-patches.ts'
import { fieldsOfPeople } from '../reading/object-metadata.ts'
import { checkVersions } from '../reading/served-versions.ts'
import { suggestIds } from '../reading/suggest-ids.ts'
import { MASTERMINDS_TRAPS } from '../reading/written-constraint.ts'
import { mayInstall, readForeignPackages } from './foreign-packages.ts'
import { imageRewrites, readImageConfigs } from './image-configs.ts'
import { broughtObjects, type CrossplaneInstall, providedKinds, readInstalls } from './installs.ts'
import { type CrossplaneOptions, contentName, DEFINITIONS, findKnownPackages, metadataOfPackage, type PackageMetadata } from './known.ts'
import { isLock, RBAC, readCrossplanePackages, readLock, runsPackages } from './objects.ts'
import type { CrossplaneState } from './ownership.ts'
import { readOwnership } from './ownership.ts'
import { reconcileCrossplane, reconcilePackages } from './reconcile.ts'
import { generatedName, hasRegistry, referenceTo } from './reference.ts'
import { hasChange } from './releases.ts'
import { type CrossplaneContext, checkPlatform, crossplaneRequirements, packageOfSource, recordedRequirements } from './requirements.ts'
import { nativeCrossplane } from './resolver.ts'
import { readCrossplaneRevisions } from './revisions.ts'
import { checkMetadata, checkRecordedConstraints } from './rules/constraints.ts'
import { checkImageConfigs, checkMirrors } from './rules/image-configs.ts'
import { checkLock, checkLockEntries, checkRecorded, checkSingleLock, currentEntries } from './rules/lock.ts'
import { checkPackageFields } from './rules/package-fields.ts'
import { checkDuplicatePackages, checkFunctionDefinitions, checkGeneratedNames, checkReferences, checkSources } from './rules/packages.ts'
import { checkRemoved } from './rules/removed.ts'
import { checkRevisionObjects } from './rules/revisions.ts'
import { crossplaneWriter, PackageKinds } from './write-crossplane.ts'

/** Reads Providers, Configurations, Functions, their metadata, the Lock and catalogs of Crossplane (seed 003). */
export function readCrossplane(
  all: readonly KrmObject[],
  catalog: readonly CatalogPackage[],
  options: ReadOptions & CrossplaneOptions,
): ReadEcosystem & { readonly index: PackageIndex } {
  const read = readAll(all, catalog, options)
  const { index, present, context, kinds, rewrites } = read
  return {
    index,
    findings: () => findingsIn(read),
    faults: () => faultsIn(read),
    provided: providedKinds(present, context),
    brought: present.flatMap(broughtObjects),
    controller: {
      writer: crossplaneWriter(kinds, options),
      reconcile: () => reconcileCrossplane(stateOf(read)),
      installMissing: (input) => {
        const pulledFrom = (source: string) => rewrites.rewrite(source)?.image
        const tagsOf = (source: string) => context.known.tagsOf(source)
        return nativeCrossplane(index, { reader: context.reader, tagsOf, pulledFrom, crossplaneVersion: options.crossplaneVersion }, input)
      },
    },
  }
}

/** Everything that the rules and controllers look at. */
type ReadPackages = ReturnType<typeof readAll>

function readAll(all: readonly KrmObject[], catalog: readonly CatalogPackage[], options: ReadOptions & CrossplaneOptions) {
  const cluster = all.filter(runsPackages)
  const objects = cluster.length === 0 ? all : all.filter((object) => !runsPackages(object))
  const reader = rangeReader(hasChange('ranges-of-version-3', options.crossplaneVersion) ? DIALECTS.m350 : DIALECTS.m150)
  const collector = new Collector('crossplane', reader, MASTERMINDS_TRAPS)
  const configs = options.crossplaneSemantics === 'seed' ? [] : readImageConfigs(objects)
  const rewrites = imageRewrites(configs)
  const known = findKnownPackages(objects, catalog, options, rewrites)
  const context: CrossplaneContext = { reader, table: packageTable(), known, collector, options }
  const kinds = new PackageKinds(known, collector)
  const own = readCrossplanePackages(objects).filter(({ field }) => collector.name(field) !== '')
  const packages = [...own, ...readForeignPackages(objects, kinds)]
  checkSources(objects, packages, collector)
  checkVersions(objects, collector)
  checkPackageFields(packages, collector)
  checkLockEntries(objects, collector)
  const lock = readLock(objects)
  const revisions = readCrossplaneRevisions(objects)
  const present = readInstalls(packages, currentEntries(lock, revisions).current, known, collector)
  const installed = present.map((each) => ({ each, install: context.table.install(installOf(each, context)) }))
  const written = known.written.map(({ object, known: each }) => ({ id: each.id, object, metadata: metadataOfPackage(each, collector) }))
  const dependents = [
    ...installed.flatMap(({ each, install }) => dependentOf(each, install, context)),
    ...written.map((each) => writtenDependent(each, context)),
  ]
  const index = packageIndexOf(dependents, { ...options, closed: options.closed || objects.some(isLock) }, context)
  return { objects, cluster, configs, rewrites, context, kinds, packages, lock, revisions, present, written, dependents, index }
}

function findingsIn(read: ReadPackages): Finding[] {
  const { objects, packages, configs, rewrites, lock, present, written, dependents, revisions, kinds, context } = read
  const { collector, known, options, reader } = context
  kinds.know(checkMetadata(context, collector))
  return [
    ...collector.findings,
    ...checkRecordedConstraints(present, context),
    ...checkRemoved(objects, options, reader),
    ...checkSingleLock(objects),
    ...checkReferences(packages, known),
    ...checkDuplicatePackages(packages, lock),
    ...checkImageConfigs(configs, rewrites),
    ...checkMirrors(dependents, packages, rewrites),
    ...checkGeneratedNames(dependents, packages, kinds),
    ...checkLock(lock, packages, revisions),
    ...(revisions.length === 0 ? [] : checkRevisionObjects(revisions, reconcilePackages(stateOf(read)))),
    ...checkRecorded(present),
    ...present.flatMap((each) => (each.ignoresPlatform ? [] : checkPlatform(each, context))),
    ...written.flatMap(({ id, metadata }) => checkPlatform({ source: id, name: id, metadata }, context)),
    ...present.flatMap((each) => checkFunctionDefinitions(each, options)),
  ]
}

function faultsIn({ objects, packages, lock, present, kinds, context }: ReadPackages): Finding[] {
  kinds.know(checkMetadata(context, context.collector.withoutTraps()))
  const recorded = checkRecordedConstraints(present, context)
  return [...context.collector.findings, ...recorded, ...checkSingleLock(objects), ...checkDuplicatePackages(packages, lock)]
}

function packageIndexOf(dependents: readonly Dependent[], options: ReadOptions, context: CrossplaneContext): PackageIndex {
  const { table, known } = context
  return {
    ...indexOn('crossplane', context, options),
    dependents,
    unknownMissing: 'dependency-missing',
    suggest: suggestIds(() => [...known.sources(), ...table.installs.map(({ package: pkg }) => pkg.id)]),
    elsewhere: elsewhereAmong(table.installs),
    chooses: () => true,
    objectName: ({ id }) => generatedName(id),
    cycleConsequence: 'Crossplane installs nothing more',
  }
}

/**
 * Returns a function that names the installed package with the path of a missing one and another registry. Crossplane compares whole
 * sources, so the package does not meet the requirement (provider-upjet-aws#1739).
 */
function elsewhereAmong(installs: readonly Install[]): NonNullable<PackageIndex['elsewhere']> {
  const pathOf = (source: string): string => source.slice(source.indexOf('/') + 1)
  const byPath = once(() => firstOfEach(installs, ({ package: pkg }) => pathOf(pkg.id)))
  return ({ id }) => {
    if (!hasRegistry(id)) return ''
    const found = byPath().get(pathOf(id))
    if (found === undefined) return ''
    return `; '${found.package.id}', the same path from another registry, is installed, and Crossplane compares whole sources`
  }
}

/** Returns the state that the package manager reads: packages, revisions, and the owners of objects. */
function stateOf({ objects, cluster, revisions, index, rewrites, context: { known, options } }: ReadPackages): CrossplaneState {
  const seen = { objects, cluster, revisions, index, rewrites, packages: readCrossplanePackages(objects), known }
  return { ...seen, ...readOwnership({ ...seen, semantics: options.crossplaneSemantics }), crossplaneVersion: options.crossplaneVersion }
}

/** A package being written, with its metadata. */
interface WrittenPackage {
  readonly id: string
  readonly object: KrmObject
  readonly metadata: PackageMetadata
}

const GENERATED_KEYS = [{ path: ['spec'], keys: ['package'] }]

function installOf({ source, tag, digest, metadata, recorded, ...present }: CrossplaneInstall, context: CrossplaneContext): Install {
  return {
    package: packageOfSource(source, context),
    version: tag === '' ? undefined : context.reader.version(tag),
    text: tag || digest,
    digest: digest === '' ? undefined : digest,
    name: present.objectName,
    object: present.object,
    place: present.place,
    fieldFor: (text) => referenceTo(source, text),
    generated: present.generated,
    get keptBecause() {
      return present.object && fieldsOfPeople(present.object, GENERATED_KEYS)
    },
    // Of `source:tag@digest` the package manager never matches a dependency (crossplane#7458).
    movable: present.object !== undefined && (digest === '' || tag === ''),
    metadataKnown: present.skipsDependencies || metadata?.dependsOn !== undefined || recorded !== undefined,
  }
}

function dependentOf(each: CrossplaneInstall, install: Install, context: CrossplaneContext): Dependent[] {
  const { source, name, place, metadata, recorded } = each
  if (each.skipsDependencies) return []
  const requirements = (metadata && crossplaneRequirements(metadata, context)) ?? recordedRequirements(recorded, context)
  return [{ id: source, name, package: install.package, install, place, requirements }]
}

function writtenDependent({ id, object, metadata }: WrittenPackage, context: CrossplaneContext): Dependent {
  const place = placeIn(object, ['metadata', 'name'], object.name ?? '')
  return { id, name: id, place, requirements: crossplaneRequirements(metadata, context) ?? [] }
}

/** Packages of Crossplane, of today and of seed 003. CustomResourceDefinitions beside a package's metadata are what it brings. */
export const CROSSPLANE: Ecosystem<CrossplaneOptions> = {
  id: 'crossplane',
  groups: /^((meta\.)?pkg\.crossplane\.io|(packages|stacks)\.crossplane\.io|apiextensions\.crossplane\.io|meta\.dev\.upbound\.io)$/,
  groupsBeside: new Set(['apiextensions.k8s.io', 'apps', RBAC, '', KUSTOMIZE_GROUP]),
  mayInstall,
  definitions: DEFINITIONS,
  contentName,
  read: readCrossplane,
}
