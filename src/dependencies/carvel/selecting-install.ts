import type { PackageInstall } from './installs.ts'
import type { CarvelPackage } from './packages.ts'
import type { PackageSelection, Platform } from './select.ts'

/** A PackageInstall with the Packages it sees and the one it selects. */
export interface SelectingInstall {
  readonly install: PackageInstall
  readonly visible: readonly CarvelPackage[]
  readonly selection: PackageSelection<CarvelPackage>
  readonly platform: Platform
}
