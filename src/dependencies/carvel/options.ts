/** What the function config says about Carvel. */
export interface CarvelOptions {
  /** Which semver of kapp-controller reads ranges. */
  readonly carvelSemver: '2024' | '2026'
  readonly kappControllerVersion?: string | undefined
  /** Where kapp-controller looks for Packages that are visible in every namespace. */
  readonly globalPackageNamespace: string
}

export const GLOBAL_PACKAGE_NAMESPACE = 'kapp-controller-packaging-global'
