import { describe, expect, test } from 'vitest'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { NO_KINDS } from '../reading/served-kinds.ts'
import { GLASSKUBE } from './glasskube.ts'
import { glasskubeInstall, glasskubeObject, glasskubeReading } from './testing/objects.ts'

const known = (id: string, ...versions: readonly unknown[]) => ({ id, versions })
const at = (version: string, fields: object = { dependencies: [] }) => ({ version, ...fields })
const info = (name: string, manifest: object, spec: object = { name, version: 'v1.0.0' }) =>
  glasskubeObject('PackageInfo', name, {}, { spec, status: { manifest } })

describe('an install', () => {
  const OPERATOR = "has no version: Glasskube's operator moves it to the latest version"

  test.each<[string, string, readonly unknown[], readonly unknown[]]>([
    ['the version that it is pinned to', 'v1.0.0', [at('v1.0.0'), at('v2.0.0')], ['v1.0.0', 'v1.0.0', true, true, undefined]],
    ['the latest version, if it has none', '', [at('v1.0.0'), at('v2.0.0')], ['v2.0.0', 'v2.0.0', true, true, OPERATOR]],
    ['no version, if it has none and none is known', '', [], [undefined, '', false, false, OPERATOR]],
    ['a text that is no version', 'stable', [at('v1.0.0')], [undefined, 'stable', false, false, undefined]],
    ['a version whose requirements a catalog leaves out', 'v1.0.0', [at('v1.0.0', {})], ['v1.0.0', 'v1.0.0', true, false, undefined]],
    ['a version of which only the name is known', 'v1.0.0', ['v1.0.0'], ['v1.0.0', 'v1.0.0', true, false, undefined]],
  ])('has %s', (_, version, versions, expected) => {
    const { installs } = glasskubeReading([glasskubeInstall('app', version)], [known('app', ...versions)]).index
    expect(installs.map((each) => [each.version?.text, each.text, each.movable, each.metadataKnown, each.follows])).toEqual([expected])
  })

  test('is an object with a version field, which is written as it is', () => {
    const object = glasskubeInstall('app', 'v1.0.0')
    const [install] = glasskubeReading([object]).index.installs
    expect([install?.name, install?.object, install?.fieldFor('v2.0.0'), install?.generated]).toEqual(['app', object, 'v2.0.0', false])
    expect(install?.place.path).toEqual(['spec', 'packageInfo', 'version'])
    expect(install?.package.installs).toEqual([install])
  })

  test('that was made for another package stays where a person set more than the operator does', () => {
    const annotations = { 'packages.glasskube.dev/installed-as-dependency': 'true' }
    const made = (parts: Parameters<typeof glasskubeInstall>[2]) => {
      const [install] = glasskubeReading([glasskubeInstall('app', 'v1.0.0', { annotations, ...parts })]).index.installs
      return [install?.generated, install?.keptBecause]
    }
    expect(made({})).toEqual([true, undefined])
    expect(made({ spec: { values: {} } })).toEqual([true, 'a person may have set `spec.values`'])
    expect(made({ info: { channel: 'edge' } })).toEqual([true, 'a person may have set `spec.packageInfo.channel`'])
  })
})

describe('a package with requirements', () => {
  test('is named by its manifest and version, and has its place at the version', () => {
    const { dependents, installs } = glasskubeReading(
      [glasskubeInstall('app', 'v1.0.0'), glasskubeInstall('web', '')],
      [known('app', at('v1.0.0', { dependencies: [{ name: 'db' }] }))],
    ).index
    expect(dependents.map(({ id, name, requirements, place }) => [id, name, requirements.length, place.path])).toEqual([
      ['app', 'app v1.0.0', 1, ['spec', 'packageInfo', 'version']],
      ['web', 'web', 0, ['spec', 'packageInfo', 'version']],
    ])
    expect(dependents.map((each) => [each.install, each.package])).toEqual(installs.map((each) => [each, each.package]))
  })

  /** Returns the components that the last of some installs requires: the keys of their packages, or the rule that refuses one. */
  function componentsOf(objects: readonly KrmObject[], entries: readonly object[]) {
    const requirements = glasskubeReading(objects, entries).index.dependents.at(-1)?.requirements
    return requirements?.map((each) => (each.type === 'package' ? each.package.key : each.type === 'platform' ? each.rule : each.type))
  }

  const containing = (id: string, components: readonly object[]) =>
    known(id, at('v1.0.0', { scope: 'Namespaced', defaultNamespace: 'apps', dependencies: [], components }))
  const inApps = (name: string, manifest: string) => glasskubeInstall(name, 'v1.0.0', { namespace: 'apps', manifest })
  const SHOP = containing('shop', [{ name: 'db' }, { name: 'cache', installedName: 'fast' }])
  const back = (id: string) => containing(id, [{ name: 'shop' }])

  test.each<[string, readonly KrmObject[], readonly string[]]>([
    ['a component of a ClusterPackage', [glasskubeInstall('shop', 'v1.0.0'), inApps('shop-db', 'db')], ['dependency-cycle']],
    ['a component of a Package', [inApps('my-shop', 'shop'), inApps('my-shop-db', 'db')], ['dependency-cycle']],
    ['a component under another name', [inApps('shop', 'shop'), inApps('shop-fast', 'cache')], ['dependency-cycle']],
    ['another name than that of the component', [inApps('shop', 'shop'), inApps('shop-cache', 'cache')], ['apps/shop-cache-shop']],
    ['another manifest under the name of a component', [inApps('shop', 'shop'), inApps('shop-db', 'cache')], ['apps/shop-db-shop']],
    ['a package without an outer one', [inApps('shop-db', 'db')], ['apps/shop-db-shop']],
    [
      'a package in another namespace than the outer one',
      [glasskubeInstall('shop', 'v1.0.0', { namespace: 'eu' }), inApps('shop-db', 'db')],
      ['apps/shop-db-shop'],
    ],
    [
      'a ClusterPackage of that name',
      [glasskubeInstall('shop', 'v1.0.0'), glasskubeInstall('shop-db', 'v1.0.0', { manifest: 'db' })],
      ['apps/db-shop'],
    ],
  ])('that is %s requires its components as such', (_, objects, expected) => {
    expect(componentsOf(objects, [SHOP, back('db'), back('cache')])).toEqual(expected)
  })

  test('is within every package of which its outer one is a component', () => {
    const entries = [containing('shop', [{ name: 'db' }]), containing('db', [{ name: 'disk' }]), back('disk')]
    const objects = [inApps('shop', 'shop'), inApps('shop-db', 'db'), inApps('shop-db-disk', 'disk')]
    expect(componentsOf(objects, entries)).toEqual(['dependency-cycle'])
    expect(componentsOf(objects.slice(1), entries)).toEqual(['apps/shop-db-disk-shop'])
  })
})

describe('the package index', () => {
  test('has the rules of Glasskube for versions, and the options of every ecosystem', () => {
    const versions = [at('v1.0.0'), at('v1.0.0+2'), at('v1.0.0+10'), at('v2.0.0-rc.1')]
    const { index } = glasskubeReading([glasskubeInstall('app', 'v1.0.0')], [known('app', ...versions)])
    expect(index).toMatchObject({ ecosystem: 'glasskube', dialect: 'm331', closed: true, unknownMissing: 'dependency-missing' })
    const found = index.installs[0]?.package.versions ?? []
    expect(found.map(({ text }) => text)).toEqual(['v2.0.0-rc.1', 'v1.0.0+10', 'v1.0.0+2', 'v1.0.0'])
    expect(found.map(index.chooses)).toEqual([true, true, true, true])
    expect(found.toSorted(index.compare)).toEqual(found.toReversed())
    expect(glasskubeReading([], [], false).index.closed).toBe(false)
  })

  test('names the object of a package by its instance', () => {
    const { index } = glasskubeReading([
      glasskubeInstall('app', 'v1.0.0'),
      glasskubeInstall('till', 'v1.0.0', { namespace: 'eu', manifest: 'shop' }),
    ])
    expect(index.installs.map((each) => index.objectName(each.package, 'v1.0.0'))).toEqual(['app', 'till'])
  })

  test('knows the latest version of the repository of an install, or none', () => {
    const entry = (repository: string, latest: string) => ({ ...known('app', at('v1.0.0'), at('v2.0.0')), repository, latest })
    const { index } = glasskubeReading(
      [glasskubeInstall('app', 'v1.0.0', { info: { repositoryName: 'two' } }), glasskubeInstall('web', 'v1.0.0')],
      [entry('one', 'v2.0.0'), entry('two', 'v1.0.0')],
    )
    expect(index.installs.map((each) => index.latest?.(each))).toEqual(['v1.0.0', undefined])
  })

  test('suggests the name of a known manifest or of an installed one', () => {
    const { index } = glasskubeReading([glasskubeInstall('till', 'v1.0.0', { manifest: 'postgres' })], [known('keycloak', at('v1.0.0'))])
    expect([index.suggest('keycloack'), index.suggest('postgress'), index.suggest('other')]).toEqual([
      "; did you mean 'keycloak'?",
      "; did you mean 'postgres'?",
      '',
    ])
  })
})

describe('the findings', () => {
  const AMBIGUOUS = ['one', 'two'].map((repository) => ({ ...known('db', at('v1.0.0')), repository }))
  const objects = [
    glasskubeInstall('app', 'v1.0.0', { info: { chanel: 'edge' } }),
    glasskubeInstall('second', 'v1.0.0', { manifest: 'app' }),
    info(
      'app--v1.0.0',
      { scope: 'Namespaced', defaultNamespace: 'apps', dependencies: [{ name: 'db', version: 'one' }] },
      { name: 'app', version: 'v1.0.0' },
    ),
    glasskubeObject('PackageInfo', 'app--v1.0.0', {}, { spec: { name: 'app', version: 'v9.0.0' } }),
    glasskubeInstall('self', 'v1.0.0'),
    glasskubeInstall('web', ''),
  ]
  const entries = [
    ...AMBIGUOUS,
    known(
      'self',
      at('v1.0.0', {
        defaultNamespace: 'apps',
        dependencies: [{ name: 'web', version: '>2.0.0, <1.0.0' }],
        components: [{ name: 'self' }],
      }),
    ),
    known('web', at('v1.0.0')),
  ]
  const named = (found: ReturnType<ReturnType<typeof glasskubeReading>['findings']>) =>
    found.map(({ rule, place }) => `${rule}: ${place.ref.name}`)
  const FAULTS = ['dependency-form-invalid: app', 'constraint-invalid: app--v1.0.0']

  test('are those on forms, instances, PackageInfos, scopes, components, pinning and repositories', () => {
    expect(named(glasskubeReading(objects, entries).findings())).toEqual([
      ...FAULTS,
      'constraint-suspect: known',
      'duplicate-package: second',
      'package-conflicting: app--v1.0.0',
      'scope-mismatch: app',
      'scope-mismatch: second',
      'dependency-cycle: known',
      'auto-update-unpinned: web',
      'repository-ambiguous: app--v1.0.0',
      'repository-ambiguous: app--v1.0.0',
    ])
  })

  test('that make requirements doubtful are those on forms and on instances, without constraints that only seem wrong', () => {
    expect(named(glasskubeReading(objects, entries).faults())).toEqual([...FAULTS, 'duplicate-package: second'])
  })

  test('name the package with a component that contains itself, and the component', () => {
    const found = glasskubeReading([glasskubeInstall('self', 'v1.0.0')], entries).findings()
    expect(found.filter(({ rule }) => rule === 'dependency-cycle')).toMatchObject([
      {
        message: 'self v1.0.0 requires a component that contains itself: self -> self',
        tags: { ecosystem: 'glasskube', package: 'self' },
      },
    ])
  })

  const messages = (...given: Parameters<typeof glasskubeReading>) =>
    glasskubeReading(...given)
      .findings()
      .map(({ rule, message, tags }) => [rule, message, tags.package, tags.dependency])

  test('on the packageInfo of an install name misspelt keys and texts that are none', () => {
    expect(messages([glasskubeObject('ClusterPackage', 'app', {}, { spec: { packageinfo: {} } })])).toEqual([
      ['dependency-form-invalid', "`spec.packageinfo` is not a field of spec; did you mean 'packageInfo'?", undefined, undefined],
    ])
    const info = (value: object) =>
      messages([glasskubeObject('ClusterPackage', 'app', {}, { spec: { packageInfo: value } })]).map(([, message]) => message)
    expect(info({ name: ['app'], version: {} })).toEqual([
      '`spec.packageInfo.name` must be a string, got a map or a list',
      '`spec.packageInfo.version` must be a string, got a map or a list',
    ])
    expect(info({ name: 'app', version: 'v1', repositoryName: 'r' })).toEqual([])
  })

  test.each([{}, { spec: {} }, { spec: { suspend: true } }])('report an install without a packageInfo: %o', (rest) => {
    const found = messages([glasskubeObject('ClusterPackage', 'app', {}, rest)])
    expect(found).toEqual([['dependency-form-invalid', '`spec.packageInfo` must be set', undefined, undefined]])
  })

  test('on a manifest are those on dependencies and components, whether or not it is installed', () => {
    const listed = (fields: object) => messages([], [known('app', at('v1.0.0', fields))])
    expect(listed({ dependencies: [{ version: '>=1.0.0' }], components: [{ name: 'db', version: 'one' }] })).toEqual([
      ['dependency-form-invalid', '`spec.packages[0].versions[0].dependencies[0].name` must be set', undefined, undefined],
      ['constraint-invalid', expect.stringContaining('"one" is no version constraint of Glasskube'), 'app', 'db'],
    ])
    expect(listed({ dependencies: [{ name: 'db', version: '' }, { name: 'db' }] })).toEqual([])
    expect(listed({ dependencies: [{ name: 'db', version: 5 }] })).toEqual([
      ['dependency-form-invalid', expect.stringContaining('must be a string, got 5'), undefined, undefined],
    ])
  })

  test('on a constraint take into account which versions are known', () => {
    const entries = [known('app', at('v1.0.0', { dependencies: [{ name: 'db', version: '>=1.0.0' }] })), known('db', at('v1.0.0-rc.1'))]
    expect(messages([], entries)).toEqual([
      ['constraint-suspect', expect.stringContaining('only prereleases match, such as v1.0.0-rc.1'), 'app', 'db'],
    ])
  })

  test('on a PackageInfo without dependencies are misspelt keys', () => {
    const misspelt = [['dependency-form-invalid', expect.stringContaining("did you mean 'dependencies'?"), undefined, undefined]]
    expect(messages([info('app', { dependancies: [] })])).toEqual(misspelt)
    expect(messages([info('app', { dependancies: [], dependencies: [] })])).toEqual([])
  })

  test('on a package in several repositories are made for one that is missing', () => {
    const requiring = known('app', at('v1.0.0', { dependencies: [{ name: 'db' }] }))
    const rules = (...installs: readonly KrmObject[]) => messages(installs, [...AMBIGUOUS, requiring]).map(([rule]) => rule)
    expect(rules(glasskubeInstall('app', 'v1.0.0'))).toEqual(['repository-ambiguous'])
    expect(rules(glasskubeInstall('app', 'v1.0.0'), glasskubeInstall('db', 'v1.0.0'))).toEqual([])
    expect(rules()).toEqual([])
  })
})

describe('the kinds and objects that packages bring', () => {
  const SITE = { apiVersion: 'x.io/v1', kind: 'Site' }
  const fields = { dependencies: [], provides: [SITE], brings: [{ kind: 'ConfigMap', name: 'c' }] }
  const { provided, brought } = glasskubeReading(
    [glasskubeInstall('app', 'v1.0.0')],
    [known('app', at('v1.0.0', fields), at('v2.0.0', fields), 'v3.0.0')],
  )

  test('are the kinds of every known version, which only the installed version serves', () => {
    expect(
      provided.map(({ apiVersion, kind, by, version, installed, packageFor }) => [
        apiVersion,
        kind,
        by,
        version,
        installed,
        packageFor(undefined)?.key,
      ]),
    ).toEqual([
      ['x.io/v1', 'Site', 'app', 'v1.0.0', true, 'app'],
      ['x.io/v1', 'Site', 'app', 'v2.0.0', false, 'app'],
    ])
    expect(provided[0]?.place().path).toEqual(['spec', 'packages', 0, 'versions', 0, 'provides', 0])
  })

  test('are the objects of the installed version', () => {
    expect(brought.map(({ object, by, package: id }) => [object, by, id])).toEqual([['ConfigMap c', 'app v1.0.0', 'app']])
  })
})

describe('the controller', () => {
  const app = glasskubeInstall('app', 'v1.0.0')
  const entries = [known('app', at('v1.0.0', { dependencies: [{ name: 'db' }] })), known('db', at('v1.0.0'))]

  test('makes a PackageInfo of the latest version', () => {
    const { controller } = glasskubeReading([glasskubeInstall('db', '')], entries)
    expect(controller?.reconcile?.(NO_KINDS).steps.map(({ what }) => what)).toEqual(['PackageInfo db--v1.0.0 is made'])
  })

  test('installs what is missing, and objects are written for the steps', () => {
    const { controller } = glasskubeReading([app], entries)
    const policy = { upgrades: 'none', downgrades: false, prune: false } as const
    const [step] = controller?.installMissing({ policy, kinds: NO_KINDS, maxSteps: 10 }).steps ?? []
    expect(step && [step.op, step.package.id, step.version]).toEqual(['create', 'db', 'v1.0.0'])
    expect(step && controller?.writer.create(step, undefined)).toMatchObject({
      object: { kind: 'ClusterPackage', metadata: { name: 'db' } },
    })
  })

  test('refuses a change after which packages are in conflict, judged from before', () => {
    const refusal = (before: readonly KrmObject[], after: readonly KrmObject[]) =>
      glasskubeReading(after, entries).controller?.refusal?.(glasskubeReading(before, entries).index)
    expect(refusal([], [app])).toBeUndefined()
    expect(refusal([app, glasskubeInstall('db', 'v1.0.0')], [app])).toContain('app v1.0.0 requires db')
  })
})

test.each([
  ['packages.glasskube.dev', true],
  ['other.packages.glasskube.dev', false],
  ['packages.glasskube.dev.example.org', false],
  ['packagesxglasskube.dev', false],
])('the group %s is that of Glasskube: %s', (group, own) => {
  expect([GLASSKUBE.id, GLASSKUBE.groups.test(group)]).toEqual(['glasskube', own])
})
