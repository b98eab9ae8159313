import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import { FLEET_KINDS, nearKind, PACKAGE_KINDS, unknownKinds } from './unknown-kinds.ts'

const PORCH = 'config.porch.kpt.dev'
const FLEET = 'fleet.krm-variants.dev/v1alpha1'

function objectOf(apiVersion: string, kind: string): KrmObject {
  return KrmObject.fromDocument(`apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: a}\n`, { path: 'a.yaml', index: 0, line: 1 })
}

/** Returns the findings about an object, each with its field and the proposed value. */
function found(apiVersion: string, kind: string, kinds = FLEET_KINDS): readonly unknown[] {
  return unknownKinds([objectOf(apiVersion, kind)], kinds).map(({ severity, tags, field }) => {
    expect(tags.rule).toBe('unknown-kind')
    return [severity, field?.path.join('.'), field?.proposedValue]
  })
}

test.each([
  [`${PORCH}/v1alpha2`, 'PackageVariantSet'],
  [`${PORCH}/v1alpha2`, 'PackageVariantSetList'],
  [`${PORCH}/v1alpha1`, 'Repository'],
  ['porch.kpt.dev/v1alpha1', 'PackageRevision'],
  ['kpt.dev/v1', 'Kptfile'],
  [FLEET, 'PackageVariantMatrix'],
  ['fn.krm-variants.dev/v1alpha1', 'RenderVariants'],
  ['example.com/v1', 'PackageVarientSet'],
  [`${PORCH}/v1alpha1`, 'Unlike'],
  [`${PORCH}/v1alpha1`, 'ConfigMaps'],
  ['v1', 'ConfigMap'],
])('%s %s is a kind, or like no kind of the fleet', (apiVersion, kind) => {
  expect(found(apiVersion, kind)).toEqual([])
})

test.each([
  [`${PORCH}/v1alpha2`, 'PackageVarientSet', 'warning', 'PackageVariantSet'],
  ['kpt.dev/v1', 'Kptfle', 'warning', 'Kptfile'],
  [FLEET, 'FleetPolice', 'error', 'FleetPolicy'],
  [FLEET, 'Unlike', 'error', undefined],
  ['fn.krm-variants.dev/v1alpha1', 'RenderVariant', 'error', 'RenderVariants'],
])('%s has no %s, which is a %s with the nearest kind', (apiVersion, kind, severity, proposed) => {
  expect(found(apiVersion, kind)).toEqual([[severity, 'kind', proposed]])
})

test.each([
  ['config.nephio.org/v1alpha1', 'PackageVariantSet', 'warning', `${PORCH}/v1alpha1`],
  ['config.nephio.org/v1alpha2', 'PackageVariantSet', 'warning', `${PORCH}/v1alpha2`],
  ['config.nephio.org/v7', 'PackageVariantSet', 'warning', `${PORCH}/v1alpha2`],
  [FLEET, 'PackageVariantSet', 'error', `${PORCH}/v1alpha2`],
  [`${PORCH}/v1alpha1`, 'FleetPolicy', 'warning', FLEET],
  ['example.com/v1', 'PackageVariantMatrix', 'warning', FLEET],
])('%s has no %s, which is a %s with the apiVersion of the kind', (apiVersion, kind, severity, proposed) => {
  expect(found(apiVersion, kind)).toEqual([[severity, 'apiVersion', proposed]])
})

test('a kind of the fleet in another group is no fault where only kinds of package managers are known', () => {
  expect(found('example.com/v1', 'PackageVariantSet', PACKAGE_KINDS)).toEqual([])
  expect(found('packaging.carvel.dev/v1alpha1', 'PackageInstal', PACKAGE_KINDS)).toEqual([['warning', 'kind', 'PackageInstall']])
})

test('the message names the kinds of the group and what was most likely meant', () => {
  const [message] = unknownKinds([objectOf(FLEET, 'FleetPolice')], FLEET_KINDS).map((each) => each.message)
  expect(message).toBe(
    "`kind` must be a kind of fleet.krm-variants.dev, one of 'FleetPolicy', 'PackageRevisionSet', 'PackageVariantMatrix', got 'FleetPolice', which is passed over; did you mean 'FleetPolicy'?",
  )
  const [other] = unknownKinds([objectOf('a.io/v1', 'PackageVariant')], FLEET_KINDS).map((each) => each.message)
  expect(other).toBe(
    "`apiVersion` must be of the group config.porch.kpt.dev for a PackageVariant, got 'a.io/v1', which is passed over; write 'config.porch.kpt.dev/v1alpha1'",
  )
})

test.each([
  [`${PORCH}/v1alpha1`, 'PackageVarient', 'PackageVariant'],
  [`${PORCH}/v1alpha1`, 'PackageVariant', undefined],
  [`${PORCH}/v1alpha1`, 'PackageVariantList', undefined],
  [`${PORCH}/v1alpha1`, 'Unlike', undefined],
  ['a.io/v1', 'PackageVariantSet', 'PackageVariantSet'],
  ['a.io/v1', 'PackageVarientSet', undefined],
  ['a.io/v1', 'FleetPolicy', undefined],
  [`${PORCH}.other/v1`, 'PackageVarient', undefined],
])('%s %s was most likely meant to be %j of Porch', (apiVersion, kind, meant) => {
  expect(nearKind(objectOf(apiVersion, kind))).toBe(meant)
})

test("the kinds of Porch's groups are those that its API server has, sorted", () => {
  expect(FLEET_KINDS.get(PORCH)).toEqual(['FunctionConfig', 'PackageRev', 'PackageVariant', 'PackageVariantSet', 'Repository'])
  expect(FLEET_KINDS.get('porch.kpt.dev')).toContain('PackageRevision')
})
