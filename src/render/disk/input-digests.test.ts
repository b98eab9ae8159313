import { expect, test } from 'vitest'
import { packageOfTexts, type Texts } from '../../../testdata/package-of-texts.ts'
import { configMapText, kptfileText, writtenObject } from '../../../testdata/written-objects.ts'
import { readWholePackage } from '../../folder/read-whole-package.ts'
import { fileInMemory } from '../../folder/whole-folder.ts'
import { packagePlaces } from '../../lifecycle/testing/places-of.ts'
import type { SourcePackage } from '../../upstream/source-package.ts'
import { sourceOfTexts } from '../../upstream/testing/source-of-texts.ts'
import { planRender } from '../plan-render.ts'
import { OPTIONS } from '../testing/render-of-texts.ts'
import { InputDigests } from './input-digests.ts'

const INJECTOR = '  injectors: [{kind: ConfigMap, name: a}]\n'

interface Asked {
  readonly spec?: string
  readonly items?: readonly string[]
  readonly names?: readonly string[]
  readonly options?: string
  readonly upstream?: Texts
  readonly folder?: string
}

function variantText(name: string, spec: string): string {
  return `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: ${name}}
spec:
  upstream: {repo: catalog, package: shop, revision: 1}
  downstream: {repo: edge, package: ${name}}
${spec}`
}

/** Returns the digest of the package of the variant `v`. */
function digestOf({ spec = '', items = [], names = [], options = 'o', upstream = {}, folder = 'catalog/shop@v1' }: Asked = {}): string {
  const objects = [variantText('v', spec), ...items].map((text, at) => writtenObject(text, `${at}.yaml`))
  const { steps, renderContext } = planRender({
    items: objects,
    options: OPTIONS,
    packageSource: sourceOfTexts({ folders: { [folder]: { Kptfile: kptfileText('shop'), ...upstream } } }),
    places: () => packagePlaces({}),
    elsewhere: { count: names.length, names },
  })
  const step = steps.find(({ variant }) => variant.name === 'v')
  if (step === undefined) throw new Error('one step')
  return new InputDigests(renderContext, objects, options).of(step)
}

test('equal inputs have equal digests, also with other variants and objects beside them', () => {
  expect(digestOf()).toMatch(/^[0-9a-f]{32}$/)
  expect(digestOf()).toBe(digestOf())
  expect(digestOf({ items: [configMapText('a')] })).toBe(digestOf())
  expect(digestOf({ names: ['v-other', 'w.v'] })).toBe(digestOf())
})

test.each<[string, Asked]>([
  ['the options', { options: 'other' }],
  ['the variant', { spec: '  labels: {a: b}\n' }],
  ['the name of another variant that begins with the name of the variant', { names: ['v.other'] }],
  ['a file of upstream', { upstream: { 'a.yaml': configMapText('a') } }],
])('the digest changes with %s', (_, asked) => {
  expect(digestOf(asked)).not.toBe(digestOf())
})

test('the digest of a variant with injectors changes with every object of the fleet but variants', () => {
  const spec = INJECTOR
  const before = digestOf({ spec, items: [configMapText('a')] })
  expect(digestOf({ spec, items: [configMapText('a', 'data: {b: c}\n')] })).not.toBe(before)
  expect(digestOf({ spec, items: [configMapText('a'), configMapText('b')] })).not.toBe(before)
  expect(digestOf({ spec, items: [configMapText('a'), variantText('w', '')] })).toBe(before)
})

function sourceOf(texts: Texts, more: Partial<SourcePackage> = {}): SourcePackage {
  return { place: 'catalog/shop@v1', files: packageOfTexts(texts), layouts: new Map(), modes: new Map(), results: [], faults: [], ...more }
}

/** Returns an upstream package with the text around its objects, as it is read from a folder. */
function sourceOnDisk(texts: Texts): SourcePackage {
  const files = new Map(Object.entries(texts).map(([path, text]) => [path, fileInMemory(Buffer.from(text), 0o644)]))
  const { contents, layouts } = readWholePackage({ files, links: [], gitFolders: [], leftovers: [] }, { krmignore: false, place: 'p' })
  return sourceOf({}, { files: contents, layouts })
}

const sourceDigest = (source: SourcePackage) => {
  const { renderContext } = planRender({ items: [], options: OPTIONS, packageSource: sourceOfTexts({}), places: () => packagePlaces({}) })
  return new InputDigests(renderContext, [], 'o').digestOf(source)
}

test.each<[string, SourcePackage]>([
  ['a path', sourceOf({ 'b.yaml': configMapText('a'), 'notes.txt': 'x' })],
  ['an object', sourceOf({ 'a.yaml': configMapText('b'), 'notes.txt': 'x' })],
  ['the bytes of a file', sourceOf({ 'a.yaml': configMapText('a'), 'notes.txt': 'y' })],
  ['a permission', sourceOf({ 'a.yaml': configMapText('a'), 'notes.txt': 'x' }, { modes: new Map([['notes.txt', 0o755]]) })],
  ['one file less', sourceOf({ 'a.yaml': configMapText('a') })],
])('the digest of an upstream package changes with %s', (_, source) => {
  const before = sourceOf({ 'a.yaml': configMapText('a'), 'notes.txt': 'x' })
  expect(sourceDigest(source)).not.toBe(sourceDigest(before))
  expect(sourceDigest(sourceOf({ 'a.yaml': configMapText('a'), 'notes.txt': 'x' }))).toBe(sourceDigest(before))
})

test('the digest of an upstream package changes with the text around its objects', () => {
  const [before, after] = ['one', 'two'].map((comment) => sourceOnDisk({ 'a.yaml': `# ${comment}\n---\n${configMapText('a')}` }))
  expect(before && sourceDigest(before)).not.toBe(after && sourceDigest(after))
})
