import { expect, test } from 'vitest'
import { filesInLayers } from './layer-files.ts'
import { ArchiveError } from './tar.ts'
import { type PackedEntry, packTar } from './testing/pack-image.ts'

const MOST = 100_000

/** Returns the files of a folder after layers, each as its path and text. */
function filesAfter(...layers: readonly (readonly PackedEntry[])[]): readonly string[] {
  const packed = layers.map((entries, index) => ({ path: `layer-${index + 1}`, isBase: index === 0, unpack: () => packTar(entries) }))
  return Array.from(filesInLayers(packed, 'pkg', MOST), ([path, bytes]) => `${path}: ${bytes.toString('utf8')}`).sort()
}

const file = (path: string, bytes = path): PackedEntry => ({ path, bytes })

const BELOW = [file('pkg/a.yaml', 'one'), file('pkg/crds/b.yaml', 'one'), file('pkg/crds/deep/c.yaml', 'one')]

test.each<[string, readonly PackedEntry[], readonly string[]]>([
  [
    'a file of its path replaces one of a layer below',
    [file('pkg/a.yaml', 'two')],
    ['a.yaml: two', 'crds/b.yaml: one', 'crds/deep/c.yaml: one'],
  ],
  ['a whiteout of a file removes the file', [file('pkg/.wh.a.yaml', '')], ['crds/b.yaml: one', 'crds/deep/c.yaml: one']],
  ['a whiteout of a folder removes all that is in it', [file('pkg/.wh.crds', '')], ['a.yaml: one']],
  ['a whiteout of the whole folder removes everything', [file('.wh.pkg', '')], []],
  ['a file in the place of a folder removes the files of the folder', [file('pkg/crds', 'two')], ['a.yaml: one', 'crds: two']],
  [
    'an opaque folder has its own files alone',
    [file('pkg/crds/.wh..wh..opq', ''), file('pkg/crds/d.yaml', 'two')],
    ['a.yaml: one', 'crds/d.yaml: two'],
  ],
  ['an opaque root removes everything below', [file('.wh..wh..opq', ''), file('pkg/d.yaml', 'two')], ['d.yaml: two']],
  [
    'the entry of a folder removes nothing',
    [{ path: 'pkg/crds/', type: '5' }],
    ['a.yaml: one', 'crds/b.yaml: one', 'crds/deep/c.yaml: one'],
  ],
  [
    'what is beside the folder is not looked at',
    [file('pkg2/a.yaml'), file('.wh.pkg2', '')],
    ['a.yaml: one', 'crds/b.yaml: one', 'crds/deep/c.yaml: one'],
  ],
])('of two layers: %s', (_, above, files) => {
  expect(filesAfter(BELOW, above)).toEqual(files)
})

test('a path that a layer has twice is refused, one that two layers have is not', () => {
  expect(() => filesAfter([file('pkg/a.yaml'), file('pkg/a.yaml')])).toThrow(
    new ArchiveError("'layer-1' must have 'pkg/a.yaml' once, has it twice"),
  )
  expect(filesAfter([file('pkg/a.yaml', 'one')], [file('pkg/a.yaml', 'two')])).toEqual(['a.yaml: two'])
})

test('a link in the folder is refused, one beside it is not looked at', () => {
  expect(() => filesAfter([{ path: 'pkg/link', type: '2' }])).toThrow("'pkg/link' in 'layer-1' must be a file, is a link")
  expect(filesAfter([{ path: 'link', type: '2' }])).toEqual([])
})

test('layers that have more bytes together than allowed are refused', () => {
  const layer = { path: 'layer', isBase: false, unpack: () => packTar([file('pkg/a.yaml')]) }
  const bytes = layer.unpack().length
  expect(filesInLayers([layer], 'pkg', bytes).size).toBe(1)
  expect(() => filesInLayers([layer, layer], 'pkg', 2 * bytes - 1)).toThrow('must have at most')
})
