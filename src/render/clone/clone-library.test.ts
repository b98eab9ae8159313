import { expect, test } from 'vitest'
import { packageOfTexts, type Texts } from '../../../testdata/package-of-texts.ts'
import { configMapText, kptfileText } from '../../../testdata/written-objects.ts'
import { isBytes } from '../../merge/package-files.ts'
import { FunctionError } from '../../result.ts'
import type { SourcePackage } from '../../upstream/source-package.ts'
import { CloneLibrary } from './clone-library.ts'

function sourceOf(texts: Texts): SourcePackage {
  return { place: 'catalog/shop@v1', files: packageOfTexts(texts), layouts: new Map(), modes: new Map(), results: [], faults: [] }
}

const SHOP = { Kptfile: kptfileText('shop'), 'a.yaml': configMapText('a'), 'notes.txt': 'x' }

test('the clone of an upstream package is made once, and laid out once', () => {
  const library = new CloneLibrary('kpt')
  const source = sourceOf(SHOP)
  const clone = library.of(source)
  expect(library.of(source)).toBe(clone)
  expect(library.of(sourceOf(SHOP))).not.toBe(clone)
  expect(clone.files()).toBe(clone.files())
})

test('the contents of a clone are those that it would be written with', () => {
  const { contents, files } = new CloneLibrary('kpt').of(sourceOf(SHOP))
  expect([...contents.keys()]).toEqual([...files().bytes.keys()])
  const content = contents.get('a.yaml') ?? []
  const text = isBytes(content) ? '' : content.map((object) => object.toText()).join('')
  expect(text).toContain('internal.kpt.dev/upstream-identifier')
  expect(Buffer.from(files().bytes.get('a.yaml') ?? []).toString()).toBe(text)
  expect(contents.get('notes.txt')).toEqual(new TextEncoder().encode('x'))
})

test('a clone has the marks of its flavour, and Porch clones no package without a Kptfile', () => {
  const { Kptfile: _, ...bare } = SHOP
  expect(() => new CloneLibrary('porch').of(sourceOf(bare))).toThrow(FunctionError)
  expect(new CloneLibrary('kpt').of(sourceOf(bare)).prepared.flavour).toBe('kpt')
})
