import { expect, test } from 'vitest'
import { folderTree } from '../folder/file-tree.ts'
import { readPackageFile } from '../folder/read-package-file.ts'
import { refusedResources } from './check-resources.ts'
import { configMapWith, kptfileWith } from './testing/run-of-texts.ts'

type Files = Readonly<Record<string, string>>

/** Returns the errors about files, and the folders of the packages that were read once more. */
function refused(files: Files, options: Partial<Parameters<typeof refusedResources>[2]> = {}) {
  const opened: string[] = []
  const read = Object.entries(files).flatMap(([path, text]) => readPackageFile(path, Buffer.from(text)).file ?? [])
  const results = refusedResources(
    read,
    (folder) => {
      opened.push(folder)
      const prefix = folder === '' ? '' : `${folder}/`
      const own = Object.keys(files).flatMap((path) => (path.startsWith(prefix) ? [path.slice(prefix.length)] : []))
      const tree = folderTree(own, (path) => Buffer.from(files[`${prefix}${path}`] ?? ''))
      return { tree, place: `/fleet/${folder}`, name: (path) => `${prefix}${path}` }
    },
    { cloned: new Map(), ...options },
  )
  return { opened, found: results.map(({ file, message }) => `${file?.path} ${message.replace(/,.*$/, '')}`) }
}

const RUN = kptfileWith('pipeline: {mutators: [{image: a/b}]}')
const VALUES = 'replicas: 2\n'

test.each([
  ['a document without apiVersion', { 'p/Kptfile': RUN, 'p/v.yaml': VALUES }, ['p/v.yaml must have `apiVersion`']],
  ['a document that is no map', { 'p/Kptfile': RUN, 'p/d/v.yaml': '- a\n' }, ['p/d/v.yaml must be a map']],
  ['resources alone', { 'p/Kptfile': RUN, 'p/a.yaml': configMapWith('a') }, undefined],
  ['a file that is empty', { 'p/Kptfile': RUN, 'p/a.yaml': '# nothing\n' }, undefined],
  ['no functions', { 'p/Kptfile': kptfileWith(), 'p/v.yaml': VALUES }, undefined],
  ['such a file beside it', { 'p/Kptfile': RUN, 'v.yaml': VALUES, 'pp/v.yaml': VALUES }, undefined],
])('a package with %s', (_what, files: Files, errors) => {
  expect(refused(files)).toEqual({ opened: errors === undefined ? [] : ['p'], found: errors ?? [] })
})

test('a document that selectors leave out is no error', () => {
  const Kptfile = kptfileWith('pipeline: {mutators: [{image: a/b, selectors: [{kind: ConfigMap}]}]}')
  expect(refused({ 'p/Kptfile': Kptfile, 'p/v.yaml': VALUES })).toEqual({ opened: ['p'], found: [] })
})

test('the document of a subpackage is one of the uppermost package that runs', () => {
  const files = { 'p/Kptfile': RUN, 'p/sub/Kptfile': RUN, 'p/sub/v.yaml': VALUES }
  expect(refused(files)).toEqual({ opened: ['p'], found: ['p/sub/v.yaml must have `apiVersion`'] })
  expect(refused({ ...files, 'p/Kptfile': kptfileWith() }).opened).toEqual(['p/sub'])
  expect(refused({ Kptfile: RUN, ...files }).opened).toEqual([''])
})

test('the caller says which packages run, with functions or without', () => {
  const files = { 'p/Kptfile': kptfileWith(), 'p/v.yaml': VALUES, 'q/Kptfile': RUN, 'q/v.yaml': VALUES }
  expect(refused(files, { isRun: ({ path }) => path === 'p/Kptfile' }).opened).toEqual(['p'])
})

test('an upstream package is judged with the pipeline of each variant, and not without one', () => {
  const files = { 'p/Kptfile': kptfileWith(), 'p/v.yaml': VALUES }
  const cloned = (...pipelines: readonly (typeof ALL)[]) => refused(files, { cloned: new Map([['p', pipelines]]) })
  const ALL = { mutators: [{ image: 'a/b', selectors: [{}] }] }
  const SOME = { mutators: [{ image: 'a/b', selectors: [{ kind: 'ConfigMap' }] }] }
  expect(cloned()).toEqual({ opened: [], found: [] })
  expect(cloned({ mutators: [] })).toEqual({ opened: [], found: [] })
  expect(cloned(ALL)).toEqual({ opened: ['p'], found: ['p/v.yaml must have `apiVersion`'] })
  expect(cloned(SOME)).toEqual({ opened: ['p'], found: [] })
  expect(cloned(SOME, ALL)).toEqual({ opened: ['p', 'p'], found: ['p/v.yaml must have `apiVersion`'] })
})
