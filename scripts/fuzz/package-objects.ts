import type { RandomDependency, RandomInstall, RandomPackages, Words } from './random-packages.ts'

/** Random packages as the objects of one system, and what is installed in such objects. */
export interface PackageSystem {
  readonly name: string
  readonly words: Words
  objectsOf(packages: RandomPackages): object[]
  /** The package and the version that an object installs. */
  installedBy(object: InstallingObject): { readonly package: number; readonly version: string } | undefined
}

/** The fields in which the systems name what is installed. */
export interface InstallingObject {
  readonly kind?: string
  readonly spec?: {
    readonly package?: string
    readonly packageInfo?: { readonly name: string; readonly version: string }
    readonly packageRef?: { readonly refName: string; readonly versionSelection: { readonly constraints: string } }
  }
}

const MASTERMINDS = ['>=1.0.0', '>=1.1.0', '<1.2.0', '1.1.0', '^1.1.0', '~1.2.0', '1.0.0 || 1.3.0', '<1.1.0']
const K14S = ['>=1.0.0', '>=1.1.0', '<1.2.0', '1.1.0', '>=1.1.0 <1.3.0', '>1.0.0 <1.2.0 || 1.3.0', '1.0.0', '<1.1.0', undefined]
const GENERATED = 'krm-variants.dev/resolved'

const carvel: PackageSystem = {
  name: 'carvel',
  words: { ranges: K14S, hasAlternatives: true, hasOptional: true },
  objectsOf: ({ packages }) => [
    ...packages.flatMap(({ versions }, number) =>
      versions.map(({ version, dependencies }) => ({
        apiVersion: 'data.packaging.carvel.dev/v1alpha1',
        kind: 'Package',
        metadata: { name: `p${number}.test.dev.${version}` },
        spec: { refName: `p${number}.test.dev`, version, dependencies: dependencies.map(carvelDependency) },
      })),
    ),
    ...installsOf({ packages }, (number, { version, generated }) => ({
      apiVersion: 'packaging.carvel.dev/v1alpha1',
      kind: 'PackageInstall',
      metadata: generated
        ? {
            name: `p${number}.test.dev.${version}`,
            annotations: { [GENERATED]: version, 'kapp-controller.carvel.dev/owner': 'PackageInstall/gone' },
          }
        : { name: `user-${number}` },
      spec: {
        serviceAccountName: `sa-${number}`,
        packageRef: { refName: `p${number}.test.dev`, versionSelection: { constraints: version } },
      },
    })),
  ],
  installedBy: ({ spec }) => spec?.packageRef && installed(spec.packageRef.refName, spec.packageRef.versionSelection.constraints),
}

function carvelDependency({ anyOf, optional }: RandomDependency): object {
  const [first, ...others] = anyOf.map((each) => ({
    package: { refName: `p${each.package}.test.dev`, ...(each.range !== undefined && { version: each.range }) },
  }))
  return { ...(others.length === 0 ? first : { or: [first, ...others] }), ...(optional && { optional }) }
}

const crossplane: PackageSystem = {
  name: 'crossplane',
  words: { ranges: MASTERMINDS, hasAlternatives: false, hasOptional: false },
  objectsOf: ({ packages }) => [
    catalogOf({ packages }, (number, dependencies) => ({
      ecosystem: 'crossplane',
      id: `reg.io/acme/p${number}`,
      kind: 'Provider',
      versions: dependencies.map(({ version, wanted }) => ({
        version: `v${version}`,
        dependencies: wanted.map((each) => ({ provider: `reg.io/acme/p${each.package}`, version: each.range })),
      })),
    })),
    ...installsOf({ packages }, (number, { version, generated }) => ({
      apiVersion: 'pkg.crossplane.io/v1',
      kind: 'Provider',
      metadata: generated ? { name: `acme-p${number}`, annotations: { [GENERATED]: `v${version}` } } : { name: `user-${number}` },
      spec: { package: `reg.io/acme/p${number}:v${version}` },
    })),
  ],
  installedBy: ({ kind, spec }) => {
    const [source, version] = kind === 'Provider' ? (spec?.package?.split(':v') ?? []) : []
    return source === undefined || version === undefined ? undefined : installed(source, version)
  },
}

const glasskube: PackageSystem = {
  name: 'glasskube',
  words: { ranges: MASTERMINDS, hasAlternatives: false, hasOptional: false },
  objectsOf: ({ packages }) => [
    catalogOf({ packages }, (number, dependencies) => ({
      ecosystem: 'glasskube',
      id: `p${number}`,
      versions: dependencies.map(({ version, wanted }) => ({
        version,
        dependencies: wanted.map((each) => ({ name: `p${each.package}`, version: each.range })),
      })),
    })),
    ...installsOf({ packages }, (number, { version, generated }) => ({
      apiVersion: 'packages.glasskube.dev/v1alpha1',
      kind: 'ClusterPackage',
      metadata: {
        name: `p${number}`,
        ...(generated && { annotations: { [GENERATED]: version, 'packages.glasskube.dev/installed-as-dependency': 'true' } }),
      },
      spec: { packageInfo: { name: `p${number}`, version } },
    })),
  ],
  installedBy: ({ spec }) => spec?.packageInfo && installed(spec.packageInfo.name, spec.packageInfo.version),
}

export const PACKAGE_SYSTEMS: readonly PackageSystem[] = [carvel, crossplane, glasskube]

function installed(name: string, version: string): { readonly package: number; readonly version: string } {
  return { package: Number(/p(\d)/.exec(name)?.[1]), version }
}

type Known = Pick<RandomPackages, 'packages'>

function installsOf({ packages }: Known, objectOf: (number: number, install: RandomInstall) => object): object[] {
  return packages.flatMap(({ install }, number) => (install === undefined ? [] : [objectOf(number, install)]))
}

interface ListedVersion {
  readonly version: string
  /** The first of each: no alternatives. */
  readonly wanted: RandomDependency['anyOf']
}

function catalogOf({ packages }: Known, entryOf: (number: number, versions: readonly ListedVersion[]) => object): object {
  const entries = packages.map(({ versions }, number) =>
    entryOf(
      number,
      versions.map(({ version, dependencies }) => ({ version, wanted: dependencies.flatMap(({ anyOf }) => anyOf.slice(0, 1)) })),
    ),
  )
  return { apiVersion: 'fn.krm-variants.dev/v1alpha1', kind: 'Catalog', metadata: { name: 'known' }, spec: { packages: entries } }
}
