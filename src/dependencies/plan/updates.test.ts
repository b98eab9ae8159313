import { expect, test } from 'vitest'
import { planOn } from '../../../testdata/conformance-runner/dependencies/plans.ts'
import { findUpdates, type UpdateRequest } from './updates.ts'

function carvelPackage(name: string, version: string): object {
  return {
    apiVersion: 'data.packaging.carvel.dev/v1alpha1',
    kind: 'Package',
    metadata: { name: `${name}.example.com.${version}`, namespace: 'eu' },
    spec: { refName: `${name}.example.com`, version },
  }
}

function install(name: string, constraints: string, object = name): object {
  return {
    apiVersion: 'packaging.carvel.dev/v1alpha1',
    kind: 'PackageInstall',
    metadata: { name: object, namespace: 'eu' },
    spec: { serviceAccountName: 'sa', packageRef: { refName: `${name}.example.com`, versionSelection: { constraints } } },
  }
}

const SHOP = [...['1.0.0', '1.5.0', '2.0.0', '3.0.0-rc.1'].map((version) => carvelPackage('shop', version)), install('shop', '1.5.0')]
const POLICY = { strategy: 'satisfy', downgrades: false } as const

/** Returns the goal and the versions of each update, and the field and message of each fault. */
function found(objects: readonly object[], requests: readonly UpdateRequest[], policy: Partial<Parameters<typeof findUpdates>[2]> = {}) {
  const { all, faults } = findUpdates(requests, planOn(objects).readings.indexes, { ...POLICY, ...policy })
  return [
    ...all.map(({ install: { name }, goal, latest, texts }) => [name, goal, latest, ...texts].join(' ')),
    ...faults.map(({ key, message }) => `${key}: ${message.replaceAll(/ \([^()]*\)/g, '')}`),
  ]
}

test.each(['shop', 'eu/shop', 'PackageInstall/shop', 'PackageInstall/eu/shop', 'shop.example.com'])(
  'an update names an install as %s',
  (name) => {
    expect(found(SHOP, [{ name }])).toEqual(['shop 2.0.0 2.0.0 1.5.0 2.0.0'])
  },
)

test.each<[string, UpdateRequest, string]>([
  ['an unknown name near a known one', { name: 'shoq' }, "name: must name an installed package, got 'shoq'; did you mean 'shop'?"],
  ['an unknown name', { name: 'zzz' }, "name: must name an installed package, got 'zzz'; installed: shop.example.com"],
  ['a version', { name: 'shop', version: '2.0.0' }, 'shop 2.0.0  2.0.0'],
  ['the installed version', { name: 'shop', version: '1.5.0' }, 'shop 1.5.0  1.5.0'],
  [
    'an unknown version',
    { name: 'shop', version: '9.9.9' },
    expect.stringContaining(
      "version: must be a known version of shop.example.com in eu, got '9.9.9'; known are 3.0.0-rc.1, 2.0.0, 1.5.0 and 1.0.0",
    ),
  ],
  [
    'a version below',
    { name: 'shop', version: '1.0.0' },
    expect.stringContaining("version: must not be below the installed 1.5.0, got '1.0.0'"),
  ],
])('an update to %s', (_what, request, expected) => {
  expect(found(SHOP, [request])).toEqual([expected])
})

test('a version below is allowed with downgrades', () => {
  expect(found(SHOP, [{ name: 'shop', version: '1.0.0' }], { downgrades: true })).toEqual(['shop 1.0.0  1.0.0'])
})

test('the latest version is one that the package manager chooses, and no update moves a package below the installed one', () => {
  expect(found([...SHOP.slice(0, -1), install('shop', '2.0.0')], [{ name: 'shop' }])).toEqual(['shop 2.0.0 2.0.0 2.0.0'])
  expect(found([...SHOP.slice(0, -1), install('shop', '1.0.0')], [{ name: 'shop' }])).toEqual(['shop 2.0.0 2.0.0 1.0.0 2.0.0 1.5.0'])
})

test('nothing is asked for, nothing is installed, or no package manager moves a package by itself', () => {
  expect(found(SHOP, [])).toEqual([])
  expect(found([], [{ name: 'shop' }])).toEqual(["name: must name an installed package, got 'shop'; nothing is installed"])
  expect(found(SHOP, [], { strategy: 'native' })).toEqual([])
  expect(found(SHOP, [{ name: 'shop' }], { strategy: 'native' })).toEqual([
    expect.stringContaining('name: must not be given with `strategy: native`'),
  ])
})

test('a name of two installs names none of them, unless its kind or namespace distinguishes them', () => {
  const twice = [...SHOP, install('shop', '1.0.0', 'other')]
  expect(found(twice, [{ name: 'shop.example.com' }])).toEqual([
    expect.stringContaining("name: must name one package, got 'shop.example.com', the name of PackageInstall eu/other"),
  ])
  expect(found(twice, [{ name: 'other' }])).toEqual(['other 2.0.0 2.0.0 1.0.0 2.0.0 1.5.0'])
})

test('a package may be named twice with one version, and not with two', () => {
  const request = (version?: string) => ({ name: 'shop', version })
  expect(found(SHOP, [request(), { name: 'eu/shop' }])).toEqual(['shop 2.0.0 2.0.0 1.5.0 2.0.0'])
  expect(found(SHOP, [request('2.0.0'), request('2.0.0')])).toEqual(['shop 2.0.0  2.0.0'])
  expect(found(SHOP, [request('2.0.0'), request()])).toEqual([
    'shop 2.0.0  2.0.0',
    expect.stringContaining('must not name a package twice'),
  ])
})
