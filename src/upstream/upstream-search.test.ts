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
