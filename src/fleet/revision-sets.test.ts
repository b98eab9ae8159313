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
