import { compareText } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { DIALECTS } from '../../versions/dialects.ts'
import { compareGlasskube } from '../../versions/upgradable.ts'
import type { BroughtObject } from '../owners.ts'
import { rangeReader } from '../range.ts'
import { broughtBy } from '../reading/brings.ts'
import type { CatalogPackage } from '../reading/catalog.ts'
import { Collector } from '../reading/collector.ts'
import type { ProvidedKind, Reading, ReadOptions } from '../reading/ecosystem.ts'
import { childText, itemsOf, placeOf } from '../reading/field.ts'
import { MASTERMINDS_TRAPS } from '../reading/masterminds-traps.ts'
import { suggestIds } from '../reading/suggest-ids.ts'
import { targetTable } from '../targets.ts'
import type { Dependent, Universe } from '../universe.ts'
import { type GlasskubeManifest, type GlasskubePackage, manifestRequirements, readGlasskubePackages, readManifests } from './objects.ts'
import { type GlasskubeContext, knownVersions, manifestOf, requirementsOf, targetOf } from './requirements.ts'
import { checkDuplicateInstances, checkPinning, checkRepositories, checkScope } from './rules/packages.ts'

/** Reads ClusterPackages, Packages, PackageInfos and catalogs of Glasskube (seed 004). */
export function readGlasskube(
  objects: readonly KrmObject[],
  catalog: readonly CatalogPackage[],
  options: ReadOptions,
): Reading & { readonly universe: Universe } {
  const reader = rangeReader(DIALECTS.m331validate)
  const collector = new Collector('glasskube', reader, MASTERMINDS_TRAPS)
  const manifests = readManifests(objects, catalog)
  const context: GlasskubeContext = { reader, targets: targetTable(), manifests: groupBy(manifests, ({ name }) => name) }
  for (const each of manifests) checkManifest(each, context, collector)
  const packages = readGlasskubePackages(objects)
  for (const { nameField, versionField } of packages) for (const field of [nameField, versionField]) collector.text(field)
  const present = packages.map((each) => presentOf(each, context))
  for (const found of present) install(found, context)
  const dependents = present.map((found) => dependentOf(found, context))
  const findings = [
    ...checkDuplicateInstances(packages),
    ...present.flatMap(({ each, manifest }) => checkScope(each, manifest)),
    ...checkPinning(packages, dependents),
    ...checkRepositories(dependents, (name) => repositoriesOf(name, context)),
  ]
  return {
    universe: {
      ecosystem: 'glasskube',
      dialect: reader.dialect.name,
      compare: compareGlasskube,
      dependents,
      installs: context.targets.installs,
      closed: options.closed,
      unknownMissing: 'dependency-missing',
      suggest: suggestIds(() => [...context.manifests.keys(), ...packages.map(({ manifestName }) => manifestName)]),
    },
    findings: [...collector.findings, ...findings],
    provided: provided(manifests, present),
    brought: present.flatMap(brought),
  }
}

interface Present {
  readonly each: GlasskubePackage
  readonly version: string
  readonly manifest: GlasskubeManifest | undefined
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

function install({ each, version, manifest }: Present, context: GlasskubeContext): void {
  context.targets.install({
    target: targetOf(each, context),
    version: context.reader.version(version),
    text: version,
    place: placeOf(each.versionField),
    fieldFor: ({ text }) => text,
    generated: each.asDependency,
    metadataKnown: manifest?.manifest?.dependencies !== undefined,
  })
}

function dependentOf({ each, version, manifest }: Present, context: GlasskubeContext): Dependent {
  const target = targetOf(each, context)
  return {
    id: target.id,
    name: `${target.id} ${version}`.trim(),
    target,
    place: placeOf(each.versionField),
    requirements: requirementsOf(each, manifest, context) ?? [],
  }
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
    collector.constraint(each.constraintField, each.constraint, { known, tags: { package: name, dependency: each.name } })
  }
}

function provided(manifests: readonly GlasskubeManifest[], present: readonly Present[]): ProvidedKind[] {
  const installed = new Set(present.map(({ manifest }) => manifest))
  return manifests.flatMap((each) =>
    (each.manifest?.provides === undefined ? [] : itemsOf(each.manifest.provides)).map((item) => ({
      apiVersion: childText(item, 'apiVersion'),
      kind: childText(item, 'kind'),
      by: each.name,
      place: () => placeOf(item),
      installed: installed.has(each),
    })),
  )
}

function brought({ each, version, manifest }: Present): BroughtObject[] {
  return broughtBy(manifest?.manifest?.brings, `${each.manifestName} ${version}`, each.manifestName)
}
