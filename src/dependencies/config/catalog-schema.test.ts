import { expect, test } from 'vitest'
import { writtenObject } from '../../../testdata/written-objects.ts'
import { validate } from '../../schema/validate.ts'
import { CATALOG_SCHEMA } from './catalog-schema.ts'

/** Returns the rules of the faults of a catalog with one package. */
function faultsOf(fields: object): readonly string[] {
  const spec = { packages: [{ ecosystem: 'crossplane', id: 'r.io/a', ...fields }] }
  const value = { apiVersion: 'fn.krm-variants.dev/v1alpha1', kind: 'Catalog', metadata: { name: 'c' }, spec }
  return validate(writtenObject(JSON.stringify(value)), { schema: CATALOG_SCHEMA }).map(
    ({ field, tags }) => `${field?.path.slice(3).join('.')} ${tags.rule}`,
  )
}

test.each(['Provider', 'Configuration', 'Function'])('a package of Crossplane may be installed by a %s', (kind) => {
  expect(faultsOf({ kind })).toEqual([])
})

test('every other kind, and every field that nothing reads, is a fault', () => {
  expect(faultsOf({ kind: 'Package' })).toEqual([expect.stringMatching(/^kind /)])
  expect(faultsOf({ versoins: [] })).toEqual(['versoins unknown-field'])
})

test('a version is a text, or has fields of its own', () => {
  const version = {
    version: 'v1.0.0',
    dependencies: [{ provider: 'r.io/b', version: '>=v1' }],
    scope: 'Cluster',
    installationType: 'onePerCluster',
    constraints: { crossplane: '>=v1.20.0', kubernetes: '>=1.29.0', kappController: '>=0.50.0' },
  }
  expect(faultsOf({ versions: ['v0.9.0', version] })).toEqual([])
  expect(faultsOf({ versions: [7] })).toEqual([expect.stringMatching(/^versions\.0 /)])
  expect(faultsOf({ versions: [{ version: 'v1', scope: 'Node', constraints: { kubelet: '>=1' } }] }).toSorted()).toEqual([
    'versions.0.constraints.kubelet unknown-field',
    'versions.0.scope allowed-values',
  ])
})

test('an id and a latest version are not empty', () => {
  expect(faultsOf({ id: '', latest: '' })).toEqual([expect.stringMatching(/^id /), expect.stringMatching(/^latest /)])
})
