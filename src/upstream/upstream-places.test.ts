import { expect, test } from 'vitest'
import type { UpstreamFields } from '../kinds/upstream-schema.ts'
import { NO_REPOSITORY, type RepositoryOptions } from './repository-options.ts'
import {
  type AskedRevision,
  folderOrigin,
  gitDirectory,
  gitNames,
  isPublishedRef,
  namesAskedFor,
  namesOfRef,
  newestFirst,
  plainFolder,
  publishedNames,
  revisionFolders,
  revisionNames,
  revisionsAmong,
  tagsOfPackage,
} from './upstream-places.ts'

/** Returns the question for the package `upf` of a repository, whose packages are in the folder `net` of git. */
function asked(names: readonly string[], options: Partial<RepositoryOptions> = {}, directory = 'net'): AskedRevision {
  const facts = {
    name: 'catalog',
    options: { ...NO_REPOSITORY, ...options },
    path: 'catalog',
    repo: 'https://r',
    directory,
    branch: 'main',
    isOci: false,
  }
  return { facts, packageName: 'upf', names }
}

test('a revision is in a folder of each of its names, or where the options say', () => {
  expect(revisionFolders(asked(['v3', '3']))).toEqual(['catalog/upf@v3', 'catalog/upf@3'])
  expect(revisionFolders(asked(['v3', '3'], { revisions: new Map([['3', { path: 'vendor/upf' }]]) }))).toEqual(['vendor/upf'])
  expect(revisionFolders(asked(['v3'], { revisions: new Map([['v4', { path: 'vendor/upf' }]]) }))).toEqual(['catalog/upf@v3'])
  expect(revisionFolders(asked([]))).toEqual([])
  expect([plainFolder(asked([])), gitDirectory(asked([])), gitDirectory(asked([], {}, ''))]).toEqual(['catalog/upf', 'net/upf', 'upf'])
})

test('git is asked for the tags of the package first, then for the names themselves; a number is only a tag or a branch', () => {
  expect(gitNames(asked(['v3', '3']))).toEqual([
    { name: 'refs/tags/net/upf/v3', ref: 'v3', resolvedRef: 'net/upf/v3' },
    { name: 'refs/tags/upf/v3', ref: 'v3', resolvedRef: 'upf/v3' },
    { name: 'refs/tags/net/upf/3', ref: '3', resolvedRef: 'net/upf/3' },
    { name: 'refs/tags/upf/3', ref: '3', resolvedRef: 'upf/3' },
    { name: 'v3', ref: 'v3', resolvedRef: 'v3' },
    { name: 'refs/tags/3', ref: '3', resolvedRef: '3' },
    { name: 'refs/heads/3', ref: '3', resolvedRef: '3' },
  ])
  expect(gitNames(asked(['main'], {}, '')).map(({ name }) => name)).toEqual(['refs/tags/upf/main', 'main'])
})

test('a published revision has the names that are tags', () => {
  expect(publishedNames(asked(['v3', '3'], {}, '')).map(({ name }) => name)).toEqual([
    'refs/tags/upf/v3',
    'refs/tags/upf/3',
    'refs/tags/v3',
    'refs/tags/3',
  ])
})

test.each([
  [{ ref: 'main' }, { name: 'main', ref: 'main', resolvedRef: 'main' }],
  [
    { ref: 'v3', resolvedRef: 'refs/tags/x' },
    { name: 'refs/tags/x', ref: 'v3', resolvedRef: 'refs/tags/x' },
  ],
  [{ commit: 'c1' }, { name: 'c1', ref: 'v3', resolvedRef: 'v3' }],
  [
    { ref: 'v3', resolvedRef: 'upf/v3', commit: 'c1' },
    { name: 'c1', ref: 'v3', resolvedRef: 'upf/v3' },
  ],
])('the ref or commit %j of the options is the only name, and published', (options, expected) => {
  const question = asked(['v3', '3'], { revisions: new Map([['v3', options]]) })
  expect([gitNames(question), publishedNames(question)]).toEqual([[expected], [expected]])
})

test.each([
  [{}, { ref: 'v3', resolvedRef: 'v3' }],
  [{ ref: 'main' }, { ref: 'main', resolvedRef: 'main' }],
  [
    { resolvedRef: 'upf/v3', commit: 'c1' },
    { ref: 'v3', resolvedRef: 'upf/v3', commit: 'c1' },
  ],
])('a revision in a folder that the options describe by %j has the origin %j', (options, expected) => {
  const question = asked(['v3', '3'], { revisions: new Map([['v3', options]]) })
  expect(folderOrigin(question)).toEqual({ repo: 'https://r', directory: 'net/upf', ...expected })
})

test('a revision without a name has an origin without a ref', () => {
  expect(folderOrigin(asked([]))).toEqual({ repo: 'https://r', directory: 'net/upf', ref: '', resolvedRef: '' })
})

test.each([
  ['v1', true],
  ['3', true],
  ['1.4', true],
  ['v1.4.0-rc.1', true],
  ['v1.4.0+build', true],
  ['main', false],
  ['release-1', false],
  ['v1x', false],
  ['v', false],
  ['v1.', false],
])('the tag %s is a published revision: %s', (ref, expected) => {
  expect(isPublishedRef(ref)).toBe(expected)
})

test('the revisions of a package among folders are sorted, without packages whose name begins so', () => {
  const folders = ['net/upf@v3', 'net/upf-two@v1', 'net/upf', 'net/dns@v1', 'net/upf@v1']
  expect(revisionsAmong(folders, 'net/upf')).toEqual(['net/upf', 'net/upf@v1', 'net/upf@v3'])
})

test('the tags of a package are below its folder or its name', () => {
  const tags = ['net/upf/v1', 'upf/v2', 'net/upf/sub/v3', 'v4', 'dns/v5']
  expect(tagsOfPackage(tags, asked([]))).toEqual(['net/upf/v1', 'upf/v2'])
})

test('the names of revisions are those of folders, options, tags of the package and tags of the repository', () => {
  const question = asked([], { revisions: new Map([['v7', {}]]) })
  const places = { beside: ['catalog/upf', 'catalog/upf@v1', 'catalog/dns@v2'], tags: ['net/upf/v3', 'dns/v4', 'v5'] }
  expect(revisionNames(question, places)).toEqual(['', 'v1', 'v7', 'v3', 'v5'])
})

test.each([
  [['v1', 'v10', 'v9'], [], ['v10', 'v9', 'v1']],
  [['main', 'v1', '', 'v1'], [], ['v1']],
  [['v2.0.0-rc.1', 'v1'], ['v1', '1'], ['v1']],
  [['v2.0.0-rc.1', 'v1'], ['v1.0.0-rc.1'], ['v2.0.0-rc.1', 'v1']],
  [
    ['v2.0.0-rc.1', 'v2.0.0'],
    ['main', 'v1.0.0-rc.1'],
    ['v2.0.0', 'v2.0.0-rc.1'],
  ],
])('of the names %j, where %j is asked for, the newest first are %j', (names, wanted, expected) => {
  expect(newestFirst(names, wanted)).toEqual(expected)
})

test.each<[string, Partial<UpstreamFields>, readonly string[]]>([
  ['a number has two names', { revision: 3 }, ['v3', '3']],
  ['a number as text has two names', { revision: 'v3' }, ['v3', '3']],
  ['any other text has its own', { revision: 'main' }, ['main']],
  ['-1 is the branch of the repository', { revision: -1 }, ['trunk']],
  ['0 is the workspace', { revision: 0, workspaceName: 'work' }, ['work']],
  ['an empty revision is the workspace', { revision: '', workspaceName: 'work' }, ['work']],
  ['a revision comes before a workspace', { revision: 3, workspaceName: 'work' }, ['v3', '3']],
  ['nothing has no name', {}, []],
  ['a floating tag is what it points to', { revision: 'stable' }, ['v4', '4']],
  ['a floating tag comes before a workspace of its name', { workspaceName: 'both' }, ['v5', '5']],
  ['a published workspace has the names of its number', { workspaceName: 'published' }, ['v3', '3']],
  ['a draft has the name of its workspace', { workspaceName: 'draft' }, ['draft']],
  ['the state of the main branch has the name of its workspace', { workspaceName: 'mainline' }, ['mainline']],
])('of the revisions that a variant asks for, %s', (_, fields, names) => {
  const tags = new Map(Object.entries({ stable: '4', both: 'v5' }))
  const workspaces = new Map(Object.entries({ published: '3', draft: '0', mainline: '-1', both: '6' }))
  expect(namesAskedFor({ repo: 'r', package: 'p', ...fields }, { branch: 'trunk', tags, workspaces })).toEqual(names)
})

test.each([
  ['v2', 'net/upf', ['v2', '2']],
  ['net/upf/v2', 'net/upf', ['net/upf/v2', 'v2', '2']],
  ['upf/v2', 'net/upf', ['upf/v2', 'v2', '2']],
  ['net/upf/release/2', 'net/upf', ['net/upf/release/2', 'release/2', 'v2', '2']],
  ['main', '', ['main']],
  ['feature/x', '', ['feature/x', 'x']],
])('the ref %s of a Kptfile in the folder %j names the revisions %j', (ref, directory, names) => {
  expect(namesOfRef(ref, directory)).toEqual(names)
})
