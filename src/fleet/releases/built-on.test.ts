import { expect, test } from 'vitest'
import type { JsonRecord } from '../../json.ts'
import { formatResult } from '../../result.ts'
import { kptfileOf, list, planOf, resourceListOf, revision, setOf, variant, type Written } from '../testing/fleet-of-objects.ts'
import { usersOf } from './built-on.ts'

const GIT = { repo: 'r', directory: 'app', ref: 'app/v2', commit: 'c' }
const LOCK: JsonRecord = { type: 'git', git: GIT }
const OLD: JsonRecord = { type: 'git', git: { ...GIT, ref: 'app/v1' } }

/** The users of revision 2 of `app`, and the findings. */
function usersIn(objects: readonly Written[]): readonly string[] {
  const { items } = resourceListOf(objects)
  const { users, results } = usersOf(
    { isAsked: (upstream) => upstream.package === 'app' && upstream.revision === 2, isLocked: ({ ref }) => ref === 'app/v2' },
    planOf(objects),
    items.filter(({ kind }) => kind === 'PackageVariant'),
    items.filter(({ kind }) => kind === 'Kptfile'),
  )
  return [...users.map(({ kind, name, path }) => `${kind} ${name} ${path.join('.')}`), ...results.map((each) => formatResult(each))]
}

test('the set and the package that name the revision are built on it', () => {
  expect(usersIn([setOf([list('a')]), ['out/a/app/Kptfile', kptfileOf({ upstreamLock: LOCK })]])).toEqual([
    'set default/fleet spec.upstream.revision',
    'package out/a/app upstreamLock.git.ref',
  ])
})

test('a package that is to be brought to the revision is built on it, though its lock names another one', () => {
  expect(usersIn([['a/Kptfile', kptfileOf({ upstream: LOCK, upstreamLock: OLD })]])).toEqual(['package a upstream.git.ref'])
})

test('a package that left the revision is not built on it', () => {
  expect(usersIn([['a/Kptfile', kptfileOf({ upstream: OLD, upstreamLock: OLD })]])).toEqual([])
})

test('a PackageVariant that a set left at the revision is built on it', () => {
  expect(usersIn([variant('mine', 'a')])).toEqual(['variant default/mine spec.upstream.revision'])
})

test('every PackageRevision that was made from the revision is built on it, an older one too', () => {
  expect(usersIn([revision('a', 'app', 1, 'app/v2'), revision('a', 'app', 2, 'app/v1')])).toEqual([
    'revision default/a-app-1 status.upstreamLock.git.ref',
  ])
})

test('a PackageRevision is built on the revision of its second subpackage', () => {
  const status = { subpackageUpstreams: [OLD, LOCK].map((upstream, index) => ({ path: `sub${index}`, upstream })) }
  expect(usersIn([{ ...revision('a', 'shop', 1), status }])).toEqual([
    'revision default/a-shop-1 status.subpackageUpstreams.1.upstream.git.ref',
  ])
})

test('a list of subpackages that Porch cut off is a warning', () => {
  expect(usersIn([{ ...revision('a', 'shop', 1), status: { dependencyTruncated: true } }])).toEqual([
    expect.stringContaining('`status.dependencyTruncated` is true'),
  ])
})
