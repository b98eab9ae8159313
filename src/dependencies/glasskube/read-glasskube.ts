import { compareText } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import { DIALECTS } from '../../versions/dialects.ts'
import { compareGlasskube } from '../../versions/upgradable.ts'
import type { Version } from '../../versions/version.ts'
import { type RangeReader, rangeReader } from '../range.ts'
import { broughtBy } from '../reading/brings.ts'
import { Collector } from '../reading/collector.ts'
import { childText, itemsOf, placeOf } from '../reading/field.ts'
import type { BroughtObject, FrontEnd, ProvidedKind } from '../reading/front-end.ts'
import { type TargetTable, targetTable } from '../targets.ts'
import type { Dependent, Requirement, Target } from '../universe.ts'
import {
  type GlasskubeManifest,
  type GlasskubePackage,
  type ManifestRequirement,
  manifestRequirements,
  readGlasskubePackages,
  readManifests,
} from './objects.ts'
import { checkDuplicateInstances, checkPinning, checkRepositories, checkScope, instanceKey } from './rules/packages.ts'

interface Reading {
  readonly reader: RangeReader
  readonly targets: TargetTable
  /** By manifest name. */
  readonly manifests: ReadonlyMap<string, readonly GlasskubeManifest[]>
}

/** Reads ClusterPackages, Packages, PackageInfos and catalogs of Glasskube (seed 004). */
export const readGlasskube: FrontEnd = (objects, catalog, options) => {
  const reader = rangeReader(DIALECTS.m331validate)
  const collector = new Collector('glasskube', reader)
  const manifests = readManifests(objects, catalog)
  const reading: Reading = { reader, targets: targetTable(), manifests: groupBy(manifests, ({ name }) => name) }
  for (const each of manifests) checkManifest(each, reading, collector)
  const packages = readGlasskubePackages(objects)
  const present = packages.map((each) => ({ each, version: versionOf(each, reading), manifest: manifestOf(each, reading) }))
  for (const found of present) install(found, reading)
  const dependents = present.map((found) => dependentOf(found, reading))
  const findings = [
    ...checkDuplicateInstances(packages),
    ...present.flatMap(({ each, manifest }) => checkScope(each, manifest)),
    ...checkPinning(packages, dependents),
    ...checkRepositories(dependents, (name) => repositoriesOf(name, reading)),
  ]
  return {
    universe: {
      ecosystem: 'glasskube',
      dialect: reader.dialect.name,
      compare: compareGlasskube,
      dependents,
      installs: reading.targets.installs,
      closed: options.closed,
      unknownMissing: 'dependency-missing',
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
function versionOf({ version, manifestName }: GlasskubePackage, reading: Reading): string {
  return version === '' ? (knownVersions(manifestName, reading)[0]?.text ?? '') : version
}

function manifestOf(each: GlasskubePackage, reading: Reading): GlasskubeManifest | undefined {
  const version = versionOf(each, reading)
  const found = (reading.manifests.get(each.manifestName) ?? []).filter((manifest) => manifest.version === version)
  return found.find(({ repository }) => each.repository === '' || repository === '' || repository === each.repository)
}

function knownVersions(manifestName: string, { manifests, reader }: Reading): Version[] {
  const texts = new Set((manifests.get(manifestName) ?? []).map(({ version }) => version))
  return [...texts].flatMap((text) => reader.version(text) ?? []).sort((a, b) => compareGlasskube(b, a) || compareText(a.text, b.text))
}

function repositoriesOf(name: string, { manifests }: Reading): string[] {
  const names = (manifests.get(name) ?? []).map(({ repository }) => repository)
  return [...new Set(names.filter((repository) => repository !== ''))].sort(compareText)
}

function targetOf(namespace: string, instance: string, manifestName: string, reading: Reading): Target {
  const key = instanceKey(namespace, instance)
  return reading.targets.target(key, namespace === '' ? manifestName : key, () => knownVersions(manifestName, reading))
}

function install({ each, version, manifest }: Present, reading: Reading): void {
  reading.targets.install({
    target: targetOf(each.namespace, each.instance, each.manifestName, reading),
    version: reading.reader.version(version),
    text: version,
    place: placeOf(each.versionField),
    fieldFor: ({ text }) => text,
    generated: each.asDependency,
    metadataKnown: manifest?.manifest?.dependencies !== undefined,
  })
}

function dependentOf({ each, version, manifest }: Present, reading: Reading): Dependent {
  const target = targetOf(each.namespace, each.instance, each.manifestName, reading)
  const fields = manifest?.manifest
  const dependencies = manifestRequirements(fields?.dependencies).map((required) =>
    requirementOf(required, targetOf('', required.name, required.name, reading), reading),
  )
  const namespace = each.namespace === '' ? (fields?.defaultNamespace ?? '') : each.namespace
  const components = manifestRequirements(fields?.components).map((required) => {
    const instance = `${each.instance}-${required.installedName}`
    return requirementOf(required, targetOf(namespace, instance, required.name, reading), reading)
  })
  return {
    id: target.id,
    name: `${target.id} ${version}`.trim(),
    target,
    place: placeOf(each.versionField),
    requirements: [...dependencies, ...components],
  }
}

function requirementOf({ constraint, constraintField, field }: ManifestRequirement, target: Target, { reader }: Reading): Requirement {
  const range = constraint === '' ? undefined : reader.range(constraint)
  return {
    type: 'package',
    target,
    range,
    optional: false,
    validateOnly: false,
    place: placeOf(constraint === '' ? field : constraintField),
  }
}

// Forms and constraints of every manifest are checked, whether or not it is installed.
function checkManifest({ name, manifest }: GlasskubeManifest, reading: Reading, collector: Collector): void {
  for (const each of [...manifestRequirements(manifest?.dependencies), ...manifestRequirements(manifest?.components)]) {
    collector.text(each.constraintField)
    if (each.constraint === '') continue
    const known = () => knownVersions(each.name, reading)
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
      installed: installed.has(each),
    })),
  )
}

function brought({ each, version, manifest }: Present): BroughtObject[] {
  return broughtBy(manifest?.manifest?.brings, `${each.manifestName} ${version}`, each.manifestName)
}
