import { expect, test } from 'vitest'
import { writtenObject } from '../../testdata/written-objects.ts'
import type { JsonRecord } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { orderFromRequirements } from './order-from-requirements.ts'

/** Returns a package of Crossplane, in the file `a.yaml` of a folder. */
function installed(folder: string, kind: string, id: string, version = 'v1.0.0', name = id): KrmObject {
  const value = { apiVersion: 'pkg.crossplane.io/v1', kind, metadata: { name }, spec: { package: `r.io/acme/${id}:${version}` } }
  return writtenObject(JSON.stringify(value), `${folder}/a.yaml`)
}

/** Returns the objects of packages that are named as the folders of their files. */
function inPackages(...objects: readonly KrmObject[]) {
  return objects.map((object) => ({ object, packageName: object.file?.path.split('/')[0] ?? '' }))
}

/** Returns a Catalog in which `conf` requires each of some providers from v1.0.0 on. */
function catalogOf(...providers: readonly string[]): KrmObject {
  const dependencies = providers.map((provider) => ({ provider: `r.io/acme/${provider}`, version: '>=v1.0.0' }))
  const packages: JsonRecord[] = [
    { ecosystem: 'crossplane', id: 'r.io/acme/conf', kind: 'Configuration', versions: [{ version: 'v1.0.0', dependencies }] },
  ]
  const value = { apiVersion: 'fn.krm-variants.dev/v1alpha1', kind: 'Catalog', metadata: { name: 'k' }, spec: { packages } }
  return writtenObject(JSON.stringify(value), 'catalog.yaml')
}

const CONF = installed('app', 'Configuration', 'conf')
const NEEDS_BASE = { packageName: 'app', needs: 'base', reason: 'r.io/acme/sql, which r.io/acme/conf v1.0.0 requires' }

test('the package that installs what another one requires comes first, with the reason', () => {
  const map = writtenObject('{apiVersion: v1, kind: ConfigMap, metadata: {name: m}}', 'log/a.yaml')
  const packages = inPackages(CONF, map, installed('base', 'Provider', 'sql'))
  expect(orderFromRequirements(packages, [catalogOf('sql')])).toEqual([NEEDS_BASE])
})

test('each requirement orders two packages', () => {
  const packages = inPackages(installed('net', 'Provider', 'vpc'), CONF, installed('base', 'Provider', 'sql'))
  expect(orderFromRequirements(packages, [catalogOf('sql', 'vpc')]).map(({ packageName, needs }) => [packageName, needs])).toEqual(
    expect.arrayContaining([
      ['app', 'base'],
      ['app', 'net'],
    ]),
  )
})

test.each([
  ['the catalogs do not describe the dependent', inPackages(CONF, installed('base', 'Provider', 'sql')), []],
  ['the installed version is too old', inPackages(CONF, installed('base', 'Provider', 'sql', 'v0.9.0')), [catalogOf('sql')]],
  ['another package is installed', inPackages(CONF, installed('base', 'Provider', 'vpc')), [catalogOf('sql')]],
  [
    'the package installs both',
    inPackages(CONF, installed('app', 'Provider', 'sql'), installed('base', 'Provider', 'vpc')),
    [catalogOf('sql')],
  ],
  ['there is one package', inPackages(CONF), [catalogOf('sql')]],
])('nothing has an order if %s', (_what, packages, catalogs) => {
  expect(orderFromRequirements(packages, catalogs)).toEqual([])
})

test('what the catalogs install beside the packages has no place in the order', () => {
  const others = inPackages(installed('net', 'Provider', 'vpc'), installed('log', 'Provider', 'loki'))
  expect(orderFromRequirements([...inPackages(CONF), ...others], [catalogOf('sql'), installed('x', 'Provider', 'sql')])).toEqual([])
  const base = inPackages(installed('base', 'Provider', 'sql'))
  expect(orderFromRequirements([...base, ...others], [catalogOf('sql'), installed('x', 'Configuration', 'conf')])).toEqual([])
})

test('of equally named objects the one that meets the requirement says which package comes first', () => {
  const [fits, tooOld] = [installed('base', 'Provider', 'sql', 'v1.2.0', 'db'), installed('old', 'Provider', 'sql', 'v0.9.0', 'db')]
  expect(orderFromRequirements(inPackages(CONF, fits, tooOld), [catalogOf('sql')])).toEqual([NEEDS_BASE])
  expect(orderFromRequirements(inPackages(CONF, tooOld, fits), [catalogOf('sql')])).toEqual([NEEDS_BASE])
})
