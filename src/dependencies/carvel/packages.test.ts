import { expect, test } from 'vitest'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { readCatalogEntries } from '../reading/catalog.ts'
import { fieldAt, itemFields } from '../reading/field.ts'
import { isCarvelPackage, isPackageMetadata, readCarvelPackages } from './packages.ts'

function objectOf(kind: string, apiVersion = 'data.packaging.carvel.dev/v1alpha1', spec: object = {}, namespace?: string): KrmObject {
  return KrmObject.fromDocument(JSON.stringify({ apiVersion, kind, metadata: { name: 'a', ...(namespace && { namespace }) }, spec }))
}

test.each([
  ['Package', 'data.packaging.carvel.dev/v1alpha1', true, false],
  ['InternalPackage', 'internal.packaging.carvel.dev/v1alpha1', true, false],
  ['PackageMetadata', 'data.packaging.carvel.dev/v1alpha1', false, true],
  ['InternalPackageMetadata', 'internal.packaging.carvel.dev/v1alpha1', false, true],
  ['Package', 'packages.glasskube.dev/v1alpha1', false, false],
  ['InternalPackage', 'example.com/v1', false, false],
  ['PackageMetadata', 'example.com/v1', false, false],
  ['PackageInstall', 'packaging.carvel.dev/v1alpha1', false, false],
])('a %s of %s is a package: %s, the metadata of one: %s', (kind, apiVersion, isPackage, isMetadata) => {
  const object = objectOf(kind, apiVersion)
  expect([isCarvelPackage(object), isPackageMetadata(object)]).toEqual([isPackage, isMetadata])
})

const spec = (version: string, rest: object = {}) => ({ refName: 'shop.io', version, ...rest })
const catalog = (...versions: readonly unknown[]) => {
  const value = [
    { ecosystem: 'carvel', id: 'shop.io', namespace: 'eu', versions },
    { ecosystem: 'glasskube', id: 'shop.io', namespace: 'eu', versions: ['9.0.0'] },
  ]
  return readCatalogEntries(itemFields(fieldAt(KrmObject.fromDocument(JSON.stringify({ kind: 'C', value })), ['value']))).packages
}

/** Returns the known packages: namespace, version, and `bare` where no more is known. */
function known(objects: readonly KrmObject[], entries: ReturnType<typeof catalog> = []) {
  const { stock } = readCarvelPackages(objects, entries, { carvelSemver: '2024' })
  return stock.packages.map(({ namespace = '*', refName, version, isBare, installationType }) =>
    [namespace, refName, version, ...(isBare ? ['bare'] : []), ...(installationType === '' ? [] : [installationType])].join(' '),
  )
}

test('packages are those of objects, then of the catalog; of equal ones the first that is more than a name', () => {
  const shop = (version: string, rest: object = {}, namespace = 'eu') => objectOf('Package', undefined, spec(version, rest), namespace)
  expect(known([shop('1.0.0')], catalog('1.0.0', '2.0.0'))).toEqual(['eu shop.io 1.0.0', 'eu shop.io 2.0.0 bare'])
  expect(known([shop('1.0.0', { installationType: 'x' }), shop('1.0.0', { installationType: 'y' })])).toEqual(['eu shop.io 1.0.0 x'])
  expect(known([shop('1.0.0', {}, 'eu'), shop('1.0.0', {}, 'us')])).toHaveLength(2)
  expect(known([], catalog('1.0.0', { version: '1.0.0', installationType: 'x' }))).toHaveLength(1)
  expect(known([shop('1.0.0', {}, '')])).toEqual(['* shop.io 1.0.0'])
})

test('a package without a name or a version is none', () => {
  const nameless = [
    objectOf('Package', undefined, { version: '1.0.0' }),
    objectOf('Package', undefined, { refName: 'a' }),
    objectOf('Package', undefined, { refName: 5, version: 1 }),
  ]
  expect(known(nameless)).toEqual([])
})

test('the range of a platform is read, and fields beside it are misplaced', () => {
  const { written } = readCarvelPackages(
    [
      objectOf(
        'Package',
        undefined,
        spec('1.0.0', {
          kubernetesVersionSelection: { constraints: '>=1.28', prereleases: {} },
          kappControllerVersionSelection: { constraints: '>=0.50' },
        }),
      ),
      objectOf('Package', undefined, spec('2.0.0')),
      objectOf('Package', undefined, spec('3.0.0', { kubernetesVersionSelection: 'text' })),
    ],
    [],
    { carvelSemver: '2024' },
  )
  expect(written.map((each) => [each.kubernetesVersionSelection, each.kappControllerVersionSelection, each.misplaced().length])).toEqual([
    ['>=1.28', '>=0.50', 1],
    ['', '', 0],
    ['', '', 0],
  ])
})
