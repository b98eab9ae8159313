import { expect, test } from 'vitest'
import { packageOfTexts, type Texts } from '../../testdata/package-of-texts.ts'
import { type ImportOrigin, nextRevision } from './next-revision.ts'
import { readVendorObjects } from './vendor-objects.ts'

const config = (name: string, value = 'one', more = '') =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${more}data:\n  a: ${value}\n`
const LOCAL = "  annotations:\n    config.kubernetes.io/local-config: 'true'\n"

const ORIGIN: ImportOrigin = { source: 'manifest', name: 'release.yaml', sha256: 'x', command: 'import release.yaml' }

/** Returns a revision of a package with the objects of a vendor, after the files of the last revision. */
function revision(vendor: string, last?: Texts) {
  const { objects } = readVendorObjects([{ name: 'release.yaml', bytes: Buffer.from(vendor) }])
  const { files, results } = nextRevision({
    name: 'app',
    objects,
    origin: ORIGIN,
    last: last && packageOfTexts(last),
    setters: [],
  })
  const texts = Object.fromEntries(Array.from(files, ([path, content]) => [path, textOf(content)] as const))
  return { files: texts, rules: results.map(({ tags }) => tags.rule) }
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

test('an object that the vendor no longer has goes with its file, and files without objects stay', () => {
  const last = imported(`${config('a')}---\n${config('b')}`, { 'README.md': 'mine\n' })
  const { files, rules } = revision(config('b', 'two'), last)
  expect(files).toMatchObject({ 'configmap-b.yaml': config('b', 'two'), 'README.md': 'mine\n' })
  expect(Object.keys(files)).not.toContain('configmap-a.yaml')
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
