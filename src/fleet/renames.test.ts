import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import type { SetPlan } from './plan-fan-out.ts'
import { list, planOf, setOf, variant } from './testing/fleet-of-objects.ts'

const upstreamOf = (name: string, revision = 2): JsonRecord => ({ repo: 'catalog', package: name, revision })

/** Returns a variant of the set whose upstream and downstream package have names of their own. */
function existing(
  name: string,
  repo: string,
  { upstream = 'app', downstream = upstream }: { upstream?: string; downstream?: string } = {},
): JsonRecord {
  return variant(name, repo, { upstream: upstreamOf(upstream), downstream: { repo, package: downstream } })
}

function matrixOf(packages: readonly string[], ...repos: string[]): JsonRecord {
  return {
    apiVersion: 'fleet.krm-variants.dev/v1alpha1',
    kind: 'PackageVariantMatrix',
    metadata: { name: 'fleet' },
    spec: { upstreams: packages.map((name) => upstreamOf(name)), targets: [list(...repos)] },
  }
}

function planned(objects: readonly JsonRecord[]): SetPlan | undefined {
  return planOf(objects, { maxDeletions: { count: 9 }, allowEmpty: true }).sets[0]
}

function changesOf(objects: readonly JsonRecord[]): readonly string[] {
  return (planned(objects)?.changes ?? []).map(({ op, name, existing: before }) =>
    op === 'rename' ? `rename ${before?.name} → ${name}` : `${op} ${name}`,
  )
}

test.each([
  {
    rule: 'a removal and a creation in one repository are a rename',
    objects: [setOf([list('a')]), existing('old', 'a', { downstream: 'x' })],
    changes: ['rename old → fleet-a-app'],
  },
  {
    rule: 'a removal in another repository is no rename',
    objects: [setOf([list('a')]), existing('old', 'b', { downstream: 'x' })],
    changes: ['create fleet-a-app', 'remove old'],
  },
  {
    rule: 'the same name in another repository is a rename',
    objects: [setOf([list('a')]), existing('fleet-a-app', 'b')],
    changes: ['rename fleet-a-app → fleet-a-app'],
  },
  {
    rule: 'the same name counts before the same repository',
    objects: [setOf([list('a')]), existing('old', 'a', { downstream: 'x' }), existing('fleet-a-app', 'b')],
    changes: ['rename fleet-a-app → fleet-a-app', 'remove old'],
  },
  {
    rule: 'the last pair in a repository is a rename after the others were joined by their names',
    objects: [
      setOf([{ repositories: [{ name: 'a', packageNames: ['x', 'y'] }] }]),
      existing('fleet-a-x', 'b', { downstream: 'z' }),
      existing('old', 'a', { downstream: 'z' }),
    ],
    changes: ['rename fleet-a-x → fleet-a-x', 'rename old → fleet-a-y'],
  },
  {
    rule: 'two removals for one creation are no rename',
    objects: [setOf([list('a')]), existing('one', 'a', { downstream: 'x' }), existing('two', 'a', { downstream: 'y' })],
    changes: ['create fleet-a-app', 'remove one', 'remove two'],
  },
  {
    rule: 'one removal for two creations is no rename',
    objects: [setOf([{ repositories: [{ name: 'a', packageNames: ['x', 'y'] }] }]), existing('one', 'a', { downstream: 'z' })],
    changes: ['create fleet-a-x', 'create fleet-a-y', 'remove one'],
  },
  {
    rule: 'a rename takes the place of the creation, and the other removals are last',
    objects: [setOf([list('a', 'b', 'c')]), existing('gone', 'z'), existing('old', 'b', { downstream: 'x' }), existing('fleet-c-app', 'c')],
    changes: ['create fleet-a-app', 'rename old → fleet-b-app', 'unchanged fleet-c-app', 'remove gone'],
  },
  {
    rule: 'a variant without a downstream is renamed by its name alone',
    objects: [setOf([list('a', 'b')]), { ...existing('fleet-b-app', 'b'), spec: {} }, { ...existing('bare', 'b'), spec: {} }],
    changes: ['create fleet-a-app', 'rename fleet-b-app → fleet-b-app', 'remove bare'],
  },
  {
    rule: 'a variant that stays is no half of a rename',
    objects: [
      setOf([{ repositories: [{ name: 'a', packageNames: ['app'] }] }]),
      existing('x', 'a'),
      existing('old', 'a', { downstream: 'y' }),
    ],
    changes: ['unchanged x', 'remove old'],
  },
])('$rule', ({ objects, changes }) => {
  expect(changesOf(objects)).toEqual(changes)
})

/** A set whose two targets give two packages in one repository. */
function twoInOne(name: string): JsonRecord {
  const targetOf = (packageExpr: string) => ({ ...list('mono'), template: { downstream: { packageExpr } } })
  return setOf([targetOf("packageDefault + '-a'"), targetOf("'b-' + packageDefault")], upstreamOf(name))
}

test.each([
  {
    rule: 'variants under another upstream package are joined by their places',
    objects: [
      twoInOne('shop'),
      existing('one', 'mono', { upstream: 'app', downstream: 'b-app' }),
      existing('two', 'mono', { upstream: 'app', downstream: 'app-a' }),
    ],
    changes: ['rename two → fleet-mono-shop-a', 'rename one → fleet-mono-b-shop'],
  },
  {
    rule: 'a place is that of the upstream package which the removed variant has',
    objects: [
      twoInOne('shop'),
      existing('one', 'mono', { upstream: 'other', downstream: 'app-a' }),
      existing('two', 'mono', { upstream: 'app', downstream: 'b-app' }),
    ],
    changes: ['rename one → fleet-mono-shop-a', 'rename two → fleet-mono-b-shop'],
  },
  {
    rule: 'variants of two former upstream packages are joined by the places of each',
    objects: [
      twoInOne('shop'),
      existing('one', 'mono', { upstream: 'app', downstream: 'app-a' }),
      existing('two', 'mono', { upstream: 'web', downstream: 'b-web' }),
      existing('three', 'mono', { upstream: 'web', downstream: 'c-web' }),
    ],
    changes: ['rename one → fleet-mono-shop-a', 'rename two → fleet-mono-b-shop', 'remove three'],
  },
  {
    rule: 'a variant of the present upstream package has no former place',
    objects: [
      twoInOne('shop'),
      existing('one', 'mono', { upstream: 'shop', downstream: 'x' }),
      existing('two', 'mono', { upstream: 'shop', downstream: 'y' }),
    ],
    changes: ['create fleet-mono-shop-a', 'create fleet-mono-b-shop', 'remove one', 'remove two'],
  },
])('$rule', ({ objects, changes }) => {
  expect(changesOf(objects)).toEqual(changes)
})

test.each([
  {
    rule: 'a new package of a matrix is no new name of another that goes',
    objects: [matrixOf(['app', 'web'], 'a'), existing('fleet-a-web', 'a', { upstream: 'web' }), existing('old', 'a', { upstream: 'till' })],
    changes: ['create fleet-a-app', 'unchanged fleet-a-web', 'remove old'],
  },
  {
    rule: 'a package of a matrix is renamed in its repository under the same upstream package',
    objects: [
      matrixOf(['app', 'web'], 'a'),
      existing('one', 'a', { upstream: 'web', downstream: 'x' }),
      existing('two', 'a', { upstream: 'app', downstream: 'y' }),
    ],
    changes: ['rename two → fleet-a-app', 'rename one → fleet-a-web'],
  },
  {
    rule: 'a matrix of one upstream package joins a repository as a set does',
    objects: [matrixOf(['app'], 'a'), existing('old', 'a', { upstream: 'till' })],
    changes: ['rename old → fleet-a-app'],
  },
])('$rule', ({ objects, changes }) => {
  expect(changesOf(objects)).toEqual(changes)
})

test('a rename has the variant and the spec of the removal, and the name, the spec and the reason of the creation', () => {
  const [change] = planned([setOf([list('a')]), existing('old', 'a', { downstream: 'x' })])?.changes ?? []
  expect(change).toMatchObject({
    ...{ op: 'rename', name: 'fleet-a-app', namespace: 'default', existing: { name: 'old' } },
    before: { upstream: upstreamOf('app'), downstream: { repo: 'a', package: 'x' } },
    after: { upstream: upstreamOf('app'), downstream: { repo: 'a', package: 'app' } },
    why: { repo: 'a', package: 'app' },
  })
  // A copy of a rename keeps its spec.
  expect({ ...change }.after).toEqual(change?.after)
})
