import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { DEFAULT_OPTIONS } from './options.ts'
import { passedOverObjects, passedOverWarnings } from './passed-over.ts'
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
  const change = { what: 'packages', removed: new Map([['ber/web', 'ber/web']]), kept: [], options: DEFAULT_OPTIONS } as const
  return passedOverObjects(resourceListOf(objects), change).map(({ resourceRef }) => resourceRef?.kind)
}

test('a misread label counts in objects of a fleet, and in those of kinds by which a set selects', () => {
  const site = misread('example.com/v1', 'Site')
  const repository = misread('config.porch.kpt.dev/v1alpha1', 'Repository')
  expect(guardedBy(SET('Site'), site)).toEqual(['Site'])
  expect(guardedBy(SET('Region'), site, repository)).toEqual(['Repository'])
})

test('a Repository in another group of a fleet counts, once', () => {
  const repository = (apiVersion: string) => ({ apiVersion, kind: 'Repository', metadata: { name: 'a' } })
  expect(guardedBy(repository('kpt.dev/v1'))).toEqual(['Repository'])
  expect(guardedBy(repository('fn.krm-variants.dev/v1alpha1'))).toEqual(['Repository'])
})

test('a misread label of any kind counts without a set, as the set may be a functionConfig', () => {
  expect(guardedBy(misread('example.com/v1', 'Site'))).toEqual(['Site'])
})

test('an object that the fleet passes over is a warning, though nothing is taken away', () => {
  const object = (apiVersion: string | undefined, kind: string | undefined, more: JsonRecord = {}) => ({
    ...(apiVersion !== undefined && { apiVersion }),
    ...(kind !== undefined && { kind }),
    metadata: { name: 'a' },
    ...more,
  })
  const repository = object('config.porch.kpt.dev/v1alpha1', 'Repository')
  const warnings = (...objects: readonly JsonRecord[]) =>
    passedOverWarnings(resourceListOf([SET('Site'), ...objects])).map(({ severity, field, message }) => [
      severity,
      field?.path.join('.'),
      message,
    ])
  const unset = (field: string) => ['warning', field, `\`${field}\` must be set, so it is passed over`]
  expect(warnings(object(undefined, 'Repository'), object(undefined, 'Site'))).toEqual([unset('apiVersion'), unset('apiVersion')])
  expect(warnings(object('config.porch.kpt.dev/v1alpha1', undefined))).toEqual([unset('kind')])
  const version = (got: string) => [
    'warning',
    'apiVersion',
    `\`apiVersion\` must be one of 'config.porch.kpt.dev/v1alpha1', got '${got}', so it is passed over`,
  ]
  expect(warnings(object('config.porch.kpt.dev/v1alpha9', 'Repository'), object('v1', 'Repository'))).toEqual([
    version('config.porch.kpt.dev/v1alpha9'),
    version('v1'),
  ])
  expect(
    warnings(object('kpt.dev/v1', 'Repository'), object('kpt.dev/v1', 'Kptfile'), object('porch.kpt.dev/v1alpha1', 'Repository')),
  ).toEqual([version('kpt.dev/v1'), version('porch.kpt.dev/v1alpha1')])
  expect(warnings({ apiVersion: 'v1', kind: 'List', items: [repository] })).toEqual([
    ['warning', 'kind', expect.stringContaining("must be a document of its own behind '---'")],
  ])
  for (const clusters of [{ a: repository }, [repository], { eu: { a: object('example.com/v1', 'Site') } }])
    expect(warnings({ title: 'ours', clusters })).toEqual([
      ['warning', 'clusters', expect.stringContaining('`clusters` must not hold objects of a fleet, each of which must be a document')],
    ])
  expect(warnings({ clusters: { a: object('v1', 'Namespace') } }, { patches: [{ target: { kind: 'Repository', name: 'a' } }] })).toEqual([])
  // A patch, values and objects of others are none of a fleet.
  expect(warnings(repository, object(undefined, undefined), object(undefined, 'Deployment'), object('v1', undefined))).toEqual([])
})
