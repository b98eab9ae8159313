import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { formatResult } from '../result.ts'
import { planOf, repository } from './testing/fleet-of-objects.ts'

const own = (name: string) => ({ repo: 'catalog', package: name, revision: 1 })
const named = (packageRevisionSet: string) => ({ packageRevisionSet })

function revisionSet(name: string, upstreams: readonly JsonRecord[], namespace = 'default'): JsonRecord {
  return { apiVersion: 'fleet.krm-variants.dev/v1alpha1', kind: 'PackageRevisionSet', metadata: { name, namespace }, spec: { upstreams } }
}

/** Returns the packages of a matrix with entries, and its findings. */
function resolved(upstreams: readonly JsonRecord[], sets: readonly JsonRecord[], spec: JsonRecord = {}) {
  const matrix = {
    apiVersion: 'fleet.krm-variants.dev/v1alpha1',
    kind: 'PackageVariantMatrix',
    metadata: { name: 'm' },
    spec: { upstreams, targets: [{ repositories: [{ name: 'r' }] }], ...spec },
  }
  const plan = planOf([matrix, ...sets, repository('r')])
  const packages = plan.sets.flatMap(({ changes }) => changes.map(({ why }) => why?.package ?? '')).join(' ')
  return [packages, plan.results.filter(({ severity }) => severity !== 'info').map(formatResult)] as const
}

test('a matrix has its own upstreams and those of the sets that it names, in their order', () => {
  expect(resolved([own('a'), named('s'), own('d')], [revisionSet('s', [own('b'), own('c')])])).toEqual(['a b c d', []])
})

test('a set may name other sets, each of which counts once', () => {
  const sets = [revisionSet('s', [named('t'), own('c'), named('t')]), revisionSet('t', [own('a'), own('b')])]
  expect(resolved([named('s')], sets)).toEqual(['a b c', []])
})

test('a name that no set has is an error, with the nearest one', () => {
  expect(resolved([named('sets')], [revisionSet('set', [own('a')])])).toEqual([
    '',
    [expect.stringContaining("must name a PackageRevisionSet of namespace 'default', got 'sets'; the list has set; did you mean 'set'?")],
  ])
  expect(resolved([named('s')], [])).toEqual(['', [expect.stringContaining('the list has none there')]])
  expect(resolved([named('s')], [revisionSet('s', [own('a')], 'other')])).toEqual([
    '',
    [expect.stringContaining("one of this name is in namespace 'other'")],
  ])
})

test('a name that is missing in a set is an error of that set, also for a matrix that does not name it', () => {
  expect(resolved([own('a')], [revisionSet('s', [named('nope')])])).toEqual(['', [expect.stringContaining("got 'nope'")]])
})

test('a warning about a set does not keep a matrix from its upstreams, an error about any set does', () => {
  const warned = revisionSet('s', [{ ...own('a'), workspaceName: 'v2' }])
  expect(resolved([named('s')], [warned])).toEqual(['a', [expect.stringContaining('must be the workspace of revision 1')]])
  expect(resolved([named('s')], [warned, revisionSet('t', [named('t')])])[0]).toBe('')
})

test('sets that lead back to themselves are an error with the circle', () => {
  const sets = [revisionSet('a', [named('b')]), revisionSet('b', [named('c'), own('x')]), revisionSet('c', [named('a')])]
  expect(resolved([named('a')], sets)[1]).toEqual([expect.stringContaining('must not lead back to the set itself: a → b → c → a')])
  expect(resolved([own('x')], [revisionSet('a', [named('a')])])[1]).toEqual([expect.stringContaining('a → a')])
})

test('two sets that name a third one are no circle', () => {
  const sets = [revisionSet('a', [named('c')]), revisionSet('b', [named('c')]), revisionSet('c', [own('x')])]
  expect(resolved([named('a'), named('b')], sets)[1].filter((line) => line.includes('circle'))).toEqual([])
})

test('more upstreams than the limit of variants are refused', () => {
  expect(resolved([named('s')], [revisionSet('s', [own('a'), own('b')])], { maxVariants: 2 })).toEqual(['a b', []])
  expect(resolved([named('s')], [revisionSet('s', [own('a'), own('b'), own('c')])], { maxVariants: 2 })).toEqual([
    '',
    [expect.stringContaining('must not give more than 2 upstreams')],
  ])
})

test('the template of an entry is that of each upstream of its set, and of no other', () => {
  const upstreams = [{ ...named('s'), template: { labels: { x: 'y' } } }, own('c')]
  const spec = { upstreams, targets: [{ repositories: [{ name: 'r' }] }] }
  const matrix = { apiVersion: 'fleet.krm-variants.dev/v1alpha1', kind: 'PackageVariantMatrix', metadata: { name: 'm' }, spec }
  const [plan] = planOf([matrix, revisionSet('s', [own('a'), own('b')]), repository('r')]).sets
  expect(plan?.changes.map(({ why, after }) => [why?.package, after?.labels])).toEqual([
    ['a', { x: 'y' }],
    ['b', { x: 'y' }],
    ['c', undefined],
  ])
})

/** Returns the object and the field of each error. */
function placesOf(upstreams: readonly JsonRecord[], sets: readonly JsonRecord[]): readonly string[] {
  const matrix = {
    apiVersion: 'fleet.krm-variants.dev/v1alpha1',
    kind: 'PackageVariantMatrix',
    metadata: { name: 'm' },
    spec: { upstreams, targets: [{ repositories: [{ name: 'r' }] }] },
  }
  const { results } = planOf([matrix, ...sets, repository('r')])
  return results.flatMap(({ severity, resourceRef, field }) =>
    severity === 'error' ? [`${resourceRef?.name} ${field?.path.join('.')}`] : [],
  )
}

test('an error is at the entry that names the missing set, or that closes the circle', () => {
  expect(placesOf([own('a'), named('nope')], [])).toEqual(['m spec.upstreams.1.packageRevisionSet'])
  expect(placesOf([own('a')], [revisionSet('s', [own('b'), named('nope')])])).toEqual(['s spec.upstreams.1.packageRevisionSet'])
  const circle = [revisionSet('a', [named('b')]), revisionSet('b', [own('x'), named('a')])]
  expect(placesOf([own('x')], circle)).toEqual(['b spec.upstreams.1.packageRevisionSet'])
})

test('a message about a circle leaves out the sets before the circle, and each circle has one', () => {
  const sets = [
    revisionSet('start', [named('a')]),
    revisionSet('a', [named('b')]),
    revisionSet('b', [named('a')]),
    revisionSet('c', [named('c')]),
  ]
  const lines = resolved([named('start')], sets)[1]
  expect(lines.map((line) => / itself: (.*?)(?: \[|$)/.exec(line)?.[1])).toEqual(['a → b → a', 'c → c'])
})

test('a message about a long circle has the first twenty sets', () => {
  const name = (at: number) => `s${String(at).padStart(2, '0')}`
  const sets = Array.from({ length: 21 }, (_, at) => revisionSet(name(at), [named(name((at + 1) % 21))]))
  const shown = (count: number) => Array.from({ length: count }, (_, at) => name(at)).join(' → ')
  expect(resolved([own('x')], sets)[1]).toEqual([expect.stringContaining(`itself: ${shown(20)} → … `)])
  const twenty = sets.slice(0, 18).concat(revisionSet(name(18), [named(name(0))]))
  expect(resolved([own('x')], twenty)[1]).toEqual([expect.stringContaining(`itself: ${shown(19)} → ${name(0)} `)])
})

test('of two sets with one namespace and name the first counts, and a set of another version is none', () => {
  expect(resolved([named('s')], [revisionSet('s', [own('a')]), revisionSet('s', [own('b')])])[0]).toBe('a')
  const other = { ...revisionSet('s', [own('a')]), apiVersion: 'example.com/v1' }
  expect(resolved([named('s')], [other])[1]).toContainEqual(expect.stringContaining('the list has none there'))
})

test('a set finds the sets that it names in its own namespace', () => {
  const sets = [revisionSet('s', [named('t')]), revisionSet('t', [own('a')]), revisionSet('t', [own('b')], 'other')]
  expect(resolved([named('s')], sets)).toEqual(['a', []])
  expect(resolved([named('s')], sets.slice(0, 1).concat(sets.slice(2)))[1]).toEqual([
    expect.stringContaining("one of this name is in namespace 'other'"),
  ])
})
