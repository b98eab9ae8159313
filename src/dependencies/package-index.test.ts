import { expect, test } from 'vitest'
import { checkRequirements } from './check-requirements.ts'
import { digest, fieldOf, READER } from './crossplane/testing/objects.ts'
import {
  type Install,
  isChosenFor,
  isMetBy,
  leavesOf,
  type Package,
  type PackageIndex,
  type PackageRequirement,
  packagesIn,
  packageTable,
  type Requirement,
  requirementsOf,
} from './package-index.ts'
import { placeOfField } from './reading/field.ts'
import { NO_KINDS } from './reading/served-kinds.ts'

const PLACE = placeOfField(fieldOf('x'))
const A = digest('a')

const versionOf = (text: string) => {
  const version = READER.version(text)
  if (version === undefined) throw new Error(`no version ${text}`)
  return version
}

interface Given {
  readonly versions?: readonly string[]
  readonly installed?: readonly Partial<Install>[]
  readonly index?: Partial<PackageIndex>
  readonly others?: readonly Partial<PackageRequirement>[]
}

/** Makes the package `shop`, with a dependent `app 1.0.0` that has requirements on it. */
function shop({ versions = [], installed = [], index = {}, others = [] }: Given, wanted: (pkg: Package) => readonly Requirement[]) {
  const table = packageTable()
  const pkg = table.package({
    key: 'shop',
    id: 'shop',
    name: 'shop',
    versions: () => versions.map(versionOf),
    requirements: (text) => (text === 'v9.0.0' ? [] : undefined),
  })
  for (const each of installed)
    table.install({
      package: pkg,
      text: '',
      name: 'shop',
      place: PLACE,
      fieldFor: (text) => text,
      generated: false,
      movable: true,
      metadataKnown: true,
      ...each,
    })
  const whole: PackageIndex = {
    ecosystem: 'crossplane',
    dialect: 'm350',
    compare: READER.dialect.compare,
    installs: table.installs,
    owns: table.owns,
    closed: true,
    unknownMissing: 'dependency-missing',
    isProvided: () => false,
    suggest: () => '; SUGGESTED',
    chooses: (version) => version.pre.length === 0,
    objectName: () => 'shop',
    dependents: [
      { name: 'app 1.0.0', id: 'app', place: PLACE, requirements: wanted(pkg) },
      ...others.map((each, at) => ({ name: `other${at} 1.0.0`, id: `other${at}`, place: PLACE, requirements: [requirement(pkg, each)] })),
    ],
    ...index,
  }
  return { pkg, index: whole }
}

function requirement(pkg: Package, each: Partial<PackageRequirement>): PackageRequirement {
  return { type: 'package', package: pkg, optional: false, validateOnly: false, place: PLACE, ...each }
}

const range = (text: string) => ({ range: READER.range(text) })

/** Returns the first finding about the requirement of `app`. */
function judged(given: Given, each: Partial<PackageRequirement>) {
  const { index } = shop(given, (pkg) => [requirement(pkg, each)])
  const [found] = checkRequirements(index, NO_KINDS, { downgrades: false }).filter(({ tags }) => tags.package === 'app')
  return found && { rule: found.rule, severity: found.severity, message: found.message.replaceAll(/ \([^()]*\)/g, '') }
}

test.each<[string, Given, Partial<PackageRequirement>, string | undefined, string]>([
  ['any version', { installed: [{ text: 'v1.0.0', version: versionOf('v1.0.0') }] }, {}, undefined, ''],
  ['a version in the range', { installed: [{ text: 'v1.0.0', version: versionOf('v1.0.0') }] }, range('>=v1'), undefined, ''],
  [
    'a version outside of the range',
    { installed: [{ text: 'v1.0.0', version: versionOf('v1.0.0') }] },
    range('>=v2'),
    'dependency-conflict',
    'installed is v1.0.0',
  ],
  [
    'one of two versions',
    { installed: ['v1.0.0', 'v2.0.0'].map((text) => ({ text, version: versionOf(text) })) },
    range('>=v2'),
    undefined,
    '',
  ],
  [
    'neither of two versions',
    { installed: ['v1.0.0', 'v1.1.0'].map((text) => ({ text, version: versionOf(text) })) },
    range('>=v2'),
    'dependency-conflict',
    'installed is v1.0.0',
  ],
  ['its digest', { installed: [{ text: A, digest: A }] }, { digest: A }, undefined, ''],
  [
    'another digest',
    { installed: [{ text: A, digest: A }] },
    { digest: digest('b') },
    'digest-conflict',
    'a digest is met by that digest alone',
  ],
  ['a digest in place of a range', { installed: [{ text: A, digest: A }] }, range('>=v1'), 'digest-conflict', 'a digest is in no range'],
  ['a digest where any version will do', { installed: [{ text: A, digest: A }] }, {}, undefined, ''],
  ['a version that is not known', { installed: [{ text: '' }] }, range('>=v1'), 'dependency-unverified', 'is not known'],
  [
    'a text that is no version',
    { installed: [{ text: 'main' }] },
    range('>=v1'),
    'dependency-conflict',
    'it is not known if that fits: "main" is no version',
  ],
  [
    'nothing, and some versions are known',
    { versions: ['v2.0.0', 'v1.0.0'] },
    range('<v2'),
    'dependency-missing',
    'is not installed: shop v1.0.0 satisfies every requirement on it',
  ],
  [
    'nothing, and nothing is to be installed',
    { versions: ['v1.0.0'] },
    { validateOnly: true },
    'dependency-missing',
    'nothing is installed for it',
  ],
  [
    'nothing, and no version is in the range',
    { versions: ['v1.0.0'] },
    range('>=v3'),
    'no-version-available',
    'all=[v1.0.0] -> after-constraints-filter=[]',
  ],
  [
    'nothing, and only a prerelease is in the range',
    { versions: ['v2.0.0-rc.1'] },
    range('>=v1'),
    'no-version-available',
    'no known version is in that range',
  ],
  [
    'nothing, and no version suits all',
    { versions: ['v2.0.0', 'v1.0.0'], others: [range('>=v2')] },
    range('<v2'),
    'dependency-conflict',
    'the ranges do not overlap: other0 requires ">=v2"',
  ],
  [
    'nothing, and a version suits all',
    { versions: ['v2.0.0', 'v1.0.0'], others: [range('<v2')] },
    {},
    'dependency-missing',
    'shop v1.0.0 satisfies',
  ],
  ['nothing, and no version is known', {}, range('>=v1'), 'dependency-missing', 'no version of it is known; SUGGESTED'],
  [
    'nothing, and no version is known of an open list',
    { index: { closed: false } },
    range('>=v1'),
    'dependency-unverified',
    'is not seen to be installed',
  ],
  ['nothing, which another registry has', { index: { elsewhere: () => '; ELSEWHERE' } }, {}, 'dependency-missing', 'known; ELSEWHERE'],
  ['nothing, where the cluster has it', { index: { isProvided: () => true } }, range('>=v1'), undefined, ''],
  ['nothing, which is optional', {}, { ...range('>=v1'), optional: true }, 'optional-unfulfilled', 'which is optional and not installed'],
  ['nothing, of a digest', {}, { digest: A }, 'dependency-missing', 'which is not installed'],
  [
    'nothing, of a digest where another one is required',
    { others: [{ digest: digest('b') }] },
    { digest: A },
    'digest-conflict',
    'other0 requires sha256:b',
  ],
  [
    'nothing, of a digest that others require, too',
    { others: [{ digest: A }] },
    { digest: A },
    'dependency-missing',
    'which is not installed',
  ],
])('a requirement meets %s', (_what, given, each, rule, message) => {
  const found = judged(given, each)
  expect(found?.rule).toBe(rule)
  expect(found?.message ?? '').toContain(message)
})

test('an optional requirement in conflict is a warning, and so is a package that an open list does not show', () => {
  const installed = [{ text: 'v1.0.0', version: versionOf('v1.0.0') }]
  expect(judged({ installed }, { ...range('>=v2'), optional: true })?.severity).toBe('warning')
  expect(judged({ installed }, range('>=v2'))?.severity).toBeUndefined()
  expect(judged({ index: { closed: false } }, {})?.severity).toBe('warning')
})

/** Returns the rules about alternatives, of which each is one of the texts. */
function alternatives(given: Given, optional: boolean, ...each: readonly Partial<PackageRequirement>[]) {
  const { index } = shop(given, (pkg) => [
    { type: 'alternatives', alternatives: each.map((one) => requirement(pkg, one)), optional, place: PLACE },
  ])
  return checkRequirements(index, NO_KINDS, { downgrades: false }).map(({ rule, severity }) => [rule, severity])
}

test('one alternative that is met is enough, and one that is not known makes all of them unverified', () => {
  const installed = [{ text: 'v1.0.0', version: versionOf('v1.0.0') }]
  expect(alternatives({ installed }, false, range('>=v2'), range('>=v1'))).toEqual([])
  expect(alternatives({ installed }, false)).toEqual([])
  expect(alternatives({ installed }, false, range('>=v2'), range('>=v3'))).toEqual([['alternatives-unfulfilled', undefined]])
  expect(alternatives({ installed }, true, range('>=v2'), range('>=v3'))).toEqual([['optional-unfulfilled', undefined]])
  expect(alternatives({ index: { closed: false } }, false, range('>=v2'))).toEqual([['dependency-unverified', 'warning']])
})

test.each<[string, Partial<PackageRequirement>, boolean]>([
  ['v1.0.0', {}, true],
  ['v1.0.0', range('>=v1'), true],
  ['v1.0.0', range('>=v2'), false],
  ['v1.0.0', { digest: A }, false],
  [A, { digest: A }, true],
  [A, range('>=v1'), false],
  ['', range('>=v1'), true],
  ['main', range('>=v1'), false],
  ['main', {}, true],
])('an install of %j meets its requirement', (text, each, expected) => {
  const { pkg } = shop({}, () => [])
  const install = { text, version: READER.version(text), digest: text === A ? text : undefined }
  expect(isMetBy(install, requirement(pkg, each))).toBe(expected)
})

test('without a range the package manager chooses by its own rule, and a range may choose a prerelease', () => {
  const { pkg, index } = shop({}, () => [])
  const chosen = (text: string, each: Partial<PackageRequirement>) => isChosenFor(versionOf(text), requirement(pkg, each), index)
  expect([chosen('v1.0.0', {}), chosen('v1.0.0-rc.1', {})]).toEqual([true, false])
  expect([chosen('v1.0.0', range('>=v2')), chosen('v2.0.0-rc.1', range('>=v2.0.0-0'))]).toEqual([false, true])
})

test('requirements are those of a known version, else of a digest', () => {
  const { pkg } = shop({ versions: ['v9.0.0', 'v1.0.0'] }, () => [])
  expect(requirementsOf(pkg, 'v9.0.0')).toEqual([])
  expect(requirementsOf(pkg, 'v1.0.0')).toBeUndefined()
  expect(requirementsOf(pkg, A)).toBeUndefined()
})

test('the leaves of alternatives are those of all of them, in their order', () => {
  const { pkg } = shop({}, () => [])
  const [a, b] = [requirement(pkg, range('>=v1')), requirement(pkg, range('>=v2'))]
  const platform: Requirement = { type: 'platform', wants: 'x', met: true, optional: false, place: PLACE }
  const inner: Requirement = { type: 'alternatives', alternatives: [b, platform], optional: false, place: PLACE }
  const outer: Requirement = { type: 'alternatives', alternatives: [a, inner], optional: false, place: PLACE }
  expect(leavesOf(outer)).toEqual([a, b, platform])
  expect(leavesOf(a)).toEqual([a])
  expect(packagesIn(outer)).toEqual([a, b])
})

test('a table has one package for each key, and owns no package of another table', () => {
  const table = packageTable()
  const identity = { key: 'k', id: 'i', name: 'n', versions: () => [], requirements: () => undefined }
  const pkg = table.package(identity)
  expect(table.package({ ...identity, name: 'other' })).toBe(pkg)
  expect([table.find('k'), table.find('x')]).toEqual([pkg, undefined])
  expect([table.owns(pkg), table.owns(packageTable().package(identity))]).toEqual([true, false])
})
