import { expect, test } from 'vitest'
import { packageOfTexts } from '../../../testdata/package-of-texts.ts'
import { configMapText, kptfileText } from '../../../testdata/written-objects.ts'
import { resourceListOf } from '../../fleet/testing/fleet-of-objects.ts'
import type { PackageFile } from '../../folder/package.ts'
import { readPackageFile } from '../../folder/read-package-file.ts'
import { readWholePackage } from '../../folder/read-whole-package.ts'
import { fileInMemory } from '../../folder/whole-folder.ts'
import { documentSiblings } from '../../resource-list/file-positions.ts'
import type { SourcePackage } from '../../upstream/source-package.ts'
import { prepareClone } from './clone-package.ts'
import { clonedFiles, contentBytes } from './cloned-files.ts'
import { unchanged } from './rendered-package.ts'

const A = `# head\n---\n${configMapText('a')}---\n# a comment alone\n---\n${configMapText('b')}`

/** Returns an upstream package as it is read from a folder, with the text around its objects. */
function sourceOf(texts: Readonly<Record<string, string>>): SourcePackage {
  const files = new Map(Object.entries(texts).map(([path, text]) => [path, fileInMemory(Buffer.from(text), 0o644)]))
  const { contents, layouts } = readWholePackage(
    { files, links: [], gitFolders: [], leftovers: [] },
    { krmignore: false, place: 'catalog/shop@v1' },
  )
  return { place: 'catalog/shop@v1', files: contents, layouts, modes: new Map(), results: [], faults: [] }
}

const textOf = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString()

test('the files of a clone keep the text around their objects, with the marks of the clone, and bytes stay', () => {
  const source = sourceOf({ Kptfile: kptfileText('shop'), 'a.yaml': A, 'notes.txt': 'x' })
  const { bytes } = clonedFiles(source, prepareClone(source.files, 'kpt'), documentSiblings())
  expect([...bytes.keys()].toSorted()).toEqual(['Kptfile', 'a.yaml', 'notes.txt'])
  const text = textOf(bytes.get('a.yaml'))
  expect(text).toMatch(/^# head\n---\n(.*)---\n# a comment alone\n---\n/s)
  expect(text.match(/upstream-identifier: '?\|ConfigMap\|default\|[ab]/g)).toHaveLength(2)
  expect(textOf(bytes.get('notes.txt'))).toBe('x')
})

test('the layout of a file has the objects of the clone with their texts, and the documents without an object as they are', () => {
  const source = sourceOf({ Kptfile: kptfileText('shop'), 'a.yaml': A, 'notes.txt': 'x' })
  const prepared = prepareClone(source.files, 'kpt')
  const layout = clonedFiles(source, prepared, documentSiblings()).layouts.get('a.yaml')
  const before = source.layouts.get('a.yaml')
  const drafts = prepared.files.get('a.yaml')
  expect(layout?.path).toBe('a.yaml')
  expect(layout?.documents.flatMap(({ object }) => object ?? [])).toEqual(Array.isArray(drafts) ? drafts.map(({ object }) => object) : [])
  for (const [at, document] of (layout?.documents ?? []).entries()) {
    if (document.object === undefined) expect(document).toBe(before?.documents[at])
    else expect(document.text).toBe(document.object.toText())
  }
  expect(layout?.documents.some(({ object }) => object === undefined)).toBe(true)
})

test('the documents of a file are those of its bytes, for each package anew', () => {
  const source = sourceOf({ Kptfile: kptfileText('shop'), 'a.yaml': A, 'b.yaml': '{{ x }}: {{ y }}\n' })
  const { bytes, documents } = clonedFiles(source, prepareClone(source.files, 'kpt'), documentSiblings())
  const read = readPackageFile('site/a.yaml', bytes.get('a.yaml') ?? Buffer.of()).file
  const seen = (file: PackageFile | undefined) =>
    file?.documents.map(({ object, ...chunk }) => [chunk, object?.ref, object?.file, object?.positionOf(['data'])])
  const first = documents('a.yaml', 'site/a.yaml')
  expect(seen(first)).toEqual(seen(read))
  for (const { object } of first?.documents ?? []) object?.set(['metadata', 'name'], 'other')
  expect(seen(documents('a.yaml', 'site/a.yaml'))).toEqual(seen(read))
  expect([documents('b.yaml', 'b.yaml'), documents('c.yaml', 'c.yaml')]).toEqual([undefined, undefined])
})

test('a file is laid out as the first layout that holds one of its objects', () => {
  const [mine, theirs] = [
    sourceOf({ 'a.yaml': `# mine\n${configMapText('a')}` }),
    sourceOf({ 'a.yaml': `# theirs\n${configMapText('a')}# end\n` }),
  ]
  const content = unchanged(theirs.files.get('a.yaml') ?? [], 'theirs')
  const bytes = (...layouts: readonly (SourcePackage | undefined)[]) =>
    textOf(
      contentBytes(
        'a.yaml',
        content,
        layouts.map((each) => each?.layouts.get('a.yaml')),
      ),
    )
  expect(bytes(undefined, mine, theirs)).toBe(`# theirs\n${configMapText('a')}# end\n`)
  expect(bytes()).toContain(configMapText('a'))
})

test('an item of a list is written as a document without the annotations of its place', () => {
  const annotations = { 'config.kubernetes.io/path': 'a.yaml', mine: 'x' }
  const { items } = resourceListOf([['a.yaml', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', annotations } }]])
  const text = textOf(contentBytes('a.yaml', unchanged(items, 'ours'), []))
  expect(text).toContain('mine')
  const bytes = packageOfTexts({ 'notes.txt': 'x' }).get('notes.txt') ?? []
  expect(contentBytes('notes.txt', unchanged(bytes, 'ours'), [])).toBe(bytes)
})
