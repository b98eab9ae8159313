import { expect, test } from 'vitest'
import { allowsEdits, revisionChange, strategyOf } from './update-package.ts'

const LOCK = { repo: 'https://git.example.com/catalog.git', directory: 'web', ref: 'v1', commit: 'c1' }
const ORIGIN = { repo: LOCK.repo, directory: 'web', ref: 'v1', resolvedRef: 'v1', commit: 'c1' }

test('another folder at the same ref and commit is an update', () => {
  expect(revisionChange({ upstreamLock: LOCK }, ORIGIN)).toBe('none')
  expect(revisionChange({ upstreamLock: LOCK }, { ...ORIGIN, directory: 'shop' })).toBe('merged')
  expect(revisionChange({ upstreamLock: LOCK }, { ...ORIGIN, directory: '/web/' })).toBe('none')
})

test('the same commit under another name is no update', () => {
  expect(revisionChange({ upstreamLock: LOCK }, { ...ORIGIN, ref: 'v2', resolvedRef: 'v2' })).toBe('named')
  expect(revisionChange({ upstreamLock: LOCK }, { ...ORIGIN, commit: 'c2' })).toBe('merged')
})

const { commit: _, ...PLAIN } = LOCK
const LOCKED = { ...PLAIN, commit: '' }
const NO_COMMIT = { repo: LOCK.repo, directory: 'web', ref: 'v1', resolvedRef: 'web/v1' }

test('a package whose Kptfile records no revision is updated', () => {
  expect(revisionChange({}, ORIGIN)).toBe('merged')
})

test.each<[string, Parameters<typeof revisionChange>[0], Partial<typeof NO_COMMIT>, ReturnType<typeof revisionChange>]>([
  ['the ref that is asked for', { upstreamLock: LOCKED }, {}, 'none'],
  ['the ref that was found', { upstreamLock: { ...LOCKED, ref: 'web/v1' } }, {}, 'none'],
  ['another ref', { upstreamLock: { ...LOCKED, ref: 'v2' } }, {}, 'merged'],
  ['the ref of `upstream`, without a lock', { upstream: PLAIN }, {}, 'none'],
  ['the ref of the lock, not that of `upstream`', { upstream: { ...PLAIN, ref: 'v2' }, upstreamLock: LOCKED }, {}, 'none'],
  ['the ref in the repository under its other name', { upstreamLock: LOCKED }, { repo: LOCK.repo.replace('.git', '') }, 'none'],
  ['the ref in another repository', { upstreamLock: LOCKED }, { repo: 'https://git.example.com/other.git' }, 'merged'],
  ['a commit, while that of the revision is not known', { upstreamLock: LOCK }, {}, 'none'],
])('where a commit is not known, a package at %s is compared by repository and ref', (_name, written, origin, expected) => {
  expect(revisionChange(written, { ...NO_COMMIT, ...origin })).toBe(expected)
})

test('another tree of an unpublished upstream is an update, and a revision that was published since then is not known to be another one', () => {
  const at = (tree: string | undefined, origin: { readonly tree?: string; readonly commit?: string }) =>
    revisionChange({ upstream: PLAIN, ...(tree !== undefined && { tree }) }, { ...NO_COMMIT, ...origin })
  expect(at('t1', { tree: 't1' })).toBe('none')
  expect(at('t1', { tree: 't2' })).toBe('merged')
  expect(at(undefined, { tree: 't2' })).toBe('merged')
  expect(at('t1', {})).toBe('none')
  expect(at('t1', { commit: 'c1' })).toBe('merged')
})

test('the strategy is that of the options, else that of the Kptfile, else resource-merge', () => {
  const upstream = { ...PLAIN, updateStrategy: 'fast-forward' } as const
  expect(strategyOf({ upstream }, { updateStrategy: 'force-delete-replace' })).toBe('force-delete-replace')
  expect(strategyOf({ upstream }, {})).toBe('fast-forward')
  expect([strategyOf({ upstream: PLAIN }, {}), strategyOf({}, {})]).toEqual(['resource-merge', 'resource-merge'])
})

test.each([
  ['resource-merge', false, true],
  ['fast-forward', true, false],
  ['force-delete-replace', false, false],
  ['force-delete-replace', true, true],
] as const)('%s with discardEdits %s may meet edits: %s', (strategy, discardEdits, expected) => {
  expect(allowsEdits(strategy, { discardEdits })).toBe(expected)
})
