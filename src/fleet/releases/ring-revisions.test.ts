import { expect, test } from 'vitest'
import type { JsonValue } from '../../json.ts'
import { list, planOf, repository, resourceListOf, revision, setOf, type Written } from '../testing/fleet-of-objects.ts'
import { clusters, matrixWithRings } from '../testing/fleet-with-rings.ts'
import { packageLocks } from './behind.ts'
import {
  compareRevisionNames,
  dividePackages,
  isAnyLocked,
  newUpstream,
  revisionFieldOf,
  revisionName,
  ringedUpstreams,
  variantsInRing,
  writeRevision,
} from './ring-revisions.ts'

test.each<[number | string | undefined, string | undefined, string]>([
  [4, undefined, 'v4'],
  ['4', undefined, 'v4'],
  ['v4', 'own', 'v4'],
  ['main', 'own', 'main'],
  [0, 'own', 'own'],
  ['0', 'own', 'own'],
  [undefined, 'own', 'own'],
  [undefined, undefined, ''],
  [-1, 'own', 'own'],
])('the name of the revision %s with the workspace %s is "%s"', (written, workspaceName, name) => {
  expect(revisionName({ ...(written !== undefined && { revision: written }), ...(workspaceName !== undefined && { workspaceName }) })).toBe(
    name,
  )
})

test.each<[string, string, number | undefined]>([
  ['v3', 'v4', -1],
  ['v10', 'v9', 1],
  ['v4', '4', 0],
  ['v1.2.0', 'v1.10.0', -1],
  ['main', 'v4', undefined],
  ['v4', 'main', undefined],
])('of the revisions %s and %s the order is %s', (a, b, order) => {
  const found = compareRevisionNames(a, b)
  expect(found === undefined ? undefined : Math.sign(found)).toBe(order)
})

function planned(objects: readonly Written[]) {
  const plan = planOf(objects)
  const [only] = plan.sets
  const [upstream] = only?.set?.upstreams ?? []
  if (only === undefined || upstream === undefined) throw new Error(JSON.stringify(plan.results))
  return { plan, only, upstream }
}

test('each ring has the revision of its upstream, and the field that has it', () => {
  const rings = [
    { name: 'one', repos: ['a'], revision: 5 },
    { name: 'two', repos: ['b'] },
    { name: 'three', repos: ['c'], revision: 4 },
    { name: 'four' },
  ]
  const [found, ...others] = ringedUpstreams(planned([matrixWithRings(rings, 3)]).only)
  expect(others).toEqual([])
  expect(found?.upstream.revision).toBe(3)
  expect(found?.rings.map(({ ring, revision: name, at, upstream }) => [ring.name, name, at.path.join('.'), upstream.revision])).toEqual([
    ['one', 'v5', 'spec.rings.0.revisions.app', 5],
    ['two', 'v4', 'spec.rings.2.revisions.app', 4],
    ['three', 'v4', 'spec.rings.2.revisions.app', 4],
    ['four', 'v3', 'spec.upstreams.0.revision', 3],
  ])
})

test('a set without rings, and one with faults, has no upstreams with rings', () => {
  expect(ringedUpstreams(planned([setOf([list('a')])]).only)).toEqual([])
  expect(ringedUpstreams({})).toEqual([])
})

test('the field of the revision of an upstream is its revision, else its workspace', () => {
  const { upstream } = planned([setOf([list('a')])])
  expect(revisionFieldOf(upstream)).toEqual({ object: upstream.object, path: ['spec', 'upstream', 'revision'] })
  const { revision: _, ...rest } = upstream
  expect(revisionFieldOf(rest).path).toEqual(['spec', 'upstream', 'workspaceName'])
})

test.each<{ written: JsonValue; name: string; becomes: JsonValue }>([
  { written: 3, name: 'v4', becomes: 4 },
  { written: '3', name: 'v4', becomes: '4' },
  { written: 'v3', name: 'v4', becomes: 'v4' },
  { written: 'main', name: 'v4', becomes: '4' },
  { written: 3, name: 'next', becomes: 'next' },
])('beside $written the revision $name is written as $becomes', ({ written, name, becomes }) => {
  const { plan, upstream } = planned([setOf([list('a')], { repo: 'catalog', package: 'app', revision: written })])
  expect(newUpstream(upstream, name, 'default', plan.fleet)).toEqual({ revision: becomes })
})

test('an upstream with a workspace beside its revision gets the workspace of the new revision', () => {
  const named = { repo: 'catalog', package: 'app', revision: 3, workspaceName: 'w3' }
  const revisions = [3, 4].map((number) => revision('catalog', 'app', number))
  const { plan, upstream } = planned([setOf([list('a')], named), ...revisions])
  expect(newUpstream(upstream, 'v4', 'default', plan.fleet)).toEqual({ revision: 4, workspaceName: 'w4' })
  expect(newUpstream(upstream, 'v4', 'other', plan.fleet)).toEqual({ revision: 4, workspaceName: 'v4' })
  const { revision: _, ...alone } = upstream
  expect(newUpstream(alone, 'v4', 'default', plan.fleet)).toEqual({ revision: 4 })
})

test('a revision is written to its field, and its workspace beside it', () => {
  const { upstream } = planned([setOf([list('a')])])
  writeRevision(revisionFieldOf(upstream), { revision: 4 })
  expect(upstream.object.get(['spec', 'upstream'])).toEqual({ repo: 'catalog', package: 'app', revision: 4 })
  writeRevision(revisionFieldOf(upstream), { revision: 5, workspaceName: 'w5' })
  expect(upstream.object.get(['spec', 'upstream'])).toEqual({ repo: 'catalog', package: 'app', revision: 5, workspaceName: 'w5' })
})

const RINGS = [{ name: 'one', repos: ['a', 'b'] }, { name: 'two' }]

test('the variants of a ring are those of its upstream, without those that go', () => {
  const matrix = matrixWithRings(RINGS)
  const spec = { ...Object(matrix.spec), upstreams: ['app', 'web'].map((name) => ({ repo: 'catalog', package: name, revision: 1 })) }
  const { only } = planned([{ ...matrix, spec }, ...['a', 'b', 'c'].map((name) => repository(name))])
  const [app, web] = only.set?.upstreams ?? []
  const [one, two] = only.set?.rings ?? []
  const names = (upstream: typeof app, ring: typeof one) =>
    upstream && ring ? variantsInRing(only, upstream, ring).map(({ name }) => name) : []
  expect([names(app, one), names(app, two)]).toEqual([['m-a-app', 'm-b-app'], ['m-c-app']])
  expect(names(web, one)).toEqual(['m-a-web', 'm-b-web'])
  const removed = only.changes.map((change) => ({ ...change, op: 'remove' as const }))
  expect(app && one && variantsInRing({ ...only, changes: removed }, app, one)).toEqual([])
  const other = app && { ...app, object: resourceListOf([matrix]).items[0] ?? app.object }
  expect(names(other, one)).toEqual([])
})

test('the packages of a ring are at its revision, at another one, or missing', () => {
  const objects = [matrixWithRings([{ name: 'all' }], 2), ...clusters({ a: 'app/v2', b: 'v2', c: 'v1', d: '', e: 'main', f: 'app/v3' })]
  const { plan, only, upstream } = planned(objects)
  const locks = packageLocks(plan, resourceListOf(objects).items)
  const { there, elsewhere, missing } = dividePackages(only.changes, { upstream, revision: 'v2' }, locks)
  expect(there.map(({ name }) => name)).toEqual(['m-a-app', 'm-b-app'])
  expect(elsewhere.map(({ variant, locked }) => `${variant.name} ${locked}`)).toEqual(['m-c-app v1', 'm-e-app main', 'm-f-app app/v3'])
  expect(missing.map(({ name }) => name)).toEqual(['m-d-app'])
  expect(isAnyLocked(plan, locks)).toBe(true)
  expect(isAnyLocked(plan, { lockOf: () => undefined })).toBe(false)
  const ofOther = dividePackages(only.changes.slice(0, 1), { upstream: { ...upstream, package: 'web' }, revision: 'v2' }, locks)
  expect(ofOther.elsewhere.map(({ locked }) => locked)).toEqual(['app app/v2'])
  const atMain = dividePackages(only.changes, { upstream, revision: 'main' }, locks)
  expect(atMain.there.map(({ name }) => name)).toEqual(['m-e-app'])
})
