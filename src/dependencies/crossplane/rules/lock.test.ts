import { expect, test } from 'vitest'
import { readCrossplanePackages, readLock } from '../objects.ts'
import { readCrossplaneRevisions } from '../revisions.ts'
import { digest, objectOf, packageObject, read, revisionObject } from '../testing/objects.ts'
import { checkLock, checkSingleLock, currentEntries } from './lock.ts'

const HELM = 'xpkg.example.org/acme/helm'
const NAME = 'helm-1'

const lock = (name: string, packages: readonly object[] = [], path = `${name}.yaml`) =>
  objectOf({ apiVersion: 'pkg.crossplane.io/v1beta1', kind: 'Lock', metadata: { name }, packages }, path)
const messages = (...given: Parameters<typeof checkSingleLock>) => checkSingleLock(...given).map(({ message }) => message)
const drift = (entry: object, objects: Parameters<typeof read>[0]) =>
  read([lock('lock', [{ name: NAME, source: HELM, version: 'v1.0.0', ...entry }]), ...objects])
    .findings()
    .flatMap(({ rule, message }) => (rule === 'lock-drift' ? [message] : []))

test('a cluster has one Lock with the name lock', () => {
  expect(messages([lock('lock')])).toEqual([])
  expect(messages([lock('other')])).toEqual([expect.stringContaining('must be \'lock\', got "other"')])
})

test('the Lock that Crossplane reads is the first whatever the files are called', () => {
  const found = checkSingleLock([lock('other', [], 'a.yaml'), lock('lock', [], 'z.yaml')])
  expect(found.map(({ place }) => place.ref.name)).toEqual(['other'])
  expect(found[0]?.message).toContain('are two Locks')
})

test('an entry or dependency that a person edited and that names no source is a fault, not a package that is missing', () => {
  const faults = (fields: object) => {
    const object = objectOf({ apiVersion: 'pkg.crossplane.io/v1beta1', kind: 'Lock', metadata: { name: 'lock' }, ...fields })
    return read([object])
      .faults()
      .map(({ rule, message }) => `${rule}: ${message}`)
  }
  const entry = { name: NAME, source: HELM, version: 'v1.0.0' }
  expect(faults({ packages: [entry, { ...entry, source: undefined, sourc: HELM }, HELM] })).toEqual([
    'dependency-form-invalid: `packages[1].source` must be set',
    'dependency-form-invalid: `packages[2].source` must be set',
  ])
  expect(faults({ packages: [{ ...entry, dependencies: [{ package: 7, constraints: '' }, { pakage: HELM }] }] })).toEqual([
    'dependency-form-invalid: `packages[0].dependencies[0].package` must be a string, got 7; write "7"',
    'dependency-form-invalid: `packages[0].dependencies[1].package` must be set',
  ])
  expect(faults({ packages: { 0: entry } })).toEqual(['dependency-form-invalid: `packages` must be a list, got a map'])
  expect(faults({ package: [entry] })).toEqual(["dependency-form-invalid: `package` is not a field of the file; did you mean 'packages'?"])
  expect(faults({ packages: [{ ...entry, dependencies: [{ package: HELM, constraints: '' }] }] })).toEqual([])
})

test('a PackageLock of the seed may have any name', () => {
  const seed = objectOf({ apiVersion: 'packages.crossplane.io/v1alpha1', kind: 'PackageLock', metadata: { name: 'any' } })
  expect(messages([seed])).toEqual([])
})

test('an entry counts by its digest where the package has one, and else by its tag', () => {
  const provider = (reference: string) => [packageObject('helm', reference)]
  expect(drift({ version: digest('a') }, provider(`${HELM}:v1.0.0@${digest('a')}`))).toEqual([])
  expect(drift({}, provider(`${HELM}:v1.0.0`))).toEqual([])
  expect(drift({}, provider(`${HELM}@${digest('a')}`))).toEqual([expect.stringContaining(`has ${digest('a')}`)])
  expect(drift({}, provider(HELM))).toEqual([expect.stringMatching(/has none$/)])
})

test('an entry of an Inactive revision is taken out, and one of another source is replaced', () => {
  const of = (desiredState: string, image: string) => [revisionObject('helm', NAME, { desiredState, revision: 1, image })]
  expect(drift({}, of('Active', `${HELM}:v1.0.0`))).toEqual([])
  expect(drift({}, of('Inactive', `${HELM}:v1.0.0`))).toEqual([expect.stringMatching(/is Inactive: Crossplane takes the entry out$/)])
  expect(drift({}, of('Active', 'xpkg.example.org/acme/sql:v1.0.0'))).toEqual([
    expect.stringMatching(/is of xpkg\.example\.org\/acme\/sql: Crossplane replaces the entry$/),
  ])
})

test('an entry without a name, and one without its revision, differ from the objects', () => {
  const other = revisionObject('sql', 'sql-1', { desiredState: 'Active', revision: 1, image: 'xpkg.example.org/acme/sql:v1.0.0' })
  expect(drift({ name: '' }, [])).toEqual([`the Lock has an entry without a name, for ${HELM}`])
  expect(drift({}, [other])).toEqual([`the Lock has ${HELM} as ${NAME}, and there is no revision of that name`])
  expect(drift({}, [])).toEqual([])
})

test('a finding is on the entry and not on the whole Lock', () => {
  const entries = [
    { name: 'sql-1', source: 'xpkg.example.org/acme/sql', version: 'v1.0.0' },
    { name: NAME, source: HELM, version: 'v1.0.0' },
  ]
  const found = checkLock(readLock([lock('lock', entries)]), readCrossplanePackages([packageObject('helm', `${HELM}:v2.0.0`)]), [])
  expect(found.map(({ place, tags }) => [place.path, tags.package])).toEqual([[['packages', 1], HELM]])
})

test('the entries that count are those of Active or unknown revisions of their source, each other one has its reason', () => {
  const SQL = 'xpkg.example.org/acme/sql'
  const names = ['active', 'unset', 'unknown', 'no-image', 'inactive', 'other']
  const entries = readLock([
    lock(
      'lock',
      names.map((name) => ({ name, source: HELM, version: name === 'inactive' ? '' : 'v1.0.0' })),
    ),
  ])
  const revisions = readCrossplaneRevisions([
    revisionObject('helm', 'active', { desiredState: 'Active', image: `${HELM}:v1.0.0` }),
    revisionObject('helm', 'unset', { image: `${HELM}@${digest('a')}` }),
    revisionObject('helm', 'no-image', { desiredState: 'Active' }),
    revisionObject('helm', 'inactive', { desiredState: 'Inactive', image: `${SQL}:v1.0.0` }),
    revisionObject('helm', 'other', { desiredState: 'Active', image: `${SQL}:v1.0.0` }),
  ])
  const { current, outdated } = currentEntries(entries, revisions)
  expect(current.map(({ name }) => name)).toEqual(['active', 'unset', 'unknown', 'no-image'])
  expect([...outdated].map(([{ name }, reason]) => [name, reason])).toEqual([
    [
      'inactive',
      `the Lock has ${HELM} without a version as inactive, and ProviderRevision inactive is Inactive: Crossplane takes the entry out`,
    ],
    ['other', `the Lock has ${HELM} v1.0.0 as other, and ProviderRevision other is of ${SQL}: Crossplane replaces the entry`],
  ])
})

test('an entry whose dependencies differ from those of its version says both, whatever their order', () => {
  const dependsOn = (...sources: readonly string[]) => sources.map((provider) => ({ provider, version: '>=v1' }))
  const recorded = (required: readonly object[] | undefined, ...locked: readonly string[]) =>
    read(
      [
        lock('lock', [
          { name: NAME, source: HELM, version: 'v1.0.0', dependencies: locked.map((one) => ({ package: one, constraints: '>=v1' })) },
        ]),
      ],
      [{ id: HELM, versions: [{ version: 'v1.0.0', ...(required && { dependencies: required }) }] }],
    )
      .findings()
      .flatMap(({ rule, message, place }) => (rule === 'lock-drift' ? [message, place.path.join('.'), place.currentValue] : []))
  const [a, b] = ['xpkg.example.org/a', 'xpkg.example.org/b']
  expect(recorded(dependsOn(a, b), b, a)).toEqual([])
  expect(recorded(undefined, a)).toEqual([])
  expect(recorded([], a)).toEqual([
    expect.stringMatching(/^the Lock has \S+ v1\.0\.0 with dependencies on \S+\/a ">=v1", its metadata \(.+\) with no dependencies$/),
    'packages.0',
    undefined,
  ])
  expect(recorded(dependsOn(a, b))).toEqual([
    expect.stringMatching(/ with no dependencies, its metadata \(.+\) with dependencies on \S+\/a ">=v1" and \S+\/b ">=v1"$/),
    'packages.0',
    undefined,
  ])
})
