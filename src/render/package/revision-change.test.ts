import { expect, test } from 'vitest'
import { revisionChange } from './update-package.ts'

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
