import { planOn } from '../../../../testdata/conformance-runner/dependencies/plans.ts'

/** Returns a Carvel package at a version, with what it requires: `b >=1.0.0`. */
export function packageOfCarvel(name: string, version: string, ...required: readonly string[]): object {
  const dependencies = required.map((text) => {
    const [refName = '', range = ''] = text.split(' ')
    return { package: { refName: `${refName}.example.com`, version: range } }
  })
  return {
    apiVersion: 'data.packaging.carvel.dev/v1alpha1',
    kind: 'Package',
    metadata: { name: `${name}.example.com.${version}`, namespace: 'default' },
    spec: { refName: `${name}.example.com`, version, ...(dependencies.length > 0 && { dependencies }) },
  }
}

/** Returns an install of a Carvel package; a generated one names the install for which it was made. */
export function install(name: string, version: string, owner?: string, object = owner === undefined ? name : `${name}-made`): object {
  const annotations = { 'krm-variants.dev/resolved': version, 'kapp-controller.carvel.dev/owner': `PackageInstall/${owner}` }
  return {
    apiVersion: 'packaging.carvel.dev/v1alpha1',
    kind: 'PackageInstall',
    metadata: { name: object, namespace: 'default', ...(owner !== undefined && { annotations }) },
    spec: {
      serviceAccountName: 'default-sa',
      packageRef: { refName: `${name}.example.com`, versionSelection: { constraints: version } },
    },
  }
}

/** Returns the steps of a plan, each in a line: the operation, the package, its pass and its owner, and the packages that require it. */
export function steps(objects: readonly object[], options: Parameters<typeof planOn>[1] = {}): readonly string[] {
  const { plan } = planOn(objects, { strategy: 'satisfy', upgrades: 'none', ...options })
  const lines = plan.steps.map(({ op, package: { id }, version, name, owner, pass, parents }) => {
    const why = parents.length === 0 ? '' : ` for ${parents.map((parent) => short(parent.name)).join(', ')}`
    return `${op} ${short(id)} ${version} as ${name}, pass ${pass}${owner === undefined ? '' : `, of ${owner}`}${why}`
  })
  return [...lines, ...plan.failures.map(({ packages, reason }) => `${reason}: ${packages.map(short).join(', ')}`)]
}

function short(name: string): string {
  return name.replace('.example.com', '')
}

/** Returns a package a that requires b in a range, the three versions of b, and the install of a. */
export const REQUIRES = (range: string) => [
  packageOfCarvel('a', '1.0.0', `b ${range}`),
  ...['1.0.0', '2.0.0', '3.0.0'].map((version) => packageOfCarvel('b', version)),
  install('a', '1.0.0'),
]

/** Returns a Carvel package whose dependencies are given as they are written, and that may provide a kind. */
export function packageWith(name: string, version: string, fields: object): object {
  const made = packageOfCarvel(name, version)
  return { ...made, spec: { ...Reflect.get(made, 'spec'), ...fields } }
}

/** Returns a requirement as it is written. */
export const needs = (name: string, version = '>=1.0.0') => ({ package: { refName: `${name}.example.com`, version } })

/** Packages whose requirements meet in d. */
export const CHAIN = [
  packageOfCarvel('a', '1.0.0', 'b >=1.0.0', 'c >=1.0.0'),
  packageOfCarvel('b', '1.0.0', 'd >=1.0.0'),
  packageOfCarvel('c', '1.0.0', 'd <2.0.0'),
  packageOfCarvel('d', '1.0.0'),
  packageOfCarvel('d', '2.0.0'),
  packageOfCarvel('z', '1.0.0', 'c >=1.0.0'),
]
