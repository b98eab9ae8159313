import { equalJson, type JsonRecord } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { formatResourceRef } from '../../result.ts'
import { admitsPrerelease } from '../../versions/selection.ts'
import { countOf } from '../../wording.ts'
import { quote } from '../finding.ts'
import type { Dependent, Install, PackageIndex } from '../package-index.ts'
import type { RangeReader } from '../range.ts'
import { broughtBy, type CatalogPackage } from '../reading/catalog.ts'
import { Collector } from '../reading/collector.ts'
import {
  type ControllerStep,
  type Ecosystem,
  indexOn,
  type PackageSummary,
  type ProvidedKind,
  type ReadEcosystem,
  type ReadOptions,
  setStep,
} from '../reading/ecosystem.ts'
import { placeOfField } from '../reading/field.ts'
import { checkVersions } from '../reading/served-versions.ts'
import { CARVEL_TRAPS } from './constraint-traps.ts'
import { dependencyStatuses, nativeCarvel } from './controller.ts'
import { readProvides } from './fields.ts'
import { reasonToKeep } from './generated-install.ts'
import { type InstallOwners, installOwners, isPackageInstall, type PackageInstall, readPackageInstall } from './installs.ts'
import { type CarvelOptions, type CarvelPackage, readCarvelPackages } from './packages.ts'
import {
  type CarvelContext,
  carvelContext,
  carvelRequirements,
  exclusiveOf,
  nameIn,
  namespaceOfInstall,
  packageNamed,
} from './requirements.ts'
import { checkEdits } from './rules/edits.ts'
import { blockedDowngrade, checkDowngrade, checkInstallationTypes, checkOptions, checkSelections } from './rules/installs.ts'
import { checkCarvelObjects, checkInstallForms, checkPackages, checkRepositoryRanges } from './rules/package-objects.ts'
import { type Platform, type SelectingInstall, selectPackage } from './select.ts'
import { CarvelWriter, installName } from './write-carvel.ts'

/** Reads Packages, PackageInstalls and catalogs of Carvel (seed 002). */
function readCarvel(
  objects: readonly KrmObject[],
  catalog: readonly CatalogPackage[],
  options: ReadOptions & CarvelOptions,
): ReadEcosystem & { readonly index: PackageIndex } {
  const { written, stock } = readCarvelPackages(objects, catalog, options)
  const { packages, reader } = stock
  const collector = new Collector('carvel', reader, CARVEL_TRAPS)
  const read = objects.filter(isPackageInstall).flatMap((object) => readPackageInstall(object, collector) ?? [])
  const context = carvelContext({ stock, installs: read, objects, options })
  const owners = installOwners(read, options)
  const installs = read.map((each) => selectFor(each, context))
  const made = installs.map((each) => ({ ...each, made: context.table.install(installOf(each, context, owners)) }))
  const checkForms = (reporter: Collector) => {
    checkVersions(objects, reporter)
    checkPackages({ written, packages }, context, reporter)
    checkRepositoryRanges(objects, reporter)
    for (const each of read) checkInstallForms(each, context, reporter)
    return reporter.findings
  }
  const findings = () => [
    ...checkForms(collector),
    ...checkCarvelObjects(objects, written, reader),
    ...checkSelections(installs, reader, options),
    ...checkInstallationTypes(installs),
    ...installs.flatMap((each) => checkOptions(each, context)),
    ...checkEdits(read),
  ]
  const index = packageIndexOf(made, context)
  return {
    index,
    findings,
    faults: () => checkForms(collector.withoutTraps()),
    edits: () => checkEdits(read),
    provided: provided(packages, installs, context, collector),
    brought: installs.flatMap(({ selection: { selected } }) =>
      selected === undefined ? [] : broughtBy(selected.brings(), `${selected.refName} ${selected.version}`, selected.refName),
    ),
    controller: {
      writer: new CarvelWriter(new Map(made.map((each) => [each.made, each.install])), owners, reader),
      installMissing: (input) => nativeCarvel(index, input),
      reconcile: (kinds) => ({
        steps: statusSteps(made, dependencyStatuses(index, kinds)),
        findings: installs.flatMap((each) => checkDowngrade(each, reader).map((found) => ({ ...found, severity: 'warning' as const }))),
        packages: installs.map((each) => stateOf(each, checkSelections([each], reader, options), reader)),
      }),
    },
  }
}

/** @param faults  the faults of the version that the install selects */
function stateOf(each: SelectingInstall, faults: ReturnType<typeof checkSelections>, reader: RangeReader): PackageSummary {
  const { install, selection } = each
  const stays = blockedDowngrade(each, reader)
  const selected = selection.version?.text ?? 'no version'
  const version = stays === undefined ? selected : `${stays.text}; kapp-controller stops, as ${selected} would be a downgrade`
  const unknown = faults.length === 0 ? ['no Package of it is known'] : faults.map(({ message }) => message)
  return {
    name: formatResourceRef(install.object.ref),
    at: `${install.ref.refName} ${version}`,
    parts: selection.selected === undefined && stays === undefined ? unknown : [],
  }
}

/** A PackageInstall with what it is among the installs of its index. */
interface MadeInstall extends SelectingInstall {
  readonly made: Install
}

// The status of a PackageInstall without dependencies has no such field.
function statusSteps(installs: readonly MadeInstall[], statuses: ReadonlyMap<Install, readonly JsonRecord[]>): ControllerStep[] {
  const path = ['status', 'dependencies']
  const why = 'kapp-controller records what fulfils each dependency'
  return installs.flatMap(({ install: { object }, made }) => {
    const value = statuses.get(made) ?? []
    const there = object.get(path)
    if (value.length === 0 ? there === undefined : equalJson(there, value)) return []
    const what = `${formatResourceRef(object.ref)} has ${countOf(value.length, 'entry')} in status.dependencies`
    return [setStep(object, [{ path, value }], what, why)]
  })
}

function packageIndexOf(installs: readonly MadeInstall[], context: CarvelContext): PackageIndex {
  const { options, suggest } = context
  return {
    ...indexOn('carvel', context, options),
    dependents: installs.map((each) => dependentOf(each, context)),
    unknownMissing: 'no-version-available',
    suggest,
    chooses: (version) => admitsPrerelease(version, undefined),
    objectName: ({ id }, text) => installName(id, text),
    exclusive: (pkg) => exclusiveOf(pkg, context),
  }
}

function selectFor(install: PackageInstall, { reader, options, visible }: CarvelContext): SelectingInstall {
  const { annotations } = install.object
  const platform: Platform = {
    kubernetes: options.kubernetesVersion,
    kappController: options.kappControllerVersion,
    ignoreKubernetes: annotations.has('packaging.carvel.dev/ignore-kubernetes-version-selection'),
    ignoreKappController: annotations.has('packaging.carvel.dev/ignore-kapp-controller-version-selection'),
  }
  const seen = visible(install.namespace, install.ref.refName)
  return { install, visible: seen, selection: selectPackage(seen, install.ref, platform, reader), platform }
}

function installOf({ install, visible, selection }: SelectingInstall, context: CarvelContext, owners: InstallOwners): Install {
  const exact = visible.length === 0 ? context.reader.version(install.ref.constraints) : undefined
  const version = selection.version ?? exact
  const nothingSelected = selection.selected === undefined && (visible.length > 0 || context.options.closed)
  const { constraints } = install.ref
  const isRange = context.reader.version(constraints) === undefined
  const range = constraints === '' ? 'has no constraints' : `has the constraints ${quote(constraints)}`
  return {
    package: packageNamed(install.namespace, install.ref.refName, context),
    version,
    text: version?.text ?? '',
    name: install.name,
    object: install.object,
    place: placeOfField(install.constraintsField),
    fieldFor: (text) => text,
    generated: install.generated,
    owner: install.owner,
    isOwnerKnown: install.generated ? owners.isKnown(install) : undefined,
    get keptBecause() {
      return reasonToKeep(install, owners.ownerOf(install))
    },
    movable: version !== undefined,
    ...(version !== undefined && isRange && { follows: `${range}: kapp-controller moves it to the highest version that they allow` }),
    metadataKnown: nothingSelected || context.declaredBy(selection.selected) !== undefined,
  }
}

function dependentOf({ install, selection, made }: MadeInstall, context: CarvelContext): Dependent {
  const { refName } = install.ref
  const version = selection.version === undefined ? '' : ` ${selection.version.text}`
  return {
    id: nameIn(install.namespace, refName),
    name: nameIn(install.namespace, refName + version),
    package: made.package,
    install: made,
    place: placeOfField(install.refField),
    requirements: carvelRequirements(selection.selected, install, context) ?? [],
  }
}

function provided(
  packages: readonly CarvelPackage[],
  installs: readonly SelectingInstall[],
  context: CarvelContext,
  collector: Collector,
): ProvidedKind[] {
  const installed = new Set(installs.map(({ selection }) => selection.selected))
  return packages.flatMap((each) => {
    const field = each.provides()
    if (field === undefined) return []
    return readProvides(field, collector).map((kind) => ({
      ...kind,
      place: () => placeOfField(field),
      by: `${each.refName} ${each.version}`,
      packageFor: (requirer) => {
        // A package that requires a kind gets it from one that its own namespace sees.
        const namespace = namespaceOfInstall(requirer)
        return context.visible(namespace, each.refName).includes(each) ? packageNamed(namespace, each.refName, context) : undefined
      },
      version: each.version,
      installed: installed.has(each),
    }))
  })
}

/** Packages of kapp-controller (seed 002). Namespaces are of the core group; an annotation of a Namespace hides global Packages. */
export const CARVEL: Ecosystem<CarvelOptions> = {
  id: 'carvel',
  groups: /^((data\.|internal\.)?packaging\.carvel\.dev|kappctrl\.k14s\.io)$/,
  groupsBeside: new Set(['']),
  read: readCarvel,
}
