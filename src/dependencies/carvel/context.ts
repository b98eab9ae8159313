import { groupBy } from '../../group-by.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { Version } from '../../versions/version.ts'
import type { RangeReader } from '../range.ts'
import type { ReadOptions } from '../reading/ecosystem.ts'
import { suggestIds } from '../reading/suggest-ids.ts'
import { type TargetTable, targetTable } from '../targets.ts'
import type { CarvelPackageIndex } from './carvel-package-index.ts'
import type { DeclaredDependency } from './dependencies.ts'
import type { PackageInstall } from './installs.ts'
import type { CarvelOptions } from './options.ts'
import type { CarvelPackage } from './packages.ts'

/** Everything about Carvel that is needed to read one PackageInstall. */
export interface CarvelContext {
  readonly reader: RangeReader
  readonly options: ReadOptions & CarvelOptions
  readonly targets: TargetTable
  /** The Packages of a refName that a namespace sees, one of each version. */
  visible(namespace: string, refName: string): readonly CarvelPackage[]
  /** Their versions, highest first. */
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
  readonly stock: CarvelPackageIndex
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
    targets: targetTable(),
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

// A namespace sees its own Packages and the global ones, unless it says that it does not want those.
function visibility(
  stock: CarvelPackageIndex,
  objects: readonly KrmObject[],
  { globalPackageNamespace }: CarvelOptions,
): CarvelContext['visible'] {
  const namespaces = objects.filter(({ kind }) => kind === 'Namespace')
  const excluding = new Set(namespaces.filter(({ annotations }) => annotations.has(EXCLUDE_GLOBAL_ANNOTATION)).map(({ name }) => name))
  const isVisible = (each: CarvelPackage, namespace: string): boolean =>
    each.namespace === undefined || each.namespace === namespace || (each.namespace === globalPackageNamespace && !excluding.has(namespace))
  const seen = new Map<string, Map<string, readonly CarvelPackage[]>>()
  return (namespace, refName) => {
    const known = seen.get(namespace)?.get(refName)
    if (known !== undefined) return known
    const named = stock.named(refName)
    // As nearly always: what is worked out of the list itself holds for every namespace.
    const all = named.every((each) => isVisible(each, namespace)) ? named : named.filter((each) => isVisible(each, namespace))
    const visible = oneOfEach(all, namespace)
    const ofNamespace = seen.get(namespace) ?? new Map<string, readonly CarvelPackage[]>()
    if (ofNamespace.size === 0) seen.set(namespace, ofNamespace)
    ofNamespace.set(refName, visible)
    return visible
  }
}

/** One Package of each version: the namespace's own before a global one (kapp-controller package_crd_rest.go, List), both before a catalog's. */
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
