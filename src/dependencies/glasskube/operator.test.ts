import { expect, test } from 'vitest'
import { planOn } from '../../../testdata/conformance-runner/dependencies/plans.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { readGlasskubePackages } from './objects.ts'
import { reconcileGlasskube } from './operator.ts'

const API = 'packages.glasskube.dev/v1alpha1'

const packageOf = (name: string, version: string, annotations: object = {}) => ({
  apiVersion: API,
  kind: 'ClusterPackage',
  metadata: { name, annotations },
  spec: { packageInfo: { name, version, repositoryName: '' } },
})

/** Returns an install that was made for another package. */
const made = (name: string, version: string) => packageOf(name, version, { 'packages.glasskube.dev/installed-as-dependency': 'true' })

/** Returns a catalog: `app v1.0.0` with what it requires, `db >=1`. */
function catalogOf(known: Readonly<Record<string, readonly string[]>>): object {
  const ids = [...new Set(Object.keys(known).map((key) => key.split(' ')[0] ?? ''))]
  const packages = ids.map((id) => ({
    ecosystem: 'glasskube',
    id,
    versions: Object.entries(known)
      .filter(([key]) => key.startsWith(`${id} `))
      .map(([key, required]) => ({
        version: key.split(' ')[1],
        dependencies: required.map((text) => {
          const [name, version = ''] = text.split(' ')
          return { name, ...(version !== '' && { version }) }
        }),
      })),
  }))
  return { apiVersion: 'fn.krm-variants.dev/v1alpha1', kind: 'Catalog', metadata: { name: 'known' }, spec: { packages } }
}

/** Returns the steps of Glasskube, each in a line. */
function steps(installed: readonly object[], known: Readonly<Record<string, readonly string[]>>, options: object = {}) {
  const { plan } = planOn([...installed, catalogOf(known)], options)
  const lines = plan.steps.map(({ op, package: { id }, version, pass, parents }) =>
    [op, id, version, `pass ${pass}`, ...(parents.length === 0 ? [] : [`for ${parents.map(({ name }) => name).join(', ')}`])].join(' '),
  )
  return [...lines, ...plan.failures.map(({ reason, packages }) => `${reason} ${packages.join(', ')}`)]
}

const DB = { 'db v1.0.0': [], 'db v1.5.0': [], 'db v2.0.0': [] }

test('a missing package is installed in the highest version that all installed packages allow', () => {
  const known = { ...DB, 'app v1.0.0': ['db'], 'web v1.0.0': ['db <2'], 'api v1.0.0': ['db >=1.2'] }
  expect(steps([packageOf('app', 'v1.0.0')], known)).toEqual(['create db v2.0.0 pass 1 for app v1.0.0'])
  expect(steps([packageOf('web', 'v1.0.0'), packageOf('app', 'v1.0.0'), packageOf('api', 'v1.0.0')], known)).toEqual([
    'create db v1.5.0 pass 1 for api v1.0.0, app v1.0.0, web v1.0.0',
  ])
})

test('then what the new package requires is installed, in the next pass and by the order of names', () => {
  const known = { 'app v1.0.0': ['web', 'api'], 'web v1.0.0': ['db'], 'api v1.0.0': ['db <2'], ...DB }
  expect(steps([packageOf('app', 'v1.0.0')], known)).toEqual([
    'create api v1.0.0 pass 1 for app v1.0.0',
    'create db v1.5.0 pass 2 for api v1.0.0',
    'create web v1.0.0 pass 1 for app v1.0.0',
  ])
})

test('a package of which no version is allowed fails once, and the others are installed', () => {
  const known = { ...DB, 'app v1.0.0': ['db <2', 'web'], 'api v1.0.0': ['db >=2'], 'web v1.0.0': [] }
  const [first, second, ...others] = steps([packageOf('app', 'v1.0.0'), packageOf('api', 'v1.0.0')], known)
  expect(first).toBe('create web v1.0.0 pass 1 for app v1.0.0')
  expect(second).toMatch(/^unresolvable/)
  expect(others.every((line) => line.startsWith('unresolvable'))).toBe(true)
})

test('an installed version is never changed', () => {
  const known = { ...DB, 'app v1.0.0': ['db >=2'] }
  expect(steps([packageOf('app', 'v1.0.0'), packageOf('db', 'v1.0.0')], known)).toEqual(['unresolvable app'])
})

test('what was made for a package and is required no more goes with prune, one after the other', () => {
  const known = { ...DB, 'app v1.0.0': [], 'web v1.0.0': ['db'] }
  const installed = [packageOf('app', 'v1.0.0'), made('web', 'v1.0.0'), made('db', 'v2.0.0')]
  expect(steps(installed, known)).toEqual([])
  expect(steps(installed, known, { prune: true })).toEqual(['remove web v1.0.0 pass 1', 'remove db v2.0.0 pass 1'])
  const byHand = [packageOf('app', 'v1.0.0'), packageOf('web', 'v1.0.0'), made('db', 'v2.0.0')]
  expect(steps(byHand, known, { prune: true })).toEqual([])
})

test('a package that goes has nothing installed for it before', () => {
  const known = { ...DB, 'app v1.0.0': ['cache'], 'web v1.0.0': ['db'], 'cache v1.0.0': [] }
  expect(steps([packageOf('app', 'v1.0.0'), made('web', 'v1.0.0')], known, { prune: true })).toEqual([
    'create cache v1.0.0 pass 1 for app v1.0.0',
    'remove web v1.0.0 pass 1',
  ])
})

test('no more steps are taken than are allowed', () => {
  const known = { 'app v1.0.0': ['web', 'api'], 'web v1.0.0': [], 'api v1.0.0': [] }
  expect(steps([packageOf('app', 'v1.0.0')], known, { maxSteps: 1 })[0]).toBe('create api v1.0.0 pass 1 for app v1.0.0')
  expect(steps([packageOf('app', 'v1.0.0')], known, { maxSteps: 1 }).filter((line) => line.startsWith('create'))).toHaveLength(1)
})

const objectOf = (value: object) => KrmObject.fromDocument(JSON.stringify(value))

const info = (name: string, packageName: string, version: string, ready: string | undefined = 'True') =>
  objectOf({
    apiVersion: API,
    kind: 'PackageInfo',
    metadata: { name },
    spec: { name: packageName, version },
    ...(ready && {
      status: {
        conditions: [
          { type: 'Other', status: 'True' },
          { type: 'Ready', status: ready },
        ],
      },
    }),
  })

const app = (version: string, installed = '', name = 'app', repositoryName = '') =>
  objectOf({
    apiVersion: API,
    kind: 'Package',
    metadata: { name, namespace: 'default' },
    spec: { packageInfo: { name: 'app', version, repositoryName } },
    ...(installed !== '' && { status: { version: installed } }),
  })

/** Returns the steps of one reconcile in words, with their reasons, and the states of the packages. */
function reconcile(objects: readonly KrmObject[], latest = 'v2.0.0') {
  const { steps: done, packages } = reconcileGlasskube({ objects, packages: readGlasskubePackages(objects), latestOf: () => latest })
  return { steps: done.map(({ what, why }) => `${what}: ${why}`), edits: done.flatMap(({ edits }) => edits), packages }
}

test('the version that a package asks for gets a PackageInfo, with the address of its repository', () => {
  const repository = objectOf({ apiVersion: API, kind: 'PackageRepository', metadata: { name: 'My_repo' }, spec: { url: 'https://r' } })
  const pinned = reconcile([app('v1.0.0+1', '', 'app', 'My_repo'), repository])
  expect(pinned.steps).toEqual(['PackageInfo my_repo--app--v1.0.0--1 is made: the package is pinned to v1.0.0+1'])
  expect(pinned.edits[0]).toMatchObject({
    type: 'add',
    object: { apiVersion: API, kind: 'PackageInfo', spec: { name: 'app', version: 'v1.0.0+1', repositoryUrl: 'https://r' } },
  })
  const latest = reconcile([app('')])
  expect(latest.steps).toEqual(['PackageInfo app--v2.0.0 is made: v2.0.0 is the latest version'])
  expect(latest.edits[0]).toMatchObject({ object: { metadata: { name: 'app--v2.0.0' }, spec: { name: 'app', version: 'v2.0.0' } } })
})

test('a package without a known version does nothing', () => {
  expect(reconcile([app('')], '').steps).toEqual([])
})

test.each([
  ['v1.0.0', 'v2.0.0', 'v2.0.0'],
  ['v2.0.0', 'v1.0.0', 'v2.0.0'],
  ['v2.0.0', '', 'v2.0.0'],
  ['', 'v1.0.0', 'v1.0.0'],
])('a package without a version, installed %j, with %j as the latest, asks for %s', (installed, latest, wanted) => {
  expect(reconcile([app('', installed)], latest).steps).toEqual([`PackageInfo app--${wanted} is made: ${wanted} is the latest version`])
})

test('two packages that ask for one version share its PackageInfo', () => {
  expect(reconcile([app('v1.0.0', '', 'b'), app('v1.0.0', '', 'a')]).steps).toEqual([
    'PackageInfo app--v1.0.0 is made: the package is pinned to v1.0.0',
  ])
})

test.each(['False', undefined])('a PackageInfo that is not ready (%s) is waited for', (ready) => {
  const notReady = objectOf({
    apiVersion: API,
    kind: 'PackageInfo',
    metadata: { name: 'app--v1.0.0' },
    spec: { name: 'app', version: 'v1.0.0' },
    ...(ready && { status: { conditions: [{ type: 'Ready', status: ready }] } }),
  })
  expect(reconcile([app('v1.0.0'), notReady, info('app--v0.9.0', 'app', 'v0.9.0')]).steps).toEqual([])
})

test('a ready version is installed, and other PackageInfos of the package go', () => {
  const infos = [
    info('app--v1.0.0', 'app', 'v1.0.0'),
    info('app--v0.9.0', 'app', 'v0.9.0'),
    info('own-name', 'app', 'v0.8.0'),
    info('web--v0.9.0', 'web', 'v0.9.0'),
  ]
  expect(reconcile([app('v1.0.0'), ...infos]).steps).toEqual([
    'PackageInfo app--v0.9.0 is deleted: v1.0.0 is ready, and no package asks for v0.9.0',
    'Package default/app is at v1.0.0: its PackageInfo is ready, so its manifest is applied',
  ])
  expect(reconcile([app('v1.0.0', 'v1.0.0'), ...infos.slice(0, 1)]).steps).toEqual([])
})

test('a PackageInfo that another package asks for stays, and one goes once', () => {
  const infos = ['v0.8.0', 'v0.9.0', 'v1.0.0'].map((version) => info(`app--${version}`, 'app', version))
  const objects = [app('v1.0.0', 'v1.0.0', 'a'), app('v0.9.0', 'v0.9.0', 'b'), ...infos]
  expect(reconcile(objects).steps).toEqual(['PackageInfo app--v0.8.0 is deleted: v1.0.0 is ready, and no package asks for v0.8.0'])
})

test('the state of a package names what it asks for, what it has, and its PackageInfos', () => {
  const { packages } = reconcile([app('', 'v1.0.0'), info('app--v1.0.0', 'app', 'v1.0.0'), info('app--v2.0.0', 'app', 'v2.0.0', 'False')])
  expect(packages).toEqual([
    {
      name: 'Package default/app',
      at: 'asks for the latest version, has v1.0.0',
      parts: ['PackageInfo app--v1.0.0, ready', 'PackageInfo app--v2.0.0, not ready: no manifest of v2.0.0 is known'],
    },
  ])
  const [state] = [(given: readonly KrmObject[]) => reconcile(given).packages?.map(({ at, parts }) => [at, ...parts])]
  expect(state([app('')])).toEqual([['asks for the latest version, has nothing', 'no version of it is known']])
  expect(state([app('v3')])).toEqual([['asks for v3, has nothing']])
})
