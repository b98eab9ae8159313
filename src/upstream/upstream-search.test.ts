import { expect, test } from 'vitest'
import type { Texts } from '../../testdata/package-of-texts.ts'
import { kptfileText } from '../../testdata/written-objects.ts'
import type { GitRevision } from '../kinds/kptfile-upstream.ts'
import { NO_REPOSITORY } from './repository-options.ts'
import { type SourcePlaces, sourceOfTexts } from './testing/source-of-texts.ts'
import { type UpstreamLookup, UpstreamSearch } from './upstream-search.ts'

const KPTFILE = kptfileText('web')
const CONFIG = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n'
const REPO = 'https://example.com/catalog'

function searchIn(places: SourcePlaces, clone: 'kpt' | 'porch' = 'kpt'): UpstreamSearch {
  return new UpstreamSearch(sourceOfTexts(places), clone, [])
}

/** The package `web` of a repository in git, at a revision. */
const asked = (...names: readonly string[]) => ({
  facts: {
    name: 'catalog',
    options: { ...NO_REPOSITORY, git: { repo: REPO } },
    path: 'catalog',
    repo: REPO,
    directory: '',
    branch: 'main',
    isOci: false,
  },
  packageName: 'web',
  names,
})

/** Returns the place of the package that was found, or the rule of the fault. */
const placeOf = (found: UpstreamLookup) => ('revision' in found ? found.revision.source.place : found.fault.rule)

const WEB = { Kptfile: KPTFILE }

test('a revision is the folder of its name, else what git names so, else the folder without a revision', () => {
  const [named, plain] = [{ 'catalog/web@v1': WEB }, { 'catalog/web': WEB }]
  const git = { commits: { c1: WEB }, names: { 'refs/tags/web/v1': 'c1' } }
  expect(placeOf(searchIn({ folders: { ...named, ...plain }, ...git }).wanted(asked('v1')))).toBe('catalog/web@v1')
  expect(placeOf(searchIn({ folders: plain, ...git }).wanted(asked('v1')))).toBe('web at c1')
  expect(placeOf(searchIn({ folders: plain }).wanted(asked('v1')))).toBe('catalog/web')
  expect(placeOf(searchIn({}).wanted(asked('v1')))).toBe('upstream-missing')
})

test('the tag of the package comes before a tag of the repository', () => {
  const git = { commits: { c1: WEB, c2: WEB }, names: { v1: 'c2', 'refs/tags/v1': 'c2', 'refs/tags/web/v1': 'c1' } }
  expect(placeOf(searchIn(git).wanted(asked('v1')))).toBe('web at c1')
})

test('a tag of a version is published, a branch of the same name is not', () => {
  const isPublished = (names: Readonly<Record<string, string>>) => {
    const found = searchIn({ commits: { c1: WEB }, names }).wanted(asked('v1'))
    return 'revision' in found && found.revision.origin.isPublished === true
  }
  expect(isPublished({ 'refs/tags/web/v1': 'c1' })).toBe(true)
  expect(isPublished({ v1: 'c1', 'refs/tags/v1': 'c1' })).toBe(true)
  expect(isPublished({ v1: 'c1' })).toBe(false)
  expect(searchIn({ commits: { c1: WEB }, names: { v1: 'c1' } }).published(asked('v1'))).toBeUndefined()
  expect(searchIn({ folders: { 'catalog/web': WEB } }).published(asked('v1'))).toBeUndefined()
})

test('the revision that a package was brought to is the one at its commit', () => {
  const search = searchIn({ commits: { c1: WEB, c2: WEB }, names: { v1: 'c2', 'refs/tags/web/v1': 'c2' } })
  const at = (commit?: string): GitRevision & { readonly commit?: string } => ({
    repo: REPO,
    directory: 'web',
    ref: 'v1',
    ...(commit !== undefined && { commit }),
  })
  expect(placeOf(search.original(asked('v1'), at('c1')))).toBe('web at c1')
  expect(placeOf(search.original(asked('v1'), at()))).toBe('web at c2')
  expect(placeOf(search.original(asked('v1'), at('')))).toBe('web at c2')
})

test('a tag that moved since is a fault if the commit is gone, and no revision in its place', () => {
  const search = searchIn({ commits: { c2: WEB }, names: { 'refs/tags/web/v1': 'c2' } })
  const found = search.original(asked('v1'), { repo: REPO, directory: 'web', ref: 'v1', commit: 'c1' })
  expect('fault' in found && found.fault.message).toContain('c1')
})

test('a folder without a Kptfile is a package for kpt if it holds resources itself', () => {
  const soundFor = (clone: 'kpt' | 'porch', texts: Texts) =>
    'revision' in searchIn({ folders: { 'catalog/web@v1': texts } }, clone).wanted(asked('v1'))
  expect(soundFor('kpt', { 'a.yaml': CONFIG })).toBe(true)
  expect(soundFor('porch', { 'a.yaml': CONFIG })).toBe(false)
  expect(soundFor('kpt', { 'sub/a.yaml': CONFIG })).toBe(false)
  expect(soundFor('kpt', { 'a.yaml': CONFIG, 'sub/Kptfile': KPTFILE })).toBe(false)
  expect(soundFor('kpt', { 'README.md': 'text' })).toBe(false)
  expect(soundFor('porch', { Kptfile: KPTFILE })).toBe(true)
  expect(soundFor('kpt', { Kptfile: 'no Kptfile' })).toBe(false)
})

test('the origin of a revision has its commit where git found it, with the ref that is asked for and the one that was found', () => {
  const originOf = (places: SourcePlaces) => {
    const found = searchIn(places).wanted(asked('v1'))
    return 'revision' in found ? found.revision.origin : undefined
  }
  expect(originOf({ commits: { c1: WEB }, names: { 'refs/tags/web/v1': 'c1' } })).toEqual({
    repo: REPO,
    directory: 'web',
    ref: 'v1',
    resolvedRef: 'web/v1',
    commit: 'c1',
    isPublished: true,
  })
  expect(originOf({ folders: { 'catalog/web@v1': WEB } })).toMatchObject({ repo: REPO, directory: 'web', ref: 'v1' })
  expect(originOf({ folders: { 'catalog/web@v1': WEB } })).not.toHaveProperty('commit')
})

test('a name that git resolves to a commit without the package is passed over for the next name', () => {
  const source = sourceOfTexts({ commits: { c1: WEB }, names: { 'refs/tags/web/v1': 'c9', v1: 'c1' } })
  expect(placeOf(new UpstreamSearch(source, 'kpt', []).wanted(asked('v1')))).toBe('web at c1')
})

test('a repository without git is looked for in folders alone, and so is any where git cannot be used', () => {
  const { git: _, ...options } = asked('v1').facts.options
  const noGit = { ...asked('v1'), facts: { ...asked('v1').facts, options } }
  const git = { commits: { c1: WEB }, names: { 'refs/tags/web/v1': 'c1' } }
  expect(placeOf(searchIn(git).wanted(noGit))).toBe('upstream-missing')
  expect(searchIn({ ...git, tags: ['v2', 'v1'] }).tags(noGit)).toEqual([])
  expect(searchIn({ ...git, tags: ['v2', 'v1'] }).tags(asked('v1'))).toEqual(['v2', 'v1'])
  const { git: __, ...folders } = sourceOfTexts(git)
  const search = new UpstreamSearch(folders, 'kpt', [])
  expect([placeOf(search.wanted(asked('v1'))), search.tags(asked('v1'))]).toEqual(['upstream-missing', []])
})

test('each folder and each commit is read once', () => {
  const read: string[] = []
  const source = sourceOfTexts({ folders: { 'catalog/web': WEB } })
  const folder = (path: string) => {
    read.push(path)
    return source.folder(path)
  }
  const search = new UpstreamSearch({ ...source, folder }, 'kpt', [])
  for (const _ of [1, 2]) search.wanted(asked('v1'))
  expect(read).toEqual([...new Set(read)])
  expect(read).toContain('catalog/web')
})

test('the present content of a folder is that at whichever revision, and a missing one is a fault', () => {
  expect(placeOf(searchIn({ folders: { 'catalog/web': WEB, 'catalog/web@v1': WEB } }).anyRevision(asked('v1')))).toBe('catalog/web')
  expect(placeOf(searchIn({ folders: { 'catalog/web@v1': WEB } }).anyRevision(asked('v1')))).toBe('upstream-missing')
  expect(placeOf(searchIn({ folders: { 'catalog/web': { 'README.md': 'x' } } }).anyRevision(asked('v1')))).toBe('upstream-no-package')
})

test('a revision that a package was brought to is never the folder without a revision', () => {
  const at = { repo: REPO, directory: 'web', ref: 'v1' }
  expect(placeOf(searchIn({ folders: { 'catalog/web': WEB } }).original(asked('v1'), at))).toBe('upstream-missing')
  expect(placeOf(searchIn({ folders: { 'catalog/web@v1': WEB } }).original(asked('v1'), at))).toBe('catalog/web@v1')
  const moved = searchIn({ folders: { 'catalog/web@v1': WEB } }).original(asked('v1'), { ...at, commit: 'c1' })
  expect(placeOf(moved)).toBe('catalog/web@v1')
})

test('an address with a password is a fault, and is not asked', () => {
  const secret = { ...asked('v1'), facts: { ...asked('v1').facts, repo: 'https://me:secret@example.com/catalog' } }
  const found = searchIn({ folders: { 'catalog/web@v1': WEB } }).wanted(secret)
  expect('fault' in found && found.fault.message).not.toContain('secret')
  expect(placeOf(found)).not.toBe('catalog/web@v1')
})

test('a folder with faults of its tree passes, since its Kptfile may be among the faulty paths', () => {
  const source = sourceOfTexts({ folders: { 'catalog/web@v1': {} } })
  const fault = { severity: 'error', message: 'm', tags: { rule: 'unsafe-path' } } as const
  const folder = (path: string) => {
    const found = source.folder(path)
    return found && { ...found, faults: [fault] }
  }
  expect(placeOf(new UpstreamSearch({ ...source, folder }, 'kpt', []).wanted(asked('v1')))).toBe('catalog/web@v1')
  expect(placeOf(new UpstreamSearch(source, 'kpt', []).wanted(asked('v1')))).toBe('upstream-no-package')
})

test('the fault of a missing upstream names the folders beside it and the tags of its repository', () => {
  const messageOf = (places: SourcePlaces) => {
    const found = searchIn(places).wanted(asked('v1'))
    return 'fault' in found ? found.fault.message : ''
  }
  expect(messageOf({ folders: { 'catalog/web@v2': WEB } })).toContain('web@v2')
  expect(messageOf({ tags: ['v7'] })).toContain('v7')
})
