import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../json.ts'
import { NO_KINDS } from '../reading/served-kinds.ts'
import { CARVEL } from './carvel.ts'
import { carvelCatalog, carvelReading, linedObject, packageInFile, packageInstall } from './testing/objects.ts'

const APP = 'app.example.com'
const DB = 'db.example.com'
const GLOBAL = 'kapp-controller-packaging-global'
const RANGE = 'kapp-controller moves it to the highest version that they allow'

type Options = Parameters<typeof carvelReading>[1]

const app = (constraints?: string, more: Parameters<typeof packageInstall>[2] = {}) =>
  packageInstall('app', APP, { ...(constraints !== undefined && { selection: { constraints } }), ...more })
const requiringDb = packageInFile(APP, '1.0.0', { dependencies: [{ package: { refName: DB, version: '>=1.0.0' } }] })

/** Returns an install that was made for another one, at version 1.0.0. */
const made = (name: string, refName: string, owner: string, spec: object = {}) =>
  packageInstall(name, refName, {
    selection: { constraints: '1.0.0' },
    metadata: { annotations: { 'kapp-controller.carvel.dev/owner': `PackageInstall/${owner}`, 'krm-variants.dev/resolved': '1.0.0' } },
    spec,
  })

describe('an install', () => {
  test.each<[string, readonly string[], string | undefined, Options, readonly unknown[]]>([
    ['the version that its constraints name', ['1.0.0', '2.0.0'], '1.0.0', {}, ['1.0.0', true, true, undefined]],
    [
      'the highest version in its range',
      ['1.0.0', '1.10.0', '1.9.0'],
      '>=1.0.0',
      {},
      ['1.10.0', true, true, `has the constraints ">=1.0.0": ${RANGE}`],
    ],
    ['the highest version without constraints', ['1.0.0'], undefined, {}, ['1.0.0', true, true, `has no constraints: ${RANGE}`]],
    ['no version that is not known beside others', ['1.0.0'], '3.0.0', {}, ['', false, true, undefined]],
    ['the version that its constraints name where none is known', [], '1.0.0', {}, ['1.0.0', true, false, undefined]],
    ['the same version where every package is known', [], '1.0.0', { closed: true }, ['1.0.0', true, true, undefined]],
    ['no version of a range where none is known', [], '>=1.0.0', {}, ['', false, false, undefined]],
  ])('has %s', (_, versions, constraints, options, expected) => {
    const packages = versions.map((version) => packageInFile(APP, version))
    const { installs } = carvelReading([...packages, app(constraints)], options).index
    expect(
      installs.map(({ version, text, movable, metadataKnown, follows }) => [version?.text ?? '', text, movable, metadataKnown, follows]),
    ).toEqual([[expected[0], ...expected]])
  })

  test('has unknown requirements at a version of which a catalog has nothing but the name', () => {
    const known = (...versions: readonly unknown[]) =>
      carvelReading([app('1.0.0')], {}, carvelCatalog({ id: APP, versions })).index.installs.map(({ metadataKnown }) => metadataKnown)
    expect(known('1.0.0')).toEqual([false])
    expect(known({ version: '1.0.0', dependencies: [] })).toEqual([true])
  })

  test.each([
    ['kubernetesVersionSelection', { kubernetesVersion: '1.29.0' }, 'packaging.carvel.dev/ignore-kubernetes-version-selection'],
    [
      'kappControllerVersionSelection',
      { kappControllerVersion: '1.29.0' },
      'packaging.carvel.dev/ignore-kapp-controller-version-selection',
    ],
  ])('passes over a version whose %s leaves out the cluster, unless an annotation ignores the range', (range, options, annotation) => {
    const packages = [packageInFile(APP, '1.0.0'), packageInFile(APP, '2.0.0', { [range]: { constraints: '>=1.30.0' } })]
    const selected = (annotations: object, given: Options) =>
      carvelReading([...packages, app('>=1.0.0', { metadata: { annotations } })], given).index.installs.map(({ text }) => text)
    expect(selected({}, options)).toEqual(['1.0.0'])
    expect(selected({ [annotation]: '' }, options)).toEqual(['2.0.0'])
    expect(selected({}, {})).toEqual(['2.0.0'])
  })

  test('is one of its package, with the field of its version, which is written as it is', () => {
    const object = app('1.0.0')
    const [install] = carvelReading([packageInFile(APP, '1.0.0'), object]).index.installs
    expect(install?.place.path).toEqual(['spec', 'packageRef', 'versionSelection', 'constraints'])
    expect([install?.name, install?.object, install?.fieldFor('2.0.0')]).toEqual(['app', object, '2.0.0'])
    expect(install?.package.installs).toEqual([install])
    expect(install?.package.versions.map(({ text }) => text)).toEqual(['1.0.0'])
  })

  test('that was made for another one has an owner, which was read, or is known to be removed, or may be elsewhere', () => {
    const objects = [app('1.0.0'), made('db', DB, 'app'), made('cache', 'cache.example.com', 'gone')]
    const owners = (removedInstalls: readonly string[]) =>
      carvelReading(objects, { removedInstalls: new Set(removedInstalls) }).index.installs.map(({ generated, owner, isOwnerKnown }) => [
        generated,
        owner,
        isOwnerKnown,
      ])
    expect(owners([])).toEqual([
      [false, undefined, undefined],
      [true, 'app', true],
      [true, 'gone', false],
    ])
    expect(owners(['default/gone'])[2]).toEqual([true, 'gone', true])
  })

  test('that was made for another one is kept where people changed it', () => {
    const kept = (spec: object) => carvelReading([app('1.0.0'), made('db', DB, 'app', spec)]).index.installs[1]?.keptBecause
    expect(kept({})).toBeUndefined()
    expect(kept({ paused: true })).toBe('`spec.paused` is not as generated for PackageInstall app')
  })
})

describe('a package with requirements', () => {
  const dependents = (...objects: Parameters<typeof carvelReading>[0]) =>
    carvelReading(objects).index.dependents.map(({ id, name, requirements }) => [id, name, requirements.length])

  test('is named by refName and version, and outside of the namespace default by its namespace', () => {
    expect(dependents(requiringDb, app('1.0.0'))).toEqual([[APP, `${APP} 1.0.0`, 1]])
    expect(dependents(app('>=1.0.0'))).toEqual([[APP, APP, 0]])
    expect(dependents(app('1.0.0', { metadata: { namespace: 'eu' } }))).toEqual([[`${APP} in eu`, `${APP} in eu`, 0]])
  })

  test('is an install, and has its place at the refName', () => {
    const { dependents: found, installs } = carvelReading([requiringDb, app('1.0.0')]).index
    expect(found.map((each) => [each.install === installs[0], each.package === installs[0]?.package, each.place.path])).toEqual([
      [true, true, ['spec', 'packageRef', 'refName']],
    ])
  })
})

describe('the package index', () => {
  const index = (options: Options = {}, ...objects: Parameters<typeof carvelReading>[0]) => carvelReading(objects, options).index

  test('chooses no prerelease for a requirement without a range', () => {
    const versions = index({}, packageInFile(APP, '1.0.0'), packageInFile(APP, '2.0.0-rc.1'), app('1.0.0')).installs[0]?.package.versions
    expect(versions?.map((version) => [version.text, index().chooses(version)])).toEqual([
      ['2.0.0-rc.1', false],
      ['1.0.0', true],
    ])
  })

  test('has the dialect of the semver of kapp-controller, and the options of every ecosystem', () => {
    expect(index()).toMatchObject({ ecosystem: 'carvel', dialect: 'k14s', closed: false, unknownMissing: 'no-version-available' })
    expect(index({ carvelSemver: '2026', closed: true })).toMatchObject({ dialect: 'carvelhead', closed: true })
  })

  test('names the install of a package by refName and version, and the nearest known package of an unknown one', () => {
    const found = index({}, packageInFile(APP, '1.0.0'), app('1.0.0'))
    const [install] = found.installs
    expect(install && found.objectName(install.package, '1.0.0')).toBe(`${APP}.1.0.0`)
    expect(found.suggest('apps.example.com')).toBe(`; did you mean '${APP}'?`)
  })

  test('allows a package that is onePerCluster one install', () => {
    const reason = (installationType: string) => {
      const found = index({}, packageInFile(APP, '1.0.0', { installationType }), app('1.0.0'))
      return found.installs.map((install) => found.exclusive?.(install.package)?.reason)
    }
    expect(reason('onePerCluster')).toEqual([`${APP} is onePerCluster`])
    expect(reason('noRestrictions')).toEqual([undefined])
  })
})

describe('the kinds and objects that packages bring', () => {
  const SITE = { apiVersion: 'x.io/v1', kind: 'Site' }
  const provider = (version: string, namespace = 'default') => packageInFile(APP, version, { provides: [SITE] }, { namespace })

  test('are those of each version that provides some; those of the selected version are installed', () => {
    const { provided } = carvelReading([provider('1.0.0'), provider('2.0.0'), packageInFile(APP, '3.0.0'), app('1.0.0')])
    expect(
      provided.map(({ apiVersion, kind, by, version, installed, place }) => [apiVersion, kind, by, version, installed, place().path]),
    ).toEqual([
      ['x.io/v1', 'Site', `${APP} 1.0.0`, '1.0.0', true, ['spec', 'provides']],
      ['x.io/v1', 'Site', `${APP} 2.0.0`, '2.0.0', false, ['spec', 'provides']],
    ])
  })

  test('are for packages in the namespaces that see the version', () => {
    const requirers = ['default', 'eu'].map((namespace) => packageInstall('site', 'site.example.com', { metadata: { namespace } }))
    const found = (namespace: string) => {
      const { provided, index } = carvelReading([provider('1.0.0', namespace), ...requirers])
      const packages = [undefined, ...index.installs.map((install) => install.package)]
      return packages.map((requirer) => provided[0]?.packageFor(requirer)?.key)
    }
    expect(found('default')).toEqual([`default/${APP}`, `default/${APP}`, undefined])
    expect(found('eu')).toEqual([undefined, undefined, `eu/${APP}`])
    expect(found(GLOBAL)).toEqual([`default/${APP}`, `default/${APP}`, `eu/${APP}`])
  })

  test('are objects of the selected version that a catalog lists', () => {
    const version = (text: string) => ({ version: text, dependencies: [], brings: [{ kind: 'ConfigMap', name: `of-${text}` }] })
    const catalog = carvelCatalog({ id: APP, versions: [version('1.0.0'), version('2.0.0')] })
    const brought = (...objects: Parameters<typeof carvelReading>[0]) =>
      carvelReading(objects, {}, catalog).brought.map(({ object, by, package: id }) => [object, by, id])
    expect(brought(app('1.0.0'))).toEqual([['ConfigMap of-1.0.0', `${APP} 1.0.0`, APP]])
    expect(brought(app('3.0.0'))).toEqual([])
  })
})

describe('the findings', () => {
  const repository = linedObject(
    {
      apiVersion: 'packaging.carvel.dev/v1alpha1',
      kind: 'PackageRepository',
      metadata: { name: 'r' },
      spec: { fetch: { image: { tagSelection: { semver: { constraints: 'one' } } } } },
    },
    'r.yaml',
  )
  const single = packageInFile(DB, '1.0.0', { installationType: 'onePerCluster' })
  const override = { dependencies: { override: [{ refName: 'other.example.com' }] } }
  const annotations = { 'kapp-controller.carvel.dev/owner': 'PackageInstall/app', 'krm-variants.dev/resolved': '1.0.0' }
  const objects = [
    packageInFile('short', '1.0.0', { dependencies: 'none' }),
    single,
    packageInFile(APP, '1.0.0', { dependencies: [] }),
    packageInstall('nameless', ''),
    app('1.0.0', { spec: override }),
    packageInstall('never', APP, { selection: { constraints: '>2.0.0 <1.0.0' } }),
    packageInstall('db', DB, { selection: { constraints: '1.0.0' } }),
    packageInstall('db-edited', DB, { selection: { constraints: '>=1.0.0' }, metadata: { annotations } }),
    repository,
  ]
  const FAULTS = ['dependency-form-invalid: nameless', 'dependency-form-invalid: short.1.0.0', 'constraint-invalid: r']
  const named = (found: ReturnType<ReturnType<typeof carvelReading>['findings']>) =>
    found.map(({ rule, place }) => `${rule}: ${place.ref.name}`)

  test('are those on forms, names, selections, installation types, options and edits', () => {
    expect(named(carvelReading(objects).findings())).toEqual([
      ...FAULTS,
      'constraint-suspect: never',
      'package-name-invalid: short.1.0.0',
      'no-version-available: never',
      'installation-type: db-edited',
      'override-suspect: app',
      'generated-edited: db-edited',
    ])
  })

  test('that make requirements doubtful are those on forms, without constraints that only seem wrong', () => {
    expect(named(carvelReading(objects).faults())).toEqual(FAULTS)
  })

  test('on an override take into account which versions the namespace sees', () => {
    const author = packageInFile(APP, '1.0.0', { dependencies: [{ package: { refName: DB, version: '<2.0.0' } }] })
    const beyond = app('1.0.0', { spec: { dependencies: { override: [{ refName: DB, versionSelection: { constraints: '>=1.0.0' } }] } } })
    const found = (namespace: string) =>
      carvelReading([author, packageInFile(DB, '1.0.0'), packageInFile(DB, '2.0.0', {}, { namespace }), beyond]).findings()
    expect(found('default').map(({ rule }) => rule)).toEqual(['override-suspect'])
    expect(found('eu')).toEqual([])
  })

  test('on edits can be had alone', () => {
    expect(named(carvelReading(objects).edits?.() ?? [])).toEqual(['generated-edited: db-edited'])
  })
})

describe('a reconcile of kapp-controller', () => {
  const reconcile = (...objects: Parameters<typeof carvelReading>[0]) => carvelReading(objects).controller?.reconcile?.(NO_KINDS)
  const db = packageInstall('db', DB, { selection: { constraints: '1.0.0' } })
  const STATUS: JsonValue = [{ created: false, package: { packageInstallRef: 'db', refName: DB, version: '1.0.0' } }]
  const status = (dependencies?: JsonValue) => ({ ...(dependencies !== undefined && { status: { dependencies } }) })

  test('records what fulfils each dependency, if the status does not say so already', () => {
    const packages = [requiringDb, packageInFile(DB, '1.0.0')]
    const steps = (dependencies?: JsonValue) => reconcile(...packages, app('1.0.0', status(dependencies)), db)?.steps
    expect(steps(STATUS)).toEqual([])
    for (const before of [undefined, [], [{ created: true }]])
      expect(steps(before)).toMatchObject([
        {
          what: 'PackageInstall default/app has 1 entry in status.dependencies',
          why: 'kapp-controller records what fulfils each dependency',
          edits: [{ type: 'set', fields: [{ path: ['status', 'dependencies'], value: STATUS }] }],
        },
      ])
  })

  test('clears the status of an install without dependencies, and makes none', () => {
    const steps = (dependencies?: JsonValue) => reconcile(packageInFile(APP, '1.0.0'), app('1.0.0', status(dependencies)))?.steps
    expect(steps()).toEqual([])
    expect(steps(STATUS)).toMatchObject([
      { what: 'PackageInstall default/app has 0 entries in status.dependencies', edits: [{ fields: [{ value: [] }] }] },
    ])
  })

  test('shows each install with its version, or with the reasons why there is none', () => {
    const versions = [packageInFile(APP, '1.0.0'), packageInFile(APP, '1.1.0')]
    const shown = (...objects: Parameters<typeof carvelReading>[0]) => reconcile(...objects)?.packages
    const name = 'PackageInstall default/app'
    expect(shown(...versions, app('1.0.0'))).toEqual([{ name, at: `${APP} 1.0.0`, parts: [] }])
    expect(shown(app('>=1.0.0'))).toEqual([{ name, at: `${APP} no version`, parts: ['no Package of it is known'] }])
    expect(shown(...versions, app('>=2.0.0'))).toEqual([
      {
        name,
        at: `${APP} no version`,
        parts: [expect.stringMatching(/^PackageInstall default\/app selects no version of app\.example\.com/)],
      },
    ])
    expect(shown(...versions, app('1.0.0', { status: { lastAttemptedVersion: '1.1.0' } }))).toEqual([
      { name, at: `${APP} 1.1.0; kapp-controller stops, as 1.0.0 would be a downgrade`, parts: [] },
    ])
  })

  test('warns of a downgrade, at which kapp-controller stops', () => {
    const found = reconcile(packageInFile(APP, '1.0.0'), app('1.0.0', { status: { lastAttemptedVersion: '1.1.0' } }))?.findings
    expect(found?.map(({ rule, severity }) => [rule, severity])).toEqual([['downgrade-blocked', 'warning']])
    expect(reconcile(packageInFile(APP, '1.0.0'), app('1.0.0'))?.findings).toEqual([])
  })

  test('installs what is missing, and objects are written for the steps', () => {
    const { controller } = carvelReading([requiringDb, packageInFile(DB, '1.0.0'), app('1.0.0')])
    const policy = { upgrades: 'none', downgrades: false, prune: false } as const
    const [step] = controller?.installMissing({ policy, kinds: NO_KINDS, maxSteps: 10 }).steps ?? []
    expect(step && [step.op, step.package.id, step.version, step.name]).toEqual(['create', DB, '1.0.0', `${DB}.1.0.0`])
    expect(step && controller?.writer.create(step, undefined)).toMatchObject({
      object: { kind: 'PackageInstall', metadata: { name: `${DB}.1.0.0` } },
    })
  })
})

test.each([
  ['packaging.carvel.dev', true],
  ['data.packaging.carvel.dev', true],
  ['internal.packaging.carvel.dev', true],
  ['kappctrl.k14s.io', true],
  ['other.packaging.carvel.dev', false],
  ['packaging.carvel.dev.example.org', false],
  ['kappctrlxk14s.io', false],
])('the group %s is one of Carvel: %s', (group, own) => {
  expect(CARVEL.groups.test(group)).toBe(own)
})

test('Namespaces of the core group are read too, since an annotation of a Namespace hides global Packages', () => {
  expect([CARVEL.id, ...(CARVEL.groupsBeside ?? [])]).toEqual(['carvel', ''])
})
