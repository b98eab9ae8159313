import { expect, test } from 'vitest'
import { checkDerivations, checkForms, checkObjects, requiredPackages, unknownPackages } from './check-objects.ts'
import { objectOf } from './crossplane/testing/objects.ts'
import type { Finding } from './finding.ts'
import { install, needs, packageOfCarvel, packageWith } from './plan/testing/carvel-plans.ts'

/** Returns the input of some objects, without a catalog. */
function inputOf(objects: readonly object[]) {
  const options = { closed: false, globalPackageNamespace: 'global', carvelSemver: '2024', crossplaneSemantics: 'current' } as const
  return { objects: objects.map((each) => objectOf(each)), listed: [], apis: [], options }
}

const POLICY = { downgrades: false }
const A = [packageOfCarvel('a', '1.0.0', 'c >=1.0.0', 'b >=1.0.0'), install('a', '1.0.0')]

test('a required package is unknown if it is neither installed nor known in any version', () => {
  expect(unknownPackages(inputOf(A))).toEqual(['b.example.com', 'c.example.com'])
  expect(unknownPackages(inputOf([...A, packageOfCarvel('b', '0.1.0')]))).toEqual(['c.example.com'])
  expect(unknownPackages(inputOf([...A, packageOfCarvel('b', '0.1.0'), install('c', '1.0.0')]))).toEqual([])
})

test('a package that is required twice is unknown once, and one that nothing requires is not', () => {
  const twice = [packageOfCarvel('z', '1.0.0', 'b >=1.0.0'), install('z', '1.0.0'), packageOfCarvel('y', '1.0.0', 'x >=1.0.0')]
  expect(unknownPackages(inputOf([...A, ...twice]))).toEqual(['b.example.com', 'c.example.com'])
  expect(unknownPackages(inputOf([]))).toEqual([])
})

test('every requirement on a package is listed with its range, each of alternatives, and whether it is installed', () => {
  const either = [
    packageWith('a', '1.0.0', { dependencies: [needs('b', '>=2.0.0'), { or: [needs('c'), needs('d')] }] }),
    install('a', '1.0.0'),
  ]
  const required = requiredPackages(inputOf([...either, packageOfCarvel('c', '1.0.0'), install('c', '1.0.0')]), 'eu')
  expect(
    required.map(({ ecosystem, from, to, range, isInstalled, cluster }) => [ecosystem, from, to, range, isInstalled, cluster]),
  ).toEqual([
    ['carvel', 'a.example.com', 'b.example.com', '>=2.0.0', false, 'eu'],
    ['carvel', 'a.example.com', 'c.example.com', '>=1.0.0', true, 'eu'],
    ['carvel', 'a.example.com', 'd.example.com', '>=1.0.0', false, 'eu'],
  ])
})

const PROVIDER = { apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', metadata: { name: 'helm' } }
const variant = (name: string) => ({
  apiVersion: 'config.porch.kpt.dev/v1alpha1',
  kind: 'PackageVariant',
  metadata: { name, namespace: 'default' },
  spec: { upstream: { repo: 'up', package: 'p', workspaceName: 'v1' }, downstream: { repo: 'eu', package: 'p' } },
})

test('of objects that are installed nowhere the forms are judged, of a fleet the variants, and of a cluster the packages', () => {
  const input = inputOf([...A, PROVIDER, variant('one'), variant('two')])
  const rules = (findings: readonly Finding[]) => [...new Set(findings.map(({ rule }) => rule))].sort()
  expect(rules(checkForms(inputOf([...A, PROVIDER])))).toEqual(['dependency-form-invalid'])
  expect(rules(checkDerivations(input))).toEqual(['downstream-duplicate'])
  expect(rules(checkObjects(input, POLICY))).toEqual(['dependency-form-invalid', 'dependency-unverified'])
})

test.each([
  ['>=1.0.0', ['dependency-unverified warning']],
  ['one', ['constraint-invalid default', 'dependency-unverified default']],
])('an unknown package in the range %s gives the findings %j', (range, expected) => {
  const found = checkObjects(inputOf([packageOfCarvel('a', '1.0.0', `b ${range}`), install('a', '1.0.0')]), POLICY)
  expect(found.map(({ rule, severity = 'default' }) => `${rule} ${severity}`)).toEqual(expected)
})

test('a constraint that cannot be read is in no conflict with another range of its package', () => {
  const rulesFor = (range: string) => {
    const required = [packageOfCarvel('a', '1.0.0', `b ${range}`, 'b >=9.0.0'), install('a', '1.0.0'), packageOfCarvel('b', '1.0.0')]
    return checkObjects(inputOf(required), POLICY).map(({ rule }) => rule)
  }
  expect(rulesFor('one')).toEqual(['constraint-invalid', 'no-version-available', 'duplicate-dependency'])
  expect(rulesFor('>=1.0.0')).toEqual(['dependency-conflict', 'no-version-available', 'duplicate-dependency'])
})

test('a fault of one requirement does not lower the warning on another, also in one line', () => {
  const found = checkObjects(inputOf([packageOfCarvel('a', '1.0.0', 'b one', 'c >=1.0.0'), install('a', '1.0.0')]), POLICY)
  const unverified = found.filter(({ rule }) => rule === 'dependency-unverified')
  expect(unverified.map(({ tags, severity }) => [tags.dependency, severity])).toEqual([
    ['b.example.com', undefined],
    ['c.example.com', 'warning'],
  ])
})
