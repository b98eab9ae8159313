import { expect, test } from 'vitest'
import type { FileTree, TreeEntry } from '../../folder/file-tree.ts'
import { findRepository, readRepository } from './repository.ts'

/** Returns a tree of files by their paths; a link is a file whose text begins with `-> `. */
function treeOf(files: Readonly<Record<string, string>>): FileTree {
  return {
    read: (path) => new TextEncoder().encode(files[path]),
    list: (folder) => {
      const entries = new Map<string, TreeEntry>()
      for (const [path, text] of Object.entries(files)) {
        if (folder !== '' && !path.startsWith(`${folder}/`)) continue
        const [name = '', ...below] = path.slice(folder === '' ? 0 : folder.length + 1).split('/')
        entries.set(name, { name, type: below.length > 0 ? 'folder' : 'file', ...(text.startsWith('-> ') && { isLink: true }) })
      }
      return [...entries.values()]
    },
  }
}

/** Returns what is read of a repository, with its faults as `SEVERITY MESSAGE`. */
function read(files: Readonly<Record<string, string>>, repository = '') {
  const { entries, findings, results } = readRepository(treeOf(files), { folder: '', repository, name: (path) => `repo/${path}` })
  return {
    entries: entries.map(({ id, version, package: { latest }, fields }) => ({ id, version, latest, ...fields })),
    faults: findings.map(({ severity, message }) => `${severity ?? 'rule'} ${message}`),
    results: results.map(({ severity, message, file }) => `${severity} ${file?.path} ${message}`),
  }
}

const APP = { 'app/versions.yaml': 'latestVersion: v2\nversions: [{version: v1}, {version: v2}]\n' }
const WHOLE = {
  ...APP,
  'app/v1/package.yaml': 'name: app\n',
  'app/v2/package.yaml': 'name: app\ndependencies: [{name: db, version: ">=1"}]\n',
}

test.each<[string, Readonly<Record<string, string>>, string | undefined]>([
  ['at its root', APP, ''],
  ['in packages', { 'README.md': '', 'packages/app/versions.yaml': '' }, 'packages'],
  ['at its root before packages', { ...APP, 'packages/app/versions.yaml': '' }, ''],
  ['with an index and a package without versions', { 'index.yaml': '', 'app/package.yaml': '' }, ''],
  ['without an index, of a package without versions', { 'app/package.yaml': '' }, undefined],
  ['in another folder', { 'other/app/versions.yaml': '' }, undefined],
  ['in a hidden folder', { '.git/versions.yaml': '' }, undefined],
  ['that has an index alone', { 'index.yaml': '' }, undefined],
  ['without a package', {}, undefined],
])('a repository is found %s', (_, files, folder) => {
  expect(findRepository(treeOf(files))).toBe(folder)
})

test('each version of a package is an entry, with what its manifest requires', () => {
  expect(read(WHOLE)).toEqual({
    entries: [
      { id: 'app', version: 'v1', latest: 'v2', dependencies: [] },
      { id: 'app', version: 'v2', latest: 'v2', dependencies: [{ name: 'db', version: '>=1' }] },
    ],
    faults: [],
    results: [],
  })
})

test('an entry names its repository, if the name is known', () => {
  const packages = (repository: string) =>
    readRepository(treeOf(WHOLE), { folder: '', repository, name: (path) => path }).entries.map((entry) => entry.package)
  expect(packages('r')[0]).toEqual({ repository: 'r', latest: 'v2' })
  expect(packages('')[0]).toEqual({ latest: 'v2' })
})

test('a package without versions has its one manifest, and a folder of something else is none', () => {
  const { entries, faults } = read({ 'app/package.yaml': 'name: app\n', 'docs/readme.md': '', '.git/versions.yaml': 'x' })
  expect([entries, faults]).toEqual([[{ id: 'app', version: '', latest: undefined, dependencies: [] }], []])
})

test('of a manifest, the fields that count for dependencies are read', () => {
  const manifest = (text: string) => read({ 'app/package.yaml': `name: app\n${text}` }).entries[0]
  expect(manifest('scope: Namespaced\ndefaultNamespace: apps\ncomponents: [{name: db, installedName: x}]\nmore: 1\n')).toEqual({
    id: 'app',
    version: '',
    latest: undefined,
    scope: 'Namespaced',
    defaultNamespace: 'apps',
    dependencies: [],
    components: [{ name: 'db', installedName: 'x' }],
  })
  expect(manifest('defaultNamespace: apps\n')).not.toHaveProperty('defaultNamespace')
  expect(manifest('components: [{name: db}]\n')).not.toHaveProperty('defaultNamespace')
})

const versions = (text: string) => read({ 'app/versions.yaml': text, 'app/v1/package.yaml': 'name: app\n' }).faults

test.each<[string, string, readonly string[]]>([
  ['nothing', 'versions: [{version: v1}]\nlatestVersion: v1\n', []],
  [
    'no versions',
    'versions: []\nlatestVersion: v1\n',
    [
      'error `versions` must list at least one version',
      "warning `versions` does not list 'v1', whose folder has a package.yaml; Glasskube does not find it",
    ],
  ],
  [
    'a latest version that is not listed',
    'versions: [{version: v1}]\nlatestVersion: v3\n',
    ["error `latestVersion` must be one of the versions, got 'v3'; the last one is 'v1'"],
  ],
  [
    'a text that is no version',
    'versions: [{version: main}, {version: v1}]\nlatestVersion: v1\n',
    ["error `versions[0].version` must be a version, got 'main'"],
  ],
  [
    'one version without a manifest',
    'versions: [{version: v1}, {version: v2}]\nlatestVersion: v1\n',
    ["warning `versions` must list versions with a package.yaml; what 'v2' requires is not known"],
  ],
  [
    'two versions without a manifest',
    'versions: [{version: v1}, {version: v2}, {version: v3}]\nlatestVersion: v1\n',
    ["warning `versions` must list versions with a package.yaml; what 'v2' and 'v3' require is not known"],
  ],
])('the versions of a package are checked: %s', (_, text, faults) => {
  expect(versions(text)).toEqual(faults)
})

test('a missing latest version, and misspelt keys, are faults of the form', () => {
  expect(versions('versions: [{version: v1}]\n')).toEqual(['rule `latestVersion` must be set'])
  expect(versions('versoins: []\nversions: [{version: v1}]\nlatestVersion: v1\n')).toEqual([])
  expect(versions('versoins: [{version: v1}]\nlatestVersion: v1\n')[0]).toBe(
    "rule `versoins` is not a field of the file; did you mean 'versions'?",
  )
})

test('a version that leads out of the folder is not read', () => {
  const { entries } = read({
    'app/versions.yaml': 'versions: [{version: v1}]\nlatestVersion: v1\n',
    'package.yaml': 'dependencies: [{name: x}]\n',
  })
  expect(entries).toEqual([{ id: 'app', version: 'v1', latest: 'v1' }])
})

test('a version that is listed twice is one entry', () => {
  const text = 'versions: [{version: v1}, {version: v1}]\nlatestVersion: v1\n'
  expect(read({ 'app/versions.yaml': text, 'app/v1/package.yaml': 'name: app\n' }).entries).toHaveLength(1)
})

test.each<[string, string, string]>([
  ['another name', 'name: web\n', "error `name` must be the name of its folder, 'app', got 'web'"],
  ['no name', 'scope: Cluster\n', 'rule `name` must be set'],
  [
    'an unknown scope',
    'name: app\nscope: cluster\n',
    "rule `scope` must be one of 'Cluster', 'Namespaced', got 'cluster'; did you mean 'Cluster'?",
  ],
  ['a misspelt key', 'name: app\ndependancies: []\n', "rule `dependancies` is not a field of the file; did you mean 'dependencies'?"],
  [
    'a dependency with an unknown field',
    'name: app\ndependencies: [{name: a, verison: "1"}]\n',
    "rule `dependencies[0].verison` is not a field of dependencies[]; did you mean 'version'?",
  ],
  [
    'a dependency with an own name',
    'name: app\ndependencies: [{name: a, installedName: b}]\n',
    'rule `dependencies[0].installedName` is not a field of dependencies[]',
  ],
  ['a dependency without a name', 'name: app\ndependencies: [{version: ">=1"}]\n', 'rule `dependencies[0].name` must be set'],
])('a manifest is checked: %s', (_, text, fault) => {
  const [first, ...others] = read({ 'app/package.yaml': text }).faults
  expect([first?.startsWith(fault) ? fault : first, others]).toEqual([fault, []])
})

test('a constraint of a dependency that is none is a fault', () => {
  expect(read({ 'app/package.yaml': 'name: app\ndependencies: [{name: a, version: ">>1"}]\n' }).faults[0]).toContain(
    '">>1" is no version constraint of Glasskube',
  )
})

const index = (text: string) => read({ ...WHOLE, 'index.yaml': text }).faults

test.each<[string, string, readonly string[]]>([
  ['the same', 'packages: [{name: app, latestVersion: v2}]\n', []],
  [
    'a folder that is not there',
    'packages: [{name: app, latestVersion: v2}, {name: web, latestVersion: v1}]\n',
    ["warning `packages[1].name` must be the name of a folder with a package, got 'web'"],
  ],
  [
    'another latest version',
    'packages: [{name: app, latestVersion: v1}]\n',
    ["warning `packages[0].latestVersion` must be that of app/versions.yaml, 'v2', got 'v1'; 'v2' is used"],
  ],
  [
    'no latest version',
    'packages: [{name: app}]\n',
    ["warning `packages[0].latestVersion` must be that of app/versions.yaml, 'v2', got ''; 'v2' is used"],
  ],
  ['a package that it lacks', 'packages: []\n', ["warning `packages` does not list 'app': Glasskube does not show them"]],
])('the index is compared with the folders: %s', (_, text, faults) => {
  expect(index(text)).toEqual(faults)
})

test('a package without versions may have any latest version in the index', () => {
  const files = { 'app/package.yaml': 'name: app\n', 'index.yaml': 'packages: [{name: app, latestVersion: v7}]\n' }
  expect(read(files).faults).toEqual([])
})

test.each<[string, string, string]>([
  ['a link', '-> x', 'error repo/app/package.yaml must be a file, is a link'],
  ['no map', '', 'error repo/app/package.yaml must hold one map, holds none'],
  ['two maps', 'name: app\n---\nname: b\n', 'error repo/app/package.yaml must hold one map, holds 2 documents'],
  ['a key twice', 'name: app\nname: app\n', 'error repo/app/package.yaml '],
  ['no YAML', 'a: [', 'error repo/app/package.yaml '],
])('a file with %s is an error, and no entry', (_, text, message) => {
  const { entries, results } = read({ 'app/package.yaml': text })
  expect(entries).toEqual([])
  expect(results.map((each) => (each.startsWith(message) ? message : each))).toEqual([message])
})
