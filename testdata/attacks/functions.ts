import { checkDependencies } from '../../functions/check-dependencies/check-dependencies.ts'
import { fanOut } from '../../functions/fan-out/fan-out.ts'
import { setContext } from '../../functions/set-context/set-context.ts'
import type { KrmFunction } from '../../src/run.ts'
import { type Attack, repeat, WRAPPER } from './attack.ts'

export function setWith(targets: string): string {
  return `${WRAPPER}- apiVersion: config.porch.kpt.dev/v1alpha2
  kind: PackageVariantSet
  metadata:
    name: edge
    namespace: default
    annotations:
      internal.config.kubernetes.io/path: 'set.yaml'
  spec:
    upstream:
      repo: catalog
      package: network
      revision: 1
    targets:
${targets}`
}

function withExpression(expression: string, count = 1): string {
  const target = `    - repositories:
      - name: edge-0
      template:
        downstream:
          packageExpr: ${JSON.stringify(expression)}
`
  return `${setWith(target.repeat(count))}${repositories(1)}`
}

export function repositories(count: number): string {
  return repeat(
    count,
    (n) => `- apiVersion: config.porch.kpt.dev/v1alpha1
  kind: Repository
  metadata:
    name: edge-${n}
    namespace: default
    labels:
      env: prod
    annotations:
      internal.config.kubernetes.io/path: 'edge-${n}.yaml'
`,
  )
}

export const BY_LABEL = '    - repositorySelector:\n        matchLabels:\n          env: prod\n'

/** A package context and a variant that writes so many keys to it. */
export function context(keys: string, wanted: string): string {
  return `${WRAPPER}- apiVersion: kpt.dev/v1
  kind: Kptfile
  metadata:
    name: network
    annotations:
      internal.config.kubernetes.io/path: 'Kptfile'
- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: kptfile.kpt.dev
    annotations:
      internal.config.kubernetes.io/path: 'package-context.yaml'
  data:
${keys}functionConfig:
  apiVersion: config.porch.kpt.dev/v1alpha1
  kind: PackageVariant
  metadata:
    name: edge
  spec:
    upstream: {repo: catalog, package: network, revision: 1}
    downstream: {repo: edge, package: network}
    packageContext:
      data:
${wanted}`
}

export const keys = (count: number, indent: string, value: string) => repeat(count, (n) => `${indent}k${n}: ${value}${n}\n`)

export function catalog(packages: string): string {
  return `${WRAPPER}- apiVersion: fn.krm-variants.dev/v1alpha1
  kind: Catalog
  metadata:
    name: known
    annotations:
      internal.config.kubernetes.io/path: 'catalog.yaml'
  spec:
    packages:
${packages}functionConfig:
  apiVersion: fn.krm-variants.dev/v1alpha1
  kind: CheckDependencies
  metadata:
    name: check
`
}

export function glasskube(id: string, versions: string): string {
  return `    - ecosystem: glasskube\n      id: ${id}\n      versions:\n${versions}`
}

export const version = (number: string, dependencies: string) => `      - version: ${number}\n        dependencies:${dependencies}\n`

export function installed(id: string): string {
  return `- apiVersion: packages.glasskube.dev/v1alpha1\n  kind: ClusterPackage\n  metadata:\n    name: ${id}\n  spec:\n    packageInfo:\n      name: ${id}\n      version: 1.0.0\n`
}

export const needs = (name: string, range?: string) =>
  `\n        - name: ${name}${range === undefined ? '' : `\n          version: ${JSON.stringify(range)}`}`

const BUCKET = `    - gvk:\n        apiVersion: example.org/v1\n        kind: Bucket\n`

function carvelPackage(refName: string, list: 'provides' | 'dependencies'): string {
  return `- apiVersion: data.packaging.carvel.dev/v1alpha1\n  kind: Package\n  metadata:\n    name: ${refName}.1.0.0\n  spec:\n    refName: ${refName}\n    version: 1.0.0\n    ${list}:\n${BUCKET}`
}

function packageInstall(name: string, refName: string): string {
  return `- apiVersion: packaging.carvel.dev/v1alpha1\n  kind: PackageInstall\n  metadata:\n    name: ${name}\n  spec:\n    packageRef:\n      refName: ${refName}\n`
}

/** So many packages of Carvel that provide a kind, and as many installed ones that require it. */
export function providers(count: number): string {
  const user = (n: number) => `user-${n}.example.org`
  return `${WRAPPER}${repeat(
    count,
    (n) =>
      carvelPackage(`provider-${n}.example.org`, 'provides') +
      carvelPackage(user(n), 'dependencies') +
      packageInstall(`user-${n}`, user(n)),
  )}`
}

/** Attacks that are more work than an ordinary input of their size. */
const COUNTED: ReadonlyMap<string, string> = new Map([
  ['20,000 keys that stand twice', '20,000 errors, each with its two lines'],
  ['20,000 packages that are numbers', '20,000 faults, of which 100 are told'],
  ['20,000 names of one package', '20,000 variants for 10 downstreams, each of a field of its own'],
])

/** Inputs that cost a function more than their size. */
export const FUNCTIONS: readonly Attack[] = (
  [
    ['4,000 keys set in one ConfigMap', 20, setContext, () => context(keys(4000, '    ', 'old-'), keys(4000, '        ', 'new-'))],
    ['4,000 keys new in one ConfigMap', 15, setContext, () => context('    a: b\n', keys(4000, '        ', 'new-'))],
    [
      '4,000 keys set beside an anchor',
      93,
      setContext,
      () => context(`    a: &a b\n${keys(4000, '    ', 'old-')}`, keys(4000, '        ', 'new-')),
    ],
    ['20,000 keys unchanged', 43, setContext, () => context(keys(20_000, '    ', 'same-'), keys(20_000, '        ', 'same-'))],
    ['20,000 keys that stand twice', 45, setContext, () => context(keys(20_000, '    ', 'a').repeat(2), keys(100, '        ', 'new-'))],
    [
      '4,000 keys set with CRLF',
      23,
      setContext,
      () => context(keys(4000, '    ', 'old-'), keys(4000, '        ', 'new-')).replaceAll('\n', '\r\n'),
    ],
    ['10,000 targets that are wrong', 78, fanOut, () => setWith('    - repository: x\n'.repeat(10_000))],
    [
      '4,000 values of a wrong type',
      42,
      fanOut,
      () => setWith(`    - repositories:\n      - name: a\n        packageNames:\n${'        - [1]\n'.repeat(4000)}`),
    ],
    ['20,000 unknown fields', 217, fanOut, () => setWith(`    - repositories: []\n${keys(20_000, '      ', '')}`)],
    ['5,000 targets with failing templates', 116, fanOut, () => withExpression('target.nope', 5000)],
    ['20,000 targets with failing templates', 375, fanOut, () => withExpression('target.nope', 20_000)],
    [
      '20,000 Repositories and one failing template',
      139,
      fanOut,
      () =>
        `${setWith(`${BY_LABEL}      template:\n        downstream:\n          packageExpr: repository.labels.nope\n`)}${repositories(20_000)}`,
    ],
    ['100 sets of targets on 2,000 Repositories', 110, fanOut, () => `${setWith(BY_LABEL.repeat(100))}${repositories(2000)}`],
    [
      'a selector of 10,000 terms on 1,000 Repositories',
      106,
      fanOut,
      () =>
        `${setWith(`    - repositorySelector:\n        matchExpressions:\n${'        - {key: env, operator: In, values: [prod]}\n'.repeat(10_000)}`)}${repositories(1000)}`,
    ],
    [
      '20,000 names of one package',
      50,
      fanOut,
      () => setWith(`    - repositories:\n      - name: edge\n        packageNames: [${repeat(20_000, (n) => `p${n % 10}, `)}p]\n`),
    ],
    ['5,000 parentheses in CEL', 6, fanOut, () => withExpression(`${'('.repeat(5000)}'a'${')'.repeat(5000)}`)],
    ['10,000 operators in CEL', 8, fanOut, () => withExpression(`'a'${" + 'a'".repeat(10_000)}`)],
    ['digits by the hundred thousand in CEL', 6, fanOut, () => withExpression(`string(${'9'.repeat(100_000)})`)],
    ['a regular expression that backtracks', 6, fanOut, () => withExpression(`'${'a'.repeat(10_000)}!'.matches('^(a+)+$') ? 'a' : 'b'`)],
    [
      'a regular expression of a thousand repeats',
      6,
      fanOut,
      () => withExpression(`'a'.matches('${'(a{1,100}'.repeat(5)}${')'.repeat(5)}') ? 'a' : 'b'`),
    ],
    [
      'loops in loops in CEL',
      11,
      fanOut,
      () =>
        withExpression(
          `[${'1,'.repeat(100)}1].all(a, [${'1,'.repeat(100)}1].all(b, [${'1,'.repeat(100)}1].all(c, [${'1,'.repeat(100)}1].all(d, true)))) ? 'a' : 'b'`,
        ),
    ],
    [
      'a constraint of 25,000 hyphens',
      6,
      checkDependencies,
      () => catalog(glasskube('a', version('1.0.0', needs('b', '1.0.0 - '.repeat(25_000)))) + glasskube('b', version('1.0.0', ' []'))),
    ],
    [
      'a constraint of 10,000 alternatives',
      6,
      checkDependencies,
      () => catalog(glasskube('a', version('1.0.0', needs('b', '>=1.0.0 || '.repeat(10_000)))) + glasskube('b', version('1.0.0', ' []'))),
    ],
    [
      '20,000 versions of a package',
      32,
      checkDependencies,
      () =>
        catalog(
          glasskube(
            'a',
            repeat(20_000, (n) => version(`1.${n}.0`, ' []')),
          ),
        ),
    ],
    [
      'a cycle of 10,000 packages',
      56,
      checkDependencies,
      () =>
        catalog(repeat(10_000, (n) => glasskube(`p${n}`, version('1.0.0', needs(`p${(n + 1) % 10_000}`))))).replace(
          'functionConfig:',
          `${installed('p0')}functionConfig:`,
        ),
    ],
    [
      '10,000 packages that require one that is missing',
      42,
      checkDependencies,
      () => catalog(repeat(10_000, (n) => glasskube(`p${n}`, version('1.0.0', needs('missing'))))),
    ],
    ['20,000 rules of a wrong kind', 100, checkDependencies, () => `${catalog('')}  spec:\n    rules:\n${keys(20_000, '      ', 'x')}`],
    ['20,000 packages that are numbers', 100, checkDependencies, () => catalog(repeat(20_000, (n) => `    - ${n}\n`))],
    [
      '20,000 rules that are none',
      145,
      checkDependencies,
      () => `${catalog('')}  spec:\n    rules:\n${repeat(20_000, (n) => `      dependency-missin${n}: error\n`)}`,
    ],
    [
      '20,000 packages with an unknown field',
      105,
      checkDependencies,
      () => catalog(repeat(20_000, (n) => `    - ecosystem: glasskube\n      id: p${n}\n      verions: []\n`)),
    ],
    ['a kind that 3,000 packages provide and 3,000 require', 165, checkDependencies, () => providers(3000)],
  ] as const satisfies readonly (readonly [string, number, KrmFunction, () => string])[]
).map(([what, units, fn, text]) => ({ what, units, fn, text, counted: COUNTED.get(what) }))
