import { describe, expect, test } from 'vitest'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { DIALECTS } from '../../versions/dialects.ts'
import type { PackageRequirement, Requirement } from '../package-index.ts'
import { rangeReader } from '../range.ts'
import { Collector } from '../reading/collector.ts'
import { fieldAt } from '../reading/field.ts'
import { DeclaredPackage } from './dependencies.ts'
import { isPackageInstall, readPackageInstall } from './installs.ts'
import { readCarvelPackages } from './packages.ts'
import {
  areFor,
  carvelContext,
  carvelRequirements,
  exclusiveOf,
  nameIn,
  namespaceOfInstall,
  overrideAppliesTo,
  packageNamed,
} from './requirements.ts'
import { CARVEL_OPTIONS, carvelCatalog, linedObject, packageInFile, packageInstall } from './testing/objects.ts'

const APP = 'app.example.com'
const DB = 'db.example.com'
const GLOBAL = 'kapp-controller-packaging-global'

/** Returns what is needed to read the requirements of installs among objects of Carvel and a catalog. */
function contextOf(
  objects: readonly KrmObject[],
  options: Partial<typeof CARVEL_OPTIONS> = {},
  catalog: ReturnType<typeof carvelCatalog> = [],
) {
  const all = { ...CARVEL_OPTIONS, ...options }
  const { stock } = readCarvelPackages(objects, catalog, all)
  const collector = new Collector('carvel', rangeReader(DIALECTS.k14s), [])
  const installs = objects.filter(isPackageInstall).flatMap((object) => readPackageInstall(object, collector) ?? [])
  return carvelContext({ stock, installs, objects, options: all })
}

const appIn = (namespace: string, version = '1.0.0', spec: object = {}) => packageInFile(APP, version, spec, { namespace })

describe('the Packages that a namespace sees', () => {
  const namespace = (name: string, annotations: object = {}, kind = 'Namespace') =>
    linedObject({ apiVersion: 'v1', kind, metadata: { name, annotations } }, `${name}.yaml`)
  const EXCLUDES = { 'kapp-controller.carvel.dev/exclude-global-packages': '' }
  const seen = (objects: readonly KrmObject[], at: string, options: Parameters<typeof contextOf>[1] = {}) =>
    contextOf(objects, options)
      .visible(at, APP)
      .map(({ namespace: own, version }) => `${own ?? '*'} ${version}`)
  const all = [appIn('eu', '1.0.0'), appIn('us', '2.0.0'), appIn(GLOBAL, '3.0.0'), appIn('', '4.0.0')]

  test('are its own, the global ones, and those without a namespace', () => {
    expect(seen(all, 'eu')).toEqual(['eu 1.0.0', `${GLOBAL} 3.0.0`, '* 4.0.0'])
    expect(seen(all, 'us')).toEqual(['us 2.0.0', `${GLOBAL} 3.0.0`, '* 4.0.0'])
    expect(seen(all, 'eu', { globalPackageNamespace: 'us' })).toEqual(['eu 1.0.0', 'us 2.0.0', '* 4.0.0'])
  })

  test('are not the global ones where the annotation of the Namespace excludes them', () => {
    const excluding = [...all, namespace('eu', EXCLUDES), namespace(GLOBAL, EXCLUDES), namespace('us')]
    expect(seen(excluding, 'eu')).toEqual(['eu 1.0.0', '* 4.0.0'])
    expect(seen(excluding, 'us')).toEqual(['us 2.0.0', `${GLOBAL} 3.0.0`, '* 4.0.0'])
    expect(seen(excluding, GLOBAL)).toEqual([`${GLOBAL} 3.0.0`, '* 4.0.0'])
    expect(seen([...all, namespace('eu', EXCLUDES, 'ConfigMap')], 'eu')).toHaveLength(3)
  })

  test('are of the refName alone', () => {
    const context = contextOf([appIn('eu'), packageInFile(DB, '1.0.0', {}, { namespace: 'eu' })])
    expect(context.visible('eu', DB).map(({ refName }) => refName)).toEqual([DB])
    expect(context.visible('eu', APP).map(({ refName }) => refName)).toEqual([APP])
    expect(context.visible('eu', 'other.example.com')).toEqual([])
  })

  test('are one list for all namespaces that see all of them, so that their versions are sorted once', () => {
    const context = contextOf([appIn('')])
    expect(context.visible('eu', APP)).toBe(context.visible('us', APP))
    expect(context.versions('eu', APP)).toBe(context.versions('us', APP))
  })

  // package_crd_rest.go of kapp-controller, List.
  test.each<[string, readonly KrmObject[], readonly object[], string]>([
    ['the Package of the namespace before a global one', [appIn(GLOBAL), appIn('eu')], [], 'eu'],
    ['the Package of the namespace before a global one that comes later', [appIn('eu'), appIn(GLOBAL)], [], 'eu'],
    ['a global Package before one without a namespace', [appIn(''), appIn(GLOBAL)], [], GLOBAL],
    ['a global Package before an entry without a namespace', [appIn(GLOBAL)], [{ id: APP, versions: [{ version: '1.0.0' }] }], GLOBAL],
    [
      'an entry of the namespace before a global Package',
      [appIn(GLOBAL)],
      [{ id: APP, namespace: 'eu', versions: [{ version: '1.0.0' }] }],
      'eu',
    ],
    ['any Package before the bare name of a version', [appIn(GLOBAL)], [{ id: APP, namespace: 'eu', versions: ['1.0.0'] }], GLOBAL],
    [
      'an entry with content before the bare name of a version',
      [],
      [
        { id: APP, namespace: 'eu', versions: ['1.0.0'] },
        { id: APP, versions: [{ version: '1.0.0' }] },
      ],
      '*',
    ],
  ])('are one of each version: %s', (_, objects, entries, expected) => {
    const found = contextOf([...objects, appIn('eu', '2.0.0')], {}, carvelCatalog(...entries)).visible('eu', APP)
    expect(found.filter(({ version }) => version === '1.0.0').map(({ namespace: own }) => own ?? '*')).toEqual([expected])
    expect(found).toHaveLength(2)
  })
})

test('versions are those that the namespace sees, the highest first', () => {
  const context = contextOf([appIn('eu', '1.9.0'), appIn('eu', '1.10.0'), appIn('us', '2.0.0')])
  expect(context.versions('eu', APP).map(({ text }) => text)).toEqual(['1.10.0', '1.9.0'])
})

test('the install of a package is the only one in the namespace', () => {
  const installed = (name: string, namespace: string) => packageInstall(name, APP, { metadata: { namespace } })
  const context = contextOf([installed('a', 'eu'), installed('b', 'us'), installed('c', 'us')])
  expect(context.installOf('eu', APP)?.name).toBe('a')
  expect([context.installOf('us', APP), context.installOf('default', APP), context.installOf('eu', DB)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('the nearest refName of an unknown one is that of a known Package', () => {
  expect(contextOf([appIn('eu')]).suggest('apps.example.com')).toBe(`; did you mean '${APP}'?`)
  expect(contextOf([]).suggest('apps.example.com')).toBe('')
})

describe('a package in a namespace', () => {
  test('is one, whoever asks for it', () => {
    const context = contextOf([appIn('eu')])
    const found = packageNamed('eu', APP, context)
    expect(packageNamed('eu', APP, context)).toBe(found)
    expect(packageNamed('us', APP, context)).not.toBe(found)
    expect([found.key, found.id, found.name, found.scope]).toEqual([`eu/${APP}`, APP, `${APP} in eu`, 'eu'])
  })

  test('has the versions that run on the cluster', () => {
    const objects = [
      appIn('eu', '1.0.0'),
      appIn('eu', '2.0.0', { kubernetesVersionSelection: { constraints: '>=1.30.0' } }),
      appIn('eu', '3.0.0', { kappControllerVersionSelection: { constraints: '>=0.50.0' } }),
    ]
    const versions = (options: Parameters<typeof contextOf>[1]) =>
      packageNamed('eu', APP, contextOf(objects, options)).versions.map(({ text }) => text)
    expect(versions({})).toEqual(['3.0.0', '2.0.0', '1.0.0'])
    expect(versions({ kubernetesVersion: '1.29.0' })).toEqual(['3.0.0', '1.0.0'])
    expect(versions({ kappControllerVersion: '0.49.0' })).toEqual(['2.0.0', '1.0.0'])
    expect(versions({ kubernetesVersion: '1.30.0', kappControllerVersion: '0.50.0' })).toEqual(['3.0.0', '2.0.0', '1.0.0'])
  })

  test('has the requirements of each version, as its only install there asks for them', () => {
    const needs = (version: string) => ({ dependencies: [{ package: { refName: DB, version } }] })
    const packages = [appIn('eu', '1.0.0', needs('>=1.0.0')), appIn('eu', '2.0.0', needs('>=2.0.0'))]
    const checking = (name: string) =>
      packageInstall(name, APP, { metadata: { namespace: 'eu' }, spec: { dependencies: { install: false } } })
    const ranges = (...installs: readonly KrmObject[]) =>
      packageNamed('eu', APP, contextOf([...packages, ...installs])).known.map(({ requirements }) =>
        requirements?.map((each) => each.type === 'package' && [each.range?.text, each.validateOnly]),
      )
    expect(ranges()).toEqual([[['>=2.0.0', false]], [['>=1.0.0', false]]])
    expect(ranges(checking('a'))).toEqual([[['>=2.0.0', true]], [['>=1.0.0', true]]])
    expect(ranges(checking('a'), checking('b'))).toEqual([[['>=2.0.0', false]], [['>=1.0.0', false]]])
    expect(packageNamed('eu', APP, contextOf(packages)).requirementsAt('3.0.0')).toBeUndefined()
  })
})

test('the name of a package has its namespace, but for the namespace default', () => {
  expect([nameIn('default', APP), nameIn('eu', APP)]).toEqual([APP, `${APP} in eu`])
})

test('the namespace of a package is its scope, and default for a package of another ecosystem', () => {
  const { scope: _, ...other } = packageNamed('eu', APP, contextOf([]))
  expect([namespaceOfInstall(packageNamed('eu', APP, contextOf([]))), namespaceOfInstall(other), namespaceOfInstall(undefined)]).toEqual([
    'eu',
    'default',
    'default',
  ])
})

describe('a package that may be installed once', () => {
  const exclusive = (...types: readonly string[]) => {
    const context = contextOf(types.map((installationType, i) => appIn('eu', `${i + 1}.0.0`, { installationType })))
    const pkg = packageNamed('eu', APP, context)
    const found = exclusiveOf(pkg, context)
    return found && [found.reason, pkg.versions.filter((version) => found.applies(version)).map(({ text }) => text)]
  }

  test('is onePerCluster in every version, or in some', () => {
    expect(exclusive('onePerCluster', 'onePerCluster')).toEqual([`${APP} is onePerCluster`, ['2.0.0', '1.0.0']])
    expect(exclusive('onePerCluster', 'noRestrictions', 'onePerCluster')).toEqual([
      `${APP} is onePerCluster in 1.0.0 and 3.0.0`,
      ['3.0.0', '1.0.0'],
    ])
  })

  test('is no package of another type', () => {
    expect([exclusive(), exclusive('noRestrictions'), exclusive('onePerNamespace'), exclusive('')]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('the requirements of a Package', () => {
  /** Returns the requirements on packages and kinds of the only install of a Package. `options` is `spec.dependencies` of the install. */
  function requirements(dependencies: readonly object[], options: object = {}): readonly Requirement[] {
    const install = packageInstall('app', APP, { spec: { dependencies: options } })
    const context = contextOf([appIn('default', '1.0.0', { dependencies }), packageInFile(DB, '2.0.0-rc.1'), install])
    const read = context.installOf('default', APP)
    return (read && carvelRequirements(context.visible('default', APP)[0], read, context)) ?? []
  }

  const onPackages = (...given: Parameters<typeof requirements>): readonly PackageRequirement[] =>
    requirements(...given).filter((each) => each.type === 'package')
  const needs = (version?: string, more: object = {}) => ({ package: { refName: DB, ...(version !== undefined && { version }) }, ...more })
  const override = (name: string, constraints?: string, more: object = {}) => ({
    refName: name,
    ...(constraints !== undefined && { versionSelection: { constraints } }),
    ...more,
  })

  test('are on packages in the namespace of the install, each with its range, and with the field of the range', () => {
    const found = onPackages([needs('>=1.0.0', { optional: true, alias: 'store' }), needs()])
    expect(
      found.map((each) => [each.package.key, each.range?.text, each.optional, each.validateOnly, each.alias, each.place.path]),
    ).toEqual([
      [`default/${DB}`, '>=1.0.0', true, false, 'store', ['spec', 'dependencies', 0, 'package', 'version']],
      [`default/${DB}`, undefined, false, false, undefined, ['spec', 'dependencies', 1]],
    ])
  })

  test('are on kinds, and on one of several alternatives', () => {
    const gvk = { apiVersion: 'x.io/v1', kind: 'Site' }
    expect(
      requirements([{ gvk, optional: true }, { or: [needs('>=1.0.0'), { or: [{ gvk }] }] }, { or: [{ gvk }], optional: true }]),
    ).toMatchObject([
      { type: 'gvk', wanted: gvk, optional: true, place: { path: ['spec', 'dependencies', 0] } },
      {
        type: 'alternatives',
        optional: false,
        place: { path: ['spec', 'dependencies', 1] },
        alternatives: [
          { type: 'package', range: { text: '>=1.0.0' } },
          { type: 'alternatives', alternatives: [{ type: 'gvk' }] },
        ],
      },
      { type: 'alternatives', optional: true },
    ])
  })

  test('are unknown of a Package that is not known', () => {
    expect(carvelRequirements(undefined, { namespace: 'default', overrides: [], validateOnly: false }, contextOf([]))).toBeUndefined()
  })

  test.each<[string, object, string | undefined]>([
    ['its refName', override(DB, '<2.0.0'), '<2.0.0'],
    ['its name in the list', override('store', '<2.0.0'), '<2.0.0'],
    ['another refName', override('other.example.com', '<2.0.0'), '>=1.0.0'],
    ['its refName, without constraints', override(DB), '>=1.0.0'],
  ])('have the range of an override that names %s', (_, given, range) => {
    const found = onPackages([needs('>=1.0.0', { alias: 'store' })], { override: [override('first.example.com', '1.0.0'), given] })
    expect(found.map((each) => each.range?.text)).toEqual([range])
  })

  test('have the range of the first of two overrides', () => {
    const found = onPackages([needs('>=1.0.0')], { override: [override(DB, '<2.0.0'), override(DB, '<3.0.0')] })
    expect(found.map((each) => each.range?.text)).toEqual(['<2.0.0'])
  })

  test('have their place where the range is written: in the override, or in the Package', () => {
    const placeOf = (given: object) =>
      onPackages([needs('>=1.0.0')], { override: [given] }).map(({ place }) => [place.ref.kind, place.path])
    expect(placeOf(override(DB, '<2.0.0'))).toEqual([
      ['PackageInstall', ['spec', 'dependencies', 'override', 0, 'versionSelection', 'constraints']],
    ])
    expect(placeOf(override(DB))).toEqual([['Package', ['spec', 'dependencies', 0, 'package', 'version']]])
  })

  test.each<[object, boolean]>([
    [{}, false],
    [{ install: false }, true],
    [{ override: [override(DB, undefined, { install: false })] }, true],
    [{ install: false, override: [override(DB, undefined, { install: true })] }, false],
    [{ install: false, override: [override(DB)] }, true],
  ])('with the options %o install nothing: %s', (options, validateOnly) => {
    expect(onPackages([needs()], options).map((each) => each.validateOnly)).toEqual([validateOnly])
  })

  const selection = (constraints: string, more: object = {}) => ({
    packageRef: { refName: DB, versionSelection: { constraints, ...more } },
  })
  test.each<[string, object, object, boolean]>([
    ['none', selection('>=1.0.0'), {}, false],
    ['those that the author admits', selection('>=1.0.0', { prereleases: {} }), {}, true],
    ['those that the override admits', selection('>=1.0.0'), override(DB, undefined, { versionSelection: { prereleases: {} } }), true],
    [
      'those of the author without one that the override admits',
      selection('>=1.0.0', { prereleases: {} }),
      override(DB, undefined, { versionSelection: { prereleases: { identifiers: ['beta'] } } }),
      false,
    ],
    ['the one that is named exactly', selection('2.0.0-rc.1'), {}, true],
    ['the one that the override names exactly', selection('>=1.0.0'), override(DB, '2.0.0-rc.1'), true],
  ])('select of all prereleases %s', (_, dependency, given, selects) => {
    const found = onPackages([dependency], 'refName' in given ? { override: [given] } : {})
    const [known] = found.map((each) => each.package.versions[0])
    expect(known?.text).toBe('2.0.0-rc.1')
    expect(known && found.map((each) => [each.range?.accepts(known), each.range?.selects(known)])).toEqual([[true, selects]])
  })
})

test.each([
  [{ alias: '', refName: DB }, { refName: DB, alias: undefined }, true],
  [{ alias: '', refName: DB }, { refName: DB, alias: 'store' }, true],
  [{ alias: '', refName: DB }, { refName: APP, alias: undefined }, false],
  [{ alias: 'store', refName: '' }, { refName: DB, alias: 'store' }, true],
  [{ alias: 'store', refName: DB }, { refName: DB, alias: undefined }, false],
  [{ alias: 'store', refName: DB }, { refName: DB, alias: 'other' }, false],
])('values for %o are for the dependency %o: %s', (values, dependency, expected) => {
  expect(areFor(values, dependency)).toBe(expected)
})

test.each([
  [DB, undefined, true],
  ['main', 'main', true],
  ['main', undefined, false],
  ['cache', 'main', false],
  [APP, 'main', false],
])('an override of the name %s applies to the db with the alias %s: %s', (name, alias, expected) => {
  const field = fieldAt(packageInFile(APP, '1.0.0'), ['spec'])
  const override = { name, constraints: undefined, prereleases: undefined, install: undefined, field }
  const fields = { refName: DB, constraint: undefined, prereleases: undefined, alias, optional: false, field }
  expect(overrideAppliesTo(override, new DeclaredPackage(fields))).toBe(expected)
})
