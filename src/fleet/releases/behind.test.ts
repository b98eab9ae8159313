import { expect, test } from 'vitest'
import type { JsonRecord } from '../../json.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { formatResult } from '../../result.ts'
import { readFleet } from '../fleet.ts'
import { kptfileOf, list, planOf, resourceListOf, revision, setOf, variant, type Written } from '../testing/fleet-of-objects.ts'
import { findStragglers, lockAt, lockedRevision, lockOfRevision, type NewestOf, type Stragglers, upstreamFields } from './behind.ts'
import { Followers } from './followers.ts'

/** The revisions of an upstream that are known: the names of the one that the set asks for, and the newest. */
type Known = ReturnType<Parameters<typeof findStragglers>[2]>

function find(objects: readonly Written[], known: Known = { asked: ['v2'] }): Stragglers {
  const plan = planOf(objects)
  return findStragglers(plan, resourceListOf(objects).items, () => known, new Followers(plan, () => true))
}

/** The stragglers, each in a line: its variant, what it is at and what is wanted. */
function shown(objects: readonly Written[], known?: Known): readonly string[] {
  return find(objects, known).stragglers.map(({ variant: { name }, object, path, locked, wanted, newest, isBehind }) => {
    const goal = newest === undefined ? wanted : `${wanted}, newest ${newest}`
    return `${name} ${isBehind ? 'is behind' : 'differs'}: ${locked} (${object.kind} ${path.join('.')}), wanted ${goal}`
  })
}

const lock = (ref: string, directory = 'app'): JsonRecord => ({
  upstreamLock: { type: 'git', git: { repo: 'r', directory, ref, commit: 'c' } },
})
const SET = setOf([list('a')])
// Where a list has PackageRevisions, the upstream of a set must be one of them.
const UPSTREAM = revision('catalog', 'app', 2)

test('a package at an older revision than that of its set is behind', () => {
  expect(shown([SET, ['out/a/app/Kptfile', kptfileOf(lock('app/v1'))]])).toEqual([
    'fleet-a-app is behind: app/v1 (Kptfile upstreamLock.git.ref), wanted v2',
  ])
})

test.each(['app/v2', 'v2', 'app/v3'])('a package at %s is not behind revision 2', (ref) => {
  expect(shown([SET, ['a/app/Kptfile', kptfileOf(lock(ref))]])).toEqual([])
})

test('without a locked commit the upstream of the Kptfile counts', () => {
  const upstream = { upstream: { type: 'git', git: { repo: 'r', directory: '/app/', ref: 'v1' } } }
  expect(shown([SET, ['a/app/Kptfile', kptfileOf(upstream)]])).toEqual(['fleet-a-app is behind: v1 (Kptfile upstream.git.ref), wanted v2'])
  expect(shown([SET, ['a/app/Kptfile', kptfileOf({ ...upstream, ...lock('v2') })]])).toEqual([])
})

test('a Kptfile that names its variant is the one of that variant, wherever it is', () => {
  const marked = kptfileOf(lock('v1'), { 'krm-variants.dev/package-variant': 'default/mine' })
  const other = kptfileOf(lock('v2'))
  expect(shown([SET, variant('mine', 'a'), ['elsewhere/Kptfile', marked], ['a/app/Kptfile', other]])).toEqual([
    'mine is behind: v1 (Kptfile upstreamLock.git.ref), wanted v2',
  ])
})

test('a Kptfile that names another variant of the fleet is not found by its folder', () => {
  const marked = kptfileOf(lock('v1'), { 'krm-variants.dev/package-variant': 'default/fleet-b-app' })
  expect(shown([setOf([list('a', 'b')]), ['a/app/Kptfile', marked]])).toEqual([expect.stringMatching(/^fleet-b-app /)])
})

test('a Kptfile that names a variant that is gone is that of the variant that wants its folder, which takes it over', () => {
  const marked = kptfileOf(lock('v1'), { 'krm-variants.dev/package-variant': 'default/other' })
  expect(find([SET, ['a/app/Kptfile', marked]])).toMatchObject({ packages: 1, without: 0 })
})

test.each(['app/Kptfile', 'b/app/Kptfile', 'a/app/sub/Kptfile', 'x-a/app/Kptfile'])('a Kptfile in %s is not that of a/app', (path) => {
  expect(find([SET, [path, kptfileOf(lock('v1'))]])).toMatchObject({ stragglers: [], packages: 0, without: 1 })
})

test('without a Kptfile the PackageRevision with the highest number counts', () => {
  const revisions = [revision('a', 'app', 1, 'app/v0'), revision('a', 'app', 3, 'app/v1'), revision('a', 'app', 2, 'app/v2')]
  expect(shown([SET, UPSTREAM, ...revisions])).toEqual([
    'fleet-a-app is behind: app/v1 (PackageRevision status.upstreamLock.git.ref), wanted v2',
  ])
  expect(shown([SET, UPSTREAM, ...revisions, revision('a', 'app', 10, 'app/v2')])).toEqual([])
  expect(shown([SET, UPSTREAM, ...revisions, ['a/app/Kptfile', kptfileOf(lock('v2'))]])).toEqual([])
})

test('a package whose latest PackageRevision names no upstream is without an upstream', () => {
  const objects = [
    setOf([list('a', 'b')]),
    UPSTREAM,
    revision('a', 'app', 1, 'app/v1'),
    revision('a', 'app', 2),
    revision('b', 'app', 1, 'app/v1'),
  ]
  expect(find(objects)).toMatchObject({ stragglers: [{ variant: { name: 'fleet-b-app' } }], packages: 1, without: 1 })
})

test('a draft of the downstream is older than every numbered revision', () => {
  const draft = { ...revision('a', 'app', 0, 'app/v2'), spec: { repository: 'a', packageName: 'app', workspaceName: 'draft' } }
  expect(shown([SET, UPSTREAM, draft, revision('a', 'app', 1, 'app/v1')])).toHaveLength(1)
})

test('an upstream lock whose fields are no texts names nothing', () => {
  const lockOf = (git: JsonRecord) => ({ ...revision('a', 'app', 1), status: { upstreamLock: { git } } })
  expect(shown([SET, UPSTREAM, lockOf({ repo: 1, directory: 2, ref: 3 })])).toEqual([
    'fleet-a-app differs:   (PackageRevision status.upstreamLock.git.ref), wanted app v2',
  ])
  expect(shown([SET, UPSTREAM, lockOf({})])).toHaveLength(1)
})

test.each([
  { what: 'the folder in git that it was cloned from', source: { cloneFrom: { git: { repo: 'r', directory: 'app', ref: 'v1' } } } },
  { what: 'the PackageRevision that it was cloned from', source: { cloneFrom: { upstreamRef: { name: 'catalog.app.v1' } } } },
  { what: 'the PackageRevision that it was brought to', source: { upgrade: { newUpstream: { name: 'catalog.app.v1' } } } },
])('a PackageRevision of v1alpha2 without a lock is at $what', ({ source }) => {
  const made = { ...revision('a', 'app', 1), spec: { repository: 'a', packageName: 'app', workspaceName: 'w', source } }
  const git = { repo: 'r', directory: 'app', ref: 'v1' }
  const upstream = { ...revision('catalog', 'app', 1), metadata: { name: 'catalog.app.v1' }, status: { revision: 1, selfLock: { git } } }
  expect(shown([SET, UPSTREAM, upstream, made])).toEqual([expect.stringContaining('fleet-a-app is behind: v1 (PackageRevision ')])
})

test('a PackageRevision that names an unknown source is without an upstream', () => {
  const source = { cloneFrom: { upstreamRef: { name: 'nowhere' } } }
  const made = { ...revision('a', 'app', 1), spec: { repository: 'a', packageName: 'app', workspaceName: 'w', source } }
  expect(find([SET, UPSTREAM, made])).toMatchObject({ stragglers: [], packages: 0, without: 1 })
})

test('a package at the revision of its set is behind when the upstream has a newer one', () => {
  const at = (ref: string): readonly Written[] => [SET, ['a/app/Kptfile', kptfileOf(lock(ref))]]
  const known = { asked: ['v2'], newest: 'v4' }
  expect(shown(at('v2'), known)).toEqual(['fleet-a-app is behind: v2 (Kptfile upstreamLock.git.ref), wanted v2, newest v4'])
  expect(shown(at('v3'), known)).toEqual(['fleet-a-app is behind: v3 (Kptfile upstreamLock.git.ref), wanted v2, newest v4'])
  expect(shown(at('v4'), known)).toEqual([])
  expect(shown(at('v2'), { asked: ['v2'], newest: 'v2' })).toEqual([])
  expect(shown(at('v2'), { asked: ['v2'], newest: 'v1' })).toEqual([])
  expect(shown(at('v2'), { asked: ['v2'], newest: 'main' })).toEqual([])
})

test('a revision that is no version is compared by its names', () => {
  const at = (ref: string): readonly Written[] => [SET, ['a/app/Kptfile', kptfileOf(lock(ref))]]
  const known = { asked: ['main', 'refs/heads/main'], newest: 'v4' }
  expect(shown(at('app/main'), known)).toEqual([])
  expect(shown(at('app/v1'), known)).toEqual(['fleet-a-app differs: app/v1 (Kptfile upstreamLock.git.ref), wanted main'])
  expect(shown(at('stable'), { asked: ['v2', 'stable'] })).toEqual([])
})

test('the upstream of each set is looked up once, with its namespace', () => {
  const asked: unknown[] = []
  const objects: readonly Written[] = [
    setOf([list('a', 'b')]),
    ['a/app/Kptfile', kptfileOf(lock('v1'))],
    ['b/app/Kptfile', kptfileOf(lock('v1'))],
  ]
  const plan = planOf(objects)
  const followers = new Followers(plan, () => true)
  const newestOf: NewestOf = (...each) => {
    asked.push(each)
    return { asked: ['v2'] }
  }
  findStragglers(plan, resourceListOf(objects).items, newestOf, followers)
  expect(asked).toMatchObject([[{ repo: 'catalog', package: 'app' }, 'default']])
})

test('an upstream without a known revision is reported with the reason', () => {
  const fault = { severity: 'error', rule: 'upstream-missing', path: ['spec', 'upstream'], message: 'must exist' } as const
  const objects: readonly Written[] = [SET, ['a/app/Kptfile', kptfileOf(lock('v1'))]]
  expect(find(objects, { asked: ['v2'], fault }).unknown).toMatchObject([{ set: { owner: { name: 'fleet' } }, fault }])
  expect(find(objects).unknown).toEqual([])
})

test('a package of another upstream package differs, and its folder is named', () => {
  expect(shown([SET, ['a/app/Kptfile', kptfileOf(lock('v1', 'shop'))]])).toEqual([
    'fleet-a-app differs: shop v1 (Kptfile upstreamLock.git.ref), wanted app v2',
  ])
  expect(shown([SET, ['a/app/Kptfile', kptfileOf(lock('v1', 'my-app'))]])).toHaveLength(1)
  expect(shown([SET, ['a/app/Kptfile', kptfileOf(lock('v1', 'packages/app'))]])).toEqual([
    'fleet-a-app is behind: v1 (Kptfile upstreamLock.git.ref), wanted v2',
  ])
})

test('a variant that the set removes has no package to compare', () => {
  const objects = [
    setOf([list('a', 'c')]),
    variant('a', 'a'),
    variant('b', 'b'),
    variant('c', 'c'),
    UPSTREAM,
    revision('b', 'app', 1, 'app/v1'),
  ]
  expect(find(objects)).toMatchObject({ stragglers: [], packages: 0, without: 2 })
})

test('a Kptfile with a fault is reported, and compared with nothing', () => {
  const { results, ...counts } = find([SET, ['a/app/Kptfile', kptfileOf({ upstreamLock: { git: { ref: [1] } } })]])
  expect(counts).toEqual({ stragglers: [], packages: 0, without: 1, unknown: [] })
  expect(results.map(formatResult)).toEqual([expect.stringContaining('`upstreamLock.git.ref` must be a string')])
})

test('a set with a fault has no packages', () => {
  const broken = { ...SET, spec: { upstream: { repo: 'catalog', package: 'app' }, targets: [list('a')] } }
  expect(find([broken, ['a/app/Kptfile', kptfileOf(lock('v1'))]])).toEqual({
    stragglers: [],
    packages: 0,
    without: 0,
    unknown: [],
    results: [],
  })
})

const PATH = ['status', 'upstreamLock', 'git']

/** Returns a PackageRevision with a lock in git. */
function lockedObject(git: JsonRecord): KrmObject {
  return KrmObject.fromDocument(JSON.stringify({ ...revision('a', 'app', 1), status: { upstreamLock: { git } } }))
}

test.each([
  ['app', 'app/v3', 'v3', true],
  ['/catalog/app/', 'v3', 'v3', true],
  ['catalog/my-app', 'v3', 'v3', false],
  ['app/sub', 'refs/heads/main', 'main', false],
  ['', 'v3', 'v3', false],
])('a package of the folder %j at %j is locked to %j of the upstream app: %j', (directory, ref, locked, isSamePackage) => {
  const found = lockAt(lockedObject({ repo: 'r', directory, ref }), PATH)
  expect(found && lockedRevision(found, { package: 'app' })).toEqual({ locked, isSamePackage })
})

test('a lock is read where the path has a map, with an empty text for what is no text, and is at the ref', () => {
  const object = lockedObject({ repo: 'r', directory: 1 })
  expect(lockAt(object, PATH)).toEqual({ repo: 'r', directory: '', ref: '', object, path: [...PATH, 'ref'] })
  expect([lockAt(object, ['status', 'selfLock', 'git']), lockAt(object, [...PATH, 'repo'])]).toEqual([undefined, undefined])
})

test.each<[string, JsonRecord, string | undefined]>([
  ['its lock, also beside a source', { source: { cloneFrom: { git: { ref: 'cloned' } } }, lock: 'locked' }, 'locked'],
  [
    'the folder that it was cloned from, before a name',
    { source: { cloneFrom: { git: { ref: 'cloned' }, upstreamRef: { name: 'up' } } } },
    'cloned',
  ],
  [
    'the upgrade, before the clone',
    { source: { upgrade: { newUpstream: { name: 'up' } }, cloneFrom: { upstreamRef: { name: 'old' } } } },
    'new',
  ],
  ['the clone', { source: { cloneFrom: { upstreamRef: { name: 'old' } } } }, 'old'],
  ['nothing for a revision of another namespace', { source: { cloneFrom: { upstreamRef: { name: 'far' } } } }, undefined],
  ['nothing for a revision without a lock of its own', { source: { cloneFrom: { upstreamRef: { name: 'bare' } } } }, undefined],
  ['nothing without a source', {}, undefined],
])('what a PackageRevision was made from is %s', (_, { source = null, lock: ref }, made) => {
  const git = (name: string): JsonRecord => ({ selfLock: { git: { ref: name } } })
  const ofName = (name: string, status: JsonRecord, namespace = 'default') =>
    KrmObject.fromDocument(JSON.stringify({ ...revision('catalog', 'app', 1), metadata: { name, namespace }, status }))
  const fleet = readFleet([ofName('up', git('new')), ofName('old', git('old')), ofName('far', git('far'), 'other'), ofName('bare', {})])
  const status = ref === undefined ? {} : { upstreamLock: { git: { ref } } }
  const object = KrmObject.fromDocument(JSON.stringify({ ...revision('a', 'app', 1), spec: { source }, status }))
  expect(lockOfRevision(object, 'default', fleet)?.ref).toBe(made)
})

test('the fields of an upstream have a revision or a workspace only where the upstream has one', () => {
  const fieldsOf = (own: JsonRecord) => {
    const [upstream] = planOf([setOf([list('a')], { repo: 'catalog', package: 'app', ...own })]).sets[0]?.set?.upstreams ?? []
    return upstream && upstreamFields(upstream)
  }
  expect(fieldsOf({ revision: 2 })).toEqual({ repo: 'catalog', package: 'app', revision: 2 })
  expect(fieldsOf({ workspaceName: 'w' })).toEqual({ repo: 'catalog', package: 'app', workspaceName: 'w' })
})
