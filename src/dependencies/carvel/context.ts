import { compareText } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { parseRelaxed, sortVersions } from '../../versions/selection.ts'
import type { Version } from '../../versions/version.ts'
import type { RangeReader } from '../range.ts'
import { Collector } from '../reading/collector.ts'
import type { Cluster } from '../reading/options.ts'
import { type TargetTable, targetTable } from '../targets.ts'
import type { Target } from '../universe.ts'
import { type DeclaredDependency, readDependencies } from './dependencies.ts'
import type { CarvelPackage } from './packages.ts'
import { allowsPlatform } from './select.ts'

/** Everything about Carvel that is needed to read one PackageInstall. */
export interface CarvelContext {
  readonly reader: RangeReader
  readonly cluster: Cluster
  readonly targets: TargetTable
  /** The Packages of a refName that a namespace sees. */
  visible(namespace: string, refName: string): readonly CarvelPackage[]
  /** Their versions, highest first. */
  versions(namespace: string, refName: string): readonly Version[]
  /** What a Package declares; undefined: it is not known. The faults of its forms are not reported here. */
  declaredBy(selected: CarvelPackage | undefined): readonly DeclaredDependency[] | undefined
}

export function carvelContext(
  packages: readonly CarvelPackage[],
  objects: readonly KrmObject[],
  cluster: Cluster,
  reader: RangeReader,
): CarvelContext {
  const visible = visibility(packages, objects, cluster)
  const versions = new Map<string, Map<string, readonly Version[]>>()
  const declared = new Map<CarvelPackage, readonly DeclaredDependency[] | undefined>()
  return {
    reader,
    cluster,
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
      const field = selected.dependencies()
      const read = declared.get(selected) ?? (field && readDependencies(field, new Collector('carvel', reader)))
      declared.set(selected, read)
      return read
    },
  }
}

const EXCLUDE_GLOBAL_ANNOTATION = 'kapp-controller.carvel.dev/exclude-global-packages'

// A namespace sees its own Packages and the global ones, unless it says that it does not want those.
function visibility(packages: readonly CarvelPackage[], objects: readonly KrmObject[], cluster: Cluster): CarvelContext['visible'] {
  const namespaces = objects.filter(({ kind }) => kind === 'Namespace')
  const excluding = new Set(namespaces.filter(({ annotations }) => annotations.has(EXCLUDE_GLOBAL_ANNOTATION)).map(({ name }) => name))
  const byName = groupBy(packages, ({ refName }) => refName)
  const isVisible = (each: CarvelPackage, namespace: string): boolean =>
    each.namespace === undefined ||
    each.namespace === namespace ||
    (each.namespace === cluster.globalPackageNamespace && !excluding.has(namespace))
  return (namespace, refName) => (byName.get(refName) ?? []).filter((each) => isVisible(each, namespace))
}

function versionsOf(packages: readonly CarvelPackage[], reader: RangeReader): Version[] {
  const texts = [...new Set(packages.map(({ version }) => version))].sort(compareText)
  return sortVersions(parseRelaxed(texts, reader.version), reader.dialect).reverse()
}

/** The target of a package in a namespace; only versions that run on the cluster are known of it. */
export function targetOf(namespace: string, refName: string, { targets, visible, reader, cluster }: CarvelContext): Target {
  return targets.target(`${namespace}/${refName}`, refName, () => {
    const runnable = visible(namespace, refName).filter(
      (each) =>
        allowsPlatform(each.kubernetesVersionSelection, cluster.kubernetesVersion, reader) &&
        allowsPlatform(each.kappControllerVersionSelection, cluster.kappControllerVersion, reader),
    )
    return versionsOf(runnable, reader)
  })
}
