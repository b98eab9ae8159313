import { expect, test } from 'vitest'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { servedKinds } from '../reading/served-kinds.ts'
import { dependencyStatuses, nativeCarvel } from './controller.ts'
import { carvelReading, packageInFile, packageInstall } from './testing/objects.ts'

const needs = (name: string, version = '>=1.0.0') => ({ package: { refName: `${name}.example.com`, version } })
const SITE = { gvk: { group: 'x.io', version: 'v1', kind: 'Site' } }
const PROVIDES = { provides: [{ apiVersion: 'x.io/v1', kind: 'Site' }] }
const requires = (...dependencies: readonly object[]) => packageInFile('a.example.com', '1.0.0', { dependencies })
const made = (name: string, version: string, spec: object = {}) => packageInFile(`${name}.example.com`, version, spec)
const installed = (name: string, constraints = '1.0.0', { owner = '', spec = {}, object = name } = {}) => {
  const annotations = { 'krm-variants.dev/resolved': constraints, 'kapp-controller.carvel.dev/owner': `PackageInstall/${owner}` }
  return packageInstall(object, `${name}.example.com`, {
    selection: { constraints },
    spec,
    ...(owner !== '' && { metadata: { annotations } }),
  })
}

/** Reads objects as kapp-controller sees them. */
function read(objects: readonly KrmObject[]) {
  const { index, provided } = carvelReading(objects, { closed: true })
  return { index, kinds: servedKinds([], [{ apiVersion: 'x.io/v1', kind: 'Served' }], provided) }
}

interface Given {
  readonly upgrades?: 'none' | 'generated' | 'all'
  readonly maxSteps?: number
}

/** Returns the steps of kapp-controller, each with its pass, and the reasons of what it cannot do. */
function plan(objects: readonly KrmObject[], { upgrades = 'none', maxSteps = 100 }: Given = {}): readonly string[] {
  const { index, kinds } = read(objects)
  const { steps, failures } = nativeCarvel(index, { policy: { upgrades, downgrades: false, prune: false }, kinds, maxSteps })
  const lines = steps.map(
    ({ op, package: { id }, version, pass, parents }) => `${pass}: ${op} ${id} ${version} for ${parents.map(({ name }) => name).join()}`,
  )
  return [...lines, ...failures.map(({ sentences }) => sentences.join(' '))].map((line) =>
    line.replaceAll('.example.com', '').replaceAll(/ \(\S+\.yaml:\d+\)/g, ''),
  )
}

test('each install creates what it directly requires, and what it creates does so in the next pass', () => {
  const objects = [requires(needs('b')), made('b', '1.0.0', { dependencies: [needs('c')] }), made('c', '1.0.0'), installed('a')]
  expect(plan(objects)).toEqual(['1: create b 1.0.0 for a 1.0.0', '2: create c 1.0.0 for b 1.0.0'])
})

test('a loop of packages ends, since each is installed once', () => {
  expect(plan([requires(needs('b')), made('b', '1.0.0', { dependencies: [needs('a')] }), installed('a')])).toEqual([
    '1: create b 1.0.0 for a 1.0.0',
  ])
})

test('passes end at the limit of steps', () => {
  const chain = ['b', 'c', 'd'].map((name, i) =>
    made(name, '1.0.0', { dependencies: ['c', 'd', 'e'].slice(i, i + 1).map((each) => needs(each)) }),
  )
  expect(plan([requires(needs('b')), ...chain, made('e', '1.0.0'), installed('a')], { maxSteps: 1 })).toHaveLength(2)
})

test('the highest version in the range is created; without one in the range the requirement fails', () => {
  const versions = ['1.0.0', '2.0.0', '3.0.0'].map((version) => made('b', version))
  expect(plan([requires(needs('b', '<3.0.0')), ...versions, installed('a')])).toEqual(['1: create b 2.0.0 for a 1.0.0'])
  expect(plan([requires(needs('b', '>=4.0.0')), ...versions, installed('a')])).toEqual([
    'a 1.0.0 requires b ">=4.0.0", and there is no package of that version.',
  ])
})

test('an install that is there is moved only if the policy allows that', () => {
  const objects = [requires(needs('b', '>=2.0.0')), made('b', '1.0.0'), made('b', '2.0.0'), installed('a'), installed('b', '1.0.0')]
  expect(plan(objects)).toEqual(['a 1.0.0 requires b ">=2.0.0", installed is 1.0.0, which is not to be moved.'])
  expect(plan(objects, { upgrades: 'all' })).toEqual(['1: update b 2.0.0 for a 1.0.0'])
  expect(plan([requires(needs('b')), made('b', '1.0.0'), made('b', '2.0.0'), installed('a'), installed('b', '1.0.0')])).toEqual([])
})

test('with install: false nothing is installed, and the reason says what is there', () => {
  const checking = installed('a', '1.0.0', { spec: { dependencies: { install: false } } })
  const versions = [made('b', '1.0.0'), made('b', '2.0.0')]
  expect(plan([requires(needs('b', '>=2.0.0')), ...versions, checking])).toEqual([
    'a 1.0.0 requires b ">=2.0.0", which is missing, and nothing is installed for it (install: false).',
  ])
  expect(plan([requires(needs('b', '>=2.0.0')), ...versions, checking, installed('b')])).toEqual([
    'a 1.0.0 requires b ">=2.0.0", installed is 1.0.0, and nothing is installed for it (install: false).',
  ])
})

test('an optional package or kind is never installed', () => {
  const optional = [
    { ...needs('b'), optional: true },
    { ...SITE, optional: true },
  ]
  expect(plan([requires(...optional), made('b', '1.0.0', PROVIDES), installed('a')])).toEqual([])
})

test('of alternatives one that is there counts, else the first that can be installed, else every reason is given', () => {
  const either = requires({ or: [needs('b'), { or: [needs('c'), SITE] }] })
  const packages = [made('b', '1.0.0'), made('c', '1.0.0')]
  expect(plan([either, ...packages, installed('a')])).toEqual(['1: create b 1.0.0 for a 1.0.0'])
  expect(plan([either, ...packages, installed('a'), installed('c')])).toEqual([])
  expect(plan([either, made('c', '1.0.0'), installed('a')])).toEqual(['1: create c 1.0.0 for a 1.0.0'])
  expect(plan([either, installed('a')])).toEqual([
    expect.stringMatching(
      /^a 1\.0\.0 requires one of: b ">=1\.0\.0", and there is no package of that version; one of: c .*; .*Site, which nothing serves\.$/,
    ),
  ])
  expect(plan([either, made('b', '1.0.0'), made('d', '1.0.0', PROVIDES), installed('a'), installed('d')])).toEqual([])
})

test('a kind is met by the cluster or by a provider that is installed; else its only provider is created, in the highest version', () => {
  const providers = [made('b', '1.0.0', PROVIDES), made('b', '2.0.0', PROVIDES), made('b', '3.0.0')]
  expect(plan([requires(SITE), ...providers, installed('a')])).toEqual(['1: create b 2.0.0 for a 1.0.0'])
  expect(plan([requires(SITE), ...providers, installed('a'), installed('b', '1.0.0')])).toEqual([])
  expect(plan([requires({ gvk: { group: 'x.io', version: 'v1', kind: 'Served' } }), installed('a')])).toEqual([])
  expect(plan([requires(SITE), installed('a')])).toEqual([expect.stringMatching(/Site, which nothing serves\.$/)])
  expect(plan([requires(SITE), ...providers, made('c', '1.0.0', PROVIDES), installed('a')])).toEqual([
    expect.stringMatching(/Site, which b and c provide\.$/),
  ])
})

/** Returns the statuses of the dependencies of the install a. */
function statuses(objects: readonly KrmObject[]): unknown {
  const { index, kinds } = read(objects)
  return [...dependencyStatuses(index, kinds)].find(([{ name }]) => name === 'a')?.[1]
}

test('the status names the install that fulfils a dependency, and whether it was created for this one', () => {
  const status = (created: boolean, packageInstallRef: string, version = '1.0.0') => [
    { created, package: { packageInstallRef, refName: 'b.example.com', version } },
  ]
  const objects = [requires(needs('b')), made('b', '1.0.0'), installed('a')]
  expect(statuses([...objects, installed('b', '1.0.0', { owner: 'a', object: 'b-made' })])).toEqual(status(true, 'b-made'))
  expect(statuses([...objects, installed('b', '1.0.0', { owner: 'other' })])).toEqual(status(false, 'b'))
  expect(statuses([...objects, installed('b')])).toEqual(status(false, 'b'))
  expect(statuses(objects)).toEqual([])
})

test('of alternatives the status names the first that is fulfilled', () => {
  const objects = [requires({ or: [needs('c'), needs('b')] }), made('b', '1.0.0'), made('c', '1.0.0'), installed('a')]
  expect(statuses([...objects, installed('b')])).toEqual([
    expect.objectContaining({ package: expect.objectContaining({ refName: 'b.example.com' }) }),
  ])
  expect(statuses([...objects, installed('b'), installed('c')])).toEqual([
    expect.objectContaining({ package: expect.objectContaining({ refName: 'c.example.com' }) }),
  ])
})

test('the status of a kind names its installed provider, and none where the cluster serves the kind itself', () => {
  const provider = made('b', '1.0.0', PROVIDES)
  expect(statuses([requires(SITE), provider, installed('a'), installed('b')])).toEqual([
    { created: false, gvk: { providedBy: 'b.example.com', version: '1.0.0' } },
  ])
  expect(statuses([requires(SITE), provider, installed('a')])).toEqual([])
  expect(statuses([requires({ gvk: { group: 'x.io', version: 'v1', kind: 'Served' } }), installed('a')])).toEqual([
    { created: false, gvk: {} },
  ])
})
