import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { passedOverObjects } from './passed-over.ts'
import { resourceListOf } from './testing/fleet-of-objects.ts'

const SET = (kind: string) => ({
  apiVersion: 'config.porch.kpt.dev/v1alpha2',
  kind: 'PackageVariantSet',
  metadata: { name: 's' },
  spec: { targets: [{ objectSelector: { apiVersion: 'example.com/v1', kind, matchLabels: { env: 'prod' } } }] },
})

const misread = (apiVersion: string, kind: string) => ({ apiVersion, kind, metadata: { name: 'a', labels: { env: 7 } } })

/** Returns the kinds of the objects because of which a package must not be removed. */
function guardedBy(...objects: readonly JsonRecord[]): readonly (string | undefined)[] {
  const change = { what: 'packages', removed: new Map([['ber/web', 'ber/web']]), kept: [] } as const
  return passedOverObjects(resourceListOf(objects), change).map(({ resourceRef }) => resourceRef?.kind)
}

test('a misread label counts in objects of a fleet, and in those of kinds by which a set selects', () => {
  const site = misread('example.com/v1', 'Site')
  const repository = misread('config.porch.kpt.dev/v1alpha1', 'Repository')
  expect(guardedBy(SET('Site'), site)).toEqual(['Site'])
  expect(guardedBy(SET('Region'), site, repository)).toEqual(['Repository'])
})

test('a misread label of any kind counts without a set, as the set may be a functionConfig', () => {
  expect(guardedBy(misread('example.com/v1', 'Site'))).toEqual(['Site'])
})
