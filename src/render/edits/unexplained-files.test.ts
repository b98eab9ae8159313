import { expect, test } from 'vitest'
import { packageOfTexts, type Texts } from '../../../testdata/package-of-texts.ts'
import { configMapText, kptfileText, writtenObject } from '../../../testdata/written-objects.ts'
import { wholeVariant } from '../../fleet/fleet-variants.ts'
import { readWholePackage } from '../../folder/read-whole-package.ts'
import { EMPTY_FOLDER, fileInMemory } from '../../folder/whole-folder.ts'
import { packagePlaces } from '../../lifecycle/testing/places-of.ts'
import { evaluate } from '../../run.ts'
import { sourceOfTexts } from '../../upstream/testing/source-of-texts.ts'
import { planRender } from '../plan-render.ts'
import { functionsOf, pipelineKptfile, type TestFunctions } from '../testing/functions-of.ts'
import { OPTIONS, type RenderOfTexts, renderOfTexts } from '../testing/render-of-texts.ts'
import { type OwnedPackage, unexplainedFiles } from './unexplained-files.ts'

const config = (name: string, value: string) => configMapText(name, `data:\n  value: ${value}\n`)
const SHOP = { Kptfile: kptfileText('shop'), 'a.yaml': config('a', 'one'), 'b.yaml': config('b', 'one'), 'notes.txt': 'x' }
const V1 = { 'catalog/shop@v1': SHOP }

interface Asked {
  readonly folders?: Readonly<Record<string, Texts>>
  readonly functions?: TestFunctions
  readonly clone?: 'kpt' | 'porch'
  /** The spec of the variant; unset for a package whose variant is gone. */
  readonly spec?: string
  /** The name of another variant of the fleet. */
  readonly other?: string
  readonly layouts?: OwnedPackage['layouts']
}

function variantText(name: string, spec = ''): string {
  return `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: ${name}}
spec:
  upstream: {repo: catalog, package: shop, revision: 1}
  downstream: {repo: edge, package: ${name}}
${spec}`
}

/** Returns the files of the package of `edge-shop` that people made or edited. */
function unexplained(texts: Texts, { folders = V1, functions, clone = 'kpt', spec, other, layouts = new Map() }: Asked = {}) {
  const objects = [...(spec === undefined ? [] : [variantText('edge-shop', spec)]), ...(other === undefined ? [] : [variantText(other)])]
  const { renderContext, steps } = planRender({
    items: objects.map((text, at) => writtenObject(text, `${at}.yaml`)),
    options: { ...OPTIONS, clone },
    packageSource: sourceOfTexts({ folders }),
    places: () => packagePlaces({}),
    ...(functions && { functions: functionsOf(functions) }),
  })
  const step = steps.find(({ variant }) => variant.name === 'edge-shop')
  const owner = { variant: 'default/edge-shop', deletionPolicy: 'delete' as const }
  return unexplainedFiles(
    { folder: 'edge/shop', owner, files: packageOfTexts(texts), layouts, ...(step && { variant: wholeVariant(step.variant) }) },
    renderContext,
  )
}

const rendered = (asked: Partial<RenderOfTexts> = {}): Texts => renderOfTexts({ upstreams: { folders: V1 }, revision: 1, ...asked }).texts
const SPEC = '  labels: {team: red}\n  packageContext: {data: {site: edge}}\n'
const MADE = rendered({ spec: SPEC })
const edited = (path: string, before: string, after: string, texts = MADE) => ({
  ...texts,
  [path]: texts[path]?.replace(before, after) ?? '',
})

test('a package as it was rendered has no unexplained file, with its variant and without', () => {
  expect(unexplained(MADE, { spec: SPEC })).toEqual({ paths: [] })
  expect(unexplained(MADE)).toEqual({ paths: [] })
})

test.each<[string, Texts, readonly string[]]>([
  ['an edited value', edited('a.yaml', 'one', 'mine'), ['a.yaml']],
  ['a comment in an object', edited('a.yaml', 'value: one', 'value: one # mine'), ['a.yaml']],
  ['edited bytes', edited('notes.txt', 'x', 'y'), ['notes.txt']],
  ['a new file, and a new file without resources', { ...MADE, 'z.yaml': config('z', 'one'), 'c.txt': 'x' }, ['c.txt', 'z.yaml']],
  ['a missing file', Object.fromEntries(Object.entries(MADE).filter(([path]) => path !== 'b.yaml')), ['b.yaml']],
  ['a label of people', edited('Kptfile', 'team: red', 'team: red\n    own: x'), ['Kptfile']],
  ['several edits, by their paths', edited('b.yaml', 'one', 'mine', edited('a.yaml', 'one', 'mine')), ['a.yaml', 'b.yaml']],
])('%s is unexplained in a package whose variant is gone', (_, texts, paths) => {
  expect(unexplained(texts)).toEqual({ paths })
})

test('keys that the variant asks for, or that the Kptfile records, are its own', () => {
  const later = edited('package-context.yaml', 'site: edge', 'site: edge\n  zone: a')
  expect(unexplained(later).paths).toEqual(['package-context.yaml'])
  expect(unexplained(later, { spec: '  packageContext: {data: {zone: a}}\n' })).toEqual({ paths: [] })
})

test('a function is of the variant by its name, unless another variant has the longer name', () => {
  const own = edited(
    'Kptfile',
    'upstream:',
    'pipeline:\n  mutators:\n  - {name: PackageVariant.edge-shop.b.ns.0, image: test.io/ns}\nupstream:',
  )
  expect(unexplained(own)).toEqual({ paths: [] })
  expect(unexplained(own, { other: 'edge-shop.b' }).paths).toEqual(['Kptfile'])
  expect(unexplained(edited('Kptfile', 'edge-shop.b', 'west-shop', own)).paths).toEqual(['Kptfile'])
})

test('a comment between objects is unexplained, if upstream does not have it', () => {
  const layoutsOf = (text: string) => {
    const folder = { ...EMPTY_FOLDER, files: new Map([['a.yaml', fileInMemory(Buffer.from(text), 0o644)]]) }
    return readWholePackage(folder, { krmignore: false, place: 'edge/shop' }).layouts
  }
  expect(unexplained(MADE, { layouts: layoutsOf(`# mine\n---\n${MADE['a.yaml']}`) })).toEqual({ paths: ['a.yaml'] })
  expect(unexplained(MADE, { layouts: layoutsOf(MADE['a.yaml'] ?? '') })).toEqual({ paths: [] })
})

test('where no upstream is known, or none can be cloned, every file counts, and the reason is said', () => {
  const bare = edited('Kptfile', MADE.Kptfile ?? '', kptfileText('shop'))
  expect(unexplained(bare)).toEqual({ paths: Object.keys(MADE), reason: 'its Kptfile names none' })
  const gone = unexplained(MADE, { folders: {} })
  expect([gone.paths, gone.reason]).toEqual([Object.keys(MADE), expect.stringContaining("'catalog/shop@v1'")])
  const old = { 'catalog/shop@v1': { ...SHOP, Kptfile: SHOP.Kptfile.replace('kpt.dev/v1', 'kpt.dev/v1alpha1') } }
  expect(unexplained(MADE, { folders: { ...old, 'catalog/shop': old['catalog/shop@v1'] } }).reason).toBe('it is none that can be cloned')
})

test('of the recorded revision and the present content of its folder, the one with the fewest differences counts', () => {
  const other = { ...SHOP, 'a.yaml': config('a', 'two'), 'b.yaml': config('b', 'two') }
  const [older, newer] = [
    { ...V1, 'catalog/shop': other },
    { 'catalog/shop@v1': other, 'catalog/shop': SHOP },
  ]
  expect(unexplained(MADE, { folders: older })).toEqual({ paths: [] })
  expect(unexplained(MADE, { folders: newer })).toEqual({ paths: [] })
  const mine = edited('notes.txt', 'x', 'y')
  expect(unexplained(mine, { folders: newer }).paths).toEqual(['notes.txt'])
})

const set = (value: string) => (input: string) =>
  evaluate(({ items }) => {
    for (const item of items) if (item.kind === 'ConfigMap' && item.name === 'a') item.set(['data', 'value'], value)
  }, input)
const PIPED = { 'catalog/shop@v1': { ...SHOP, Kptfile: pipelineKptfile('image: test.io/set') } }

test('what the functions of the package write is explained, and an edit beside that is not', () => {
  const functions = { set: set('two') }
  const texts = rendered({ upstreams: { folders: PIPED }, functions: functionsOf(functions) })
  expect(texts['a.yaml']).toContain('value: two')
  expect(unexplained(texts, { folders: PIPED, functions })).toEqual({ paths: [] })
  expect(unexplained(texts, { folders: PIPED }).paths).toEqual(['a.yaml'])
  expect(unexplained(texts, { folders: PIPED, functions: {} }).paths).toEqual(['a.yaml'])
  expect(unexplained(edited('b.yaml', 'one', 'mine', texts), { folders: PIPED, functions }).paths).toEqual(['b.yaml'])
})

test('a package whose functions did not run yet is explained, too', () => {
  const texts = rendered({ upstreams: { folders: PIPED } })
  expect(texts['a.yaml']).toContain('value: one')
  expect(unexplained(texts, { folders: PIPED, functions: { set: set('two') } })).toEqual({ paths: [] })
})

test('the functions of the package count that its Kptfile has, and one that people added is an edit of the Kptfile alone', () => {
  const functions = { set: set('two'), other: set('three') }
  const texts = rendered({ upstreams: { folders: PIPED }, functions: functionsOf(functions) })
  const Kptfile = texts.Kptfile?.replace('  - image: test.io/set\n', '  - image: test.io/set\n  - image: test.io/other\n') ?? ''
  const people = { ...texts, Kptfile, 'a.yaml': config('a', 'three') }
  const made = { ...people, 'a.yaml': texts['a.yaml']?.replace('two', 'three') ?? '' }
  expect(unexplained(made, { folders: PIPED, functions }).paths).toEqual(['Kptfile'])
})

test('values that functions write into the Kptfile and the package context are explained', () => {
  const mark = (input: string) =>
    evaluate(({ items }) => {
      for (const item of items) if (item.kind === 'Kptfile') item.set(['info'], { description: 'x' })
      for (const item of items) if (item.name === 'kptfile.kpt.dev') item.set(['metadata', 'labels'], { made: 'x' })
    }, input)
  const functions = { set: mark }
  const texts = rendered({ upstreams: { folders: PIPED }, functions: functionsOf(functions) })
  expect(texts.Kptfile).toContain('description: x')
  expect(unexplained(texts, { folders: PIPED, functions })).toEqual({ paths: [] })
  expect(unexplained(texts, { folders: PIPED }).paths).toEqual(['Kptfile', 'package-context.yaml'])
  expect(unexplained(edited('package-context.yaml', 'made: x', 'made: y', texts), { folders: PIPED, functions }).paths).toEqual([
    'package-context.yaml',
  ])
})

/** Writes `region` into the data of the package context, and into ConfigMap a what the data says of `site`. */
const region = (input: string) =>
  evaluate(({ items }) => {
    const [context] = items.filter(({ name }) => name === 'kptfile.kpt.dev')
    context?.set(['data', 'region'], 'eu')
    for (const item of items) if (item.name === 'a') item.set(['data', 'value'], context?.get(['data', 'site']) ?? 'none')
  }, input)

test('data of the package context that a function wrote is explained, and data of people is not', () => {
  const functions = { set: region }
  const texts = rendered({ upstreams: { folders: PIPED }, functions: functionsOf(functions), spec: SPEC })
  const path = 'package-context.yaml'
  expect(texts[path]).toContain('region: eu')
  expect(texts['a.yaml']).toContain('value: edge')
  const found = (before: string, after: string, spec?: string) =>
    unexplained(edited(path, before, after, texts), { folders: PIPED, functions, ...(spec !== undefined && { spec }) }).paths
  expect(found('', '')).toEqual([])
  expect(found('', '', SPEC)).toEqual([])
  expect(found('region: eu', 'region: us')).toEqual([path])
  expect(found('region: eu', 'region: eu\n  own: x')).toEqual([path])
})
