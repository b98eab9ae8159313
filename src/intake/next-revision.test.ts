import { expect, test } from 'vitest'
import { packageOfTexts, type Texts } from '../../testdata/package-of-texts.ts'
import { readWholePackage } from '../folder/read-whole-package.ts'
import { EMPTY_FOLDER } from '../folder/whole-folder.ts'
import { config } from '../merge/testing/merge-of-texts.ts'
import { type ImportOrigin, isSameImport, nextRevision, objectsOfRevision, originOf } from './next-revision.ts'
import { filesOnDisk, ORIGIN } from './testing/revisions.ts'
import { readVendorObjects } from './vendor-objects.ts'

const LOCAL = "  annotations:\n    config.kubernetes.io/local-config: 'true'\n"

/** Returns a revision of a package with the objects of a vendor, after the files of the last revision. */
function revision(vendor: string, last?: Texts, links: readonly string[] = []) {
  const { objects } = readVendorObjects([{ name: 'release.yaml', bytes: Buffer.from(vendor) }])
  const { files, results } = nextRevision({
    name: 'app',
    objects,
    origin: ORIGIN,
    last: last && lastRevision(last, links),
    setters: [],
  })
  const texts = Object.fromEntries(Array.from(files, ([path, content]) => [path, textOf(content)] as const))
  return { files: texts, results, rules: results.map(({ tags }) => tags.rule) }
}

function lastRevision(texts: Texts, links: readonly string[]) {
  const { contents, layouts } = readWholePackage({ ...EMPTY_FOLDER, files: filesOnDisk(texts) }, { krmignore: false, place: '' })
  return { files: contents, layouts, links, place: 'catalog/app@v1' }
}

const textOf = (content: string | Uint8Array) => (typeof content === 'string' ? content : Buffer.from(content).toString('utf8'))

/** Returns a revision as an import writes it, with more files. */
function imported(vendor: string, more: Texts = {}): Texts {
  return { ...revision(vendor).files, ...more }
}

test('a revision has the objects of the vendor, and a Kptfile that says where they come from', () => {
  const { files, rules } = revision(`${config('a')}---\n${config('b')}`)
  expect(Object.keys(files).sort()).toEqual(['Kptfile', 'configmap-a.yaml', 'configmap-b.yaml'])
  expect(files.Kptfile).toContain('fn.krm-variants.dev/imported-from')
  expect(rules).toEqual([])
})

test.each([
  { reason: 'comments around a map', text: '---\n# top\na: 1\n---\n# tail\n' },
  { reason: 'what is behind the end of a document', text: '# head\n---\nb: 1\n...\n' },
  { reason: 'comments alone', text: '# notes\n' },
])('a YAML file without objects stays as it is: $reason', ({ text }) => {
  const { files, results } = revision(config('a', 'two'), imported(config('a'), { 'settings.yaml': text }))
  expect(files['settings.yaml']).toBe(text)
  expect(results).toEqual([])
})

test('a new object of the vendor takes no file of a person, and stays in its own file from then on', () => {
  const script = '#!/bin/sh\necho mine\n'
  const second = revision(`${config('a')}---\n${config('b')}`, imported(config('a'), { 'configmap-b.yaml': script }))
  expect(second).toMatchObject({ files: { 'configmap-b.yaml': script, 'configmap--b.yaml': config('b') }, results: [] })
  const third = revision(`${config('a')}---\n${config('b', 'two')}`, second.files)
  expect(third.files).toEqual({ ...second.files, Kptfile: expect.anything(), 'configmap--b.yaml': config('b', 'two') })
})

const KPTFILE_OF_MINE = 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: mine\n'

test('a new object of the vendor is in no package of people, which the revision after that has too', () => {
  const mine = { 'crds/Kptfile': KPTFILE_OF_MINE, 'crds/customresourcedefinition-b.yaml': config('own') }
  const definition = 'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: b\n'
  const { files } = revision(`${config('a')}---\n${definition}`, imported(config('a'), mine))
  expect(files).toMatchObject({ ...mine, 'customresourcedefinition-b.yaml': definition })
  expect(revision(`${config('a', 'two')}---\n${definition}`, files).files).toMatchObject(mine)
})

test('a package of people in a folder below stays as it is, but for one that has objects of the vendor', () => {
  const mine = { 'mine/Kptfile': `# mine\n${KPTFILE_OF_MINE}`, 'mine/all.yaml': `---\n# why\n${config('own')}---\n${config('other')}` }
  const theirs = { 'theirs/Kptfile': KPTFILE_OF_MINE, 'theirs/b.yaml': `${config('b')}---\n${config('own-b')}` }
  const { files, rules } = revision(`${config('a', 'two')}---\n${config('b', 'two')}`, imported(config('a'), { ...mine, ...theirs }))
  expect(files).toMatchObject({ ...mine, 'theirs/Kptfile': KPTFILE_OF_MINE, 'theirs/b.yaml': config('b', 'two') })
  expect(rules).toEqual(['import-edited'])
  expect(revision(config('a', 'two'), imported(config('a'), mine))).toMatchObject({ files: mine, rules: [] })
})

test('an object that the vendor no longer has goes with its file, and files without objects stay', () => {
  const last = imported(`${config('a')}---\n${config('b')}`, { 'README.md': 'mine\n' })
  const { files, rules } = revision(config('b', 'two'), last)
  expect(files).toMatchObject({ 'configmap-b.yaml': config('b', 'two'), 'README.md': 'mine\n' })
  expect(Object.keys(files)).not.toContain('configmap-a.yaml')
  expect(rules).toEqual([])
})

test('an object of the vendor that people moved into a package below goes when the vendor no longer has the object', () => {
  const kptfile = 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: sub\n'
  const { 'configmap-b.yaml': b = '', ...last } = imported(`${config('a')}---\n${config('b')}`)
  const options = `# mine\n---\n${config('options', 'mine', LOCAL)}`
  const moved = { ...last, 'sub/Kptfile': kptfile, 'sub/b.yaml': b, 'own/Kptfile': kptfile, 'own/options.yaml': options }
  const { files, rules } = revision(config('a', 'two'), moved)
  expect(Object.keys(files).toSorted()).toEqual(['Kptfile', 'configmap-a.yaml', 'own/Kptfile', 'own/options.yaml', 'sub/Kptfile'])
  expect(files['own/options.yaml']).toBe(options)
  expect(rules).toEqual([])
})

test('the Kptfile of a subpackage stays, whatever the vendor has', () => {
  const kptfile = 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: db\n'
  const { files } = revision(config('a', 'two'), imported(config('a'), { 'db/Kptfile': kptfile }))
  expect(files['db/Kptfile']).toBe(kptfile)
})

test('an object that no cluster gets stays, unless the vendor has one of its kind and name', () => {
  const last = imported(config('a'), { 'options.yaml': config('options', 'mine', LOCAL) })
  expect(revision(config('a', 'two'), last).files['options.yaml']).toBe(config('options', 'mine', LOCAL))
  const { files } = revision(`${config('a')}---\n${config('options', 'theirs')}`, last)
  expect(files['options.yaml']).toBe(config('options', 'theirs'))
})

test('the pipeline of the last Kptfile stays', () => {
  const first = imported(config('a'))
  const pipeline = 'pipeline:\n  mutators:\n    - image: set-labels:v0.2.0\n'
  expect(revision(config('a', 'two'), { ...first, Kptfile: `${first.Kptfile}${pipeline}` }).files.Kptfile).toContain(pipeline)
})

test('an object that people changed in the last revision is a warning, since the next one has the object of the vendor', () => {
  const last = imported(config('a'))
  expect(revision(config('a', 'two'), last).rules).toEqual([])
  const { files, rules } = revision(config('a', 'two'), { ...last, 'configmap-a.yaml': config('a', 'mine') })
  expect(files['configmap-a.yaml']).toBe(config('a', 'two'))
  expect(rules).toEqual(['import-edited'])
})

test('a comment that people wrote into an object or between objects is a warning at its place', () => {
  const last = imported(config('a'))
  const edited = `# head\n${config('a', 'one # why')}---\n# alone\n`
  const { results } = revision(config('a', 'two'), { ...last, 'configmap-a.yaml': edited })
  const found = results.map(({ message, file, position, tags }) => [message, file?.path, position, tags.rule])
  const about = (comment: string, line: number, column: number) => [
    `the comment '${comment}' is not in the next revision`,
    'catalog/app@v1/configmap-a.yaml',
    { line, column },
    'import-edited',
  ]
  expect(found).toEqual([about('# head', 1, 1), about('# why', 7, 10), about('# alone', 9, 1)])
})

test.each([
  ['that the vendor removed', `# theirs\n${config('a')}`, (text: string) => text],
  ['of a setter', config('a'), (text: string) => text.replace('one', 'one # kpt-set: ${a}')],
  ['that the vendor has too', config('a'), (text: string) => `# both\n${text}`],
])('a comment %s is no warning', (_, vendor, edit) => {
  const last = imported(vendor)
  const next = `# both\n${config('a', 'two')}`
  expect(revision(next, { ...last, 'configmap-a.yaml': edit(last['configmap-a.yaml'] ?? '') }).rules).toEqual([])
})

test('a comment of a Secret is named without its text', () => {
  const secret = (more: string) => `apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\nstringData:\n  password: one${more}\n`
  const last = imported(secret(''))
  const { results } = revision(secret('x'), { ...last, 'secret-s.yaml': secret(' # was hunter2') })
  expect(results.map(({ tags }) => tags.rule)).toEqual(['import-edited'])
  expect(JSON.stringify(results)).not.toContain('hunter2')
})

test('a link that people made in the last revision is a warning', () => {
  const warning = {
    severity: 'warning',
    message: 'is a symbolic link and not in the next revision',
    file: { path: 'catalog/app@v1/l', index: 0 },
    tags: { rule: 'import-edited' },
  }
  expect(revision(config('a', 'two'), imported(config('a')), ['l']).results).toEqual([warning])
})

test.each<[string, Partial<ImportOrigin>, Partial<ImportOrigin>, boolean]>([
  ['everything equal', {}, {}, true],
  ['another command, name and path', {}, { command: 'x', name: 'y', path: 'z', commit: 'c' }, true],
  ['another digest', {}, { sha256: 'y' }, false],
  ['another source', {}, { source: 'helm' }, false],
  ['another version', { version: 'v1' }, { version: 'v2' }, false],
  ['a version that only the new one has', { version: 'v1' }, {}, false],
  ['a version that only the recorded one has', {}, { version: 'v1' }, false],
  ['hooks that are kept now', { hooks: 'keep' }, {}, false],
  ['hooks that are kept no longer', {}, { hooks: 'keep' }, false],
  ['another tag of a package', { source: 'package', version: 'v1' }, { source: 'package', version: 'v2' }, true],
  ['other files of a package', { source: 'package' }, { source: 'package', sha256: 'y' }, false],
])('an import with %s is the same or not', (_, now, recorded, isSame) => {
  expect(isSameImport({ ...ORIGIN, ...now }, { ...ORIGIN, ...recorded })).toBe(isSame)
})

test('a package that was not imported is the same as no import', () => {
  expect(isSameImport(ORIGIN, undefined)).toBe(false)
})

const annotated = (value: string) =>
  `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: app\n  annotations:\n    fn.krm-variants.dev/imported-from: ${value}\n`

test.each([
  ['an object of JSON', annotated(`'{"name": "a"}'`), { name: 'a' }],
  ['a list', annotated(`'["a"]'`), undefined],
  ['no JSON', annotated('by hand'), undefined],
])('the origin in a Kptfile that records %s is read as such', (_, kptfile, origin) => {
  expect(originOf(packageOfTexts({ Kptfile: kptfile }))).toEqual(origin)
})

test('a package without a Kptfile, or with one that is no YAML, has no origin', () => {
  expect(originOf(packageOfTexts({ 'a.yaml': config('a') }))).toBeUndefined()
  expect(originOf(packageOfTexts({ Kptfile: '{{ no YAML\n' }))).toBeUndefined()
})

test('the objects of a revision are without Kptfiles, other files and YAML that is no object', () => {
  const files = packageOfTexts({
    ...imported(config('a')),
    'db/Kptfile': annotated('x'),
    'README.md': 'mine\n',
    'settings.yaml': 'port: 80\n',
    'unnamed.yaml': 'kind: Unnamed\n',
    'unkinded.yaml': 'metadata: {name: unkinded}\n',
    'b.yaml': config('b'),
  })
  expect(objectsOfRevision(files).map(({ name }) => name)).toEqual(['a', 'b'])
})
