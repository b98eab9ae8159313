import { expect, test } from 'vitest'
import type { JsonRecord } from '../../json.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { ResourceList } from '../../resource-list/resource-list.ts'
import { isCatalog } from '../reading/catalog.ts'
import { fieldAt, itemFields } from '../reading/field.ts'
import { type Reader, simulate } from './simulate.ts'

const CARVEL = 'packaging.carvel.dev/v1alpha1'

function objectOf(value: JsonRecord, path: string): KrmObject {
  return KrmObject.fromDocument(JSON.stringify(value, null, 1), { path, index: 0, line: 1 })
}

/** Returns a Package in a file `PACKAGE-VERSION.yaml`, with what it requires: `b >=1.0.0`. */
function packageOf(name: string, version: string, ...required: readonly string[]): KrmObject {
  const dependencies = required.map((text) => ({
    package: { refName: `${text.split(' ')[0]}.example.com`, version: text.split(' ')[1] ?? '' },
  }))
  const refName = `${name}.example.com`
  return objectOf(
    {
      apiVersion: `data.${CARVEL}`,
      kind: 'Package',
      metadata: { name: `${refName}.${version}`, namespace: 'default' },
      spec: { refName, version, ...(dependencies.length > 0 && { dependencies }) },
    },
    `${name}-${version}.yaml`,
  )
}

/** Returns an install of a package, or a change of it. */
function install(name: string, constraints: string, { metadata = {}, path = `${name}.yaml` } = {}): KrmObject {
  const spec = { serviceAccountName: 'sa', packageRef: { refName: `${name}.example.com`, versionSelection: { constraints } } }
  return objectOf({ apiVersion: CARVEL, kind: 'PackageInstall', metadata: { name, namespace: 'default', ...metadata }, spec }, path)
}

const deletionOf = (name: string) =>
  objectOf(
    { apiVersion: CARVEL, kind: 'PackageInstall', metadata: { name, namespace: 'default', deletionTimestamp: '2026-01-01T00:00:00Z' } },
    'delete.yaml',
  )

const READ: Reader = ({ items }) => ({
  objects: items,
  listed: items.filter(isCatalog).flatMap((item) => itemFields(fieldAt(item, ['spec', 'packages']))),
  apis: [],
  options: { closed: true, globalPackageNamespace: 'global', carvelSemver: '2024', crossplaneSemantics: 'current' },
})

/** Returns the states, each with its name, its rounds of steps, and its findings as `RULE: MESSAGE`; and what the list holds in the end. */
function simulated(objects: readonly KrmObject[], changes: Readonly<Record<string, readonly KrmObject[]>> = {}, prune = false) {
  const list = ResourceList.of(objects)
  const applied = Object.entries(changes).map(([name, each]) => ({ name, objects: each }))
  const plain = (text: string) => text.replaceAll('.example.com', '').replaceAll('PackageInstall default/', '')
  const states = simulate(list, applied, READ, { prune }).map(({ change, rounds, packages, findings }) => ({
    change,
    rounds: rounds.map((steps) => steps.map(({ what, why }) => plain(`${what}: ${why}`))),
    packages: packages.map(({ name, at }) => plain(`${name} ${at}`)),
    findings: findings.map(({ rule, severity, message, place }) => [
      severity === undefined ? rule : `${rule} (${severity})`,
      plain(message),
      place,
    ]),
  }))
  return { states, left: list.items.filter(({ kind }) => kind === 'PackageInstall').map(({ name }) => plain(name ?? '')) }
}

const rulesOf = ({ findings }: { readonly findings: readonly (readonly unknown[])[] }) => findings.map(([rule]) => rule)

// A simulation changes its objects, so each one gets its own.
const a = () => [packageOf('a', '1.0.0', 'b >=1.0.0'), install('a', '1.0.0')]
const bAndC = () => [packageOf('b', '1.0.0', 'c >=1.0.0'), packageOf('c', '1.0.0')]

test('before any change the operators install what is missing, each from the package that requires it, until no step is left', () => {
  const { states, left } = simulated([...a(), ...bAndC()])
  expect(states.map(({ change }) => change)).toEqual([undefined])
  expect(states[0]?.rounds.flat().filter((step) => step.includes('is installed as'))).toEqual([
    'b 1.0.0 is installed as b.1.0.0: a 1.0.0 requires it',
    'c 1.0.0 is installed as c.1.0.0: b 1.0.0 requires it',
  ])
  expect(states[0]?.rounds.flat().filter((step) => step.includes('status.dependencies'))).toEqual([
    'a has 1 entry in status.dependencies: kapp-controller records what fulfils each dependency',
    'b.1.0.0 has 1 entry in status.dependencies: kapp-controller records what fulfils each dependency',
  ])
  expect(states[0]?.packages.map((each) => each.split(' ').slice(0, 1).join())).toEqual(['a', 'b.1.0.0', 'c.1.0.0'])
  expect(left).toEqual(['a', 'b.1.0.0', 'c.1.0.0'])
  expect(states[0]?.findings).toEqual([])
})

test('a list with nothing to do has no rounds', () => {
  expect(simulated([packageOf('c', '1.0.0'), install('c', '1.0.0')]).states.map(({ rounds }) => rounds)).toEqual([[]])
})

test('what cannot be installed is a warning and stops nothing', () => {
  const { states } = simulated([packageOf('z', '1.0.0', 'y >=1.0.0'), install('z', '1.0.0'), ...a(), ...bAndC()])
  const found = states[0]?.findings.filter(([rule]) => String(rule).includes('(warning)')) ?? []
  expect(found.map(([, message]) => message)).toEqual([expect.stringContaining('y')])
  expect(states[0]?.rounds.flat().join()).toContain('b 1.0.0 is installed')
})

test('the state before any change is refused with an error of form, and no change is applied then', () => {
  const broken = objectOf(
    { apiVersion: CARVEL, kind: 'PackageInstall', metadata: { name: 'x' }, spec: { packageRef: { refName: ['a'] } } },
    'broken.yaml',
  )
  const { states } = simulated([broken, ...a(), ...bAndC()], { later: [install('c', '1.0.0')] })
  expect(states.map(({ change, rounds }) => [change, rounds])).toEqual([[undefined, []]])
  expect(states.flatMap(rulesOf)).toContain('dependency-form-invalid')
})

test('each change is a state of its own, and an error of form in a change is at the field of the change', () => {
  const wrong = objectOf(
    { apiVersion: CARVEL, kind: 'PackageInstall', metadata: { name: 'a', namespace: 'default' }, spec: { packageRef: { refName: 5 } } },
    'change.yaml',
  )
  const { states } = simulated([...a(), ...bAndC()], { good: [install('c', '1.0.0')], bad: [wrong], after: [install('c', '1.0.0')] })
  expect(states.map(({ change }) => change)).toEqual([undefined, 'good', 'bad'])
  expect(states[2]?.rounds).toEqual([])
  expect(states[2]?.findings.map(([rule, , place]) => [rule, Reflect.get(Object(place), 'file')?.path])).toEqual([
    ['dependency-form-invalid', 'change.yaml'],
  ])
})

test('a field that a change leaves out is missing in the map of the change', () => {
  const incomplete = objectOf(
    {
      apiVersion: CARVEL,
      kind: 'PackageInstall',
      metadata: { name: 'n', namespace: 'default' },
      spec: { packageRef: { versionSelection: { constraints: '1.0.0' } } },
    },
    'change.yaml',
  )
  const { states } = simulated([...bAndC()], { bad: [incomplete] })
  expect(states[1]?.findings.map(([, , place]) => [Reflect.get(Object(place), 'file')?.path, Reflect.get(Object(place), 'path')])).toEqual([
    ['change.yaml', ['spec', 'packageRef', 'refName']],
  ])
})

test('a change that the admission refuses is not applied, and the rest of the change is', () => {
  const glasskube = (name: string, version: string) =>
    objectOf(
      {
        apiVersion: 'packages.glasskube.dev/v1alpha1',
        kind: 'ClusterPackage',
        metadata: { name },
        spec: { packageInfo: { name, version, repositoryName: '' } },
      },
      `${name}.yaml`,
    )
  const versionsOf = (id: string, versions: readonly JsonRecord[]) => ({ ecosystem: 'glasskube', id, versions })
  const packages = [
    versionsOf('app', [{ version: 'v1.0.0', dependencies: [{ name: 'db', version: '>=2.0.0' }] }]),
    versionsOf(
      'db',
      ['v1.0.0', 'v2.0.0'].map((version) => ({ version, dependencies: [] })),
    ),
    versionsOf('web', [{ version: 'v1.0.0', dependencies: [] }]),
  ]
  const catalog = objectOf(
    { apiVersion: 'fn.krm-variants.dev/v1alpha1', kind: 'Catalog', metadata: { name: 'known' }, spec: { packages } },
    'catalog.yaml',
  )
  const { states } = simulated([catalog, glasskube('app', 'v1.0.0'), glasskube('db', 'v2.0.0')], {
    down: [glasskube('db', 'v1.0.0'), glasskube('web', 'v1.0.0')],
  })
  expect(states[1]?.rounds[0]).toEqual([expect.stringMatching(/^the change of ClusterPackage db is refused: .*app.* requires db/)])
  expect(states[1]?.packages.map((each) => each.split(' ').slice(0, 2).join(' '))).toEqual([
    'ClusterPackage app',
    'ClusterPackage db',
    'ClusterPackage web',
  ])
  expect(states[1]?.packages.join()).toContain('v2.0.0')
})

test('a change of an object that is missing is an error, and the rest of the change is applied', () => {
  const { states, left } = simulated([...a(), ...bAndC()], { c: [deletionOf('nope'), install('c', '1.0.0')], after: [] })
  expect(states.map(({ change, ...state }) => [change, rulesOf(state)])).toEqual([
    [undefined, []],
    ['c', ['object-not-found']],
  ])
  expect(left).toContain('c')
})

test('the removal of an install reports what was installed for it, and with prune removes that too', () => {
  const kept = simulated([...a(), ...bAndC()], { gone: [deletionOf('a')] })
  expect(kept.left).toEqual(['b.1.0.0', 'c.1.0.0'])
  expect(kept.states[1]?.findings.map(([rule]) => rule)).toContain('removal-leaves')
  const pruned = simulated([...a(), ...bAndC()], { gone: [deletionOf('a')] }, true)
  expect(pruned.left).toEqual([])
  expect(pruned.states[1]?.rounds.flat()).toEqual([
    expect.stringMatching(/^b\.1\.0\.0 goes: it was installed for a, which is removed, and nothing else requires it$/),
    expect.stringMatching(/^c\.1\.0\.0 goes: /),
  ])
  expect(pruned.states[1]?.findings).toEqual([])
})

test('prune keeps what another install requires', () => {
  const other = [packageOf('d', '1.0.0', 'c >=1.0.0'), install('d', '1.0.0')]
  expect(simulated([...a(), ...bAndC(), ...other], { gone: [deletionOf('a')] }, true).left).toEqual(['d', 'c.1.0.0'])
})

test('a removal that breaks a package is reported', () => {
  const { states } = simulated([...a(), ...bAndC(), install('b', '1.0.0')], { gone: [deletionOf('b')] })
  expect(states[1]?.findings.map(([rule]) => rule)).toContain('removal-breaks')
})

test('two files that write one package object are a finding of the first state', () => {
  const { states } = simulated([
    install('c', '1.0.0', { path: 'one.yaml' }),
    packageOf('c', '1.0.0'),
    install('c', '1.0.0', { path: 'two.yaml' }),
  ])
  expect(states[0]?.findings.map(([rule]) => rule)).toEqual(['controllers-fight'])
})

test.each([
  [['x'], 'Secret x goes: its owners are gone'],
  [['x', 'y'], 'Secret x and Secret y go: their owners are gone'],
])('what a deleted package owned goes with it, in one step for all of its objects: %j', (names, step) => {
  const crossplane = (kind: string, metadata: JsonRecord, spec: JsonRecord = {}) =>
    objectOf({ apiVersion: 'pkg.crossplane.io/v1', kind, metadata, spec }, 'crossplane.yaml')
  const ownerReferences = [{ apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', name: 'helm', uid: 'u' }]
  const owned = names.map((name) => objectOf({ apiVersion: 'v1', kind: 'Secret', metadata: { name, ownerReferences } }, 'owned.yaml'))
  const { states } = simulated([crossplane('Provider', { name: 'helm' }, { package: 'xpkg.example.org/helm:v1.0.0' }), ...owned], {
    gone: [crossplane('Provider', { name: 'helm', deletionTimestamp: '2026-01-01T00:00:00Z' })],
  })
  expect(states[1]?.rounds.flat().filter((each) => each.includes('owners are gone'))).toEqual([step])
})
