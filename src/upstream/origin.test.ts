import { expect, test } from 'vitest'
import type { GitRevision } from '../kinds/kptfile-upstream.ts'
import { asksForUpdate, bareFolder, bareRepo, type UpstreamOrigin, writeOrigin } from './origin.ts'

const ORIGIN: UpstreamOrigin = {
  repo: 'https://h/catalog.git',
  directory: '/net/upf/',
  ref: 'v1',
  resolvedRef: 'net/upf/v1',
  commit: 'abc',
}

test('kpt writes the repository without .git, the folder with a slash, the ref that was asked for and the strategy', () => {
  const place = { repo: 'https://h/catalog', directory: '/net/upf' }
  expect(writeOrigin(ORIGIN, 'kpt', 'resource-merge')).toEqual({
    upstream: { type: 'git', git: { ...place, ref: 'v1' }, updateStrategy: 'resource-merge' },
    upstreamLock: { type: 'git', git: { ...place, ref: 'net/upf/v1', commit: 'abc' } },
  })
})

test.each(['https://h/catalog', 'https://h/catalog.git'])(
  'Porch writes %s with one .git, the folder bare, the ref that was found and no strategy',
  (repo) => {
    const place = { repo: 'https://h/catalog.git', directory: 'net/upf', ref: 'net/upf/v1' }
    expect(writeOrigin({ ...ORIGIN, repo }, 'porch', 'resource-merge')).toEqual({
      upstream: { type: 'git', git: place },
      upstreamLock: { type: 'git', git: { ...place, commit: 'abc' } },
    })
  },
)

test('an origin without a commit has no lock', () => {
  const { commit: _, ...unlocked } = ORIGIN
  expect(writeOrigin(unlocked, 'kpt', 'resource-merge').upstreamLock).toBeUndefined()
})

test.each([
  ['/catalog/upf/', 'catalog/upf'],
  ['catalog/upf', 'catalog/upf'],
  ['//a//', 'a'],
  ['/', ''],
])('the folder %j without slashes around it is %j', (folder, expected) => {
  expect(bareFolder(folder)).toBe(expected)
})

test.each([
  ['https://h/r.git', 'https://h/r'],
  ['https://h/r.git/', 'https://h/r'],
  ['https://h/r//', 'https://h/r'],
  ['https://h/r.github', 'https://h/r.github'],
])('the repository %j without what kpt and Porch write differently is %j', (repo, expected) => {
  expect(bareRepo(repo)).toBe(expected)
})

const at = (ref: string, directory = 'net/upf', repo = 'https://h/r'): GitRevision => ({ repo, directory, ref })

test.each<[string, GitRevision, GitRevision, boolean]>([
  ['of the same tag', at('v1'), at('v1'), false],
  ['of another tag', at('v2'), at('v1'), true],
  ['whose lock has the tag of the package', at('v1'), at('net/upf/v1'), false],
  ['whose lock has the tag below the last folder', at('v1'), at('upf/v1'), false],
  ['whose lock has the tag of another package', at('v1'), at('dns/v1'), true],
  ['whose lock has the tag of a package whose name ends so', at('v1'), at('pf/v1'), true],
  ['of a tag that begins with a slash', at('v1'), at('/v1'), true],
  ['in another folder', at('v1', 'net/dns'), at('v1'), true],
  ['in the same folder with slashes', at('v1', '/net/upf/'), at('v1'), false],
  ['in another repository', at('v1', 'net/upf', 'https://h/other'), at('v1'), true],
  ['in the same repository with .git', at('v1', 'net/upf', 'https://h/r.git'), at('v1'), false],
])('an upstream %s asks for an update: case %#', (_, upstream, upstreamLock, expected) => {
  expect(asksForUpdate({ upstream, upstreamLock: { ...upstreamLock, commit: 'abc' } })).toBe(expected)
})

test('without a lock, or without an upstream, nothing asks for an update', () => {
  expect(asksForUpdate({ upstream: at('v2') })).toBe(false)
  expect(asksForUpdate({ upstreamLock: { ...at('v1'), commit: 'abc' } })).toBe(false)
})
