import { expect, test } from 'vitest'
import type { JsonRecord, JsonValue } from '../json.ts'
import type { ResourceList } from '../resource-list/resource-list.ts'
import { FunctionError, formatResult } from '../result.ts'
import { adoptVariants, type ClusterSet } from './adopt-variants.ts'
import { list, resourceListOf, setOf, variant, type Written } from './testing/fleet-of-objects.ts'

const CLUSTER: ClusterSet = { name: 'fleet', namespace: 'default', uid: 'new' }
const LABEL = 'config.porch.kpt.dev/packagevariantset'

function adopted(objects: readonly Written[], sets: readonly ClusterSet[] = [CLUSTER]): ResourceList {
  const fleet = resourceListOf(objects)
  adoptVariants(fleet, sets)
  return fleet
}

function refusal(objects: readonly Written[], sets: readonly ClusterSet[]): readonly string[] {
  const fleet = resourceListOf(objects)
  const before = fleet.items.map((item) => item.toText())
  try {
    adoptVariants(fleet, sets)
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error
    expect(fleet.items.map((item) => item.toText())).toEqual(before)
    return error.results.map(formatResult)
  }
  return []
}

/** Returns the marks of Porch on an object. */
function marksOf(fleet: ResourceList, at: number): JsonValue {
  const metadata = fleet.items[at]?.toJson().metadata
  return metadata ?? null
}

const named = (name: string, metadata: JsonRecord): JsonRecord => {
  const made = variant(name, name)
  return { ...made, metadata: { ...Object(made.metadata), ...metadata } }
}
const controller = (kind: string, name: string, uid: string): JsonRecord => ({
  apiVersion: 'config.porch.kpt.dev/v1alpha2',
  kind,
  name,
  uid,
  controller: true,
})

test('a variant gets the label, the owner and the finalizer of its set in the cluster', () => {
  const fleet = adopted([setOf([list('a')]), variant('a', 'a')])
  expect(marksOf(fleet, 1)).toMatchObject({
    name: 'a',
    annotations: { 'krm-variants.dev/package-variant-set': 'default/fleet' },
    labels: { [LABEL]: 'new' },
    ownerReferences: [controller('PackageVariantSet', 'fleet', 'new')],
    finalizers: ['config.porch.kpt.dev/packagevariants'],
  })
})

test('the marks of an earlier cluster get the uid of this one, and other owners and finalizers stay', () => {
  const other = { apiVersion: 'v1', kind: 'ConfigMap', name: 'c', uid: 'c' }
  const marks = {
    labels: { [LABEL]: 'old', own: 'x' },
    ownerReferences: [other, controller('PackageVariantSet', 'fleet', 'old')],
    finalizers: ['own'],
  }
  expect(marksOf(adopted([setOf([list('a')]), named('a', marks)]), 1)).toMatchObject({
    labels: { [LABEL]: 'new', own: 'x' },
    ownerReferences: [other, controller('PackageVariantSet', 'fleet', 'new')],
    finalizers: ['own', 'config.porch.kpt.dev/packagevariants'],
  })
})

test('variants of another set and of none stay as they are', () => {
  const others = [named('b', { annotations: { 'krm-variants.dev/package-variant-set': 'default/other' } }), named('c', { annotations: {} })]
  const fleet = adopted([setOf([list('a')]), variant('a', 'a'), ...others])
  expect(fleet.items.slice(2).some(({ changed }) => changed)).toBe(false)
})

test('the numbers of changed variants and of all variants are named', () => {
  const marked = {
    labels: { [LABEL]: 'new' },
    ownerReferences: [controller('PackageVariantSet', 'fleet', 'new')],
    finalizers: ['config.porch.kpt.dev/packagevariants'],
  }
  const { results } = adopted([setOf([list('a')]), variant('a', 'a'), named('b', marked)])
  expect(results).toMatchObject([{ severity: 'info', tags: { rule: 'variants-adopted' }, file: { path: 'fleet/all.yaml' } }])
  expect(results.map(({ message }) => message)).toEqual(["gives 1 of 2 PackageVariants to the set of the cluster with uid 'new'"])
})

test('a set with variants that the cluster lacks is refused, with the set that was most likely meant', () => {
  const objects = [setOf([list('a')]), variant('a', 'a')]
  expect(refusal(objects, [{ ...CLUSTER, name: 'fleets' }])).toEqual([
    expect.stringMatching(/`metadata\.name` must be a set of the cluster.*did you mean 'default\/fleets'\? \[set-not-in-cluster\]$/),
  ])
  expect(refusal(objects, [{ ...CLUSTER, namespace: 'elsewhere-in-the-world' }])).toEqual([
    expect.stringMatching(/apply the set first \[set-not-in-cluster\]$/),
  ])
})

test('a set without variants may be missing in the cluster', () => {
  expect(refusal([setOf([list('a')])], [])).toEqual([])
})

test('every variant that another object controls is refused, and no variant of the set is changed', () => {
  const objects = [
    setOf([list('a')]),
    variant('a', 'a'),
    named('b', { ownerReferences: [controller('PackageVariantSet', 'other', 'x')] }),
    named('c', { ownerReferences: [controller('Deployment', 'fleet', 'x')] }),
    named('d', { ownerReferences: [{ ...controller('Deployment', 'fleet', 'x'), controller: false }] }),
  ]
  expect(refusal(objects, [CLUSTER])).toEqual([
    expect.stringMatching(
      /`metadata\.ownerReferences` must not name another controller, got 'PackageVariantSet other'.*\[variant-controlled\]$/,
    ),
    expect.stringMatching(/`metadata\.ownerReferences` must not name another controller, got 'Deployment fleet'.*\[variant-controlled\]$/),
  ])
})
