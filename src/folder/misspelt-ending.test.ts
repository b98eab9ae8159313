import { expect, test } from 'vitest'
import { WireError } from '../resource-list/wire-error.ts'
import { formatResult } from '../result.ts'
import { folderTree } from './file-tree.ts'
import { formerNames, meantEnding } from './misspelt-ending.ts'
import { readTree } from './read-package.ts'

test.each([
  ['third.ymal', 'yaml'],
  ['x.yalm', 'yaml'],
  ['x.YALM', 'yaml'],
  ['x.yam', 'yaml'],
  ['x.yaaml', 'yaml'],
  ['a.b.ylm', 'yml'],
  ['x.jsn', 'json'],
  ['x.yaml.', 'yaml'],
  ['x.yaml.txt', 'yaml'],
  ['x.yml.txt', 'yml'],
  ['x.yaml', undefined],
  ['x.YAML', undefined],
  ['x.txt', undefined],
  ['x.yaml.bak', undefined],
  ['x.yaml~', undefined],
  ['x.yaml.tmpl', undefined],
  ['x.jsonl', undefined],
  ['pom.xml', undefined],
  ['main.ml', undefined],
  ['mail.eml', undefined],
  ['x.UML', undefined],
  ['x.kml', undefined],
  ['web.iml', undefined],
  ['x.toml', undefined],
  ['x.ndjson', undefined],
  ['x.yl', 'yml'],
  ['README.md', undefined],
  ['Makefile', undefined],
  ['yaml', undefined],
])('the ending that is meant by %s is %s', (name, ending) => {
  expect(meantEnding(name)).toBe(ending)
})

test.each([
  ['sets.yaml.bak', ['sets.yaml']],
  ['sets.json.orig', ['sets.json']],
  ['sets.yml~', []],
  ['sets.yaml.j2.old', ['sets.yaml']],
  ['sets.bak', ['sets.yaml', 'sets.yml', 'sets.json']],
  ['sets', ['sets.yaml', 'sets.yml', 'sets.json']],
  ['sets.yaml', []],
  ['sets.YAML', []],
  ['sets.ymal', []],
  ['Kptfile', []],
])('the names that %s may have had are %j', (name, former) => {
  expect(formerNames(name)).toEqual(former)
})

const MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n'
const SET = 'apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata: {name: s}\n'

/** Returns the findings about the files of a fleet, and the objects that are passed over. */
function readFiles(files: Readonly<Record<string, string>>) {
  const tree = folderTree(Object.keys(files), (path) => Buffer.from(files[path] ?? ''))
  const { results, list } = readTree(tree, undefined, { isFleet: true })
  return { found: results.map(formatResult), passedOver: list.passedOver.map(({ resourceRef }) => resourceRef?.name) }
}

test('a file with a misspelt ending that holds objects is a warning, and its objects are passed over', () => {
  expect(readFiles({ 'sets/third.ymal': `${MAP}---\n${SET}`, 'a.yaml': MAP })).toEqual({
    found: [
      "sets/third.ymal: warning: must have the ending .yaml, .yml or .json for its objects to be read, got '.ymal'; did you mean '.yaml'? [file-ending]",
    ],
    passedOver: ['a', 's'],
  })
  const json = '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}'
  expect(readFiles({ 'a.json.txt': json }).found).toEqual([expect.stringContaining("got '.json.txt'; did you mean '.json'?")])
})

test.each([
  ['in UTF-16', Buffer.from(`\ufeff${SET}`, 'utf16le'), ['s']],
  ['with a byte that is no UTF-8', Buffer.from(`# M\u00fcnster\n${SET}`, 'latin1'), ['s']],
  ['with the conflict of a merge, whose objects are not known', Buffer.from(`${SET}<<<<<<< HEAD\n`), [undefined]],
  ['of a template without a set, which is no YAML', Buffer.from(`${MAP}{{ end }}\n`), []],
])('a file with a misspelt ending is passed over %s', (_, bytes, names) => {
  const { list, results } = readTree(
    folderTree(['sets.ymal'], () => bytes),
    undefined,
    { isFleet: true },
  )
  expect(list.passedOver.map(({ resourceRef }) => resourceRef?.name)).toEqual(names)
  expect(results).toHaveLength(names.length)
})

test('in a package, only the file is named', () => {
  const files = { 'web/Kptfile': 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: web}\n', 'web/a.ymal': MAP }
  expect(readFiles(files)).toEqual({ found: [expect.stringMatching(/^web\/a\.ymal: warning: /)], passedOver: [] })
})

test.each([
  ['notes.yam', 'kind: of\n'],
  ['a.yaml.txt', 'Write apiVersion and kind first.\n'],
  ['a.ymal', '{{ broken\n'],
  ['a.ymal', ''],
  ['a.yaml.bak', MAP],
])('nothing is said of %s with %j', (path, text) => {
  expect(readFiles({ [path]: text })).toEqual({ found: [], passedOver: [] })
})

test.each([new Error('EACCES: permission denied'), new WireError('a.ymal: expected at most 1 bytes, found 2')])(
  'a file with a misspelt ending that cannot be read ends nothing: %s',
  (error) => {
    const files = folderTree(['a.ymal', 'b.yaml'], (path) => {
      if (path === 'a.ymal') throw error
      return Buffer.from(MAP)
    })
    for (const isFleet of [true, false])
      expect(readTree(files, undefined, { isFleet })).toMatchObject({ files: [{ path: 'b.yaml' }], results: [] })
  },
)

test('a file that .krmignore names is no finding', () => {
  expect(readFiles({ 'a.ymal': MAP, '.krmignore': '*.ymal\n' }).found).toEqual([])
})

test('of a tree that can be searched, only files that hold objects are read for what is set aside', () => {
  const read: string[] = []
  const tree = folderTree(['a.bak', 'b.bak'], (path) => {
    read.push(path)
    return Buffer.from(SET)
  })
  const { list } = readTree({ ...tree, holding: (word) => new Set(word === 'apiVersion' ? ['b.bak'] : []) }, (path) => path, {
    isFleet: true,
  })
  expect(list.setAside().map(({ file }) => file?.path)).toEqual(['b.bak'])
  expect(read).toEqual(['b.bak'])
})

test('the objects of a file are set aside if no file has its former name, outside of packages and charts', () => {
  const asideIn = (files: Readonly<Record<string, string>>) => {
    const tree = folderTree(Object.keys(files), (path) => Buffer.from(files[path] ?? ''))
    const { list } = readTree(tree, (path) => `fleet/${path}`, { isFleet: true })
    return list.setAside().map(({ name, file }) => `${file?.path} ${name}`)
  }
  expect(asideIn({ 'sets/a.yaml.bak': `${MAP}---\n${SET}`, b: SET })).toEqual([
    'fleet/b s',
    'fleet/sets/a.yaml.bak a',
    'fleet/sets/a.yaml.bak s',
  ])
  expect(asideIn({ 'a.yaml.bak': SET, 'a.yaml': MAP })).toEqual([])
  expect(asideIn({ 'a.bak': SET, 'a.json': '{}' })).toEqual([])
  expect(asideIn({ 'a.yaml.bak': SET, 'sets/a.yaml': MAP })).toEqual(['fleet/a.yaml.bak s'])
  expect(asideIn({ 'a.yaml.j2': `{% if %}\n${SET}`, 'NOTES.md': 'apiVersion and kind\n' })).toEqual([])
  expect(asideIn({ 'web/Kptfile': 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: web}\n', 'web/a.yaml.bak': SET })).toEqual([])
  expect(asideIn({ '.krmignore': '*.bak\n', 'a.yaml.bak': SET })).toEqual([])
  expect(asideIn({ 'node_modules/a/a.yaml.bak': SET, '.git/logs/a': SET, 'web/.git/a': SET })).toEqual([])
})
