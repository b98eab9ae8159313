import { checkDependencies } from '../../functions/check-dependencies/check-dependencies.ts'
import { fanOut } from '../../functions/fan-out/fan-out.ts'
import { injectConfig } from '../../functions/inject-config/inject-config.ts'
import { prependPipeline } from '../../functions/prepend-pipeline/prepend-pipeline.ts'
import type { KrmFunction } from '../../src/run.ts'
import { type Attack, repeat, WRAPPER } from './attack.ts'
import { catalog, glasskube, installed, needs, setWith, version } from './functions.ts'

const at = (path: string) => `    annotations:\n      internal.config.kubernetes.io/path: '${path}'\n`
export const configMap = (name: string, path: string, annotations = '') =>
  `- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: ${name}\n${at(path)}${annotations}  data: {a: b}\n`

/** The package of a variant that has so much more in its `spec`. */
export function variantOf(items: string, spec: string): string {
  return `${WRAPPER}- apiVersion: kpt.dev/v1\n  kind: Kptfile\n  metadata:\n    name: network\n${at('Kptfile')}${items}functionConfig:
  apiVersion: config.porch.kpt.dev/v1alpha1
  kind: PackageVariant
  metadata: {name: edge, namespace: default}
  spec:
    upstream: {repo: catalog, package: network, revision: 1}
    downstream: {repo: edge, package: network}
${spec}`
}

/** So many points, resources and injectors. */
function injections(count: number, injector: (index: number) => string): string {
  const points = repeat(count, (n) => configMap(`p${n}`, `p${n}.yaml`, '      kpt.dev/config-injection: required\n'))
  const sources = repeat(count, (n) => configMap(`cluster-settings-${1e6 + n}`, `sources/c${n}.yaml`))
  return variantOf(points + sources, `    injectors:\n${repeat(count, (n) => `    - name: ${injector(n)}\n`)}`)
}

/** So many files, and as many functions of which none has its own. */
function configPaths(count: number): string {
  const files = repeat(count, (n) => configMap(`a${n}`, `configuration/of-the-platform-${1e5 + n}.yaml`))
  const fn = (n: number) => `      - {image: 'a/b:c', name: f${n}, configPath: functions/settings-north-${1e5 + n}.yaml}\n`
  return variantOf(files, `    pipeline:\n      mutators:\n${repeat(count, fn)}`)
}

function repositories(count: number, labels: (index: number) => string): string {
  const head = '- apiVersion: config.porch.kpt.dev/v1alpha1\n  kind: Repository\n  metadata:\n    namespace: default\n'
  return repeat(count, (n) => `${head}    name: edge-${n}\n${at(`edge-${n}.yaml`)}    labels:\n${labels(n)}`)
}

const selector = (label: string) => `    - repositorySelector:\n        matchLabels:\n          ${label}\n`
const missingKey = (n: number) =>
  `${selector('env: prod')}      template:\n        labelExprs:\n        - {key: a, valueExpr: "repository.labels['${'q'.repeat(40)}${n}']"}\n`

const LONG = 'a'.repeat(5000)

function longNames(count: number): string {
  const packages = repeat(count, (n) => glasskube(`${LONG}${n}`, version('1.0.0', needs(`${LONG.replaceAll('a', 'b')}${n}`))))
  return catalog(packages).replace('functionConfig:', `${repeat(count, (n) => installed(`${LONG}${n}`))}functionConfig:`)
}

/** Attacks that are more work than an ordinary input of their size. */
const COUNTED: ReadonlyMap<string, string> = new Map([
  ['2,000 points, resources and injectors', '2,000 conditions and gates of as many injected values'],
])

/** Inputs that cost suggestions of near names more than their size. */
export const NAMES: readonly Attack[] = (
  [
    ['20 names of 5,000 letters', 12, checkDependencies, () => longNames(20)],
    [
      '100 injectors that name none of 100 resources, for 100 points',
      12,
      injectConfig,
      () => injections(100, (n) => `settings-of-edges-${1e5 + n * 7}`),
    ],
    ['2,000 points, resources and injectors', 80, injectConfig, () => injections(2000, (n) => `cluster-settings-${1e6 + n}`)],
    ['600 functions without their files, beside 600 files', 20, prependPipeline, () => configPaths(600)],
    [
      '600 selectors of labels that none of 600 Repositories has',
      20,
      fanOut,
      () =>
        `${setWith(repeat(600, (n) => selector(`region.of.the.platform-${1e5 + n}: x`)))}${repositories(600, (n) => `      locality.in.a.country-${1e5 + n}: v\n`)}`,
    ],
    [
      '300 templates that ask for a key, and Repositories of 1,000 labels',
      20,
      fanOut,
      () =>
        `${setWith(repeat(300, missingKey))}${repositories(3, () => `      env: prod\n${repeat(1000, (n) => `      ${'l'.repeat(40)}${n}: v\n`)}`)}`,
    ],
  ] as const satisfies readonly (readonly [string, number, KrmFunction, () => string])[]
).map(([what, units, fn, text]) => ({ what, units, fn, text, counted: COUNTED.get(what) }))
