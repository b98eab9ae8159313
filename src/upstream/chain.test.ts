import { expect, test } from 'vitest'
import { list, planOf, repository, setOf } from '../fleet/testing/fleet-of-objects.ts'
import { EMPTY_FOLDER, fileInMemory, type WholeFolder } from '../folder/whole-folder.ts'
import { gitTreeIdOf } from '../git/git-snapshot.ts'
import type { JsonRecord } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { Chain, type DownstreamFolders, folderOfMaker, makersFirst, plannedCircles, type UpstreamMaker } from './chain.ts'
import { idOfValues } from './values-id.ts'

function place(folder: string) {
  const [repo = '', name = ''] = folder.split('/')
  return { repo, package: name }
}

/** Returns a variant that makes the package `downstream` from the package `upstream`, REPOSITORY/PACKAGE each. */
function maker(name: string, upstream: string, downstream: string, namespace?: string): UpstreamMaker {
  const object = KrmObject.fromDocument(`{kind: PackageVariant, metadata: {name: ${name}}, spec: {upstream: {repo: x}}}`)
  return { name, ...(namespace !== undefined && { namespace }), upstream: place(upstream), downstream: place(downstream), object }
}

function folderOf(text: string): WholeFolder {
  return { ...EMPTY_FOLDER, files: new Map([['Kptfile', fileInMemory(Buffer.from(text), 0o644)]]) }
}

const kptfile = (name: string, comment = '') => `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: ${name}${comment}\n`

function foldersWith(more: Partial<DownstreamFolders> = {}): DownstreamFolders & { readonly asked: string[] } {
  const asked: string[] = []
  const folder = (path: string) => {
    asked.push(path)
    return path === 'platform/foo' ? folderOf(kptfile('foo')) : EMPTY_FOLDER
  }
  return { folder, shown: (path) => `out/${path}`, asked, ...more }
}

const chainOf = (makers: readonly UpstreamMaker[], folders: DownstreamFolders = foldersWith()) => new Chain(makers, folders, 'kpt')

test('the maker of an upstream is the variant of the namespace whose downstream is the package', () => {
  const foo = maker('foo', 'catalog/foo', 'platform/foo')
  const chain = chainOf([foo, maker('other', 'catalog/foo', 'platform/foo', 'other')])
  expect(chain.makerOf(place('platform/foo'), 'default')).toBe(foo)
  expect(chain.makerOf(place('platform/foo'), 'other')?.name).toBe('other')
  expect(chain.makerOf(place('catalog/foo'), 'default')).toBeUndefined()
  expect(chain.makerOf(place('platform/bar'), 'default')).toBeUndefined()
  expect(folderOfMaker(foo)).toBe('platform/foo')
})

test('a package that would be written over its own upstream has no maker, one of the same repository or name has', () => {
  const chain = chainOf([maker('self', 'a/foo', 'a/foo'), maker('near', 'a/foo', 'a/bar'), maker('far', 'b/baz', 'a/baz')])
  expect(['a/foo', 'a/bar', 'a/baz'].map((each) => chain.makerOf(place(each), 'default')?.name)).toEqual([undefined, 'near', 'far'])
})

test('a circle is one error at the upstream of its first variant, and names each package with its variant', () => {
  const results = chainOf([
    maker('two', 'c/foo', 'b/foo'),
    maker('one', 'b/foo', 'a/foo'),
    maker('three', 'a/foo', 'c/foo'),
    maker('leaf', 'a/foo', 'd/foo'),
    maker('self', 'e/foo', 'e/foo'),
  ]).circles()
  expect(results).toMatchObject([
    {
      severity: 'error',
      tags: { rule: 'upstream-cycle' },
      field: { path: ['spec', 'upstream'] },
      message:
        '`spec.upstream` must not be made from its own package: a/foo (variant one) -> b/foo (variant two) -> c/foo (variant three) -> a/foo',
    },
  ])
  expect(results[0]?.resourceRef).toMatchObject({ name: 'one' })
})

test('variants of two namespaces are no circle, and a way without a return is none', () => {
  expect(chainOf([maker('one', 'b/foo', 'a/foo', 'x'), maker('two', 'a/foo', 'b/foo', 'y')]).circles()).toEqual([])
  expect(chainOf([maker('one', 'b/foo', 'a/foo'), maker('two', 'c/foo', 'b/foo')]).circles()).toEqual([])
})

test('the package of a maker before the run is read once, and named as the folders are shown', () => {
  const folders = foldersWith()
  const chain = chainOf([], folders)
  const source = chain.before(maker('foo', 'catalog/foo', 'platform/foo'))
  expect([source.place, [...source.files.keys()]]).toEqual(['out/platform/foo', ['Kptfile']])
  expect(chain.before(maker('foo', 'catalog/foo', 'platform/foo'))).toBe(source)
  expect(folders.asked).toEqual(['platform/foo'])
  expect(chain.before(maker('new', 'catalog/foo', 'platform/new')).files.size).toBe(0)
})

test('the id of a package is that of git, unless the folders have ids of their own', () => {
  const content = folderOf(kptfile('foo'))
  expect(chainOf([]).idOf(content)).toBe(gitTreeIdOf(content.files))
  expect(chainOf([], foldersWith({ id: () => 'own' })).idOf(content)).toBe('own')
})

test('packages have a history where trees can be asked for', () => {
  expect([chainOf([]).hasHistory, chainOf([], foldersWith({ tree: () => undefined })).hasHistory]).toEqual([false, true])
})

test('a former state is the present package if it has the id of git or of its values, else what git has of the tree', () => {
  const present = folderOf(kptfile('foo'))
  const trees: string[] = []
  const tree = (folder: string, id: string) => {
    trees.push(`${folder} ${id}`)
    return id === 'old' ? folderOf(kptfile('old')) : undefined
  }
  const chain = chainOf([], foldersWith({ tree }))
  const now = chain.before(maker('foo', 'catalog/foo', 'platform/foo'))
  expect(chain.original('platform/foo', gitTreeIdOf(present.files))).toBe(now)
  expect(chain.original('platform/foo', idOfValues(present))).toBe(now)
  expect(trees).toEqual([])
  const old = chain.original('platform/foo', 'old')
  expect([old?.place, old?.files.size]).toEqual(['out/platform/foo', 1])
  expect(old).not.toBe(now)
  expect(chain.original('platform/foo', 'old')).toBe(old)
  expect([chain.original('platform/foo', 'gone'), chain.original('platform/foo', 'gone')]).toEqual([undefined, undefined])
  expect(trees).toEqual(['platform/foo old', 'platform/foo gone'])
  expect(chainOf([]).original('platform/foo', 'old')).toBeUndefined()
})

const plainVariant = (name: string, upstream: string, downstream: string): JsonRecord => ({
  apiVersion: 'config.porch.kpt.dev/v1alpha1',
  kind: 'PackageVariant',
  metadata: { name },
  spec: { upstream: { ...place(upstream), revision: 1 }, downstream: place(downstream) },
})

test('a planned circle is an error at the set that makes one of its variants; circles of written variants alone are left out', () => {
  const upstream = { repo: 'platform', package: 'app', revision: 1 }
  const objects = [repository('edge'), setOf([list('edge')], upstream)]
  expect(plannedCircles(planOf([...objects, plainVariant('back', 'edge/app', 'platform/app')]))).toMatchObject([
    {
      severity: 'error',
      tags: { rule: 'upstream-cycle' },
      resourceRef: { kind: 'PackageVariantSet', name: 'fleet' },
      message: expect.stringMatching(
        /must not be made from its own package: edge\/app \(variant fleet-[^)]*\) -> platform\/app \(variant back\) -> edge\/app$/,
      ),
    },
  ])
  expect(plannedCircles(planOf([...objects, plainVariant('on', 'catalog/app', 'platform/app')]))).toEqual([])
  const written = [plainVariant('one', 'b/app', 'a/app'), plainVariant('two', 'a/app', 'b/app'), plainVariant('self', 'c/app', 'c/app')]
  expect(plannedCircles(planOf(written))).toEqual([])
  expect(plannedCircles(planOf([repository('edge'), setOf([list('edge')], { ...upstream, repo: 'edge' })]))).toEqual([])
})

test.each([
  ['each maker comes before what is made of its package', { a: 'b', b: 'c', c: undefined }, ['c', 'b', 'a']],
  ['steps without makers keep their order', { b: undefined, a: undefined }, ['b', 'a']],
  ['a maker of two comes once, before the first of them', { x: undefined, a: 'm', b: 'm', m: undefined }, ['x', 'm', 'a', 'b']],
  ['a maker without a step is passed over', { a: 'gone', b: undefined }, ['a', 'b']],
  ['a circle ends', { a: 'b', b: 'a' }, ['b', 'a']],
])('%s', (_, makers, expected) => {
  const variants = new Map([...Object.keys(makers), 'gone'].map((name) => [name, maker(name, 'x/x', `y/${name}`)]))
  const steps = Object.entries(makers).flatMap(([name, above]) => {
    const [variant, made] = [variants.get(name), above === undefined ? undefined : variants.get(above)]
    return variant === undefined ? [] : [{ variant, upstream: made === undefined ? {} : { maker: made } }]
  })
  expect(makersFirst(steps).map(({ variant }) => variant.name)).toEqual(expected)
})
