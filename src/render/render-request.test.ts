import { expect, test } from 'vitest'
import { configMapText, kptfileText, writtenObject } from '../../testdata/written-objects.ts'
import type { PackageFile } from '../folder/package.ts'
import { readWholePackage } from '../folder/read-whole-package.ts'
import { EMPTY_FOLDER, fileInMemory } from '../folder/whole-folder.ts'
import { packagePlaces } from '../lifecycle/testing/places-of.ts'
import { sourceOfTexts } from '../upstream/testing/source-of-texts.ts'
import { unchanged } from './clone/rendered-package.ts'
import { planRender } from './plan-render.ts'
import { renderedBytes } from './render-request.ts'
import { OPTIONS } from './testing/render-of-texts.ts'

const A = configMapText('a')

/** Returns the objects of a file with a comment around them, and its layout. */
function fileWith(comment: string) {
  const folder = { ...EMPTY_FOLDER, files: new Map([['a.yaml', fileInMemory(Buffer.from(`# ${comment}\n${A}`), 0o644)]]) }
  const { contents, layouts } = readWholePackage(folder, { krmignore: false, place: comment })
  return { content: contents.get('a.yaml') ?? [], layouts }
}

const SOURCE = fileWith('upstream')
const { renderContext } = planRender({ items: [], options: OPTIONS, packageSource: sourceOfTexts({}), places: () => packagePlaces({}) })
const source = {
  place: 'catalog/shop@v1',
  files: new Map([
    ['Kptfile', [writtenObject(kptfileText('shop'), 'Kptfile')]],
    ['a.yaml', SOURCE.content],
  ]),
  layouts: SOURCE.layouts,
  modes: new Map<string, number>(),
  results: [],
  faults: [],
}
const upstream = { source, origin: { repo: 'catalog', directory: 'shop', ref: 'v1', resolvedRef: 'v1' } }
const clone = renderContext.clones.of(source)

type Layouts = ReadonlyMap<string, PackageFile>

function bytesOf(
  path: string,
  files: Parameters<typeof renderedBytes>[1]['files'],
  own: { readonly taken?: Layouts; readonly layouts?: Layouts } = {},
) {
  const { taken, layouts } = own
  const bytes = renderedBytes(path, { files, ...(taken && { layouts: taken }) }, { upstream, ...(layouts && { layouts }) }, renderContext)
  return bytes
}

test('a file that was left out has no bytes', () => {
  expect(bytesOf('a.yaml', new Map())).toBeUndefined()
})

test('the bytes of a file that the clones of a package share are made once, those of a Kptfile never', () => {
  const files = new Map([...clone.prepared.files, ['Kptfile', [clone.prepared.kptfile]] as const])
  expect(bytesOf('a.yaml', files)).toBe(clone.files().bytes.get('a.yaml'))
  expect(bytesOf('Kptfile', files)).not.toBe(clone.files().bytes.get('Kptfile'))
})

test('a file is laid out as the package has it, else as the update took it, else as upstream has it', () => {
  const [mine, taken] = [fileWith('mine'), fileWith('taken')]
  const text = (content: typeof mine.content, own: Parameters<typeof bytesOf>[2] = {}) =>
    Buffer.from(bytesOf('a.yaml', new Map([['a.yaml', unchanged(content, 'ours')]]), own) ?? []).toString()
  expect(text(mine.content, { layouts: mine.layouts, taken: taken.layouts })).toBe(`# mine\n${A}`)
  expect(text(taken.content, { layouts: mine.layouts, taken: taken.layouts })).toBe(`# taken\n${A}`)
  expect(text(SOURCE.content, { layouts: mine.layouts, taken: taken.layouts })).toBe(`# upstream\n${A}`)
})
