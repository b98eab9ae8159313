import { expect, test } from 'vitest'
import { planOn } from '../../testdata/conformance-runner/dependencies/plans.ts'
import { checkRequirements } from './check-requirements.ts'
import { digest, packageObject, read } from './crossplane/testing/objects.ts'
import { install, needs, packageOfCarvel, packageWith } from './plan/testing/carvel-plans.ts'
import { NO_KINDS } from './reading/served-kinds.ts'

const APP = 'xpkg.example.org/acme/app'
const HELM = 'xpkg.example.org/acme/helm'

/** Returns the findings on a missing Provider, as rule and candidate, on a cluster with Crossplane v1.20.0. */
function findingsOnMissing(...versions: readonly object[]) {
  const app = { id: APP, kind: 'Configuration', versions: [{ version: 'v1.0.0', dependencies: [{ provider: HELM, version: '>=v1.0.0' }] }] }
  const catalog = [app, { id: HELM, kind: 'Provider', versions }]
  const { index } = read([packageObject('app', `${APP}:v1.0.0`, {}, 'Configuration')], catalog, { crossplaneVersion: 'v1.20.0' })
  return checkRequirements(index, NO_KINDS, { downgrades: false }).map(({ rule, tags }) => [rule, tags?.candidate])
}

const version = (text: string, crossplane: string) => ({ version: text, dependencies: [], constraints: { crossplane } })

test('of a missing package the newest version that runs on the cluster is proposed', () => {
  const [old, newer, newest] = [version('v1.0.0', '>=v1.0.0'), version('v1.1.0', '>=v1.0.0'), version('v2.0.0', '>=v2.0.0')]
  expect(findingsOnMissing(old, newer, newest)).toEqual([['dependency-missing', 'v1.1.0']])
  expect(findingsOnMissing(newest)).toEqual([['no-version-available', undefined]])
})

test('a lower version is proposed only where downgrades are allowed', () => {
  const dependencies = [{ provider: HELM, version: '<v2.0.0' }]
  const catalog = [
    { id: APP, kind: 'Configuration', versions: [{ version: 'v1.0.0', dependencies }] },
    { id: HELM, kind: 'Provider', versions: ['v1.1.0', 'v2.0.0'] },
  ]
  const { index } = read([packageObject('app', `${APP}:v1.0.0`, {}, 'Configuration'), packageObject('helm', `${HELM}:v2.0.0`)], catalog)
  const proposed = (downgrades: boolean) => checkRequirements(index, NO_KINDS, { downgrades }).map(({ proposedValue }) => proposedValue)
  expect(proposed(true)).toEqual([`${HELM}:v1.1.0`])
  expect(proposed(false)).toEqual([undefined])
})

test('a missing package that one package requires by digest and another by range is a conflict', () => {
  const conflicts = (other: string) => {
    const ids = [digest('a'), other].map((wanted, index) => ({ id: `${APP}-${index}`, wanted }))
    const catalog = ids.map(({ id, wanted }) => ({
      id,
      kind: 'Configuration',
      versions: [{ version: 'v1.0.0', dependencies: [{ provider: HELM, version: wanted }] }],
    }))
    const objects = ids.map(({ id }, index) => packageObject(`app-${index}`, `${id}:v1.0.0`, {}, 'Configuration'))
    return checkRequirements(read(objects, catalog).index, NO_KINDS, { downgrades: false })[0]?.rule
  }
  expect(conflicts('>=v1.0.0')).toBe('digest-conflict')
  expect(conflicts(digest('a'))).toBe('dependency-missing')
})

/** Returns the findings on some objects of Carvel, in a closed universe or an open one. */
function carvelFindings(objects: readonly object[], closed = true) {
  const { indexes, kinds } = planOn(objects).readings
  return indexes.flatMap((index) => checkRequirements({ ...index, closed }, kinds, { downgrades: false }))
}

const plain = (text: string) => text.replaceAll('.example.com', '').replaceAll(/ \(object-[^()]*\)/g, '')
const SITE = { group: 'x.io', version: 'v1', kind: 'Site' }
const wantsSite = (more: object = {}) => [packageWith('a', '1.0.0', { dependencies: [{ gvk: SITE, ...more }] }), install('a', '1.0.0')]
const provider = (name: string) => packageWith(name, '1.0.0', { provides: [{ apiVersion: 'x.io/v1', kind: 'Site' }] })

test.each<[string, readonly object[], boolean, readonly (string | undefined)[]]>([
  [
    'that no known package provides',
    wantsSite(),
    true,
    ['gvk-missing', undefined, 'a 1.0.0 requires x.io/v1 Site, which is not served; no known package provides it'],
  ],
  [
    'that no known package provides, in an open universe',
    wantsSite(),
    false,
    ['dependency-unverified', 'warning', 'a 1.0.0 requires x.io/v1 Site, which is not seen to be served; no known package provides it'],
  ],
  [
    'that two packages provide, neither of them installed',
    [...wantsSite(), provider('c'), provider('b')],
    false,
    ['gvk-missing', undefined, 'a 1.0.0 requires x.io/v1 Site, which is not served; it is provided by b 1.0.0, c 1.0.0'],
  ],
  [
    'that is optional',
    wantsSite({ optional: true }),
    false,
    ['optional-unfulfilled', undefined, 'a 1.0.0 requires x.io/v1 Site, which is optional and not served; no known package provides it'],
  ],
])('a required kind %s is reported', (_, objects, closed, expected) => {
  const found = carvelFindings(objects, closed)
  expect(found.map(({ rule, severity, message }) => [rule, severity, plain(message)])).toEqual([expected])
  expect(found.map(({ tags }) => tags)).toEqual([
    { ecosystem: 'carvel', dialect: 'k14s', package: 'a.example.com', dependency: 'x.io/v1 Site' },
  ])
})

test('a kind that an installed package provides is served', () => {
  expect(carvelFindings([...wantsSite(), provider('b'), install('b', '1.0.0')])).toEqual([])
})

test('alternatives are reported once with the reason of each, and the tags of the package that requires them', () => {
  const either = packageWith('a', '1.0.0', { dependencies: [{ or: [{ gvk: SITE }, needs('b', '>=2.0.0')] }] })
  const objects = [either, install('a', '1.0.0'), packageOfCarvel('b', '1.0.0'), install('b', '1.0.0')]
  const [found, ...others] = carvelFindings(objects)
  expect(others).toEqual([])
  expect(found && plain(found.message)).toMatch(
    /^a 1\.0\.0 requires one of 2 alternatives, none of which is fulfilled: 1\. a 1\.0\.0 requires x\.io\/v1 Site, which is not served; .*; 2\. a 1\.0\.0 requires b ">=2\.0\.0", installed is 1\.0\.0: /,
  )
  expect([found?.rule, found?.place.path, found?.tags]).toEqual([
    'alternatives-unfulfilled',
    ['spec', 'dependencies', 0],
    { ecosystem: 'carvel', dialect: 'k14s', package: 'a.example.com' },
  ])
})

test('a conflict names the other packages that require a version, up to ten, and the number of the rest', () => {
  const requirers = (count: number) =>
    Array.from({ length: count }, (_, i) => `p${String(i).padStart(2, '0')}`).flatMap((name) => [
      packageOfCarvel(name, '1.0.0', 'b >=1.0.0'),
      install(name, '1.0.0'),
    ])
  const conflict = (count: number) => {
    const b = [packageOfCarvel('b', '1.0.0'), install('b', '1.0.0')]
    const [found] = carvelFindings([packageOfCarvel('a', '1.0.0', 'b >=2.0.0'), install('a', '1.0.0'), ...requirers(count), ...b])
    return plain(found?.message ?? '')
  }
  expect(conflict(1)).toMatch(/^a 1\.0\.0 requires b ">=2\.0\.0", installed is 1\.0\.0; p00 requires ">=1\.0\.0": /)
  expect([conflict(10).includes('p09 requires'), /and \d+ more/.exec(conflict(10))]).toEqual([true, null])
  expect([conflict(12).includes('p09 requires'), conflict(12).includes('p10 requires'), conflict(12).includes('; and 2 more')]).toEqual([
    true,
    false,
    true,
  ])
})

test('a finding is tagged with what is required and what is installed, if there is any', () => {
  const tagsOf = (range: string, ...objects: readonly object[]) =>
    carvelFindings([packageOfCarvel('a', '1.0.0', `b ${range}`), install('a', '1.0.0'), ...objects]).map(({ tags }) => tags)
  const common = { ecosystem: 'carvel', dialect: 'k14s', package: 'a.example.com', dependency: 'b.example.com', required: '>=2.0.0' }
  expect(tagsOf('>=2.0.0', packageOfCarvel('b', '1.0.0'), install('b', '1.0.0'))).toEqual([{ ...common, installed: '1.0.0' }])
  expect(tagsOf('>=2.0.0', packageOfCarvel('b', '2.0.0'))).toEqual([{ ...common, candidate: '2.0.0' }])
  expect(tagsOf('>=2.0.0')).toEqual([common])
})

test('where the range selects no version, the trail of the selection is shown as kapp-controller prints it', () => {
  const trail = (...versions: readonly string[]) =>
    carvelFindings([
      packageOfCarvel('a', '1.0.0', 'b >=2.0.0'),
      install('a', '1.0.0'),
      ...versions.map((version) => packageOfCarvel('b', version)),
    ]).map(({ message }) => message.replace(/^.*in that range: /, ''))
  expect(trail('1.0.0', '1.1.0')).toEqual(['all=[1.1.0, 1.0.0] -> after-constraints-filter=[]'])
  expect(trail('2.1.0-rc.1', '2.2.0-rc.1', '1.0.0')).toEqual([
    'all=[2.2.0-rc.1, 2.1.0-rc.1, 1.0.0] -> after-constraints-filter=[2.2.0-rc.1, 2.1.0-rc.1] -> after-prereleases-filter=[]',
  ])
  const many = Array.from({ length: 12 }, (_, i) => `1.${i}.0`)
  expect(trail(...many)).toEqual([`all=[${many.toReversed().slice(0, 10).join(', ')}, and 2 more] -> after-constraints-filter=[]`])
})
