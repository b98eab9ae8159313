import { expect, test } from 'vitest'
import { planOn } from '../../testdata/conformance-runner/dependencies/plans.ts'
import { checkGraph, cyclesAmong, dependencyGraph } from './check-graph.ts'
import { packageObject, read } from './crossplane/testing/objects.ts'
import type { PackageIndex } from './package-index.ts'
import { install, needs, packageOfCarvel, packageWith } from './plan/testing/carvel-plans.ts'

/** Returns the index of some objects of Carvel. */
function indexOf(...objects: readonly object[]): PackageIndex {
  const found = planOn(objects).readings.all.find(({ ecosystem }) => ecosystem === 'carvel')?.index
  if (found === undefined) throw new Error('there is an index')
  return found
}

/** Returns the findings of an index, each as `RULE: MESSAGE`, without domains and places. */
const findingsOf = (index: PackageIndex) =>
  checkGraph(index).map(({ rule, message }) => `${rule}: ${message.replaceAll('.example.com', '').replaceAll(/ \(object[^()]*\)/g, '')}`)

const requires = (name: string, ...required: readonly string[]) => [packageOfCarvel(name, '1.0.0', ...required), install(name, '1.0.0')]

test('packages that require each other are reported once, at the first by name, with the way and what the package manager does', () => {
  const index = indexOf(
    ...requires('c', 'a >=1.0.0'),
    ...requires('b', 'c >=1.0.0'),
    ...requires('a', 'b >=1.0.0'),
    ...requires('z', 'a >=1.0.0'),
  )
  expect(findingsOf(index)).toEqual(['dependency-cycle: a -> b -> c -> a is a cycle'])
  expect(findingsOf({ ...index, cycleConsequence: 'none is installed' })).toEqual([
    'dependency-cycle: a -> b -> c -> a is a cycle; none is installed',
  ])
  const [found] = checkGraph(index)
  expect([found?.place.ref.name, found?.tags]).toEqual(['a', { ecosystem: 'carvel', dialect: 'k14s', package: 'a.example.com' }])
})

test('each step of a cycle is named with the place that requires the next package', () => {
  const [found] = checkGraph(indexOf(...requires('a', 'x >=1.0.0', 'b >=1.0.0'), ...requires('b', 'a >=1.0.0')))
  expect(found?.message).toBe(
    'a.example.com (object-0.yaml spec.dependencies[1].package.version) -> b.example.com (object-2.yaml spec.dependencies[0].package.version) -> a.example.com is a cycle',
  )
})

test('a package that requires itself is a cycle, and alternatives make none', () => {
  expect(findingsOf(indexOf(...requires('a', 'a >=1.0.0')))).toEqual(['dependency-cycle: a -> a is a cycle'])
  const either = packageWith('a', '1.0.0', { dependencies: [{ or: [needs('b'), needs('c')] }] })
  expect(findingsOf(indexOf(either, install('a', '1.0.0'), ...requires('b', 'a >=1.0.0')))).toEqual([])
})

test('the keys of a cycle begin and end with its first package; only cycles of the given dependents are found', () => {
  const index = indexOf(...requires('a', 'b >=1.0.0'), ...requires('b', 'a >=1.0.0'), ...requires('c', 'c >=1.0.0'))
  expect(cyclesAmong(index.dependents, index).map(({ keys }) => keys)).toEqual([
    ['default/a.example.com', 'default/b.example.com', 'default/a.example.com'],
    ['default/c.example.com', 'default/c.example.com'],
  ])
  expect(cyclesAmong(index.dependents.slice(0, 1), index)).toEqual([])
  const written = index.dependents.map((each) => ({ ...each, package: undefined }))
  expect(cyclesAmong(written, index)).toEqual([])
})

test('a kind that a package of a cycle requires is no step of the cycle', () => {
  const wants = packageWith('a', '1.0.0', { dependencies: [{ gvk: { group: 'x.io', version: 'v1', kind: 'Site' } }, needs('b')] })
  const [found, ...others] = checkGraph(indexOf(wants, install('a', '1.0.0'), ...requires('b', 'a >=1.0.0')))
  expect([found?.message, others]).toEqual([
    expect.stringContaining('a.example.com (object-0.yaml spec.dependencies[1].package.version)'),
    [],
  ])
})

test('the graph has the required packages of each package, of several installs together, and no package being written', () => {
  const { dependents } = indexOf(
    ...requires('a', 'b >=1.0.0', 'c >=1.0.0'),
    packageOfCarvel('a', '2.0.0', 'd >=1.0.0'),
    install('a', '2.0.0', undefined, 'a2'),
  )
  const written = dependents.map((each) => ({ ...each, package: undefined }))
  const graph = dependencyGraph({ dependents: [...dependents, ...written] })
  expect([...graph].map(([key, required]) => [key, required.toSorted()])).toEqual([
    ['default/a.example.com', ['default/b.example.com', 'default/c.example.com', 'default/d.example.com']],
  ])
})

test('a package that is listed twice is reported at the second place, with the first; an alias makes another requirement of it', () => {
  const twice = indexOf(...requires('a', 'b >=1.0.0', 'c >=1.0.0', 'b <2.0.0'))
  expect(findingsOf(twice)).toEqual(['duplicate-dependency: a 1.0.0 requires b "<2.0.0" and ">=1.0.0"; it must be listed once'])
  const [found] = checkGraph(twice)
  expect([found?.place.path, found?.tags.package]).toEqual([['spec', 'dependencies', 2, 'package', 'version'], 'a.example.com'])
  const named = packageWith('a', '1.0.0', { dependencies: [needs('b'), { ...needs('b', '<2.0.0'), name: 'second' }] })
  expect(findingsOf(indexOf(named, install('a', '1.0.0')))).toEqual([])
})

test('a generated package that nothing requires is unused; one of a person is not, nor one of alternatives', () => {
  const made = [packageOfCarvel('b', '1.0.0'), install('b', '1.0.0', 'a')]
  const index = indexOf(...requires('a'), ...made)
  expect(findingsOf(index)).toEqual(['dependency-unused: b 1.0.0 was installed as a dependency, and nothing requires it'])
  const [found] = checkGraph(index)
  expect([found?.place.ref.name, found?.place.path, found?.place.currentValue, found?.tags]).toEqual([
    'b-made',
    [],
    undefined,
    { ecosystem: 'carvel', package: 'b.example.com', installed: '1.0.0' },
  ])
  const unversioned = { ...index, installs: index.installs.map((each) => ({ ...each, text: '' })) }
  expect(findingsOf(unversioned)).toEqual(['dependency-unused: b was installed as a dependency, and nothing requires it'])
  expect(findingsOf(indexOf(...requires('a'), ...requires('b')))).toEqual([])
  expect(findingsOf(indexOf(...requires('a', 'b >=9.0.0'), ...made))).toEqual([])
  const either = packageWith('a', '1.0.0', { dependencies: [{ or: [needs('c'), needs('b')] }] })
  expect(findingsOf(indexOf(either, install('a', '1.0.0'), ...made))).toEqual([])
})

const HELM = 'xpkg.example.org/acme/helm'

/** Returns the findings on a Provider of which a catalog has some versions. */
const unverified = (reference: string, catalog: readonly object[] = []) =>
  checkGraph(read([packageObject('helm', reference)], catalog).index)

test('an installed package whose requirements are not known is noted, with its version', () => {
  const [found, ...others] = unverified(`${HELM}:v1.0.0`)
  expect(others).toEqual([])
  expect(found).toMatchObject({
    rule: 'dependency-unverified',
    message: `nothing is known of what ${HELM} v1.0.0 (helm.yaml:1) requires; its own dependencies were not checked`,
    tags: { ecosystem: 'crossplane', dialect: 'm350', package: HELM, installed: 'v1.0.0' },
  })
  expect(found && 'severity' in found).toBe(false)
  expect(unverified(`${HELM}:v1.0.0`, [{ id: HELM, kind: 'Provider', versions: [{ version: 'v1.0.0', dependencies: [] }] }])).toEqual([])
})

test('a package without a version is noted without one', () => {
  const [found] = unverified(HELM)
  expect(found?.message).toBe(`nothing is known of what ${HELM} (helm.yaml:1) requires; its own dependencies were not checked`)
  expect(found && 'installed' in found.tags).toBe(false)
})

test('where no version is known and a similar name is, the name is most likely misspelt: a warning', () => {
  const catalog = [{ id: HELM, kind: 'Provider', versions: [{ version: 'v1.0.0', dependencies: [] }] }]
  const [found] = unverified('xpkg.example.org/acme/halm:v1.0.0', catalog)
  expect([found?.severity, found?.message.replace(/^.*checked/, '')]).toEqual(['warning', `; did you mean '${HELM}'?`])
  const known = [...catalog, { id: 'xpkg.example.org/acme/halm', kind: 'Provider', versions: ['v1.0.0'] }]
  expect(
    unverified('xpkg.example.org/acme/halm:v1.0.0', known).map(({ severity, message }) => [severity, message.endsWith('checked')]),
  ).toEqual([[undefined, true]])
})
