import { expect, test } from 'vitest'
import type { KrmObject } from '../../../resource-list/krm-object.ts'
import { digest, findingsOn, knownPackage, knownVersion, lockEntry, lockObject, packageObject, read } from '../testing/objects.ts'

const APP = 'xpkg.example.org/acme/app'
const HELM = 'xpkg.example.org/acme/helm'
const A = digest('a')
const app = packageObject('app', `${APP}:v1.0.0`, {}, 'Configuration')
const needsHelm = (version: string) => ({ provider: HELM, version })

const constraints = (objects: readonly KrmObject[], ...dependencies: readonly object[]) =>
  read(objects, [knownPackage(APP, knownVersion('v1.0.0', dependencies))])
    .findings()
    .filter(({ rule }) => rule.startsWith('constraint'))
    .map(({ rule, tags, place, proposedValue }) => [rule, tags.package, tags.dependency, place.path.at(-1), proposedValue])

test('every constraint of a known version must parse, but a digest is none', () => {
  expect(constraints([], needsHelm('one'))).toEqual([['constraint-invalid', APP, HELM, 'version', undefined]])
  expect(constraints([], needsHelm(A), needsHelm('>=v1.0.0'), { provider: HELM, version: 5 })).toEqual([])
  expect(constraints([], needsHelm(''), { provider: HELM })).toHaveLength(2)
})

test('a requirement and the catalog must name one kind for a source', () => {
  const rulesFor = (kind?: string) =>
    findingsOn(
      [],
      [
        knownPackage(APP, knownVersion('v1.0.0', [{ function: HELM, version: '>=v1.0.0' }])),
        { ...knownPackage(HELM, knownVersion('v1.0.0')), ...(kind !== undefined && { kind }) },
      ],
    )
  expect(rulesFor('Provider')).toEqual([
    expect.stringMatching(
      /^dependency-form-invalid: .*`.*dependencies\[0\]` requires .*helm as a Function, and the catalog lists it as a Provider$/,
    ),
  ])
  expect([rulesFor('Function'), rulesFor()]).toEqual([[], []])
})

test('in the seed a dependency without a range asks for any version', () => {
  const seed = (version?: string) =>
    read([], [knownPackage(APP, knownVersion('v1.0.0', [{ package: HELM, ...(version !== undefined && { version }) }]))], {
      crossplaneSemantics: 'seed',
    })
      .findings()
      .map(({ rule }) => rule)
  expect([seed(), seed('one')]).toEqual([[], ['constraint-invalid']])
})

test('a range that leaves out every known version is suspect', () => {
  const entries = [knownPackage(APP, knownVersion('v1.0.0', [needsHelm('>=v1.0.0')])), knownPackage(HELM, knownVersion('v1.0.0-rc.1'))]
  expect(findingsOn([], entries)).toEqual([expect.stringMatching(/^constraint-suspect: .*only prereleases match, such as v1\.0\.0-rc\.1/)])
})

test('the range of the platform must parse', () => {
  const found = read([], [knownPackage(APP, knownVersion('v1.0.0', [], { constraints: { crossplane: 'one' } }))]).findings()
  expect(found.map(({ rule, tags, place }) => [rule, tags.package, place.path.at(-1)])).toEqual([['constraint-invalid', APP, 'crossplane']])
})

test('the constraints of the Lock must parse where the Lock alone says what a package requires, and are not to be changed', () => {
  const recording = (...texts: readonly string[]) =>
    lockObject(
      lockEntry(
        APP,
        'v1.0.0',
        texts.map((constraints) => ({ package: HELM, constraints })),
      ),
    )
  const ofLock = (objects: readonly KrmObject[], entries: readonly object[] = []) =>
    read(objects, entries)
      .findings()
      .filter(({ rule }) => rule.startsWith('constraint'))
      .map(({ rule, tags, place, proposedValue }) => [rule, tags.package, tags.dependency, place.path.join('.'), proposedValue])
  const fault = ['constraint-invalid', APP, HELM, 'packages.0.dependencies.0.constraints', undefined]
  expect(ofLock([recording('one')])).toEqual([fault])
  expect(ofLock([app, recording('>=1.0.0 - ')])).toEqual([fault])
  expect(ofLock([recording(A, '', '>=v1.0.0')])).toEqual([])
  expect(ofLock([recording('one')], [knownPackage(APP, knownVersion('v1.0.0'))])).toEqual([])
  expect(ofLock([recording('one')], [knownPackage(APP, { version: 'v1.0.0' })])).toEqual([fault])
  expect(ofLock([packageObject('app', `${APP}:v1.0.0`, { skipDependencyResolution: true }), recording('one')])).toEqual([])
})
