import { expect, test } from 'vitest'
import { formatResult } from '../../result.ts'
import type { SetPlan } from '../plan-fan-out.ts'
import { list, planOf, repository, resourceListOf, setOf, variant, type Written } from '../testing/fleet-of-objects.ts'
import { clusters, matrixWithRings } from '../testing/fleet-with-rings.ts'
import { packageLocks } from './behind.ts'
import { fieldToPromote, planPromotion, unorderedRevision } from './promotion.ts'
import { type RevisionField, revisionFieldOf } from './ring-revisions.ts'

const RINGS = [{ name: 'one', repos: ['a'], revision: 2 }, { name: 'two', repos: ['b'] }, { name: 'three' }]
const PACKAGES = clusters({ a: 'app/v2', b: 'app/v1', c: 'app/v1' })

function planned(objects: readonly Written[]) {
  const plan = planOf(objects)
  return { sets: plan.sets, locks: packageLocks(plan, resourceListOf(objects).items) }
}

/** Returns the field that gives a ring of a set its revision. */
function fieldOf(plan: SetPlan | undefined, ring: string): RevisionField {
  const [upstream] = plan?.set?.upstreams ?? []
  const found = plan?.set?.rings.find(({ name }) => name === ring)
  if (plan === undefined || upstream === undefined || found === undefined) throw new Error('no ring')
  return fieldToPromote(plan, upstream, found)
}

/** Returns what a new revision of a ring changes, and the findings without their places. */
function promoted(objects: readonly Written[], ring: string, revision: number) {
  const { sets, locks } = planned(objects)
  const { changes, results, edit } = planPromotion(sets, { field: fieldOf(sets[0], ring), revision }, locks)
  return {
    changes: changes.map(({ set, ring: own, from, to, variants }) => {
      return `${set.owner.name} ${own?.name} ${from} → ${to}: ${variants.map(({ name }) => name).join()}`
    }),
    lines: results.map((result) => formatResult(result).replace(/^\S+ /, '')),
    edit,
  }
}

test('a ring is promoted in its own field, the last ring without one in that of the upstream', () => {
  const [plan] = planned([matrixWithRings(RINGS), ...PACKAGES]).sets
  expect(['one', 'two', 'three'].map((ring) => fieldOf(plan, ring).path.join('.'))).toEqual([
    'spec.rings.0.revisions.app',
    'spec.rings.1.revisions.app',
    'spec.upstreams.0.revision',
  ])
  const [last] = planned([matrixWithRings([...RINGS.slice(0, 2), { name: 'three', revision: 1 }])]).sets
  expect(fieldOf(last, 'three').path.join('.')).toBe('spec.rings.2.revisions.app')
  const [upstream] = plan?.set?.upstreams ?? []
  const [ring] = plan?.set?.rings ?? []
  if (plan === undefined || upstream === undefined || ring === undefined) throw new Error('no ring')
  expect(fieldToPromote(plan, upstream, { ...ring, name: 'elsewhere' }).path.join('.')).toBe('spec.upstreams.0.revision')
})

test.each([
  { rule: 'the first ring changes alone', ring: 'one', revision: 3, changes: ['m one v2 → v3: m-a-app'], rules: [] },
  {
    rule: 'a ring that gets a revision of its own changes alone',
    ring: 'two',
    revision: 2,
    changes: ['m two v1 → v2: m-b-app'],
    rules: [],
  },
  {
    rule: 'the field of the upstream changes each ring without a revision of its own',
    ring: 'three',
    revision: 2,
    changes: ['m two v1 → v2: m-b-app', 'm three v1 → v2: m-c-app'],
    rules: ['rings-at-once', 'ring-overtaken'],
  },
  {
    rule: 'a revision that the ring before does not have is refused',
    ring: 'two',
    revision: 3,
    changes: ['m two v1 → v3: m-b-app'],
    rules: ['ring-skipped'],
  },
  { rule: 'a revision that the ring has changes nothing', ring: 'one', revision: 2, changes: [], rules: [] },
])('$rule', ({ ring, revision, changes, rules }) => {
  const found = promoted([matrixWithRings(RINGS), ...PACKAGES], ring, revision)
  expect(found.changes).toEqual(changes)
  expect(found.edit.revision).toBe(revision)
  expect(found.lines.map((line) => /\[(\S+)\]$/.exec(line)?.[1]).filter((rule) => !rules.includes(String(rule)))).toEqual([])
  expect(found.lines.length > 0).toBe(rules.length > 0)
})

test('a ring waits for packages, and for a ring without any', () => {
  expect(promoted([matrixWithRings(RINGS), ...clusters({ a: 'app/v1', b: 'app/v1', c: 'app/v1' })], 'two', 2).lines).toEqual([
    expect.stringMatching(
      /^error: .* of ring 'two' must wait for ring 'one': 1 of 1 package is not at 'v2' yet, a\/app \(app\/v1\) \[ring-overtaken\]$/,
    ),
  ])
  expect(promoted([matrixWithRings(RINGS), ...clusters({ b: 'app/v1', c: 'app/v1' })], 'two', 2).lines).toEqual([
    expect.stringMatching(/^error: .* the ring has no package of 'app', so 'v2' is tried nowhere.*\[ring-overtaken\]$/),
  ])
})

test('a set with faults is passed over', () => {
  const broken = { ...setOf([]), metadata: { name: 'broken' } }
  expect(promoted([matrixWithRings(RINGS), broken, ...PACKAGES], 'one', 3).changes).toEqual(['m one v2 → v3: m-a-app'])
})

test('matrices that name one PackageRevisionSet get its revision together, also one without rings, but for variants that go', () => {
  const revisions = {
    apiVersion: 'fleet.krm-variants.dev/v1alpha1',
    kind: 'PackageRevisionSet',
    metadata: { name: 'base' },
    spec: { upstreams: [{ repo: 'catalog', package: 'app', revision: 1 }] },
  }
  const naming = (name: string, rings: readonly { name: string }[], targets: unknown) => ({
    apiVersion: 'fleet.krm-variants.dev/v1alpha1',
    kind: 'PackageVariantMatrix',
    metadata: { name },
    spec: { upstreams: [{ packageRevisionSet: 'base' }], targets, ...(rings.length > 0 && { rings }) },
  })
  const gone = {
    ...variant('gone', 'z'),
    metadata: { name: 'gone', annotations: { 'krm-variants.dev/package-variant-set': 'default/plain' } },
  }
  const objects = [
    naming('ringed', [{ name: 'all' }], [list('a')]),
    naming('plain', [], [list('b')]),
    revisions,
    gone,
    ...['a', 'b'].map((name) => repository(name)),
  ] as readonly Written[]
  const { sets, locks } = planned(objects)
  const [upstream] = sets[0]?.set?.upstreams ?? []
  if (upstream === undefined) throw new Error(JSON.stringify(planOf(objects).results))
  const { changes } = planPromotion(sets, { field: revisionFieldOf(upstream), revision: 2 }, locks)
  expect(
    changes.map(({ set, ring, from, to, variants }) => [set.owner.name, ring?.name, from, to, variants.map(({ name }) => name)]),
  ).toEqual([
    ['ringed', 'all', 'v1', 'v2', ['ringed-a-app']],
    ['plain', undefined, '1', 'v2', ['plain-b-app']],
  ])
  expect(planPromotion(sets, { field: { ...revisionFieldOf(upstream), path: ['spec'] }, revision: 2 }, locks).changes).toEqual([])
})

test('a revision without an order is refused at its field', () => {
  const [plan] = planned([setOf([list('a')], { repo: 'catalog', package: 'app', revision: 'main' })]).sets
  const [upstream] = plan?.set?.upstreams ?? []
  expect(upstream && formatResult(unorderedRevision(revisionFieldOf(upstream), 'main')).replace(/^\S+ /, '')).toBe(
    "error: `spec.upstream.revision` must be a number, got 'main': only a number can be promoted [revision-unordered]",
  )
})
