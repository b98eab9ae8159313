import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import {
  activeAfter,
  afterSteps,
  type CrossplaneRevision,
  currentRevisionName,
  numberOf,
  type ObservedCrossplanePackage,
  ownerOf,
  readCrossplaneRevisions,
  reconcileCurrent,
  reconcileSeed,
  revisionsAfter,
  seedRevisionName,
} from './revisions.ts'
import { digest, fieldOf, objectOf, revisionObject } from './testing/objects.ts'

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f']

/** Any revisions that a cluster may show, one name and one number each, and any wish of the package. */
const observed: fc.Arbitrary<ObservedCrossplanePackage> = fc
  .record({
    names: fc.subarray(NAMES),
    numbers: fc.uniqueArray(fc.integer({ min: 0, max: 20 }), { minLength: NAMES.length, maxLength: NAMES.length }),
    states: fc.array(fc.constantFrom('Active' as const, 'Inactive' as const, undefined), {
      minLength: NAMES.length,
      maxLength: NAMES.length,
    }),
    wanted: fc.constantFrom(...NAMES, 'new'),
    policy: fc.constantFrom('Automatic' as const, 'Manual' as const),
    limit: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
    current: fc.option(fc.constantFrom(...NAMES), { nil: undefined }),
    isBlocked: fc.boolean(),
  })
  .map(({ names, numbers, states, isBlocked, ...rest }) => ({
    ...rest,
    obstacles: isBlocked ? ['missing dependency'] : [],
    revisions: names.map((name, i): CrossplaneRevision => ({ name, number: numbers[i] ?? 0, state: states[i] })),
  }))

describe.each([
  { semantics: 'current', reconcile: reconcileCurrent },
  { semantics: 'seed', reconcile: reconcileSeed },
])('$semantics', ({ semantics, reconcile }) => {
  /** The states one after another, the first as it was observed. */
  function states(first: ObservedCrossplanePackage): ObservedCrossplanePackage[] {
    const all = [first]
    for (let rounds = first.revisions.length + 2; rounds > 0; rounds--) {
      const now = all.at(-1) ?? first
      const { steps, current } = reconcile(now)
      if (steps.length === 0 && current === now.current) return all
      all.push({ ...now, current, revisions: afterSteps(now.revisions, steps) })
    }
    throw new Error('it does not come to rest')
  }

  test('whatever is observed comes to rest, with one Active revision at most and each number once', () => {
    fc.assert(
      fc.property(observed, (first) => {
        const last = states(first).at(-1)?.revisions ?? []
        expect(last.filter(({ state }) => state === 'Active').length).toBeLessThan(2)
        expect(new Set(last.map(({ number }) => number)).size).toBe(last.length)
      }),
      { numRuns: 2000 },
    )
  })

  test('no more than the limit allows is left, and the wanted revision is there unless something keeps it from being made', () => {
    fc.assert(
      fc.property(observed, (first) => {
        const { wanted, limit, obstacles, revisions } = first
        const last = states(first).at(-1)?.revisions ?? []
        const isMade = semantics === 'current' || obstacles.length === 0
        if (isMade) expect(last.map(({ name }) => name)).toContain(wanted)
        else expect(last.some(({ name }) => name === wanted && !revisions.some((each) => each.name === name))).toBe(false)
        if (limit === undefined || limit === 0) expect(last.length).toBeGreaterThanOrEqual(revisions.length)
        else expect(last.filter(({ state }) => state !== 'Active').length).toBeLessThanOrEqual(limit + (semantics === 'seed' ? 0 : 1))
      }),
      { numRuns: 2000 },
    )
  })
})

const revision = (name: string, number: number, state?: 'Active' | 'Inactive'): CrossplaneRevision => ({ name, number, state })

/** Returns the steps of a reconcile in words: `update a 3 Active`. */
function stepsOf(reconcile: typeof reconcileCurrent, given: Partial<ObservedCrossplanePackage>): readonly string[] {
  const base: ObservedCrossplanePackage = { wanted: 'new', policy: 'Automatic', limit: 1, current: undefined, revisions: [], obstacles: [] }
  const { steps } = reconcile({ ...base, ...given })
  return steps.map(({ op, revision: { name, number, state } }) => `${op} ${name} ${number} ${state ?? 'unset'}`)
}

describe('one reconcile of today', () => {
  const OLD = revision('old', 1, 'Active')

  test.each<{ rule: string; given: Partial<ObservedCrossplanePackage>; steps: readonly string[] }>([
    { rule: 'the wanted revision is made with the next number', given: {}, steps: ['create new 1 Active'] },
    {
      rule: 'every other Active revision turns Inactive',
      given: { revisions: [OLD] },
      steps: ['update old 1 Inactive', 'create new 2 Active'],
    },
    {
      rule: 'under Manual too, and the new revision stays unset',
      given: { policy: 'Manual', revisions: [OLD] },
      steps: ['update old 1 Inactive', 'create new 2 unset'],
    },
    {
      rule: 'a wanted revision that exists gets the highest number',
      given: { wanted: 'old', revisions: [revision('old', 1, 'Inactive'), revision('newer', 2, 'Active')] },
      steps: ['update newer 2 Inactive', 'update old 3 Active'],
    },
    {
      rule: 'nothing changes if the wanted revision is Active and has the highest number',
      given: { wanted: 'old', revisions: [OLD] },
      steps: [],
    },
    {
      rule: 'of more than limit + 1 revisions the one with the lowest number is deleted',
      given: { wanted: 'c', revisions: [revision('a', 1, 'Inactive'), revision('b', 2, 'Inactive'), revision('c', 3, 'Active')] },
      steps: ['delete a 1 Inactive'],
    },
    {
      rule: 'a limit of 0 deletes none',
      given: { wanted: 'c', limit: 0, revisions: [revision('a', 1), revision('b', 2), revision('c', 3, 'Active')] },
      steps: [],
    },
    {
      rule: 'missing dependencies do not keep the revision from being made',
      given: { obstacles: ['missing'] },
      steps: ['create new 1 Active'],
    },
  ])('$rule', ({ given, steps }) => {
    expect(stepsOf(reconcileCurrent, given)).toEqual(steps)
  })
})

describe('one reconcile of seed 003', () => {
  const OLD = revision('old', 1, 'Active')

  test.each<{ rule: string; given: Partial<ObservedCrossplanePackage>; steps: readonly string[] }>([
    {
      rule: 'under Automatic the new revision is Active and the old one turns Inactive',
      given: { revisions: [OLD] },
      steps: ['create new 2 Active', 'update old 1 Inactive'],
    },
    { rule: 'under Manual the old revision stays Active', given: { policy: 'Manual', revisions: [OLD] }, steps: ['create new 2 Inactive'] },
    {
      rule: 'under Manual the revision that a user activates gets the highest number, and the other turns Inactive',
      given: { policy: 'Manual', wanted: 'b', current: 'b', revisions: [revision('a', 1, 'Active'), revision('b', 2, 'Active')] },
      steps: ['update b 2 Inactive', 'update a 3 Active'],
    },
    { rule: 'missing dependencies keep the revision from being made', given: { obstacles: ['missing'], revisions: [OLD] }, steps: [] },
    {
      rule: 'only Inactive revisions count for the limit',
      given: { wanted: 'c', revisions: [revision('a', 1, 'Inactive'), revision('b', 2, 'Inactive'), revision('c', 3, 'Active')] },
      steps: ['delete a 1 Inactive'],
    },
  ])('$rule', ({ given, steps }) => {
    expect(stepsOf(reconcileSeed, given)).toEqual(steps)
  })
})

describe('the name of a revision', () => {
  test('today depends on the image and on the generation of the package', () => {
    const name = currentRevisionName('helm', digest('a'), 1)
    expect(name).toMatch(/^helm-[0-9a-f]{12}$/)
    expect([currentRevisionName('helm', digest('a'), 2), currentRevisionName('helm', digest('b'), 1)]).not.toContain(name)
  })

  test('in seed 003 is the hash of the image', () => {
    expect(seedRevisionName(digest('a'))).toBe('a'.repeat(64))
  })
})

describe('the revisions of objects', () => {
  const read = (...objects: readonly KrmObject[]) =>
    readCrossplaneRevisions(objects).map(({ packageKey, revision }) => [packageKey, revision.name, revision.number, revision.state])

  test('are sorted by name, with the package of their label', () => {
    const objects = [revisionObject('helm', 'helm-2', { desiredState: 'Active', revision: 2 }), revisionObject('helm', 'helm-1', {})]
    expect(read(...objects)).toEqual([
      ['Provider helm', 'helm-1', 0, undefined],
      ['Provider helm', 'helm-2', 2, 'Active'],
    ])
  })

  test('without the label belong to the owner that controls them', () => {
    const ownerReferences = [
      { apiVersion: 'v1', kind: 'Provider', name: 'other' },
      { apiVersion: 'v1', kind: 'Provider', name: 'helm', controller: true },
    ]
    expect(read(revisionObject('', 'helm-1', { revision: 1 }, { labels: {}, ownerReferences }))).toEqual([
      ['Provider helm', 'helm-1', 1, undefined],
    ])
  })

  test('after a reconcile the Active one is found with its object', () => {
    const revisions = readCrossplaneRevisions([revisionObject('helm', 'helm-1', { desiredState: 'Inactive', revision: 1 })])
    const becomes = (state: 'Active' | 'Inactive') => ({
      steps: [{ op: 'update' as const, revision: revision('helm-1', 1, state), why: '' }],
      current: undefined,
      faults: [],
    })
    expect(activeAfter({ revisions, reconcile: becomes('Active') })?.object.name).toBe('helm-1')
    expect(activeAfter({ revisions, reconcile: becomes('Inactive') })).toBeUndefined()
  })
})

test.each([
  [3, 3],
  [0, 0],
  [-1, -1],
  [12n, 12],
  [1.5, undefined],
  ['3', undefined],
  [null, undefined],
  [undefined, undefined],
])('the number of a revision in a field with %s is %s', (value, expected) => {
  expect(numberOf({ ...fieldOf('holder'), value })).toBe(expected)
})

test('an object as an owner has a text for each field, also for one that it does not have', () => {
  const uid = '1-2'
  expect(ownerOf(revisionObject('helm', 'helm-1', {}, { uid }))).toEqual({
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'ProviderRevision',
    name: 'helm-1',
    uid,
  })
  expect(ownerOf(objectOf({ metadata: {} }))).toEqual({ apiVersion: '', kind: '', name: '', uid: '' })
})

test('the revisions after a reconcile are the observed ones with its steps, or as they are where no reconcile is known', () => {
  const revisions = readCrossplaneRevisions(
    ['a', 'b', 'c'].map((name, i) => revisionObject('helm', name, { desiredState: 'Active', revision: i + 1 })),
  )
  const steps = [
    { op: 'update', revision: revision('a', 1, 'Inactive'), why: '' },
    { op: 'delete', revision: revision('b', 2, 'Active'), why: '' },
    { op: 'create', revision: revision('d', 4, 'Active'), why: '' },
  ] as const
  const after = (reconcile: Parameters<typeof revisionsAfter>[0]['reconcile']) =>
    revisionsAfter({ revisions, reconcile }).map(({ name, number, state }) => `${name} ${number} ${state}`)
  expect(after({ steps, current: undefined, faults: [] })).toEqual(['a 1 Inactive', 'c 3 Active', 'd 4 Active'])
  expect(after(undefined)).toEqual(['a 1 Active', 'b 2 Active', 'c 3 Active'])
})
