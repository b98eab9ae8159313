import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { formerDownstreamFinder } from './former-downstreams.ts'
import { list, repository, setOf, variant } from './testing/fleet-of-objects.ts'

const TARGET = list('a', 'b')
const upstreamOf = (name: string): JsonRecord => ({ repo: 'catalog', package: name, revision: 2 })

/** Returns the downstream that the variant of the repository `a` had while its upstream package was `web`. */
function formerOf(set: JsonRecord, own: JsonRecord = variant('fleet-a-app', 'a')): unknown {
  const objects = [repository('a'), repository('b'), set, own].map((each) => KrmObject.fromDocument(JSON.stringify(each)))
  const found = objects.find(({ kind }) => kind === 'PackageVariant')
  return found && formerDownstreamFinder(objects)(found, 'web')
}

test('a variant without a name of its own had the name of the former upstream package', () => {
  expect(formerOf(setOf([TARGET]))).toEqual({ repo: 'a', package: 'web' })
})

test('a downstream that a template computes is computed with the former name', () => {
  const computed = { ...TARGET, template: { downstream: { packageExpr: "'my-' + packageDefault" } } }
  expect(formerOf(setOf([computed]), variant('fleet-a-app', 'a', { downstream: { repo: 'a', package: 'my-app' } }))).toEqual({
    repo: 'a',
    package: 'my-web',
  })
})

test('a variant that was in another repository under the former name has no former downstream', () => {
  const sentBy = (repoExpr: string) => setOf([{ ...TARGET, template: { downstream: { repoExpr } } }])
  expect(formerOf(sentBy("packageDefault == 'app' ? repoDefault : 'b'"))).toBeUndefined()
  expect(formerOf(sentBy("packageDefault == '' ? 'b' : repoDefault"))).toEqual({ repo: 'a', package: 'web' })
})

test('a variant of no set, of a set with several upstreams, or of a place that cannot be rendered has none', () => {
  const alone = variant('alone', 'a')
  expect(formerOf(setOf([TARGET]), { ...alone, metadata: { name: 'alone' } })).toBeUndefined()
  const failing = { ...TARGET, template: { labelExprs: [{ key: 'a', valueExpr: "{'app': 'x'}[packageDefault]" }] } }
  expect(formerOf(setOf([failing]))).toBeUndefined()
  const matrix: JsonRecord = {
    apiVersion: 'fleet.krm-variants.dev/v1alpha1',
    kind: 'PackageVariantMatrix',
    metadata: { name: 'fleet' },
    spec: { upstreams: [upstreamOf('app'), upstreamOf('till')], targets: [TARGET] },
  }
  expect(formerOf(matrix)).toBeUndefined()
})

test('the former downstream of each variant is that of its own place, and none of a variant with another downstream', () => {
  const set = setOf([TARGET])
  const [own, other] = [variant('fleet-a-app', 'a'), variant('fleet-b-app', 'b')]
  const objects = [set, own, other].map((each) => KrmObject.fromDocument(JSON.stringify(each)))
  const finder = formerDownstreamFinder(objects)
  const variants = objects.filter(({ kind }) => kind === 'PackageVariant')
  expect(variants.map((each) => finder(each, 'web'))).toEqual([
    { repo: 'a', package: 'web' },
    { repo: 'b', package: 'web' },
  ])
  expect(variants.map((each) => finder(each, 'shop')?.package)).toEqual(['shop', 'shop'])
  expect(formerOf(set, variant('fleet-a-app', 'c'))).toBeUndefined()
})

test('a set of another namespace is not the set of a variant, and a set with faults has no former downstreams', () => {
  expect(formerOf({ ...setOf([TARGET]), metadata: { name: 'fleet', namespace: 'other' } })).toBeUndefined()
  expect(formerOf(setOf([TARGET], { repo: 'catalog' }))).toBeUndefined()
})

test('places that come or go with the name of the package are not paired', () => {
  const target = { ...TARGET, template: { downstream: { packageExpr: 'packageDefault' } } }
  expect(formerOf(setOf([target]))).toEqual({ repo: 'a', package: 'web' })
})
