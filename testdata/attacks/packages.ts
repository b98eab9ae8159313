import { injectConfig } from '../../functions/inject-config/inject-config.ts'
import { prependPipeline } from '../../functions/prepend-pipeline/prepend-pipeline.ts'
import { renderVariants } from '../../functions/render-variants/render-variants.ts'
import { resolveDependencies } from '../../functions/resolve-dependencies/resolve-dependencies.ts'
import type { KrmFunction } from '../../src/run.ts'
import { type Attack, repeat, WRAPPER } from './attack.ts'
import { catalog, glasskube, installed, keys, needs, version } from './functions.ts'
import { configMap, variantOf } from './names.ts'

/** A package with so much behind the metadata of its Kptfile, and a variant whose pipeline is put before its own. */
export function pipelines(kptfile: string, mutators: string): string {
  return variantOf(kptfile, `    pipeline:\n      mutators:\n${mutators}`)
}

export const functions = (count: number, indent: string) => repeat(count, (n) => `${indent}- {image: 'a/b:c', name: f${n}}\n`)

const POINT = '      kpt.dev/config-injection: required\n'

/** So many points, and so many resources and injectors of which the last ones go together. */
export function injections(points: number, resources: number): string {
  const items =
    repeat(points, (n) => configMap(`p${n}`, `p${n}.yaml`, POINT)) + repeat(resources, (n) => configMap(`s${n}`, `sources/s${n}.yaml`))
  return variantOf(items, `    injectors:\n${repeat(resources, (n) => `    - name: ${n === resources - 1 ? `s${n}` : `none-${n}`}\n`)}`)
}

/** A value of so many keys for one point. */
function injectedKeys(count: number): string {
  const source = configMap('s', 'sources/s.yaml').replace('data: {a: b}', `data:\n${keys(count, '    ', 'v')}`.trimEnd())
  return variantOf(`${configMap('p', 'p.yaml', POINT)}${source}`, '    injectors:\n    - name: s\n')
}

const packageVariant = (name: string, downstream: string) => `- apiVersion: config.porch.kpt.dev/v1alpha1
  kind: PackageVariant
  metadata:
    name: ${name}
    annotations:
      internal.config.kubernetes.io/path: 'variants.yaml'
  spec:
    upstream: {repo: catalog, package: upf, revision: 1}
    downstream: {repo: edge, package: ${downstream}}
`

/** A package with these items, and variants of it. */
export function rendering(items: string, variants: string): string {
  return `${WRAPPER}- apiVersion: kpt.dev/v1
  kind: Kptfile
  metadata:
    name: upf
    annotations:
      internal.config.kubernetes.io/path: 'catalog/upf@v1/Kptfile'
${items}${variants}functionConfig:
  apiVersion: fn.krm-variants.dev/v1alpha1
  kind: RenderVariants
  metadata:
    name: render-variants
    annotations:
      internal.config.kubernetes.io/path: 'config.yaml'
  spec:
    repositories:
      catalog:
        git: {repo: 'https://git.example.com/catalog.git'}
        revisions:
          v1: {resolvedRef: upf/v1, commit: 0f987857f163bc432686644e1dd04cf78b1e9d70}
`
}

export const resources = (count: number) => repeat(count, (n) => configMap(`c${n}`, `catalog/upf@v1/c${n}.yaml`))
export const variants = (count: number) => repeat(count, (n) => packageVariant(`edge-${n}`, `p${n}`))

/** A Catalog with these packages, of which the first `roots` are installed. */
export function resolution(packages: string, roots: number): string {
  const installs = repeat(roots, (n) => installed(`p${n}`))
  return catalog(packages).replace('functionConfig:', `${installs}functionConfig:`).replace('CheckDependencies', 'ResolveDependencies')
}

/** So many installed packages, each with one that it requires. */
export function pairs(count: number): string {
  const pair = (n: number) => glasskube(`p${n}`, version('1.0.0', needs(`q${n}`))) + glasskube(`q${n}`, version('1.0.0', ' []'))
  return resolution(repeat(count, pair), count)
}

/** Attacks that are more work than an ordinary input of their size. */
const COUNTED: ReadonlyMap<string, string> = new Map([
  ['5,000 functions before 5,000 of the package', '10,000 functions, 5,000 of them written'],
  ['5,000 functions for a pipeline', '5,000 functions written'],
  ['5,000 functions without an image', '5,000 faults, of which 100 are told'],
  ['a chain of 3,000 packages to resolve', '2,999 objects added, each with its reason'],
  ['3,000 installed packages that require one that is missing', '3,000 faults, of which 100 are told'],
  ['2,000 installed packages that require one each', '2,000 objects added, each with its reason'],
  ['2,000 points for one resource', '2,000 conditions and gates of as many injected values'],
  ['3,000 points that are wrong', '3,000 errors, each with its place'],
])

/** Inputs that cost the functions that change packages more than their size. */
export const PACKAGES: readonly Attack[] = (
  [
    ['5,000 functions for a pipeline', 21, prependPipeline, () => pipelines('', functions(5000, '      '))],
    [
      '5,000 functions before 5,000 of the package',
      63,
      prependPipeline,
      () => pipelines(`  pipeline:\n    mutators:\n${functions(5000, '    ')}`, functions(5000, '      ')),
    ],
    [
      '5,000 functions without an image',
      27,
      prependPipeline,
      () =>
        pipelines(
          '',
          repeat(5000, (n) => `      - {name: f${n}}\n`),
        ),
    ],
    [
      'a function of 20,000 keys',
      13,
      prependPipeline,
      () => pipelines('', `      - image: a/b:c\n        configMap:\n${keys(20_000, '          ', 'v')}`),
    ],
    ['2,000 points for one resource', 75, injectConfig, () => injections(2000, 1)],
    ['a point for the last of 3,000 resources and injectors', 21, injectConfig, () => injections(1, 3000)],
    ['20,000 keys for a point', 15, injectConfig, () => injectedKeys(20_000)],
    ['3,000 points that are wrong', 72, injectConfig, () => injections(3000, 1).replaceAll('required', 'sometimes')],
    ['300 variants of 30 resources', 108, renderVariants, () => rendering(resources(30), variants(300))],
    [
      'a resource of 10,000 keys',
      6,
      renderVariants,
      () =>
        rendering(
          configMap('c', 'catalog/upf@v1/c.yaml').replace('data: {a: b}', `data:\n${keys(10_000, '    ', 'v')}`.trimEnd()),
          variants(5),
        ),
    ],
    ['3,000 variants that are wrong', 111, renderVariants, () => rendering('', variants(3000).replaceAll('revision: 1', 'revision: [x]'))],
    [
      '3,000 variants for one downstream',
      105,
      renderVariants,
      () =>
        rendering(
          '',
          repeat(3000, (n) => packageVariant(`edge-${n}`, 'p')),
        ),
    ],
    [
      '20,000 versions to resolve',
      51,
      resolveDependencies,
      () =>
        resolution(
          glasskube('p0', version('1.0.0', needs('b', '>=1.0.0'))) +
            glasskube(
              'b',
              repeat(20_000, (n) => version(`1.${n}.0`, ' []')),
            ),
          1,
        ),
    ],
    [
      'a chain of 3,000 packages to resolve',
      162,
      resolveDependencies,
      () =>
        resolution(
          repeat(3000, (n) => glasskube(`p${n}`, version('1.0.0', n === 2999 ? ' []' : needs(`p${n + 1}`)))),
          1,
        ),
    ],
    [
      '3,000 installed packages that require one that is missing',
      207,
      resolveDependencies,
      () =>
        `${resolution(
          repeat(3000, (n) => glasskube(`p${n}`, version('1.0.0', needs('missing')))),
          3000,
        )}  spec: {universe: closed}\n`,
    ],
    ['2,000 installed packages that require one each', 255, resolveDependencies, () => pairs(2000)],
  ] as const satisfies readonly (readonly [string, number, KrmFunction, () => string])[]
).map(([what, units, fn, text]) => ({ what, units, fn, text, counted: COUNTED.get(what) }))
