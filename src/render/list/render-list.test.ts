import { expect, test } from 'vitest'
import { catalogFunctions } from '../../../testdata/test-fleet.ts'
import { kptfileOf, resourceListOf, type Written } from '../../fleet/testing/fleet-of-objects.ts'
import type { JsonRecord, JsonValue } from '../../json.ts'
import { FunctionError } from '../../result.ts'
import type { RenderOptions } from '../options.ts'
import type { ListSettings } from './plan-list.ts'
import { renderList } from './render-list.ts'

const OPTIONS: RenderOptions = {
  repositories: new Map(),
  clone: 'kpt',
  status: false,
  followRenames: false,
  discardEdits: false,
  allowMoved: false,
  allowEmpty: true,
}

const CATALOG = 'ghcr.io/kptdev/krm-functions-catalog'

function configMap(name: string, data: JsonRecord): JsonRecord {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data }
}

/** Returns the revision of `catalog/shop` with a ConfigMap, and the functions of its Kptfile. */
function revision(number: number, ...mutators: readonly JsonRecord[]): readonly Written[] {
  return [
    [`catalog/shop@v${number}/Kptfile`, kptfileOf(mutators.length === 0 ? {} : { pipeline: { mutators } })],
    [`catalog/shop@v${number}/a.yaml`, configMap('a', { revision: `${number}` })],
  ]
}

function variant(name: string, spec: JsonRecord = {}): Written {
  const [repo = '', packageName = 'shop'] = name.split('-')
  const value = {
    apiVersion: 'config.porch.kpt.dev/v1alpha1',
    kind: 'PackageVariant',
    metadata: { name },
    spec: { upstream: { repo: 'catalog', package: 'shop', revision: 1 }, downstream: { repo, package: packageName }, ...spec },
  }
  return ['fleet/variants.yaml', value]
}

const at = (number: number) => ({ upstream: { repo: 'catalog', package: 'shop', revision: number } })

interface Rendered {
  /** The values of the items by path; the items of one path in their order. */
  readonly items: ReadonlyMap<string, readonly JsonValue[]>
  readonly results: readonly string[]
  /** The list as the input of another render, without catalog and variants. */
  readonly packages: readonly Written[]
}

/** Renders a list. The packages of an earlier run are among the objects. */
function render(objects: readonly Written[], options: Partial<RenderOptions> = {}, settings: ListSettings = {}): Rendered {
  const list = resourceListOf(objects)
  renderList(list, { ...OPTIONS, ...options }, settings)
  const items = new Map<string, JsonValue[]>()
  for (const item of list.items) items.set(item.file?.path ?? '', [...(items.get(item.file?.path ?? '') ?? []), item.toJson()])
  const made = list.items.filter(({ file }) => !/^(catalog|fleet\/variants)/.test(file?.path ?? ''))
  return {
    items,
    results: list.results.map(({ severity, tags, message }) => `${severity} ${tags.rule}: ${message}`),
    packages: made.map((item): Written => [item.file?.path ?? '', JSON.parse(JSON.stringify(item.toJson()))]),
  }
}

function errors(run: () => unknown): readonly string[] {
  try {
    run()
    return []
  } catch (error) {
    if (error instanceof FunctionError) return error.results.map(({ tags }) => tags.rule)
    throw error
  }
}

const paths = ({ items }: Rendered) => [...items.keys()].filter((path) => !/^(catalog|fleet\/variants)/.test(path)).sort()
const dataOf = ({ items }: Rendered, path: string) => items.get(path)?.map((value) => JSON.parse(JSON.stringify(value)).data)

const FILES = ['Kptfile', 'a.yaml', 'package-context.yaml']

test('a new package is among the items, below the folder of its variant or below the folder of the options', () => {
  const made = render([...revision(1), variant('edge')])
  expect(paths(made)).toEqual(FILES.map((path) => `fleet/edge/shop/${path}`))
  expect(made.results).toEqual(['info render-variants: 1 package'])
  expect(dataOf(made, 'fleet/edge/shop/a.yaml')).toEqual([{ revision: '1' }])
  expect(paths(render([...revision(1), variant('edge')], { out: './out/' }))).toEqual(FILES.map((path) => `out/edge/shop/${path}`))
})

test('of a list with sets and without variants the summary says to run fan-out', () => {
  const set = (name: string): Written => [
    'fleet/variants.yaml',
    { apiVersion: 'config.porch.kpt.dev/v1alpha2', kind: 'PackageVariantSet', metadata: { name }, spec: {} },
  ]
  const summaryOf = (...objects: readonly Written[]) => render(objects).results.at(-1)
  expect(summaryOf(set('a'))).toBe(
    'info render-variants: 0 packages; there is 1 PackageVariantSet and no PackageVariant: run fan-out first',
  )
  expect(summaryOf(set('a'), set('b'))).toContain('there are 2 PackageVariantSets and no PackageVariant')
  expect(summaryOf(...revision(1), set('a'), variant('edge'))).toBe('info render-variants: 1 package')
  expect(summaryOf(...revision(1))).toBe('info render-variants: 0 packages')
})

test('a package is updated at its place, with the edits of people and the items that are not of it', () => {
  const { packages } = render([...revision(1), variant('edge')])
  const edited = packages.map((written): Written => {
    const [path, value] = Array.isArray(written) ? written : ['', written]
    return path.endsWith('a.yaml') ? [path, { ...value, metadata: { name: 'a', labels: { mine: 'yes' } } }] : written
  })
  const other: Written = ['fleet/edge/other/b.yaml', configMap('b', {})]
  const updated = render([...revision(1), ...revision(2), variant('edge', at(2)), ...edited, other])
  expect(paths(updated)).toEqual(['fleet/edge/other/b.yaml', ...FILES.map((path) => `fleet/edge/shop/${path}`)])
  expect(updated.items.get('fleet/edge/shop/a.yaml')).toEqual([
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels: { mine: 'yes' } }, data: { revision: '2' } },
  ])
  expect(render([...revision(1), ...revision(2), variant('edge', at(2)), ...updated.packages])).toEqual({
    ...updated,
    items: expect.anything(),
  })
})

test('the package of a variant that is gone is removed, or left without its owner', () => {
  const other: Written = ['fleet/edge/shop2/b.yaml', configMap('b', {})]
  for (const [deletionPolicy, left] of [
    ['delete', []],
    ['orphan', FILES.map((path) => `fleet/edge/shop/${path}`)],
  ] as const) {
    const { packages } = render([...revision(1), variant('edge', { deletionPolicy })])
    const after = render([...revision(1), variant('site'), ...packages, other])
    expect(paths(after).filter((path) => path.startsWith('fleet/edge'))).toEqual([...left, 'fleet/edge/shop2/b.yaml'])
    expect(JSON.stringify(after.items.get('fleet/edge/shop/Kptfile') ?? '')).not.toContain('krm-variants.dev/package-variant')
  }
})

test('a package that no variant made is left alone, and the statuses say which packages are ready', () => {
  const own: Written = ['fleet/edge/shop/Kptfile', kptfileOf({})]
  const { items, results } = render([...revision(1), variant('edge'), variant('site'), own], { status: true })
  expect(results.at(-1)).toBe('info render-variants: 1 package, 1 left alone')
  expect(items.get('fleet/edge/shop/Kptfile')).toEqual([kptfileOf({})])
  const reasons = items.get('fleet/variants.yaml')?.map((each) => JSON.parse(JSON.stringify(each)).status.conditions[1].reason)
  expect(reasons).toEqual(['NotAdopted', 'NoErrors'])
  expect(JSON.stringify([...render([...revision(1), variant('edge')]).items])).not.toContain('"status"')
})

test('of one variant, as an item or not, only its package is rendered, and no other one is removed', () => {
  const { packages } = render([...revision(1), variant('old')])
  const list = resourceListOf([...revision(1), variant('edge'), variant('site'), ...packages])
  const only = list.items.find(({ name }) => name === 'edge')
  if (only === undefined) throw new Error('a variant')
  renderList(list, OPTIONS, { only })
  const repos = new Set(list.items.flatMap(({ file }) => /^fleet\/(\w+)\/shop\//.exec(file?.path ?? '')?.[1] ?? []))
  expect([...repos].sort()).toEqual(['edge', 'old'])
  const changed = resourceListOf([variant('edge', { packageContext: { data: { own: 'yes' } } })]).items[0]
  if (changed === undefined) throw new Error('a variant')
  const asked = render([...revision(1), variant('edge'), variant('site')], {}, { only: changed })
  expect(dataOf(asked, 'fleet/edge/shop/package-context.yaml')).toEqual([{ name: 'shop', own: 'yes' }])
  expect(paths(asked).some((path) => path.startsWith('fleet/site/'))).toBe(false)
})

test('functions change, add and remove items of a package, and their failure changes nothing', () => {
  const namespace = { image: `${CATALOG}/set-namespace:v0.4.1`, configMap: { namespace: 'shop' } }
  const remove = { image: `${CATALOG}/remove-local-config-resources:v0.1.0` }
  const local: Written = [
    'catalog/shop@v1/local.yaml',
    { ...configMap('local', {}), metadata: { name: 'local', annotations: { 'config.kubernetes.io/local-config': 'true' } } },
  ]
  const objects = [...revision(1, namespace, remove), local, variant('edge')]
  const ran = render(objects, {}, { functions: catalogFunctions() })
  expect(ran.items.get('fleet/edge/shop/a.yaml')).toEqual([
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'shop' }, data: { revision: '1' } },
  ])
  expect(paths(ran)).not.toContain('fleet/edge/shop/local.yaml')
  expect(paths(render(objects))).toContain('fleet/edge/shop/local.yaml')
  const failing = { image: `${CATALOG}/set-namespace:v0.4.1`, configMap: { namespace: '' } }
  const run = () => render([...revision(1, failing), variant('edge')], {}, { functions: catalogFunctions() })
  expect(errors(run)).toEqual(['function-failed'])
  const unknown = () =>
    render([...revision(1, { image: 'example.com/unknown:v1' }), variant('edge')], {}, { functions: catalogFunctions() })
  expect(errors(unknown)).toHaveLength(1)
})

test('a package is made from the package of another variant as the same run leaves that', () => {
  const chained = variant('edge', { upstream: { repo: 'base', package: 'shop', workspaceName: 'main' } })
  const { items, results } = render([...revision(1), chained, variant('base', { packageContext: { data: { a: 'b' } } })])
  expect(results).toEqual(['info render-variants: 2 packages'])
  expect(items.get('fleet/edge/shop/a.yaml')).toEqual([configMap('a', { revision: '1' })])
})

test('a new file of upstream must not differ in case alone from a file of the package', () => {
  const { packages } = render([...revision(1), variant('edge')])
  const mine: Written = ['fleet/edge/shop/B.yaml', configMap('mine', {})]
  const theirs: Written = ['catalog/shop@v2/b.yaml', configMap('b', {})]
  const run = () => render([...revision(1), ...revision(2), theirs, variant('edge', at(2)), ...packages, mine])
  expect(errors(run)).toHaveLength(1)
})

test('with an error of one package the list stays as it is', () => {
  const list = resourceListOf([...revision(1), variant('edge'), variant('site', at(9))])
  const before = [...list.items]
  expect(errors(() => renderList(list, OPTIONS))).toEqual(['upstream-missing'])
  expect([list.items, list.results]).toEqual([before, []])
})

test('an upstream package with two paths that differ in case alone is refused', () => {
  const twice: Written = ['catalog/shop@v1/A.yaml', configMap('b', {})]
  expect(errors(() => render([...revision(1), twice, variant('edge')]))).toHaveLength(1)
})
