/** The options of the function config that concern Carvel. */
export interface CarvelOptions {
  /** The semver of kapp-controller that reads ranges: the one of 2024 or of 2026. */
  readonly carvelSemver: '2024' | '2026'
  readonly kappControllerVersion?: string | undefined
  /** The namespace whose Packages kapp-controller makes visible in every namespace. */
  readonly globalPackageNamespace: string
}

export const GLOBAL_PACKAGE_NAMESPACE = 'kapp-controller-packaging-global'
