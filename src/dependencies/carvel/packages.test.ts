import { expect, test } from 'vitest'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { readCatalogEntries } from '../reading/catalog.ts'
import { fieldAt, itemFields } from '../reading/field.ts'
import { isCarvelPackage, isPackageMetadata, readCarvelPackages, versionsOf } from './packages.ts'
import { carvelCatalog } from './testing/objects.ts'

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
  expect(known([], catalog('1.0.0', { version: '1.0.0', installationType: 'x' }))).toEqual(['eu shop.io 1.0.0 x'])
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

test('the semver of kapp-controller decides how versions and ranges are read', () => {
  const dialect = (carvelSemver: '2024' | '2026') => {
    const read = readCarvelPackages([], [], { carvelSemver })
    return [read.dialect.name, read.stock.reader.dialect.name]
  }
  expect([dialect('2024'), dialect('2026')]).toEqual([
    ['k14s', 'k14s'],
    ['carvelhead', 'carvelhead'],
  ])
})

test('a version of a catalog has its ranges, type, dependencies and objects, and those left out are unknown or none', () => {
  const full = {
    version: '1.0.0',
    installationType: 'onePerCluster',
    constraints: { kubernetes: '>=1.28', kappController: '>=0.50' },
    dependencies: [{ package: { refName: 'db.io' } }],
    provides: [{ apiVersion: 'x.io/v1', kind: 'Site' }],
    brings: [{ kind: 'ConfigMap', name: 'c' }],
  }
  const { stock } = readCarvelPackages([], carvelCatalog({ id: 'shop.io', versions: [full, { version: '2.0.0' }] }), {
    carvelSemver: '2024',
  })
  const read = stock.packages.map((each) => [
    each.namespace,
    each.installationType,
    each.kubernetesVersionSelection,
    each.kappControllerVersionSelection,
    stock.declaredBy(each)?.length,
    each.provides()?.value,
    each.brings()?.value,
  ])
  expect(read).toEqual([
    [undefined, 'onePerCluster', '>=1.28', '>=0.50', 1, full.provides, full.brings],
    [undefined, '', '', '', undefined, undefined, undefined],
  ])
})

test('a Package without dependencies requires nothing, and what a Package that is not known requires is unknown', () => {
  const { stock } = readCarvelPackages([objectOf('Package', undefined, spec('1.0.0'))], [], { carvelSemver: '2024' })
  expect([stock.declaredBy(stock.packages[0]), stock.declaredBy(undefined)]).toEqual([[], undefined])
  expect(stock.declaredBy(stock.packages[0])).toBe(stock.declaredBy(stock.packages[0]))
  expect(stock.packages[0]?.brings()).toBeUndefined()
})

test('Packages are found by refName, in one list for all who ask', () => {
  const { stock } = readCarvelPackages(
    [objectOf('Package', undefined, spec('1.0.0')), objectOf('Package', undefined, { refName: 'db.io', version: '1.0.0' })],
    [],
    { carvelSemver: '2024' },
  )
  expect([stock.named('shop.io').length, stock.named('other.io')]).toEqual([1, []])
  expect(stock.named('shop.io')).toBe(stock.named('shop.io'))
})

test('versions are listed once, with a leading v as written, without those that are none, the highest first', () => {
  const texts = ['1.9.0', 'v1.10.0', '1.9.0', 'latest', '2.0.0-rc.1']
  const { stock } = readCarvelPackages(
    texts.map((text, at) => objectOf('Package', undefined, spec(text), `ns-${at}`)),
    [],
    { carvelSemver: '2024' },
  )
  expect(versionsOf(stock.packages, stock.reader).map(({ text }) => text)).toEqual(['2.0.0-rc.1', 'v1.10.0', '1.9.0'])
})

test('a list that is read again is read where it has changed alone', () => {
  const objects = ['1.0.0', '2.0.0'].map((version) => objectOf('Package', undefined, spec(version), 'eu'))
  const read = (given = objects, carvelSemver: '2024' | '2026' = '2024', entries: ReturnType<typeof catalog> = []) =>
    readCarvelPackages(given, entries, { carvelSemver })
  const before = read()
  expect(read()).toBe(before)
  expect(read(objects, '2026').dialect.name).toBe('carvelhead')
  expect(read(objects, '2024', catalog('3.0.0')).stock.packages).toHaveLength(3)
  expect(read().stock.packages).toHaveLength(2)
  objects[1]?.set(['spec', 'version'], '2.1.0')
  const after = read()
  expect(after.written.map(({ version }) => version)).toEqual(['1.0.0', '2.1.0'])
  expect([after.written[0] === before.written[0], after.written[1] === before.written[1]]).toEqual([true, false])
  expect(read(objects.slice(0, 1)).written.map(({ version }) => version)).toEqual(['1.0.0'])
  const third = objectOf('Package', undefined, spec('3.0.0'), 'eu')
  expect(read([...objects, third]).written.map(({ version }) => version)).toEqual(['1.0.0', '2.1.0', '3.0.0'])
})
