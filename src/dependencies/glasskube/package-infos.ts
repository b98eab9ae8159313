import { isUpgradable } from '../../versions/blang-version.ts'

/** A version of a package that the operator has fetched, or is to fetch. */
export interface PackageInfo {
  readonly name: string
  readonly packageName: string
  readonly version: string
  /** True when the manifest of the PackageInfo is present. */
  readonly isReady: boolean
}

/** The inputs of one reconcile of a package. */
export interface ObservedGlasskubePackage {
  readonly packageName: string
  readonly repository: string
  /** `spec.packageInfo.version`; '' asks for the latest. */
  readonly pinned: string
  /** `status.version`; '' when nothing is installed yet. */
  readonly installed: string
  /** The highest known version; '' when none is known. */
  readonly latest: string
}

/** A PackageInfo that is created or deleted, and the reason. */
export interface PackageInfoStep {
  readonly op: 'create' | 'delete'
  readonly info: PackageInfo
  readonly why: string
}

/** The outcome of one reconcile: steps on PackageInfos, and the version that is installed afterwards. */
export interface PackageInfoReconcile {
  readonly steps: readonly PackageInfoStep[]
  /** '' when the installed version is unknown or nothing is installed yet. */
  readonly installed: string
}

/**
 * Returns the name of a PackageInfo: `[REPOSITORY--]NAME--VERSION` in lower case, each character that a name must not have replaced by
 * `--`.
 */
export function packageInfoName(repository: string, packageName: string, version: string): string {
  const parts = [...(repository === '' ? [] : [repository]), packageName, version]
  return parts
    .join('--')
    .replace(/[^A-Za-z0-9_.-]/g, '--')
    .toLowerCase()
}

/**
 * Returns the version that a package asks for: the pinned version, else the latest known one, but never one below the installed version
 * (seed 004 rules 1 and 5).
 */
export function wantedVersion({ pinned, installed, latest }: Omit<ObservedGlasskubePackage, 'packageName' | 'repository'>): string {
  if (pinned !== '') return pinned
  return installed !== '' && (latest === '' || !isUpgradable(installed, latest)) ? installed : latest
}

/**
 * One reconcile of a package (seed 004 rule 3): a PackageInfo for the wanted version; once that is ready the version is installed, and the
 * PackageInfos of older ones go, unless another package asks for them.
 *
 * @param infos  those of the package and of the name that it asks for
 * @param kept  the names of PackageInfos that other packages ask for
 */
export function reconcilePackageInfos(
  observed: ObservedGlasskubePackage,
  infos: readonly PackageInfo[],
  kept: Pick<ReadonlySet<string>, 'has'>,
): PackageInfoReconcile {
  const { packageName, repository, installed, pinned } = observed
  const version = wantedVersion(observed)
  if (version === '') return { steps: [], installed }
  const name = packageInfoName(repository, packageName, version)
  const there = infos.find((each) => each.name === name)
  if (there === undefined) {
    const why = pinned === '' ? `${version} is the latest version` : `the package is pinned to ${version}`
    return { steps: [{ op: 'create', info: { name, packageName, version, isReady: false }, why }], installed }
  }
  if (!there.isReady) return { steps: [], installed }
  const isOld = (each: PackageInfo): boolean =>
    each.packageName === packageName && each.name === packageInfoName(repository, packageName, each.version) && each.name !== name
  const old = infos.filter((each) => isOld(each) && !kept.has(each.name))
  return {
    steps: old.map((info) => ({ op: 'delete', info, why: `${version} is ready, and nobody asks for ${info.version}` })),
    installed: version,
  }
}
