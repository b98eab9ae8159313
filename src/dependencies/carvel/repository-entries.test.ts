import { expect, test } from 'vitest'
import { isPackageOfRepository, readRepositoryPackages } from './repository-entries.ts'
import { linedObject, packageInFile } from './testing/objects.ts'

const APP = 'app.example.com'

test.each([
  ['data.packaging.carvel.dev/v1alpha1', 'Package', true],
  ['data.packaging.carvel.dev/v1alpha1', 'PackageMetadata', false],
  ['internal.packaging.carvel.dev/v1alpha1', 'Package', false],
  ['packages.glasskube.dev/v1alpha1', 'Package', false],
])('a %s %s is a Package of a repository: %s', (apiVersion, kind, expected) => {
  expect(isPackageOfRepository(linedObject({ apiVersion, kind, metadata: { name: 'a' } }, 'a.yaml'))).toBe(expected)
})

test('an entry has the fields of a Package that count, and no more', () => {
  const dependencies = [{ package: { refName: 'db.example.com', version: '>=1.0.0' } }]
  const provides = [{ apiVersion: 'x.io/v1', kind: 'Site' }]
  const spec = {
    dependencies,
    provides,
    installationType: 'onePerCluster',
    releaseNotes: 'first',
    kubernetesVersionSelection: { constraints: '>=1.28.0' },
    kappControllerVersionSelection: { constraints: '>=0.50.0' },
  }
  expect(readRepositoryPackages([packageInFile(APP, '1.0.0', spec)])).toEqual({
    faults: [],
    entries: [
      {
        ecosystem: 'carvel',
        id: APP,
        version: '1.0.0',
        package: {},
        fields: {
          dependencies,
          provides,
          installationType: 'onePerCluster',
          constraints: { kubernetes: '>=1.28.0', kappController: '>=0.50.0' },
        },
      },
    ],
  })
})

test('a Package without dependencies requires nothing, and a Package that runs everywhere has no constraints', () => {
  const fields = (spec: object) => readRepositoryPackages([packageInFile(APP, '1.0.0', spec)]).entries.map((each) => each.fields)
  expect(fields({})).toStrictEqual([{ dependencies: [] }])
  expect(fields({ kubernetesVersionSelection: { constraints: '' } })).toEqual([{ dependencies: [] }])
  expect(fields({ kappControllerVersionSelection: { constraints: '>=0.50.0' } })).toEqual([
    { dependencies: [], constraints: { kappController: '>=0.50.0' } },
  ])
})

test('entries are in the order of the Packages, and other objects are passed over', () => {
  const metadata = linedObject(
    { apiVersion: 'data.packaging.carvel.dev/v1alpha1', kind: 'PackageMetadata', metadata: { name: APP }, spec: {} },
    'metadata.yaml',
  )
  const { entries, faults } = readRepositoryPackages([packageInFile(APP, '2.0.0'), metadata, packageInFile(APP, '1.0.0')])
  expect(entries.map(({ version }) => version)).toEqual(['2.0.0', '1.0.0'])
  expect(faults).toEqual([])
})

test('a Package must have a refName and a version, and with a fault there are no entries', () => {
  const named = (name: string, spec: object) =>
    linedObject({ apiVersion: 'data.packaging.carvel.dev/v1alpha1', kind: 'Package', metadata: { name }, spec }, `${name}.yaml`)
  const { entries, faults } = readRepositoryPackages([
    packageInFile(APP, '1.0.0'),
    named('a', { version: '1.0.0' }),
    named('b', { refName: APP, version: '' }),
    named('c', { refName: 5 }),
  ])
  expect(entries).toEqual([])
  expect(faults.map(({ severity, message, resourceRef, tags }) => [severity, message, resourceRef?.name, tags?.rule])).toEqual([
    ['error', '`spec.refName` must be set', 'a', 'required'],
    ['error', '`spec.version` must be set', 'b', 'required'],
    ['error', '`spec.refName` must be set', 'c', 'required'],
    ['error', '`spec.version` must be set', 'c', 'required'],
  ])
})
