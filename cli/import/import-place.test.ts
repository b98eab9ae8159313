import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { testFolder } from '../../testdata/test-folder.ts'
import { importPlace } from './import-place.ts'

let root = ''
beforeEach(() => {
  root = testFolder()
})

/** Makes folders of a catalog, each with a Kptfile unless it ends with a slash. */
function put(...folders: readonly string[]): void {
  for (const folder of folders) {
    const place = join(root, 'catalog', folder)
    mkdirSync(place, { recursive: true })
    if (!folder.endsWith('/'))
      writeFileSync(join(place, 'Kptfile'), `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n# ${folder}\n`)
  }
}

/** Returns the revision that is written, the one before it, and whether it is there already. */
function placed(as: string): readonly [revision: string, last: string | undefined, isPresent: boolean] {
  const { revision, last, present } = importPlace(as, { locate: (path) => join(root, path) })
  return [revision, last?.revision, present !== undefined]
}

test('without a revision the next number after the newest revision is written', () => {
  expect(placed('catalog/web')).toEqual(['v1', undefined, false])
  put('web@v1', 'web@v2', 'web@v9', 'web@v10', 'web-2@v30', 'web@draft', 'web@v11/')
  expect(placed('catalog/web')).toEqual(['v11', 'v10', false])
  put('till@v2.1.0')
  expect(placed('catalog/till')).toEqual(['v3', 'v2.1.0', false])
})

test('the last revision is the newest one before that which is written, and never that one itself', () => {
  put('web@v1', 'web@v2', 'web@v10')
  expect(placed('catalog/web@v9')).toEqual(['v9', 'v2', false])
  expect(placed('catalog/web@v2')).toEqual(['v2', 'v1', true])
  expect(placed('catalog/web@v1')).toEqual(['v1', undefined, true])
  expect(placed('catalog/web@v11')).toEqual(['v11', 'v10', false])
})

test('a place with something else is not overwritten, an empty folder is', () => {
  put('web@v1/')
  expect(placed('catalog/web@v1')).toEqual(['v1', undefined, false])
  writeFileSync(join(root, 'catalog/web@v1/notes.md'), 'mine')
  expect(() => placed('catalog/web@v1')).toThrow("'catalog/web@v1' is a folder with other files")
  symlinkSync('web@v1', join(root, 'catalog/web@v2'))
  expect(() => placed('catalog/web@v2')).toThrow("'catalog/web@v2' is a link")
  writeFileSync(join(root, 'catalog/web@v3'), '')
  expect(() => placed('catalog/web@v3')).toThrow("'catalog/web@v3' is a file")
})

test('a package without revisions gets none beside it', () => {
  put('web')
  expect(() => placed('catalog/web')).toThrow("'catalog/web' is a package without revisions")
})

test.each(['web', '../catalog/web', '/catalog/web', 'catalog/Web', 'catalog/web@', 'catalog/web@draft', 'catalog/../../web'])(
  '%s is no place for a package',
  (as) => {
    expect(() => placed(as)).toThrow(/^`--as` must/)
  },
)

test('a catalog behind a link that leads out of the current folder is refused', () => {
  symlinkSync(testFolder(), join(root, 'catalog'))
  expect(() => placed('catalog/web')).toThrow('must be inside of the current folder')
})

test.each([
  ['x@../v1', "the catalog of `--as` must not be in a revision of a package, as 'x@..' is called, got 'x@../v1'"],
  ['@v1/web', "must not be in a revision of a package, as '@v1' is called"],
  ['catalog/web@v1/part', "must not be in a revision of a package, as 'catalog/web@v1' is called"],
  ['catalog/.git/web', "the catalog of `--as` must not have the part '.git'"],
  ['node_modules/web', "must not have the part 'node_modules'"],
  ['cat\\alog/web', 'must not contain a backslash'],
  ['cat\nalog/web', 'must not contain a control character'],
])('%j is no place for a package: the name of its catalog is refused', (as, fault) => {
  put('web@v1')
  expect(() => placed(as)).toThrow(fault)
})

test('a catalog in a folder with @ that is no package is one', () => {
  mkdirSync(join(root, 'job@2'))
  expect(placed('job@2/web')).toEqual(['v1', undefined, false])
})
