import { compareText } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { parseRelaxed, sortVersions } from '../../versions/selection.ts'
import type { Version } from '../../versions/version.ts'
import type { RangeReader } from '../range.ts'
import type { Collector } from '../reading/collector.ts'
import type { ReadOptions } from '../reading/ecosystem.ts'
import { suggestIds } from '../reading/suggest-ids.ts'
import { type TargetTable, targetTable } from '../targets.ts'
import { type DeclaredDependency, readDependencies } from './dependencies.ts'
import type { PackageInstall } from './installs.ts'
import type { CarvelOptions } from './options.ts'
import type { CarvelPackage } from './packages.ts'

/** Everything about Carvel that is needed to read one PackageInstall. */
export interface CarvelContext {
  readonly reader: RangeReader
  readonly options: ReadOptions & CarvelOptions
  readonly targets: TargetTable
  /** The Packages of a refName that a namespace sees. */
  visible(namespace: string, refName: string): readonly CarvelPackage[]
  /** Their versions, highest first. */
  versions(namespace: string, refName: string): readonly Version[]
  /** What a Package declares; undefined: it is not known. The faults of its forms are not reported here. */
  declaredBy(selected: CarvelPackage | undefined): readonly DeclaredDependency[] | undefined
  /** Which refName was most likely meant, for one that is not known. */
  readonly suggest: (refName: string) => string
  /** The one PackageInstall of a refName in a namespace; undefined when there is none, or several. */
  installOf(namespace: string, refName: string): PackageInstall | undefined
}

/** What the context is made of. */
export interface CarvelObjects {
  readonly packages: readonly CarvelPackage[]
  readonly installs: readonly PackageInstall[]
  readonly objects: readonly KrmObject[]
  readonly options: ReadOptions & CarvelOptions
  readonly reader: RangeReader
  readonly collector: Collector
}

export function carvelContext({ packages, installs, objects, options, reader, collector }: CarvelObjects): CarvelContext {
  const visible = visibility(packages, objects, options)
  const versions = new Map<string, Map<string, readonly Version[]>>()
  const declared = new Map<CarvelPackage, readonly DeclaredDependency[] | undefined>()
  const installed = groupBy(installs, ({ namespace, ref }) => `${namespace}/${ref.refName}`)
  return {
    reader,
    options,
    targets: targetTable(),
    visible,
    versions: (namespace, refName) => {
      const ofNamespace = versions.get(namespace) ?? new Map<string, readonly Version[]>()
      const known = ofNamespace.get(refName) ?? versionsOf(visible(namespace, refName), reader)
      versions.set(namespace, ofNamespace.set(refName, known))
      return known
    },
    declaredBy: (selected) => {
      if (selected === undefined) return undefined
      if (declared.has(selected)) return declared.get(selected)
      const field = selected.dependencies()
      const read = field && readDependencies(field, collector.silent())
      declared.set(selected, read)
      return read
    },
    suggest: suggestIds(() => packages.map(({ refName }) => refName)),
    installOf: (namespace, refName) => {
      const [first, ...others] = installed.get(`${namespace}/${refName}`) ?? []
      return others.length === 0 ? first : undefined
    },
  }
}

const EXCLUDE_GLOBAL_ANNOTATION = 'kapp-controller.carvel.dev/exclude-global-packages'

// A namespace sees its own Packages and the global ones, unless it says that it does not want those.
function visibility(
  packages: readonly CarvelPackage[],
  objects: readonly KrmObject[],
  { globalPackageNamespace }: CarvelOptions,
): CarvelContext['visible'] {
  const namespaces = objects.filter(({ kind }) => kind === 'Namespace')
  const excluding = new Set(namespaces.filter(({ annotations }) => annotations.has(EXCLUDE_GLOBAL_ANNOTATION)).map(({ name }) => name))
  const byName = groupBy(packages, ({ refName }) => refName)
  const isVisible = (each: CarvelPackage, namespace: string): boolean =>
    each.namespace === undefined || each.namespace === namespace || (each.namespace === globalPackageNamespace && !excluding.has(namespace))
  return (namespace, refName) => (byName.get(refName) ?? []).filter((each) => isVisible(each, namespace))
}

/** The versions of some Packages, highest first. */
export function versionsOf(packages: readonly CarvelPackage[], reader: RangeReader): Version[] {
  const texts = [...new Set(packages.map(({ version }) => version))].sort(compareText)
  return sortVersions(parseRelaxed(texts, reader.version), reader.dialect).reverse()
}
