import type { KrmObject } from '../../resource-list/krm-object.ts'
import { compareGlasskube } from '../../versions/blang-version.ts'
import { DIALECTS } from '../../versions/dialects.ts'
import type { Finding } from '../finding.ts'
import type { Dependent, Install, PackageIndex } from '../package-index.ts'
import { rangeReader } from '../range.ts'
import { broughtBy, type CatalogPackage, kindIn } from '../reading/catalog.ts'
import { Collector } from '../reading/collector.ts'
import { type Ecosystem, indexOn, type ProvidedKind, type ReadEcosystem, type ReadOptions } from '../reading/ecosystem.ts'
import { itemFields, placeOfField } from '../reading/field.ts'
import { fieldsOfPeople } from '../reading/object-metadata.ts'
import { checkVersions } from '../reading/served-versions.ts'
import { suggestIds } from '../reading/suggest-ids.ts'
import { MASTERMINDS_TRAPS } from '../reading/written-constraint.ts'
import { refusal } from './admission.ts'
import {
  type GlasskubeManifest,
  type GlasskubePackage,
  instanceKey,
  manifestRequirements,
  readGlasskubePackages,
  readManifests,
  repositoriesOf,
} from './objects.ts'
import { nativeGlasskube, reconcileGlasskube } from './operator.ts'
import {
  clusterPackage,
  type GlasskubeContext,
  glasskubeContext,
  glasskubeRequirements,
  knownVersions,
  latestVersion,
  manifestOf,
  packageOfInstance,
} from './requirements.ts'
import { checkDuplicateInstances, checkInfos, checkPinning, checkRepositories, checkScope } from './rules.ts'
import { glasskubeWriter } from './write-glasskube.ts'

/** Reads ClusterPackages, Packages, PackageInfos and catalogs of Glasskube (seed 004). */
function readGlasskube(
  objects: readonly KrmObject[],
  catalog: readonly CatalogPackage[],
  options: ReadOptions,
): ReadEcosystem & { readonly index: PackageIndex } {
  const reader = rangeReader(DIALECTS.m331validate)
  const collector = new Collector('glasskube', reader, MASTERMINDS_TRAPS)
  const manifests = readManifests(objects, catalog)
  const context = glasskubeContext(manifests, catalog, reader)
  const packages = readGlasskubePackages(objects)
  checkVersions(objects, collector)
  for (const each of packages) checkPackageInfo(each, collector)
  // An empty version means the latest one (seed 004, Handling Package Updates).
  const versioned = packages.map((each) => ({ each, version: each.version === '' ? latestVersion(each, context) : each.version }))
  const present = withOuter(versioned.map((found) => ({ ...found, manifest: manifestOf(found.each, found.version, context) })))
  const installed = present.map((found) => ({ found, install: context.table.install(installOf(found, context)) }))
  const dependents = installed.map(({ found, install }) => dependentOf(found, install, context))
  const faultsTo = (reporter: Collector) => {
    for (const each of manifests) checkManifest(each, context, reporter)
    return [...reporter.findings, ...checkDuplicateInstances(packages)]
  }
  const findings = () => [
    ...faultsTo(collector),
    ...checkInfos(objects),
    ...present.flatMap(({ each, manifest }) => checkScope(each, manifest)),
    ...dependents.flatMap(checkComponents),
    ...checkPinning(packages, dependents),
    ...checkRepositories(dependents, (name) => repositoriesOf(context.manifests.get(name) ?? [])),
  ]
  const index = packageIndexOf(dependents, packages, options, context)
  return {
    index,
    findings,
    faults: () => faultsTo(collector.withoutTraps()),
    provided: provided(manifests, present, context),
    brought: present.flatMap(({ each: { manifestName }, version, manifest }) =>
      broughtBy(manifest?.manifest?.brings, `${manifestName} ${version}`, manifestName),
    ),
    controller: {
      writer: glasskubeWriter(context),
      reconcile: () => reconcileGlasskube({ objects, packages, latestOf: (each) => latestVersion(each, context) }),
      refusal: (before) => refusal(before, index),
      installMissing: (input) => nativeGlasskube(index, input),
    },
  }
}

function packageIndexOf(
  dependents: readonly Dependent[],
  packages: readonly GlasskubePackage[],
  options: ReadOptions,
  context: GlasskubeContext,
): PackageIndex {
  return {
    ...indexOn('glasskube', context, options),
    compare: compareGlasskube,
    dependents,
    unknownMissing: 'dependency-missing',
    chooses: () => true,
    objectName: (pkg) => pkg.key.split('/').at(-1) ?? '',
    latest: ({ package: pkg }) => {
      const instance = context.instances.get(pkg)
      return instance && (latestVersion(instance, context) || undefined)
    },
    suggest: suggestIds(() => [...context.manifests.keys(), ...packages.map(({ manifestName }) => manifestName)]),
  }
}

interface InstalledPackage {
  readonly each: GlasskubePackage
  readonly version: string
  readonly manifest: GlasskubeManifest | undefined
}

/** Returns the packages, each component with the packages that it is a component of: `shop-db` is the component db of `shop`. */
function withOuter(present: readonly InstalledPackage[]): InstalledPackage[] {
  const byKey = new Map(present.map((found) => [instanceKey(found.each.namespace, found.each.instance), found]))
  const withinOf = ({ each: { namespace, instance, manifestName } }: InstalledPackage): readonly string[] => {
    for (let at = instance.indexOf('-'); namespace !== '' && at > 0; at = instance.indexOf('-', at + 1)) {
      const [outer, own] = [instance.slice(0, at), instance.slice(at + 1)]
      const found = byKey.get(instanceKey(namespace, outer)) ?? byKey.get(outer)
      const components = manifestRequirements(found?.manifest?.manifest?.components)
      if (found !== undefined && components.some(({ name, installedName }) => name === manifestName && installedName === own))
        return [...withinOf(found), found.each.manifestName]
    }
    return []
  }
  return present.map((found) => {
    const within = withinOf(found)
    return within.length === 0 ? found : { ...found, each: { ...found.each, within } }
  })
}

const GENERATED_KEYS = [
  { path: ['spec'], keys: ['packageInfo'] },
  { path: ['spec', 'packageInfo'], keys: ['name', 'version', 'repositoryName'] },
]

function installOf({ each, version, manifest }: InstalledPackage, context: GlasskubeContext): Install {
  return {
    package: packageOfInstance(each, context),
    version: context.reader.version(version),
    text: version,
    name: each.object.name ?? '',
    object: each.object,
    place: placeOfField(each.versionField),
    fieldFor: (text) => text,
    generated: each.asDependency,
    get keptBecause() {
      return fieldsOfPeople(each.object, GENERATED_KEYS)
    },
    movable: context.reader.version(version) !== undefined,
    ...(each.version === '' && { follows: "has no version: Glasskube's operator moves it to the latest version" }),
    metadataKnown: manifest?.manifest?.dependencies !== undefined,
  }
}

function dependentOf({ each, version, manifest }: InstalledPackage, install: Install, context: GlasskubeContext): Dependent {
  const { package: pkg, place } = install
  const requirements = glasskubeRequirements(each, manifest?.manifest, context) ?? []
  return { id: pkg.id, name: `${pkg.id} ${version}`.trim(), package: pkg, install, place, requirements }
}

function checkPackageInfo({ object, infoField, nameField, versionField }: GlasskubePackage, collector: Collector): void {
  if (infoField.value !== undefined || !collector.nearMiss(object, ['spec'], 'packageInfo')) collector.required(infoField)
  collector.unknownKeys(infoField, ['name', 'version', 'repositoryName'])
  for (const field of [nameField, versionField]) collector.text(field)
}

/** Reports components that contain themselves, of which each instance needs another one without an end, and those without a namespace. */
function checkComponents({ name, id, requirements }: Dependent): Finding[] {
  return requirements.flatMap((each) => {
    if (each.type !== 'platform' || each.rule === undefined) return []
    const tags = { ecosystem: 'glasskube', package: id }
    return [{ rule: each.rule, message: `${name} requires ${each.wants}`, place: each.place, tags }]
  })
}

// Forms and constraints of every manifest are checked, whether or not it is installed.
function checkManifest({ name, manifest, object }: GlasskubeManifest, context: GlasskubeContext, collector: Collector): void {
  if (object !== undefined && manifest?.dependencies?.value === undefined) {
    collector.misspelt(object, ['status', 'manifest'], 'dependencies')
  }
  for (const each of [...manifestRequirements(manifest?.dependencies), ...manifestRequirements(manifest?.components)]) {
    collector.name(each.nameField)
    collector.text(each.constraintField)
    if (each.constraint === '') continue
    const known = () => knownVersions(each.name, context)
    collector.constraint(each.constraint, () => ({ field: each.constraintField, known, tags: { package: name, dependency: each.name } }))
  }
}

function provided(
  manifests: readonly GlasskubeManifest[],
  present: readonly InstalledPackage[],
  context: GlasskubeContext,
): ProvidedKind[] {
  const installed = new Set(present.map(({ manifest }) => manifest))
  return manifests.flatMap((each) =>
    (each.manifest?.provides === undefined ? [] : itemFields(each.manifest.provides)).map((item) => ({
      ...kindIn(item),
      by: each.name,
      place: () => placeOfField(item),
      packageFor: () => clusterPackage(each.name, context),
      version: each.version,
      installed: installed.has(each),
    })),
  )
}

/** Packages of Glasskube (seed 004). */
export const GLASSKUBE: Ecosystem = {
  id: 'glasskube',
  groups: /^packages\.glasskube\.dev$/,
  read: readGlasskube,
}
