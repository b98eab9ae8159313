import { type Bench, costOf, judge, type Row, scaled, writeInput } from './bench.ts'
import { listOf } from './inputs.ts'
import { type Cost, tenTimes, workOf } from './measure.ts'

const CHECK = 'dist/check-dependencies.mjs'
const RESOLVE = 'dist/resolve-dependencies.mjs'
const VERSIONS = 20
const WIDE = 120

// What half of the packages lack is told, and is no failure of the run.
const CHECK_CONFIG = `apiVersion: fn.krm-variants.dev/v1alpha1
kind: CheckDependencies
metadata:
  name: check
spec:
  universe: closed
  rules:
    dependency-cycle: warning
    dependency-missing: warning
    dependency-conflict: warning
`

const RESOLVE_CONFIG = `apiVersion: fn.krm-variants.dev/v1alpha1
kind: ResolveDependencies
metadata:
  name: resolve
spec:
  universe: closed
  rules:
    dependency-cycle: warning
`

/** The options of the function, and which minor version of the package of a number is installed. */
interface Installed {
  readonly config: string
  readonly minorOf: (number: number) => number
}

/** Some of them in conflict. */
const CHECKED: Installed = { config: CHECK_CONFIG, minorOf: (number) => 10 + (number % 7) }
/** All at one version, which meets every requirement: what is missing can be added. */
const RESOLVED: Installed = { config: RESOLVE_CONFIG, minorOf: () => 10 }

/** Returns what the package of a number requires: three others, which makes diamonds; one requires 120; two require each other. */
function requiredBy(number: number, count: number): readonly number[] {
  if (number === 3) return [...new Set(Array.from({ length: WIDE }, (_, i) => (i * 7 + 11) % count))]
  if (number === 5) return [6]
  if (number === 6) return [5]
  return [...new Set([number * 31 + 1, number * 17 + 2, number * 13 + 3].map((other) => other % count))]
}

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, number) => number)
}

const source = (number: number): string => `registry.example.org/acme/provider-${number}`
const refName = (number: number): string => `package-${number}.example.carvel.dev`
const annotation = (path: string): string =>
  `  annotations:\n    config.kubernetes.io/path: '${path}'\n    internal.config.kubernetes.io/path: '${path}'\n`

/** One Catalog with every package, half of them installed as Providers. */
function crossplaneList(count: number, { config, minorOf }: Installed): string {
  const catalog = `apiVersion: fn.krm-variants.dev/v1alpha1\nkind: Catalog\nmetadata:\n  name: known\n${annotation('catalog.yaml')}spec:\n  packages:\n`
  const packages = numbers(count).map((number) => {
    const versions = numbers(VERSIONS).map((version) => {
      const dependencies = requiredBy(number, count).map(
        (other) => `      - provider: ${source(other)}\n        version: '>=v1.${Math.max(0, version - 5)}.0, <v2.0.0'\n`,
      )
      return `    - version: v1.${version}.0\n      dependencies:\n${dependencies.join('')}`
    })
    return `  - ecosystem: crossplane\n    id: ${source(number)}\n    kind: Provider\n    versions:\n${versions.join('')}`
  })
  const installed = numbers(count).filter((number) => number % 2 === 0)
  const providers = installed.map(
    (number) =>
      `apiVersion: pkg.crossplane.io/v1\nkind: Provider\nmetadata:\n  name: provider-${number}\n${annotation(`providers/${number}.yaml`)}spec:\n  package: ${source(number)}:v1.${minorOf(number)}.0\n`,
  )
  return listOf([catalog + packages.join(''), ...providers], config)
}

/** The same as Packages of kapp-controller, half of them installed. */
function carvelList(count: number, { config, minorOf }: Installed): string {
  const packages = numbers(count).flatMap((number) =>
    numbers(VERSIONS).map((version) => {
      const dependencies = requiredBy(number, count).map(
        (other) => `  - package:\n      refName: ${refName(other)}\n      version: '>=1.${Math.max(0, version - 5)}.0 <2.0.0'\n`,
      )
      const name = `${refName(number)}.1.${version}.0`
      const spec = `spec:\n  refName: ${refName(number)}\n  version: 1.${version}.0\n  dependencies:\n${dependencies.join('')}`
      return `apiVersion: data.packaging.carvel.dev/v1alpha1\nkind: Package\nmetadata:\n  name: ${name}\n  namespace: default\n${annotation(`packages/${number}.yaml`)}${spec}`
    }),
  )
  const installed = numbers(count).filter((number) => number % 2 === 0)
  const installs = installed.map((number) => {
    const selection = `spec:\n  packageRef:\n    refName: ${refName(number)}\n    versionSelection:\n      constraints: 1.${minorOf(number)}.0\n`
    return `apiVersion: packaging.carvel.dev/v1alpha1\nkind: PackageInstall\nmetadata:\n  name: package-${number}\n  namespace: default\n${annotation(`installs/${number}.yaml`)}${selection}`
  })
  return listOf([...packages, ...installs], config)
}

const LISTS = [
  { what: 'a Catalog', list: crossplaneList },
  { what: 'Carvel Packages', list: carvelList },
]

/** check-dependencies and resolve-dependencies on 1,000 and 10,000 packages of 20 versions each, and that ten times as many take ten times as long. */
export function dependencies(bench: Bench): readonly Row[] {
  const [few, many] = [scaled(bench, 1_000), scaled(bench, 10_000)]
  return LISTS.flatMap(({ what, list }) => {
    const cost = (count: number, bundle: string, installed: Installed) =>
      costOf(bench, bundle, writeInput(bench, `dependencies-${list.name}-${count}.yaml`, list(count, installed)))
    const [small, large] = [cost(few, CHECK, CHECKED), cost(many, CHECK, CHECKED)]
    const [fewResolved, manyResolved] = [cost(few, RESOLVE, RESOLVED), cost(many, RESOLVE, RESOLVED)]
    return [
      judgeAlone(bench, `check-dependencies on ${few} packages, ${what}`, small, 1, 250),
      judgeAlone(bench, `check-dependencies on ${many} packages, ${what}`, large, 8),
      judgeGrowth(bench, `check-dependencies on ${many} packages, ${what}`, large, { what: `10 x ${few} packages`, ...small }),
      judge(bench, `resolve-dependencies on ${few} packages, ${what}`, fewResolved, 4, 300),
      judgeGrowth(bench, `resolve-dependencies on ${many} packages, ${what}`, manyResolved, {
        what: `10 x ${few} packages`,
        ...fewResolved,
      }),
    ]
  })
}

function judgeGrowth({ quick }: Bench, what: string, ours: Cost, tenth: Cost & { readonly what: string }): Row {
  const baseline = { what: tenth.what, ...tenTimes(tenth) }
  return { what, ours, baseline, must: 'baseline + 25 %', ...(!quick && { met: workOf(ours) <= workOf(tenth) * 12.5 }) }
}

// These rows are seconds of the machine: nothing else does this work, so there is nothing to run beside it.
function judgeAlone({ quick }: Bench, what: string, ours: Cost, seconds: number, megabytes?: number): Row {
  const met = workOf(ours) <= seconds && (megabytes === undefined || (ours.usage?.megabytes ?? 0) <= megabytes)
  return { what, ours, must: `${seconds} s${megabytes === undefined ? '' : `, ${megabytes} MB`}`, ...(!quick && { met }) }
}
