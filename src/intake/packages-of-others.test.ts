import { expect, test } from 'vitest'
import { packageOfTexts, type Texts } from '../../testdata/package-of-texts.ts'
import { fileInMemory, type WholeFolder } from '../folder/whole-folder.ts'
import { config } from '../merge/testing/merge-of-texts.ts'
import { formatResult } from '../result.ts'
import { digestOfFiles, editedPackage, type ImportOrigin, isSameImport, kptfileOfPackage } from './next-revision.ts'
import { filesOnDisk, ORIGIN } from './testing/revisions.ts'

/** Returns a package of others whose Kptfile has the origin, as an import writes the package. */
function vendorPackage(texts: Texts, origin = ORIGIN) {
  const files = (own: Texts, links: readonly string[] = []) => ({
    place: 'catalog/app@v1',
    files: packageOfTexts(own),
    disk: { files: filesOnDisk(own), links },
  })
  const kptfile = kptfileOfPackage('app', files(texts), origin)
  return { kptfile, withTexts: (more: Texts, links?: readonly string[]) => files({ ...texts, Kptfile: kptfile, ...more }, links) }
}

const PACKAGE = { 'a.yaml': config('a'), 'README.md': 'theirs\n' }
const OWN_KPTFILE = 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: theirs\ninfo:\n  description: The shop\n'

test.each([
  ['without a description', { ...PACKAGE, Kptfile: OWN_KPTFILE.slice(0, OWN_KPTFILE.indexOf('info')) }],
  ['with a description', { ...PACKAGE, Kptfile: OWN_KPTFILE }],
  ['with an empty description', { ...PACKAGE, Kptfile: OWN_KPTFILE.replace('The shop', "''") }],
])('a package of others %s counts as edited only after someone changed a file', (_, texts) => {
  const { kptfile, withTexts } = vendorPackage(texts)
  expect(editedPackage(undefined, new Map())).toEqual([])
  expect(editedPackage(withTexts({}), filesOnDisk(PACKAGE))).toEqual([])
  for (const edit of [
    { 'a.yaml': config('a', 'mine') },
    { 'README.md': 'mine\n' },
    { 'new.txt': '' },
    { Kptfile: `${kptfile}pipeline: {}\n` },
  ])
    expect(editedPackage(withTexts(edit), filesOnDisk({ ...PACKAGE, 'new.txt': '' }))).toMatchObject([
      {
        severity: 'warning',
        message: expect.stringMatching(/was changed after its import: .* its files is not in/),
        file: { path: 'catalog/app@v1' },
        tags: { rule: 'import-edited' },
      },
    ])
})

/** Returns a package of others on disk with executable files. */
const withExecutable = <Package extends { readonly disk: Pick<WholeFolder, 'files' | 'links'> }>(last: Package, ...paths: string[]) => {
  const turned = paths.map((path) => [path, fileInMemory(last.disk.files.get(path)?.read() ?? Buffer.of(), 0o755)] as const)
  return { ...last, disk: { ...last.disk, files: new Map([...last.disk.files, ...turned]) } }
}

const BIT = 'catalog/app@v1/README.md: warning: is executable, and is not in the next revision [import-edited]'
const found = (...args: Parameters<typeof editedPackage>) => editedPackage(...args).map(formatResult)

test('the files that the next revision of an edited package of others lacks are named once, and no file of one without edits', () => {
  const next = new Map([...filesOnDisk(PACKAGE)].filter(([path]) => path !== 'README.md'))
  const { withTexts } = vendorPackage({ ...PACKAGE, Kptfile: OWN_KPTFILE })
  expect(found(withTexts({}), next)).toEqual([])
  expect(found(withTexts({ 'mine.txt': '' }), next).slice(1)).toEqual([
    "catalog/app@v1: warning: the next revision lacks 'README.md', 'mine.txt', which the last one has: the source has no such file [import-edited]",
  ])
})

test('an executable bit that the next revision of a package of others lacks is named if a person turned the bit on', () => {
  const texts = { ...PACKAGE, Kptfile: OWN_KPTFILE }
  const bare = vendorPackage(texts).withTexts(texts)
  const importedWith = (...paths: string[]) =>
    vendorPackage(texts).withTexts({ Kptfile: kptfileOfPackage('app', withExecutable(bare, ...paths), ORIGIN) })
  expect(found(withExecutable(importedWith(), 'README.md'), filesOnDisk(PACKAGE))).toEqual([BIT])
  expect(found(withExecutable(importedWith('README.md'), 'README.md'), filesOnDisk(PACKAGE))).toEqual([])
  expect(found(withExecutable(importedWith(), 'README.md'), withExecutable(bare, 'README.md').disk.files)).toEqual([])
})

test('an executable bit that a person turned off in a package of others is named if the next revision has the bit', () => {
  const texts = { ...PACKAGE, Kptfile: OWN_KPTFILE }
  const { withTexts } = vendorPackage(texts)
  const executable = withExecutable(withTexts(texts), 'README.md')
  const turnedOff = withTexts({ Kptfile: kptfileOfPackage('app', executable, ORIGIN) })
  expect(found(turnedOff, executable.disk.files)).toEqual([
    'catalog/app@v1/README.md: warning: is not executable, and is in the next revision [import-edited]',
  ])
  expect(found(turnedOff, filesOnDisk(PACKAGE))).toEqual([])
  expect(found(withTexts({}), executable.disk.files)).toEqual([])
})

test.each([
  ['the same ones', '["run.sh"]', true],
  ['none', '[]', false],
  ['another one', '["b.sh"]', false],
  ['unknown ones', undefined, true],
])('a package of others of which the last import recorded %s as executable is the same import: %j, %s', (_, executable, isSame) => {
  const files = new Map([
    ['run.sh', fileInMemory(Buffer.of(), 0o755)],
    ['b.sh', fileInMemory(Buffer.of(), 0o644)],
  ])
  const recorded = { ...ORIGIN, ...(executable !== undefined && { executable: JSON.parse(executable) }) }
  expect(isSameImport(ORIGIN, recorded, files)).toBe(isSame)
})

test('of a package of others whose import recorded no executable bits, these are named only beside other edits', () => {
  const { kptfile, withTexts } = vendorPackage({ ...PACKAGE, Kptfile: OWN_KPTFILE })
  const old = { Kptfile: kptfile.replace(',"executable":[]', '') }
  expect(old.Kptfile).not.toBe(kptfile)
  expect(found(withExecutable(withTexts(old), 'README.md'), filesOnDisk(PACKAGE))).toEqual([])
  const edited = withExecutable(withTexts({ ...old, 'a.yaml': config('a', 'mine') }), 'README.md')
  expect(found(edited, filesOnDisk(PACKAGE)).slice(1)).toEqual([BIT])
})

test('a package of others that was not imported is named as such', () => {
  const [result] = editedPackage(
    {
      place: 'catalog/app@v1',
      files: packageOfTexts(PACKAGE),
      disk: { files: filesOnDisk(PACKAGE), links: [] },
    },
    filesOnDisk(PACKAGE),
  )
  expect(result?.message).toContain('the last revision was not imported: ')
})

test.each<[string, Texts, Partial<ImportOrigin>, string]>([
  ['a new Kptfile', PACKAGE, { version: 'v1' }, 'description: Imported from package release.yaml v1\n'],
  ['a Kptfile without one', { Kptfile: OWN_KPTFILE.replace('The shop', "''") }, {}, 'Imported from package release.yaml'],
  ['an earlier import', { Kptfile: OWN_KPTFILE.replace('The shop', 'Imported from chart x') }, {}, 'Imported from package release.yaml\n'],
  ['people', { Kptfile: OWN_KPTFILE }, {}, 'description: The shop\n'],
  ['an import with values', PACKAGE, { values: '0123456789abcdef' }, 'release.yaml, values 0123456789ab\n'],
])('the description of %s is replaced only if no person wrote it', (_, texts, origin, description) => {
  expect(vendorPackage(texts, { ...ORIGIN, source: 'package', ...origin }).kptfile).toContain(description)
})

test('a link that people made in a package of others is a warning', () => {
  const { withTexts } = vendorPackage({ ...PACKAGE, Kptfile: OWN_KPTFILE })
  expect(found(withTexts({}, ['l']), filesOnDisk(PACKAGE))).toEqual([
    'catalog/app@v1/l: warning: is a symbolic link and not in the next revision [import-edited]',
  ])
})

test('other paths and other bytes have another digest', () => {
  const digests = [{ a: 'x' }, { b: 'x' }, { a: 'y' }, { a: 'x', b: '' }].map((texts) => digestOfFiles(filesOnDisk({ ...texts })))
  expect(new Set(digests).size).toBe(4)
  expect(digestOfFiles(filesOnDisk({ a: 'x' }))).toBe(digests[0])
})
