import { groupBy } from '../group-by.ts'

/**
 * The kinds of Carvel, Crossplane and Glasskube (with those of Packages v2): one row for kinds that have the same versions. First the
 * versions that the newest release serves or reads, then those of older releases alone. A kind without versions is gone. Sources: the
 * CustomResourceDefinitions of the releases; crossplane#2804 (v1beta1 of Providers and Configurations), #4500 (v1alpha1 of Functions).
 */
const KINDS: readonly (readonly [group: string, kinds: string, served: string, older?: string])[] = [
  ['packaging.carvel.dev', 'PackageInstall PackageRepository', 'v1alpha1'],
  ['data.packaging.carvel.dev', 'Package PackageMetadata', 'v1alpha1'],
  ['internal.packaging.carvel.dev', 'InternalPackage InternalPackageMetadata', 'v1alpha1'],
  ['kappctrl.k14s.io', 'App', 'v1alpha1'],
  ['pkg.crossplane.io', 'Configuration ConfigurationRevision Provider ProviderRevision', 'v1', 'v1beta1 v1alpha1'],
  ['pkg.crossplane.io', 'Function FunctionRevision', 'v1 v1beta1', 'v1alpha1'],
  ['pkg.crossplane.io', 'DeploymentRuntimeConfig ImageConfig', 'v1beta1'],
  ['pkg.crossplane.io', 'Lock', 'v1beta1', 'v1alpha1'],
  ['pkg.crossplane.io', 'ControllerConfig Package PackageLock PackageRevision', ''],
  ['meta.pkg.crossplane.io', 'Configuration Provider', 'v1 v1alpha1', 'v1beta1'],
  ['meta.pkg.crossplane.io', 'Function', 'v1 v1beta1', 'v1alpha1'],
  ['packages.glasskube.dev', 'ClusterPackage Package PackageInfo PackageRepository', 'v1alpha1'],
]

/** Returns the kinds of each group of a package manager, sorted. */
export function kindsOfPackageManagers(): [group: string, kinds: string[]][] {
  return [...groupBy(KINDS, ([group]) => group)].map(([group, rows]) => [group, rows.flatMap(([, kinds]) => kinds.split(' ')).sort()])
}

/** The apiVersions of a kind. */
export interface VersionsOfKind {
  /** Those that the newest release serves, or reads in a package. */
  readonly served: readonly string[]
  /** Those of older releases alone. */
  readonly older: readonly string[]
}

const versions = new Map<string, VersionsOfKind>(
  KINDS.flatMap(([group, kinds, served, older = '']) => {
    const apis = (text: string) => text.split(' ').flatMap((version) => (version === '' ? [] : `${group}/${version}`))
    return served === '' ? [] : kinds.split(' ').map((kind) => [`${group}/${kind}`, { served: apis(served), older: apis(older) }] as const)
  }),
)

/** Returns the apiVersions of a kind of a package manager, `GROUP/KIND`; undefined for every other kind, and for one that is gone. */
export function versionsOfKind(groupKind: string): VersionsOfKind | undefined {
  return versions.get(groupKind)
}
