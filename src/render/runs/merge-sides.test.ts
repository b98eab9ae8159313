import { expect, test } from 'vitest'
import { packageOfTexts, type Texts } from '../../../testdata/package-of-texts.ts'
import { configMapText, kptfileText } from '../../../testdata/written-objects.ts'
import { isBytes, type PackageFiles } from '../../merge/package-files.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import type { SourcePackage } from '../../upstream/source-package.ts'
import { CloneLibrary } from '../clone/clone-library.ts'
import { finishClone } from '../clone/clone-package.ts'
import { type FunctionRun, objectAt, type RenderedFiles } from '../clone/rendered-package.ts'
import { type MergeSide, mergeSide, mergeSides, type NewPackage } from './merge-sides.ts'

const CLONES = { clones: new CloneLibrary('kpt') }
const ORIGIN = { repo: 'catalog', directory: 'shop', ref: 'v1', resolvedRef: 'v1' }

function sourceOf(texts: Texts): SourcePackage {
  const files = packageOfTexts({ Kptfile: kptfileText('shop'), ...texts })
  return { place: 'catalog/shop@v1', files, layouts: new Map(), modes: new Map(), results: [], faults: [] }
}

function runOf(changed: Readonly<Record<string, string | undefined>>): FunctionRun {
  const bytes = Object.entries(changed).map(([path, text]) => [path, text === undefined ? undefined : Buffer.from(text)] as const)
  return { outcome: 'done', changed: new Map(bytes), ran: ['f'], results: [] }
}

/** Returns a new package of an upstream, and what its functions changed. */
function newPackage(texts: Texts, changed: Readonly<Record<string, string | undefined>> = {}): NewPackage {
  const source = sourceOf(texts)
  const { prepared } = CLONES.clones.of(source)
  const files = finishClone(prepared, { name: 'edge', packagePath: 'edge', origin: ORIGIN, updateStrategy: 'resource-merge' })
  return { files, source, run: runOf(changed) }
}

/** Returns the objects of a file as values, and bytes as a text. */
function valuesOf(files: PackageFiles, path: string): unknown {
  const content = files.get(path)
  if (content === undefined) return undefined
  return isBytes(content) ? Buffer.from(content).toString() : content.map((object) => object.toJson())
}

const textIn = (files: RenderedFiles, path: string) => objectAt(files, path)?.toText()
const dataOf = (side: MergeSide, path: string) =>
  valuesOf(side.files, path) === undefined ? undefined : JSON.stringify(valuesOf(side.files, path))
const config = (name: string, value: string) => configMapText(name, `data:\n  value: ${value}\n`)

test('a side has the files of the new package with what its functions changed, made and deleted', () => {
  const made = newPackage(
    { 'a.yaml': config('a', 'one'), 'gone.yaml': config('gone', 'one'), 'notes.txt': 'x' },
    { 'a.yaml': config('a', 'two'), 'gone.yaml': undefined, 'new.yaml': config('new', 'two'), 'notes.txt': 'y' },
  )
  const side = mergeSide(made, CLONES)
  expect([...side.files.keys()].toSorted()).toEqual(['Kptfile', 'a.yaml', 'new.yaml', 'notes.txt'])
  expect([...side.rendered.keys()].toSorted()).toEqual(['Kptfile', 'a.yaml', 'new.yaml', 'notes.txt'])
  expect(valuesOf(side.files, 'a.yaml')).toMatchObject([{ data: { value: 'two' } }])
  expect(valuesOf(side.files, 'notes.txt')).toBe('y')
  expect(textIn(side.rendered, 'a.yaml')).toBe(config('a', 'two'))
  const changed = side.rendered.get('a.yaml')
  expect(changed === undefined || isBytes(changed) ? [] : changed.map(({ from }) => from)).toEqual(['theirs'])
})

test('a file that functions wrote has its own layout, and one that is no resource any more is bytes', () => {
  const made = newPackage(
    { 'a.yaml': config('a', 'one'), 'b.yaml': config('b', 'one') },
    { 'a.yaml': `# head\n${config('a', 'two')}`, 'b.yaml': '- x\n' },
  )
  const { layouts, files } = mergeSide(made, CLONES)
  expect(layouts.get('a.yaml')?.documents.map(({ text }) => text)).toEqual([`# head\n${config('a', 'two')}`])
  expect(layouts.has('b.yaml')).toBe(false)
  expect(valuesOf(files, 'b.yaml')).toBe('- x\n')
})

test('a file that no function changed is the one that all clones share', () => {
  const made = newPackage({ 'a.yaml': config('a', 'one') })
  expect(mergeSide(made, CLONES).files.get('a.yaml')).toBe(CLONES.clones.of(made.source).contents.get('a.yaml'))
})

test('the Kptfile and the package context of a side are those of upstream, and the own ones as variant and functions write them', () => {
  const context = configMapText('kptfile.kpt.dev', 'data:\n  name: upstream\n')
  const side = mergeSide(newPackage({ 'package-context.yaml': context }), CLONES)
  expect(valuesOf(side.files, 'Kptfile')).toEqual([{ apiVersion: 'kpt.dev/v1', kind: 'Kptfile', metadata: { name: 'shop' } }])
  expect(valuesOf(side.files, 'package-context.yaml')).toMatchObject([{ data: { name: 'upstream' } }])
  expect([...side.own.keys()]).toEqual(['Kptfile', 'package-context.yaml'])
  expect(objectAt(side.own, 'Kptfile')?.get(['upstream', 'git', 'repo'])).toBe('catalog')
  expect(objectAt(side.own, 'package-context.yaml')?.get(['data', 'name'])).toBe('edge')
})

test('values that functions wrote into the Kptfile are those of a side, beside what upstream has', () => {
  const made = newPackage({})
  const kptfile = objectAt(made.files, 'Kptfile')
  const after = `${kptfile?.toText() ?? ''}info:\n  description: x\n`
  const side = mergeSide({ ...made, run: runOf({ Kptfile: after }) }, CLONES)
  expect(valuesOf(side.files, 'Kptfile')).toEqual([
    { apiVersion: 'kpt.dev/v1', kind: 'Kptfile', metadata: { name: 'shop' }, info: { description: 'x' } },
  ])
  expect(objectAt(side.own, 'Kptfile')?.get(['info', 'description'])).toBe('x')
})

/** Returns a Kptfile of a new package after a function wrote labels and an annotation. */
function labelled(made: NewPackage): NewPackage {
  const object = KrmObject.fromDocument(objectAt(made.files, 'Kptfile')?.toText() ?? '')
  object.set(['metadata', 'labels'], { team: 'x' })
  object.set(['metadata', 'annotations'], { note: 'x' })
  return { ...made, run: runOf({ Kptfile: object.toText() }) }
}

test('the first label and annotation that functions write are on the old side alone, and those beside others on both', () => {
  const bare = labelled(newPackage({}))
  const fresh = mergeSides(bare, bare, CLONES, true)
  const metadataOf = (side: MergeSide) => valuesOf(side.files, 'Kptfile')
  expect(metadataOf(fresh.base)).toMatchObject([{ metadata: { labels: { team: 'x' }, annotations: { note: 'x' } } }])
  expect(metadataOf(fresh.theirs)).toMatchObject([{ metadata: { labels: { team: 'x' }, annotations: { note: 'x' } } }])
  const alone = mergeSide(bare, CLONES, new Map(), packageOfTexts({ Kptfile: kptfileText('shop') }))
  expect(metadataOf(alone)).toEqual([{ apiVersion: 'kpt.dev/v1', kind: 'Kptfile', metadata: { name: 'shop' } }])
  const withLabels = packageOfTexts({ Kptfile: kptfileText('shop', '  labels: {own: y}\n') })
  const beside = mergeSide(bare, CLONES, new Map(), withLabels)
  expect(metadataOf(beside)).toEqual([{ apiVersion: 'kpt.dev/v1', kind: 'Kptfile', metadata: { name: 'shop', labels: { team: 'x' } } }])
})

const BASE = { 'a.yaml': config('a', 'one'), 'b.yaml': config('b', 'one') }

test('a file that the functions left equal in both revisions is carried as bytes, unless every file is read', () => {
  const [base, theirs] = [
    newPackage(BASE, { 'a.yaml': config('a', 'x'), 'b.yaml': config('b', 'x') }),
    newPackage(BASE, { 'a.yaml': config('a', 'x'), 'b.yaml': config('b', 'y') }),
  ]
  const carried = (readsAll: boolean) => {
    const sides = mergeSides(base, theirs, CLONES, readsAll)
    return [sides.base, sides.theirs].map(({ files }) => ['a.yaml', 'b.yaml'].map((path) => isBytes(files.get(path))))
  }
  expect(carried(false)).toEqual([
    [true, false],
    [true, false],
  ])
  expect(carried(true)).toEqual([
    [false, false],
    [false, false],
  ])
  const sides = mergeSides(base, theirs, CLONES, false)
  expect(sides.base.files.get('a.yaml')).toBe(sides.theirs.files.get('a.yaml'))
})

test('a file that one of the revisions deletes or leaves is not equal', () => {
  const base = newPackage(BASE, { 'a.yaml': undefined, 'b.yaml': config('b', 'x') })
  const sides = mergeSides(base, newPackage(BASE, { 'a.yaml': undefined }), CLONES, false)
  expect([sides.base.files.has('a.yaml'), sides.theirs.files.has('a.yaml')]).toEqual([false, false])
  expect(isBytes(sides.base.files.get('b.yaml'))).toBe(false)
})

test.each(['base', 'theirs'])('in a package whose %s has a subpackage every file is read', (side) => {
  const sub = { 'sub/Kptfile': kptfileText('sub') }
  const run = { 'a.yaml': config('a', 'x') }
  const [base, theirs] = [
    newPackage(side === 'base' ? { ...BASE, ...sub } : BASE, run),
    newPackage(side === 'theirs' ? { ...BASE, ...sub } : BASE, run),
  ]
  const sides = mergeSides(base, theirs, CLONES, false)
  expect([isBytes(sides.base.files.get('a.yaml')), isBytes(sides.theirs.files.get('a.yaml'))]).toEqual([false, false])
})

test('where upstream lacks the package context in both revisions, the sides lack it; where one has it, both have one', () => {
  const context = { 'package-context.yaml': configMapText('kptfile.kpt.dev', 'data:\n  name: shop\n') }
  const has = (base: Texts, theirs: Texts) => {
    const sides = mergeSides(newPackage(base), newPackage(theirs), CLONES, true)
    return [sides.base, sides.theirs].map((side) => [side.files, side.rendered].map((files) => files.has('package-context.yaml')))
  }
  expect(has({}, {})).toEqual([
    [false, false],
    [false, false],
  ])
  expect(has({}, context)).toEqual([
    [true, true],
    [true, true],
  ])
  expect(has(context, {})).toEqual([
    [true, true],
    [true, true],
  ])
  const { base, theirs } = mergeSides(newPackage({}), newPackage(context), CLONES, true)
  expect(dataOf(base, 'package-context.yaml')).toContain('"name":"edge"')
  expect(dataOf(theirs, 'package-context.yaml')).toContain('"name":"shop"')
})

test('a finding about a file that functions wrote is at the place that the package names, else below that of its upstream', () => {
  const made = newPackage({}, { 'a.yaml': config('a', 'x') })
  const pathOf = (pkg: NewPackage) => mergeSide(pkg, CLONES).layouts.get('a.yaml')?.path
  expect(pathOf(made)).toBe('catalog/shop@v1/a.yaml')
  expect(pathOf({ ...made, placeOf: (path) => `other/${path}` })).toBe('other/a.yaml')
})

test('a label beside one of upstream stays on the new side, and a file that the variant changed is as the variant left it', () => {
  const made = labelled(newPackage({ Kptfile: kptfileText('shop', '  labels: {own: y}\n'), 'a.yaml': config('a', 'one') }))
  const [object] = packageOfTexts({ 'a.yaml': config('a', 'mine') }).get('a.yaml') ?? []
  if (!(object instanceof KrmObject)) throw new Error('one object')
  const files = new Map([...made.files, ['a.yaml', [{ from: 'theirs' as const, source: object, object }]]])
  const side = mergeSide({ ...made, files }, CLONES, new Map(), packageOfTexts({ Kptfile: kptfileText('shop') }))
  expect(valuesOf(side.files, 'Kptfile')).toMatchObject([{ metadata: { labels: { team: 'x' } } }])
  expect(valuesOf(side.files, 'a.yaml')).toMatchObject([{ data: { value: 'mine' } }])
})
