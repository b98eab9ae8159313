import { groupBy } from '../../group-by.ts'
import { remember } from '../../remember.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { Version } from '../../versions/version.ts'
import { listNames, listSome } from '../finding.ts'
import {
  type Exclusive,
  type Package,
  type PackageRequirement,
  type PackageTable,
  packageTable,
  type Requirement,
} from '../package-index.ts'
import type { RangeReader } from '../range.ts'
import type { ReadOptions } from '../reading/ecosystem.ts'
import { childField, placeOfField } from '../reading/field.ts'
import { suggestIds } from '../reading/suggest-ids.ts'
import { WrittenRequirement } from '../reading/written-constraint.ts'
import type { DeclaredDependency, DeclaredPackage } from './dependencies.ts'
import type { DependencyValues, Override, PackageInstall } from './installs.ts'
import { type CarvelOptions, type CarvelPackage, type KnownCarvelPackages, PLATFORMS, versionsOf } from './packages.ts'
import { allowsPlatform, prereleasesOf } from './select.ts'

/** Everything about Carvel that is needed to read one PackageInstall. */
export interface CarvelContext {
  readonly reader: RangeReader
  readonly options: ReadOptions & CarvelOptions
  readonly table: PackageTable
  /** Returns the Packages of a refName that a namespace sees, one for each version. */
  visible(namespace: string, refName: string): readonly CarvelPackage[]
  /** Returns the versions of the visible Packages, highest first. */
  versions(namespace: string, refName: string): readonly Version[]
  /** Returns the dependencies that a Package declares; undefined when they are not known. Faults of their forms are not reported here. */
  declaredBy(selected: CarvelPackage | undefined): readonly DeclaredDependency[] | undefined
  /** Returns the known refName that is nearest to an unknown one, as the end of a message. */
  readonly suggest: (refName: string) => string
  /** Returns the PackageInstall of a refName in a namespace; undefined when there are none or several. */
  installOf(namespace: string, refName: string): PackageInstall | undefined
}

/** The inputs of `carvelContext`. */
export interface CarvelObjects {
  readonly stock: KnownCarvelPackages
  readonly installs: readonly PackageInstall[]
  readonly objects: readonly KrmObject[]
  readonly options: ReadOptions & CarvelOptions
}

export function carvelContext({ stock, installs, objects, options }: CarvelObjects): CarvelContext {
  const visible = visibility(stock, objects, options)
  const installed = groupBy(installs, ({ namespace, ref }) => `${namespace}/${ref.refName}`)
  return {
    reader: stock.reader,
    options,
    table: packageTable(),
    visible,
    versions: (namespace, refName) => stock.versions(visible(namespace, refName)),
    declaredBy: (selected) => stock.declaredBy(selected),
    suggest: suggestIds(() => stock.packages.map(({ refName }) => refName)),
    installOf: (namespace, refName) => {
      const [first, ...others] = installed.get(`${namespace}/${refName}`) ?? []
      return others.length === 0 ? first : undefined
    },
  }
}

const EXCLUDE_GLOBAL_ANNOTATION = 'kapp-controller.carvel.dev/exclude-global-packages'

// A namespace sees its own Packages, and the global ones unless its annotation excludes them.
function visibility(
  stock: KnownCarvelPackages,
  objects: readonly KrmObject[],
  { globalPackageNamespace }: CarvelOptions,
): CarvelContext['visible'] {
  const namespaces = objects.filter(({ kind }) => kind === 'Namespace')
  const excluding = new Set(namespaces.filter(({ annotations }) => annotations.has(EXCLUDE_GLOBAL_ANNOTATION)).map(({ name }) => name))
  const isVisible = (each: CarvelPackage, namespace: string): boolean =>
    each.namespace === undefined || each.namespace === namespace || (each.namespace === globalPackageNamespace && !excluding.has(namespace))
  const seen = new Map<string, Map<string, readonly CarvelPackage[]>>()
  return (namespace, refName) => {
    const own = remember(seen, namespace, () => new Map<string, readonly CarvelPackage[]>())
    return remember(own, refName, () => {
      const named = stock.named(refName)
      // Usually every namespace sees every Package. The same list lets `versions` return the same result.
      const all = named.every((each) => isVisible(each, namespace)) ? named : named.filter((each) => isVisible(each, namespace))
      return oneOfEach(all, namespace)
    })
  }
}

/**
 * Returns one Package for each version: the Package of the namespace before a global one (kapp-controller package_crd_rest.go, List), and
 * both before an entry of a catalog.
 */
function oneOfEach(packages: readonly CarvelPackage[], namespace: string): readonly CarvelPackage[] {
  const versions = new Map(packages.map((each) => [each.version, each]))
  if (versions.size === packages.length) return packages
  for (const each of packages) {
    const other = versions.get(each.version)
    if (other !== undefined && farness(each, namespace) < farness(other, namespace)) versions.set(each.version, each)
  }
  return [...versions.values()]
}

// Of an entry without more than its version nothing is known, wherever it is.
function farness({ namespace: own, isBare }: CarvelPackage, namespace: string): number {
  if (isBare) return 3
  if (own === undefined) return 2
  return own === namespace ? 0 : 1
}

/** Whose dependencies are read: those of a PackageInstall, or of one that would be made. */
export type Installing = Pick<PackageInstall, 'namespace' | 'overrides' | 'validateOnly'>

/** Returns the package in a namespace; only versions that run on the cluster are known of it. */
export function packageNamed(namespace: string, refName: string, context: CarvelContext): Package {
  const { table, visible, reader, options } = context
  const key = `${namespace}/${refName}`
  const known = table.find(key)
  if (known !== undefined) return known
  return table.package({
    key,
    id: refName,
    name: nameIn(namespace, refName),
    scope: namespace,
    versions: () => {
      const all = visible(namespace, refName)
      const runs = (each: CarvelPackage) => PLATFORMS.every(({ range, option }) => allowsPlatform(each[range], options[option], reader))
      const runnable = all.filter(runs)
      return runnable.length === all.length ? context.versions(namespace, refName) : versionsOf(runnable, reader)
    },
    requirements: (text) => {
      const selected = visible(namespace, refName).find(({ version }) => version === text)
      const installing = context.installOf(namespace, refName) ?? { namespace, overrides: [], validateOnly: false }
      return carvelRequirements(selected, installing, context)
    },
  })
}

/** Returns the name of a package for messages: `pkg.example.com`, or `pkg.example.com in team-a` outside of the namespace default. */
export function nameIn(namespace: string, refName: string): string {
  return namespace === 'default' ? refName : `${refName} in ${namespace}`
}

/** Returns the namespace of a package; `default` for a package of another ecosystem. */
export function namespaceOfInstall(pkg: Package | undefined): string {
  return pkg?.scope ?? 'default'
}

/**
 * Returns the rule that allows a package only one install in the cluster (seed 002, installationType onePerCluster); undefined when no
 * visible version is onePerCluster.
 */
export function exclusiveOf(pkg: Package, context: CarvelContext): Exclusive | undefined {
  const packages = context.visible(namespaceOfInstall(pkg), pkg.id)
  const single = new Set(packages.filter(({ installationType }) => installationType === 'onePerCluster').map(({ version }) => version))
  if (single.size === 0) return undefined
  const isAlways = packages.every(({ version }) => single.has(version))
  const reason = `${pkg.id} is onePerCluster${isAlways ? '' : ` in ${listNames(listSome([...single]))}`}`
  return { reason, applies: ({ text }) => single.has(text) }
}

/** Returns the requirements of a Package for the given way of installing it; undefined when its dependencies are not known. */
export function carvelRequirements(
  selected: CarvelPackage | undefined,
  installing: Installing,
  context: CarvelContext,
): readonly Requirement[] | undefined {
  return context.declaredBy(selected)?.map((each) => requirementOf(each, installing, context))
}

function requirementOf(declared: DeclaredDependency, installing: Installing, context: CarvelContext): Requirement {
  const { optional } = declared
  if (declared.type === 'package') return packageRequirement(declared, installing, context)
  const place = placeOfField(declared.field)
  if (declared.type === 'gvk') return { type: 'gvk', wanted: { apiVersion: declared.apiVersion, kind: declared.kind }, optional, place }
  const alternatives = declared.alternatives.map((each) => requirementOf(each, installing, context))
  return { type: 'alternatives', optional, place, alternatives }
}

// An override replaces the constraint of the author. The place of the requirement is then the field of the override.
function packageRequirement(declared: DeclaredPackage, installing: Installing, context: CarvelContext): PackageRequirement {
  const override = installing.overrides.find((each) => overrideAppliesTo(each, declared))
  const constraint = override?.constraints ?? declared.constraint
  const ref = { refName: declared.refName, constraints: constraint ?? '', prereleases: override?.prereleases ?? declared.prereleases }
  const written = declared.constraint === undefined ? declared.field : declared.constraintField
  const overridden =
    override?.constraints === undefined ? undefined : childField(childField(override.field, 'versionSelection'), 'constraints')
  return new WrittenRequirement({
    package: packageNamed(installing.namespace, declared.refName, context),
    range: constraint === undefined ? undefined : context.reader.range(constraint, { admitted: prereleasesOf(ref, context.reader) }),
    optional: declared.optional,
    validateOnly: override?.install === undefined ? installing.validateOnly : !override.install,
    alias: declared.alias,
    field: overridden ?? written,
  })
}

/** Returns true if an override concerns a dependency: its name is the refName of the dependency, or the dependency's name in the list. */
export function overrideAppliesTo({ name }: Override, { refName, alias }: DeclaredPackage): boolean {
  return name === refName || name === alias
}

/** Returns true if values are for a dependency. An alias is more specific than a refName: one package may be required twice. */
export function areFor(
  { alias, refName }: Pick<DependencyValues, 'alias' | 'refName'>,
  dependency: Pick<DeclaredPackage, 'refName' | 'alias'>,
): boolean {
  return alias === '' ? refName === dependency.refName : alias === dependency.alias
}
