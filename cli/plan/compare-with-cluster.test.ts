import { expect, test } from 'vitest'
import { list, planOf, repository, resourceListOf, setOf, variant } from '../../src/fleet/testing/fleet-of-objects.ts'
import { matrixWithRings } from '../../src/fleet/testing/fleet-with-rings.ts'
import type { JsonRecord } from '../../src/json.ts'
import { OWNER_LABEL } from '../../src/well-known.ts'
import { compareWithCluster, takeUids } from './compare-with-cluster.ts'

const UID = '00000000-0000-4000-8000-000000000001'
const OTHER_UID = '00000000-0000-4000-8000-000000000002'
const setWith = (metadata: JsonRecord) => ({ ...setOf([list('a')]), metadata: { name: 'fleet', ...metadata } })
const inCluster = (sets: readonly { name: string; namespace: string }[], ...variants: readonly JsonRecord[]) => ({
  sets: sets.map((set) => ({ ...set, uid: UID })),
  variants,
  described: '',
})
const FLEET = { name: 'fleet', namespace: 'default' }

test.each<[what: string, object: JsonRecord, uid: string | undefined]>([
  ['the uid of the cluster', setWith({}), UID],
  ['the uid of the cluster in place of another one', setWith({ namespace: 'default', uid: OTHER_UID }), UID],
  ['no uid if the cluster has it in another namespace only', setWith({ namespace: 'other', uid: OTHER_UID }), undefined],
  ['no uid if the cluster has none of its name', setWith({ name: 'second' }), undefined],
])('a set gets %s', (_, object, uid) => {
  const { items } = resourceListOf([object])
  takeUids(items, inCluster([FLEET]))
  expect(items.map((item) => item.get(['metadata', 'uid']))).toEqual([uid])
})

test('a matrix and objects of other kinds keep their uids', () => {
  const kept = [
    { ...matrixWithRings([]), metadata: { name: 'fleet', uid: OTHER_UID } },
    { ...repository('fleet'), metadata: { name: 'fleet', uid: OTHER_UID } },
  ]
  const { items } = resourceListOf(kept)
  takeUids(items, inCluster([FLEET]))
  expect(items.map((item) => item.get(['metadata', 'uid']))).toEqual([OTHER_UID, OTHER_UID])
})

const LOCAL = { annotations: { 'config.kubernetes.io/local-config': 'true' } }

/** Compares the set `default/fleet`, for the repository a, with a cluster. */
function compared(metadata: JsonRecord, sets: readonly { name: string; namespace: string }[], ...variants: readonly JsonRecord[]) {
  const plan = planOf([repository('a'), setWith(metadata)])
  const comparison = compareWithCluster(plan, inCluster(sets, ...variants))
  return {
    ...comparison,
    changes: comparison.sets.flatMap(({ changes }) => changes.map(({ op, name }) => `${op} ${name}`)),
    makers: plan.sets.map(comparison.makerOf),
    rules: comparison.results.map(({ severity, tags }) => `${severity} ${tags.rule}`),
  }
}

/** The name that fan-out gives the variant of the set in a repository, after Porch's identifier of its package. */
const NAME = planOf([repository('a'), setWith({ uid: UID })]).sets[0]?.changes[0]?.name ?? ''
const inNamespace = (object: JsonRecord, metadata: JsonRecord) => ({
  ...object,
  metadata: { name: NAME, namespace: 'default', ...metadata },
})
const MADE = inNamespace(variant(NAME, 'a'), { labels: { [OWNER_LABEL]: UID } })

test('the controller makes the variants of a set that the cluster has, and later those of a set that it does not have', () => {
  expect(compared({ uid: UID }, [FLEET]).makers).toEqual(["by Porch's controller"])
  expect(compared({}, []).makers).toEqual(["by Porch's controller, once the set is applied"])
  expect(compared(LOCAL, []).makers).toEqual(['by the program that applies the variants'])
})

test('variants that other sets or people made are counted, and not removed', () => {
  const foreign = inNamespace(variant('x', 'b'), { name: 'x' })
  const { changes, foreign: count } = compared({ uid: UID }, [FLEET], foreign, MADE)
  expect([changes.some((change) => change.startsWith('remove')), count]).toEqual([false, 1])
})

test('a variant of the set that the set no longer asks for is removed', () => {
  const old = inNamespace(variant('old', 'b'), { name: 'old', labels: { [OWNER_LABEL]: UID } })
  const { changes, foreign } = compared({ uid: UID }, [FLEET], MADE, old)
  expect(changes).toContain('remove old')
  expect(foreign).toBe(0)
})

test('a controller does not find an old variant without the uid of its set, and another program removes the variant', () => {
  const old = variant('old', 'b')
  expect(compared({ uid: UID }, [FLEET], MADE, old).changes).not.toContain('remove old')
  expect(compared(LOCAL, [], old).changes).toContain('remove old')
})

test('a variant of a controller is a warning for a set that a program applies', () => {
  expect(compared(LOCAL, [], MADE).rules).toEqual(['warning cluster-controlled'])
  expect(compared(LOCAL, [], inNamespace(MADE, {})).rules).toEqual([])
})

test('a variant without the uid of its set blocks the controller', () => {
  expect(compared({ uid: UID }, [FLEET], MADE).rules).toEqual([])
  expect(compared({ uid: UID }, [FLEET], inNamespace(MADE, {})).rules).toEqual(['error cluster-blocked'])
  expect(compared({}, [], inNamespace(MADE, {})).rules).toEqual(['error cluster-blocked'])
  expect(compared({ uid: UID }, [FLEET], inNamespace(MADE, { labels: { [OWNER_LABEL]: OTHER_UID } })).rules).toEqual([
    'error cluster-blocked',
  ])
})

test('a variant that the cluster is deleting is a warning while the fleet has the variant', () => {
  const marks = { labels: { [OWNER_LABEL]: UID }, deletionTimestamp: '2024-01-01T00:00:00Z' }
  expect(compared({ uid: UID }, [FLEET], inNamespace(MADE, marks)).rules).toEqual(['warning variant-being-deleted'])
  const gone = inNamespace(variant('old', 'b'), { name: 'old', ...marks })
  expect(compared({ uid: UID }, [FLEET], MADE, gone).rules).toEqual([])
})
