/** What the cluster is, as far as the user said. */
export interface Cluster {
  readonly kubernetesVersion?: string | undefined
  readonly crossplaneVersion?: string | undefined
  readonly kappControllerVersion?: string | undefined
  readonly globalPackageNamespace: string
}

/** What the function config says about how the universe is read. */
export interface ReadOptions {
  /** Whether items, catalogs and the cluster are all there is. */
  readonly closed: boolean
  readonly cluster: Cluster
  readonly carvelSemver: '2024' | '2026'
  readonly crossplaneSemantics: 'current' | 'seed'
}

/** Where kapp-controller looks for Packages that are visible in every namespace. */
export const GLOBAL_PACKAGE_NAMESPACE = 'kapp-controller-packaging-global'
