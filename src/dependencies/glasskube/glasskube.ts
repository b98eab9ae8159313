import { compareText } from '../../field-path.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { compareGlasskube } from '../../versions/blang-version.ts'
import { DIALECTS } from '../../versions/dialects.ts'
import type { BroughtObject } from '../owners.ts'
import { rangeReader } from '../range.ts'
import { broughtBy } from '../reading/brings.ts'
import type { CatalogPackage } from '../reading/catalog.ts'
import { Collector } from '../reading/collector.ts'
import { MASTERMINDS_TRAPS } from '../reading/constraint-faults.ts'
import type { Ecosystem, ProvidedKind, ReadEcosystem, ReadOptions } from '../reading/ecosystem.ts'
import { childText, itemFields, placeOfField } from '../reading/field.ts'
import { suggestIds } from '../reading/suggest-ids.ts'
import type { Dependent, Install, Universe } from '../universe.ts'
import { refusal } from './admission.ts'
import { glasskubeLifecycle } from './lifecycle.ts'
import { nativeGlasskube } from './native-glasskube.ts'
import { type GlasskubeManifest, type GlasskubePackage, manifestRequirements, readGlasskubePackages, readManifests } from './objects.ts'
import {
  clusterTarget,
  type GlasskubeContext,
  glasskubeContext,
  glasskubeRequirements,
  glasskubeTarget,
  knownVersions,
  manifestOf,
} from './requirements.ts'
import { GLASSKUBE_RULES } from './rules/glasskube-rules.ts'
import { checkDuplicateInstances, checkPinning, checkRepositories, checkScope } from './rules/packages.ts'
import { GlasskubeWriter } from './write-glasskube.ts'

/** Reads ClusterPackages, Packages, PackageInfos and catalogs of Glasskube (seed 004). */
export function readGlasskube(
  objects: readonly KrmObject[],
  catalog: readonly CatalogPackage[],
  options: ReadOptions,
): ReadEcosystem & { readonly universe: Universe } {
  const reader = rangeReader(DIALECTS.m331validate)
  const collector = new Collector('glasskube', reader, MASTERMINDS_TRAPS)
  const manifests = readManifests(objects, catalog)
  const context = glasskubeContext(manifests, reader)
  const packages = readGlasskubePackages(objects)
  for (const each of packages) checkPackageInfo(each, collector)
  const present = packages.map((each) => presentOf(each, context))
  const installed = present.map((found) => ({ ...found, install: context.targets.install(installOf(found, context)) }))
  const dependents = installed.map((each) => dependentOf(each, context))
  const faultsTo = (teller: Collector) => {
    for (const each of manifests) checkManifest(each, context, teller)
    return [...teller.findings, ...checkDuplicateInstances(packages)]
  }
  const findings = () => [
    ...faultsTo(collector),
    ...present.flatMap(({ each, manifest }) => checkScope(each, manifest)),
    ...checkPinning(packages, dependents),
    ...checkRepositories(dependents, (name) => repositoriesOf(name, context)),
  ]
  const universe = universeOf(dependents, packages, options, context)
  return {
    universe,
    findings,
    faults: () => faultsTo(collector.withoutTraps()),
    provided: provided(manifests, present, context),
    brought: present.flatMap(brought),
    resolving: {
      writer: new GlasskubeWriter(new Map(installed.map(({ each, install }) => [install, each])), context),
      lifecycle: () => glasskubeLifecycle({ objects, packages, versionsOf: (name) => knownVersions(name, context) }),
      refusal: (before) => refusal(before, universe),
      native: (input) => nativeGlasskube(universe, input),
    },
  }
}

function universeOf(
  dependents: readonly Dependent[],
  packages: readonly GlasskubePackage[],
  { closed }: ReadOptions,
  { reader, targets, manifests }: GlasskubeContext,
): Universe {
  return {
    ecosystem: 'glasskube',
    dialect: reader.dialect.name,
    compare: compareGlasskube,
    dependents,
    installs: targets.installs,
    owns: targets.owns,
    closed,
    unknownMissing: 'dependency-missing',
    chooses: () => true,
    objectName: (target) => target.key.split('/').at(-1) ?? '',
    suggest: suggestIds(() => [...manifests.keys(), ...packages.map(({ manifestName }) => manifestName)]),
  }
}

interface Present {
  readonly each: GlasskubePackage
  readonly version: string
  readonly manifest: GlasskubeManifest | undefined
}

interface Installed extends Present {
  readonly install: Install
}

/** An empty version is the highest known (seed 004, Handling Package Updates). */
function presentOf(each: GlasskubePackage, context: GlasskubeContext): Present {
  const version = each.version === '' ? (knownVersions(each.manifestName, context)[0]?.text ?? '') : each.version
  return { each, version, manifest: manifestOf(each, version, context) }
}

function repositoriesOf(name: string, { manifests }: GlasskubeContext): string[] {
  const names = (manifests.get(name) ?? []).map(({ repository }) => repository)
  return [...new Set(names.filter((repository) => repository !== ''))].sort(compareText)
}

function installOf({ each, version, manifest }: Present, context: GlasskubeContext): Install {
  return {
    target: glasskubeTarget(each, context),
    version: context.reader.version(version),
    text: version,
    name: each.object.name ?? '',
    place: placeOfField(each.versionField),
    fieldFor: (text) => text,
    generated: each.asDependency,
    movable: context.reader.version(version) !== undefined,
    metadataKnown: manifest?.manifest?.dependencies !== undefined,
  }
}

function dependentOf({ each, version, manifest, install }: Installed, context: GlasskubeContext): Dependent {
  const { target } = install
  return {
    id: target.id,
    name: `${target.id} ${version}`.trim(),
    target,
    install,
    place: placeOfField(each.versionField),
    requirements: glasskubeRequirements(each, manifest?.manifest, context) ?? [],
  }
}

function checkPackageInfo({ object, infoField, nameField, versionField }: GlasskubePackage, collector: Collector): void {
  if (infoField.value === undefined) collector.nearMiss(object, ['spec'], 'packageInfo')
  collector.unknownKeys(infoField, ['name', 'version', 'repositoryName'])
  for (const field of [nameField, versionField]) collector.text(field)
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
    collector.constraint(each.constraintField, each.constraint, () => ({ known, tags: { package: name, dependency: each.name } }))
  }
}

function provided(manifests: readonly GlasskubeManifest[], present: readonly Present[], context: GlasskubeContext): ProvidedKind[] {
  const installed = new Set(present.map(({ manifest }) => manifest))
  return manifests.flatMap((each) =>
    (each.manifest?.provides === undefined ? [] : itemFields(each.manifest.provides)).map((item) => ({
      apiVersion: childText(item, 'apiVersion'),
      kind: childText(item, 'kind'),
      by: each.name,
      place: () => placeOfField(item),
      targetFor: () => clusterTarget(each.name, context),
      version: each.version,
      installed: installed.has(each),
    })),
  )
}

function brought({ each, version, manifest }: Present): BroughtObject[] {
  return broughtBy(manifest?.manifest?.brings, `${each.manifestName} ${version}`, each.manifestName)
}

/** Packages of Glasskube (seed 004). */
export const GLASSKUBE: Ecosystem = {
  id: 'glasskube',
  groups: /^packages\.glasskube\.dev$/,
  rules: GLASSKUBE_RULES,
  read: readGlasskube,
}
