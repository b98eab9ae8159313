import { expect, test } from 'vitest'
import { DIALECTS } from '../../versions/dialects.ts'
import { rangeReader } from '../range.ts'
import { allowsPlatform, type Platform, prereleasesOf, selectPackage } from './select.ts'

const READER = rangeReader(DIALECTS.k14s)
const NO_PLATFORM: Platform = { ignoreKubernetes: false, ignoreKappController: false }

interface Asked {
  readonly constraints?: string
  readonly prereleases?: readonly string[]
  readonly platform?: Partial<Platform>
}

const app = (
  version: string,
  more: { readonly kubernetesVersionSelection?: string; readonly kappControllerVersionSelection?: string } = {},
) => ({
  refName: 'app.example.com',
  version,
  ...more,
})

/** Returns the version that a PackageInstall selects, and the trail of the filters. */
function selected(packages: Parameters<typeof selectPackage>[0], { constraints = '', prereleases, platform }: Asked = {}) {
  const ref = { refName: 'app.example.com', constraints, ...(prereleases && { prereleases: { identifiers: prereleases } }) }
  const { selected: found, trail } = selectPackage(packages, ref, { ...NO_PLATFORM, ...platform }, READER)
  return [found?.version, trail.split(' -> ').map((step) => step.replace(/^after-/, ''))]
}

test('the highest version of the refName in the range is selected', () => {
  const packages = [app('1.2.0'), app('1.10.0'), app('2.0.0'), { ...app('1.11.0'), refName: 'other.example.com' }]
  expect(selected(packages, { constraints: '<2.0.0' })).toEqual(['1.10.0', ['all=3', 'prereleases-filter=3', 'constraints-filter=2']])
  expect(selected(packages, { constraints: '>2.0.0' })[0]).toBeUndefined()
})

test('a prerelease is selected if the install admits it, or asks for exactly that one', () => {
  const packages = [app('1.0.0'), app('1.1.0-rc.1'), app('1.2.0-dev.1')]
  expect(selected(packages)[0]).toBe('1.0.0')
  expect(selected(packages, { prereleases: [] })[0]).toBe('1.2.0-dev.1')
  expect(selected(packages, { prereleases: ['rc'] })[0]).toBe('1.1.0-rc.1')
  expect(selected(packages, { constraints: '1.1.0-rc.1' })[0]).toBe('1.1.0-rc.1')
  expect(selected(packages, { constraints: '>=1.1.0-rc.1' })[0]).toBeUndefined()
})

test('a version that the cluster is too old for is passed over, unless the install ignores that', () => {
  const packages = [app('1.0.0'), app('2.0.0', { kubernetesVersionSelection: '>=1.30.0' })]
  const kubernetes = '1.29.4'
  expect(selected(packages, { platform: { kubernetes } })).toEqual([
    '1.0.0',
    ['all=2', 'prereleases-filter=2', 'kubernetes-version-check=1', 'constraints-filter=1'],
  ])
  expect(selected(packages, { platform: { kubernetes, ignoreKubernetes: true } })[0]).toBe('2.0.0')
  expect(selected(packages)[0]).toBe('2.0.0')
})

test('the versions of Kubernetes and of kapp-controller are asked each for its own range', () => {
  const packages = [app('1.0.0'), app('2.0.0', { kappControllerVersionSelection: '>=0.50.0' })]
  expect(selected(packages, { platform: { kappController: '0.49.0', kubernetes: '1.30.0' } })[0]).toBe('1.0.0')
  expect(selected(packages, { platform: { kappController: '0.50.1', kubernetes: '1.0.0' } })[0]).toBe('2.0.0')
  expect(selected(packages, { platform: { kappController: '0.49.0', ignoreKappController: true } })[0]).toBe('2.0.0')
})

test('the version of a cluster counts without its v, prerelease and build', () => {
  expect(allowsPlatform('>=1.31.2', 'v1.31.2-gke.1', READER)).toBe(true)
  expect(allowsPlatform('>=1.31.2', '1.31.2+k3s1', READER)).toBe(true)
  expect(allowsPlatform('>1.31.2', 'v1.31.2-gke.1', READER)).toBe(false)
  expect(allowsPlatform('>=1.31.2', 'one', READER)).toBe(false)
  expect(allowsPlatform('', 'v1.0.0', READER)).toBe(true)
})

test.each<[string, readonly string[] | undefined, readonly string[] | undefined]>([
  ['1.0.0', undefined, undefined],
  ['1.0.0-rc.1', undefined, []],
  ['>=1.0.0-rc.1', undefined, undefined],
  ['', undefined, undefined],
  ['1.0.0', [], []],
  ['1.0.0-rc.1', ['beta'], ['beta']],
])('the constraint %j with the prereleases %j admits %j', (constraints, written, expected) => {
  const ref = { refName: 'app.example.com', constraints, prereleases: written && { identifiers: written } }
  expect(prereleasesOf(ref, READER)?.identifiers).toEqual(expected)
})
