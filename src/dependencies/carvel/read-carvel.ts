import { DIALECTS } from '../../versions/dialects.ts'
import { rangeReader } from '../range.ts'
import { broughtBy } from '../reading/brings.ts'
import { Collector } from '../reading/collector.ts'
import { childOf, itemsOf, placeOf } from '../reading/field.ts'
import type { BroughtObject, FrontEnd, ProvidedKind } from '../reading/front-end.ts'
import type { Dependent, Install, Requirement } from '../universe.ts'
import { type CarvelContext, carvelContext, targetOf } from './context.ts'
import { type DeclaredDependency, type DeclaredPackage, readGvk } from './dependencies.ts'
import { checkInstallForms, checkPackageForms } from './forms.ts'
import { isPackageInstall, type PackageInstall, readPackageInstall } from './installs.ts'
import { type CarvelPackage, isCarvelPackage, knownPackages, WrittenPackage } from './packages.ts'
import { checkInstallationTypes } from './rules/installation-types.ts'
import { appliesTo, checkOverrides } from './rules/overrides.ts'
import { checkCarvelObjects } from './rules/package-objects.ts'
import { checkSelections, type SelectingInstall } from './rules/selections.ts'
import { type Platform, prereleasesOf, selectPackage } from './select.ts'

/** Reads Packages, PackageInstalls and catalogs of Carvel (seed 002). */
export const readCarvel: FrontEnd = (objects, catalog, { closed, cluster, carvelSemver }) => {
  const reader = rangeReader(carvelSemver === '2026' ? DIALECTS.carvelhead : DIALECTS.k14s)
  const collector = new Collector('carvel', reader)
  const written = objects.filter(isCarvelPackage).map((object) => new WrittenPackage(object))
  const packages = knownPackages(written, catalog)
  const context = carvelContext(packages, objects, cluster, reader)
  for (const each of packages) checkPackageForms(each, context, collector)
  const read = objects.filter(isPackageInstall).map((object) => readPackageInstall(object, collector))
  for (const each of read) checkInstallForms(each, context, collector)
  const installs = read.map((each) => selectFor(each, context))
  const made = installs.map((each) => context.targets.install(installOf(each, context, closed)))
  const findings = [
    ...checkCarvelObjects(objects, written, reader),
    ...checkSelections(installs, reader, closed),
    ...checkInstallationTypes(installs),
    ...installs.flatMap((each) => checkOverrides(overrideCase(each, context))),
  ]
  return {
    universe: {
      ecosystem: 'carvel',
      dialect: reader.dialect.name,
      compare: reader.dialect.compare,
      dependents: installs.map((each, i) => dependentOf(each, made[i], context)),
      installs: made,
      closed,
      unknownMissing: 'no-version-available',
    },
    findings: [...collector.findings, ...findings],
    provided: provided(packages, installs, collector),
    brought: installs.flatMap(({ selection }) => brought(selection.selected)),
  }
}

function selectFor(install: PackageInstall, { reader, cluster, visible }: CarvelContext): SelectingInstall {
  const { annotations } = install.object
  const platform: Platform = {
    kubernetes: cluster.kubernetesVersion,
    kappController: cluster.kappControllerVersion,
    ignoreKubernetes: annotations.has('packaging.carvel.dev/ignore-kubernetes-version-selection'),
    ignoreKappController: annotations.has('packaging.carvel.dev/ignore-kapp-controller-version-selection'),
  }
  const seen = visible(install.namespace, install.ref.refName)
  return { install, visible: seen, selection: selectPackage(seen, install.ref, platform, reader), platform }
}

function installOf({ install, visible, selection }: SelectingInstall, context: CarvelContext, closed: boolean): Install {
  const exact = visible.length === 0 ? context.reader.version(install.ref.constraints) : undefined
  const version = selection.version ?? exact
  const nothingSelected = selection.selected === undefined && (visible.length > 0 || closed)
  return {
    target: targetOf(install.namespace, install.ref.refName, context),
    version,
    text: version?.text ?? '',
    place: placeOf(install.constraintsField),
    fieldFor: ({ text }) => text,
    generated: install.generated,
    metadataKnown: nothingSelected || context.declaredBy(selection.selected) !== undefined,
  }
}

function dependentOf({ install, selection }: SelectingInstall, made: Install | undefined, context: CarvelContext): Dependent {
  const { refName } = install.ref
  const where = install.namespace === 'default' ? '' : ` in ${install.namespace}`
  const version = selection.version === undefined ? '' : ` ${selection.version.text}`
  return {
    id: refName + where,
    name: refName + version + where,
    target: made?.target,
    place: placeOf(install.refField),
    requirements: (context.declaredBy(selection.selected) ?? []).map((each) => requirementOf(each, install, context)),
  }
}

function requirementOf(declared: DeclaredDependency, install: PackageInstall, context: CarvelContext): Requirement {
  const { optional } = declared
  const place = placeOf(declared.field)
  if (declared.type === 'gvk') return { type: 'gvk', wanted: { apiVersion: declared.apiVersion, kind: declared.kind }, optional, place }
  if (declared.type === 'package') return packageRequirement(declared, install, context)
  const alternatives = declared.alternatives.map((each) => requirementOf(each, install, context))
  return { type: 'alternatives', optional, place, alternatives }
}

// An override replaces what the author asks for; its place is then where the constraint stands.
function packageRequirement(declared: DeclaredPackage, install: PackageInstall, context: CarvelContext): Requirement {
  const override = install.overrides.find((each) => appliesTo(each, declared))
  const constraint = override?.constraints ?? declared.constraint
  const ref = { refName: declared.refName, constraints: constraint ?? '', prereleases: override?.prereleases }
  const written = declared.constraint === undefined ? declared.field : declared.constraintField
  const overridden = override?.constraints === undefined ? undefined : childOf(childOf(override.field, 'versionSelection'), 'constraints')
  return {
    type: 'package',
    target: targetOf(install.namespace, declared.refName, context),
    range: constraint === undefined ? undefined : context.reader.range(constraint, { admitted: prereleasesOf(ref, context.reader) }),
    optional: declared.optional,
    validateOnly: override?.install === undefined ? install.validateOnly : !override.install,
    place: placeOf(overridden ?? written),
    alias: declared.alias,
  }
}

function overrideCase({ install, selection }: SelectingInstall, context: CarvelContext): Parameters<typeof checkOverrides>[0] {
  const knownOf = (refName: string) => context.versions(install.namespace, refName)
  return { overrides: install.overrides, declared: context.declaredBy(selection.selected), knownOf, reader: context.reader }
}

function provided(packages: readonly CarvelPackage[], installs: readonly SelectingInstall[], collector: Collector): ProvidedKind[] {
  const installed = new Set(installs.map(({ selection }) => selection.selected))
  return packages.flatMap((each) =>
    providedKinds(each, collector).map((kind) => ({ ...kind, by: `${each.refName} ${each.version}`, installed: installed.has(each) })),
  )
}

// Plain items, or items wrapped in `gvk:` as in the second example of seed 002.
function providedKinds(each: CarvelPackage, collector: Collector): { apiVersion: string; kind: string }[] {
  return itemsOf(each.provides()).flatMap((item) => {
    const wrapped = childOf(item, 'gvk')
    return readGvk(wrapped.value === undefined ? item : wrapped, collector) ?? []
  })
}

function brought(selected: CarvelPackage | undefined): BroughtObject[] {
  return selected === undefined ? [] : broughtBy(selected.brings(), `${selected.refName} ${selected.version}`, selected.refName)
}
