import { expect, test } from 'vitest'
import { ownerMetadata } from './ownership.ts'

const SET = { name: 'fleet', namespace: 'sites' }

test('a variant of a set without uid has our annotation, and none of the marks that an API server would clean up by', () => {
  expect(ownerMetadata('fleet-a-app', 'sites', { ...SET, uid: undefined })).toEqual({
    name: 'fleet-a-app',
    namespace: 'sites',
    annotations: { 'krm-variants.dev/package-variant-set': 'sites/fleet' },
  })
})

test("a variant of a set with a uid has Porch's marks alone", () => {
  expect(ownerMetadata('fleet-a-app', undefined, { ...SET, uid: '8c1f' })).toEqual({
    name: 'fleet-a-app',
    labels: { 'config.porch.kpt.dev/packagevariantset': '8c1f' },
    ownerReferences: [
      { apiVersion: 'config.porch.kpt.dev/v1alpha2', kind: 'PackageVariantSet', name: 'fleet', uid: '8c1f', controller: true },
    ],
    finalizers: ['config.porch.kpt.dev/packagevariants'],
  })
})
