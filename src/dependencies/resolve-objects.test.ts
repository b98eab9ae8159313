import { describe, expect, test } from 'vitest'
import { readInput } from '../../testdata/conformance-runner/dependencies/plans.ts'
import type { JsonRecord } from '../json.ts'
import { appliedObjects } from '../resource-list/applied-objects.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { ResourceList } from '../resource-list/resource-list.ts'
import { objectOf, packageObject } from './crossplane/testing/objects.ts'
import type { Finding } from './finding.ts'
import { install, packageOfCarvel, REQUIRES } from './plan/testing/carvel-plans.ts'
import type { ObjectEdit } from './reading/ecosystem.ts'
import {
  applyEdits,
  canUpdate,
  describeRemovals,
  describeResolved,
  doubtsAbout,
  holdsPackages,
  planObjects,
  type ResolveOptions,
  reconcileObjects,
  removedSince,
  resolveObjects,
} from './resolve-objects.ts'

const OPTIONS: ResolveOptions = { strategy: 'satisfy', upgrades: 'none', downgrades: false, prune: false, maxSteps: 10_000 }

const resolved = (objects: readonly object[], options: Partial<ResolveOptions> = {}) =>
  resolveObjects(readInput(objects), { ...OPTIONS, ...options })
const rulesOf = (findings: readonly Finding[]) =>
  findings.map(({ rule, severity }) => (severity === undefined ? rule : `${rule} (${severity})`))

const requires = (name: string, ...required: readonly string[]) => [packageOfCarvel(name, '1.0.0', ...required), install(name, '1.0.0')]
/** A part that cannot be resolved, and one that can. */
const HALF = [...REQUIRES('>=4.0.0'), ...requires('y', 'x >=1.0.0'), packageOfCarvel('x', '1.0.0')]
const INVALID = packageOfCarvel('q', '1.0.0', 'r >>1')

test.each([
  ['packaging.carvel.dev/v1alpha1', true],
  ['pkg.crossplane.io/v1', true],
  ['packages.glasskube.dev/v1alpha1', true],
  ['kpt.dev/v1', false],
  ['v1', false],
  [undefined, false],
])('an object of %s is of a group of packages: %s', (apiVersion, expected) => {
  expect(holdsPackages([{ apiVersion: 'v1' }, { apiVersion }])).toBe(expected)
})

describe('what is resolved', () => {
  test('has the edits of the plan, and no findings and faults if all is well', () => {
    const { edits, findings, faults } = resolved(REQUIRES('>=1.0.0'))
    expect([edits.map(({ type }) => type), findings, faults]).toEqual([['add'], [], []])
  })

  test('has no edits while a form or constraint is wrong, only the finding; a constraint that is only suspect does not count', () => {
    expect(resolved([...REQUIRES('>=1.0.0'), INVALID])).toMatchObject({ edits: [], findings: [{ rule: 'constraint-invalid' }], faults: [] })
    expect(rulesOf(doubtsAbout(readInput([INVALID])))).toEqual(['constraint-invalid'])
    expect(doubtsAbout(readInput([packageOfCarvel('q', '1.0.0', 'r >2.0.0 <1.0.0')]))).toEqual([])
  })

  test('has edits although a form is warned of', () => {
    const both = [{ configuration: 'r.io/a', provider: 'r.io/b', version: '>=v1' }]
    const metadata = { apiVersion: 'meta.pkg.crossplane.io/v1', kind: 'Configuration', metadata: { name: 'c' }, spec: { dependsOn: both } }
    expect(doubtsAbout(readInput([metadata]))).toEqual([])
    expect(resolved([...REQUIRES('>=1.0.0'), metadata], { partial: true }).edits.map(({ type }) => type)).toEqual(['add'])
  })

  test('a package that two objects install is doubtful', () => {
    const twice = ['a', 'b'].map((name) => ({
      apiVersion: 'pkg.crossplane.io/v1',
      kind: 'Provider',
      metadata: { name },
      spec: { package: 'xpkg.example.org/acme/helm:v1.0.0' },
    }))
    expect(rulesOf(doubtsAbout(readInput(twice)))).toContain('duplicate-package')
  })

  test('has no edits if a part fails, and the other steps as findings', () => {
    const { edits, findings } = resolved(HALF)
    expect([edits, rulesOf(findings)]).toEqual([[], ['unresolvable', 'resolution']])
    expect(findings[1]?.message).toContain('x.example.com 1.0.0 would be installed')
  })

  test('has the edits of the other parts with `partial`, and the failure as a warning', () => {
    const { edits, findings } = resolved(HALF, { partial: true })
    expect([edits.map(({ type }) => type), rulesOf(findings)]).toEqual([['add'], ['unresolvable (warning)']])
  })

  test('names a cycle that the steps would close', () => {
    const objects = [...requires('a', 'b >=1.0.0'), packageOfCarvel('b', '1.0.0', 'a >=1.0.0')]
    expect(rulesOf(resolved(objects).findings)).toEqual(['dependency-cycle'])
  })

  test('names an object whose name is taken, without edits', () => {
    const taken = {
      apiVersion: 'packaging.carvel.dev/v1alpha1',
      kind: 'PackageInstall',
      metadata: { name: 'b.example.com.3.0.0', namespace: 'default' },
    }
    const other = { ...taken, spec: { packageRef: { refName: 'z.example.com', versionSelection: { constraints: '1.0.0' } } } }
    const { edits, findings } = resolved([...REQUIRES('>=1.0.0'), packageOfCarvel('z', '1.0.0'), other])
    expect([edits, rulesOf(findings)]).toEqual([[], ['generated-name-collision']])
  })
})

describe('updates', () => {
  const shop = [...['1.0.0', '2.0.0'].map((version) => packageOfCarvel('shop', version)), install('shop', '1.0.0')]

  test('move a package of a person, and each is a finding', () => {
    const { edits, findings, faults } = resolved(shop, { update: [{ name: 'shop' }] })
    expect([edits.map(({ type }) => type), rulesOf(findings), faults]).toEqual([['set'], ['update'], []])
    expect(resolved(shop).edits).toEqual([])
  })

  test('that cannot be followed are faults, without edits', () => {
    const { edits, findings, faults } = resolved(shop, { update: [{ name: 'shop' }, { name: 'shpo' }] })
    expect([edits, findings, faults.map(({ key, request }) => [key, request.name])]).toEqual([[], [], [['name', 'shpo']]])
  })

  test('are possible for a package that is installed, and as the policy allows', () => {
    const can = (name: string, version?: string, more: Partial<ResolveOptions> = {}) =>
      canUpdate(readInput([...shop, packageOfCarvel('shop', '0.1.0')]), { name, version }, { ...OPTIONS, ...more })
    expect([can('shop'), can('shpo'), can('shop', '2.0.0'), can('shop', '0.1.0'), can('shop', '0.1.0', { downgrades: true })]).toEqual([
      true,
      false,
      true,
      false,
      true,
    ])
  })
})

test('the strategy decides between the best plan for all and what each operator does', () => {
  const objects = [
    ...requires('a', 'b >=1.0.0'),
    ...requires('z', 'b <2.0.0'),
    packageOfCarvel('b', '1.0.0'),
    packageOfCarvel('b', '2.0.0'),
  ]
  const steps = (strategy: ResolveOptions['strategy']) =>
    planObjects(readInput(objects), { ...OPTIONS, strategy }).plan.steps.map(({ op, version }) => `${op} ${version}`)
  expect(steps('satisfy')).toEqual(['create 1.0.0'])
  expect(steps('native')).toEqual(['create 2.0.0', 'update 1.0.0'])
})

test('a failure of an operator is a failure of the plan', () => {
  const { plan } = planObjects(readInput(REQUIRES('>=4.0.0')), { ...OPTIONS, strategy: 'native' })
  expect(plan.failures.map(({ packages }) => packages)).toEqual([['a.example.com']])
})

describe('the description of what was resolved', () => {
  const generated = [...requires('a', 'b >=1.0.0'), packageOfCarvel('b', '1.0.0'), install('b', '1.0.0', 'a')]

  test('names the package that requires a generated object', () => {
    expect(describeResolved(readInput(generated), { prune: false }).map(({ rule, message }) => `${rule}: ${message}`)).toEqual([
      expect.stringMatching(/^resolution: PackageInstall b-made installs b\.example\.com 1\.0\.0, which a\.example\.com 1\.0\.0 requires/),
    ])
  })

  test('names each edit of a person', () => {
    const made = install('b', '1.0.0', 'a')
    const metadata = Reflect.get(made, 'metadata')
    const record = JSON.stringify({ spec: { ...Reflect.get(made, 'spec'), serviceAccountName: 'other' } })
    const edited = {
      ...made,
      metadata: { ...metadata, annotations: { ...metadata.annotations, 'krm-variants.dev/last-generated': record } },
    }
    const objects = [...requires('a', 'b >=1.0.0'), packageOfCarvel('b', '1.0.0'), edited]
    expect(rulesOf(describeResolved(readInput(objects), { prune: false }))).toEqual(['resolution', 'generated-edited'])
  })

  test('says with `prune` alone why an unneeded object is kept', () => {
    const unneeded = readInput([packageOfCarvel('b', '1.0.0'), { ...install('b', '1.0.0', 'gone') }, ...requires('a')])
    const open = { ...unneeded, options: { ...unneeded.options, closed: false } }
    expect(rulesOf(describeResolved(open, { prune: true }))).toEqual(['prune-unsafe'])
    expect(describeResolved(open, { prune: false })).toEqual([])
  })
})

describe('removals', () => {
  const b = install('b', '1.0.0')
  const before = readInput([...requires('a', 'b >=1.0.0'), packageOfCarvel('b', '1.0.0'), b])

  test('that break a requirement are findings, and the removed installs are known by namespace and name', () => {
    const after = readInput([...requires('a', 'b >=1.0.0'), packageOfCarvel('b', '1.0.0')])
    expect([...removedSince(before, after)]).toEqual(['default/b'])
    expect(rulesOf(describeRemovals(before, after))).toEqual(['removal-breaks'])
    expect([...removedSince(after, before)]).toEqual([])
  })

  test('name what was made for a removed install, which is no longer needed', () => {
    const made = [packageOfCarvel('b', '1.0.0'), install('b', '1.0.0', 'a')]
    const gone = describeRemovals(
      readInput([...requires('a', 'b >=1.0.0'), ...made]),
      readInput([packageOfCarvel('a', '1.0.0', 'b >=1.0.0'), ...made]),
    )
    expect(rulesOf(gone)).toEqual(['removal-leaves'])
    expect(describeRemovals(before, before)).toEqual([])
  })
})

describe('one reconcile of the controllers', () => {
  const helm = packageObject('helm', 'xpkg.example.org/acme/helm:v1.0.0').toJson()

  test('has the steps and packages of every ecosystem', () => {
    const { steps, packages, findings } = reconcileObjects(readInput([helm, ...requires('a', 'b >=1.0.0'), ...requires('b')]))
    expect(packages.map(({ name }) => name).toSorted()).toEqual(['PackageInstall default/a', 'PackageInstall default/b', 'Provider helm'])
    expect(steps.map(({ what }) => what.replace(/ .*/, '')).toSorted()).toEqual(expect.arrayContaining(['PackageInstall']))
    expect(rulesOf(findings)).toEqual(['revision-unknown'])
  })

  test('has no steps while an object has two controllers: only the finding', () => {
    const ownerReferences = ['x', 'y'].map((name) => ({ apiVersion: 'v1', kind: 'ConfigMap', name, uid: name, controller: true }))
    const held = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'held', ownerReferences } }
    const { steps, packages, findings } = reconcileObjects(readInput([helm, held]))
    expect([steps, packages, rulesOf(findings)]).toEqual([[], [], ['owner-conflict']])
  })
})

describe('edits of a list', () => {
  const configMap = (name: string, more: JsonRecord = {}): JsonRecord => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name },
    ...more,
  })
  const inFile = (path: string, value: JsonRecord) => objectOf(value, path)
  const kptfile = (path: string) => inFile(path, { apiVersion: 'kpt.dev/v1', kind: 'Kptfile', metadata: { name: 'p' } })
  const filesOf = (list: ResourceList) => list.items.map(({ name, file }) => `${file?.path} ${name}`)
  const addition = (name: string, near?: KrmObject): ObjectEdit => ({ type: 'add', object: configMap(name), near })

  test('set a field, delete one without a value, and remove an object', () => {
    const [one, two] = [inFile('a/one.yaml', configMap('one', { data: { a: '1', b: '2' } })), inFile('a/two.yaml', configMap('two'))]
    const list = ResourceList.of([one, two])
    const fields = [
      { path: ['data', 'a'], value: '9' },
      { path: ['data', 'b'], value: undefined },
    ]
    applyEdits(
      [
        { type: 'set', object: one, fields },
        { type: 'remove', object: two },
      ],
      list,
    )
    expect(list.items.map((item) => item.toJson())).toEqual([configMap('one', { data: { a: '9' } })])
  })

  test('add an object to dependencies.yaml beside its near object; one without is at the top', () => {
    const near = inFile('a/b/one.yaml', configMap('one'))
    const list = ResourceList.of([near, inFile('c.yaml', configMap('c'))])
    applyEdits([addition('new', near), addition('free')], list)
    expect(filesOf(list).toSorted()).toEqual(['a/b/dependencies.yaml new', 'a/b/one.yaml one', 'c.yaml c', 'dependencies.yaml free'])
  })

  test('replace an object of the same name, where the list is one cluster', () => {
    const near = inFile('one.yaml', configMap('one'))
    const list = ResourceList.of([near, inFile('old.yaml', configMap('new', { data: { a: '1' } }))])
    applyEdits([addition('new', near)], list)
    expect(filesOf(list)).toEqual(['one.yaml one', 'old.yaml new'])
    expect(list.items[1]?.toJson()).toEqual(configMap('new'))
  })

  test('in a list of several clusters, replace only an object of the own cluster that is not removed', () => {
    const [own, other] = [
      inFile('eu/old.yaml', configMap('new', { data: { a: '1' } })),
      inFile('us/old.yaml', configMap('new', { data: { a: '2' } })),
    ]
    const kept = ResourceList.of([other, own])
    applyEdits([addition('new', own)], kept, { cluster: [own] })
    expect(kept.items.map((item) => item.get(['data']))).toEqual([{ a: '2' }, undefined])
    const [near, gone] = [inFile('eu/near.yaml', configMap('near')), inFile('eu/old.yaml', configMap('new', { data: { a: '1' } }))]
    const replaced = ResourceList.of([near, gone])
    applyEdits([{ type: 'remove', object: gone }, addition('new', near)], replaced, { cluster: [near, gone] })
    expect(filesOf(replaced)).toEqual(['eu/near.yaml near', 'eu/dependencies.yaml new'])
    const renamed = ResourceList.of([inFile('eu/a.yaml', { ...configMap('new'), kind: 'Secret' })])
    applyEdits([addition('new', renamed.items[0])], renamed, { cluster: renamed.items })
    expect(filesOf(renamed)).toEqual(['eu/a.yaml new', 'eu/dependencies.yaml new'])
  })

  test('remove and change entries of a List, whatever the order of the edits', () => {
    const document = inFile('all.yaml', { apiVersion: 'v1', kind: 'List', items: ['a', 'b', 'c', 'd'].map((name) => configMap(name)) })
    const list = ResourceList.of([document])
    const entries = appliedObjects(document)
    const edit = (at: number): ObjectEdit[] => entries.slice(at, at + 1).map((object) => ({ type: 'remove', object }))
    const [, second] = entries
    if (second === undefined) throw new Error('there are entries')
    applyEdits([...edit(0), ...edit(2), { type: 'set', object: second, fields: [{ path: ['data'], value: { x: 'y' } }] }], list)
    expect(document.get(['items'])).toEqual([configMap('b', { data: { x: 'y' } }), configMap('d')])
  })

  test('add an object beside the List of its near entry', () => {
    const document = inFile('a/all.yaml', { apiVersion: 'v1', kind: 'List', items: [configMap('one')] })
    const list = ResourceList.of([document])
    applyEdits([addition('new', appliedObjects(document)[0])], list)
    expect(filesOf(list)).toEqual(['a/all.yaml undefined', 'a/dependencies.yaml new'])
  })

  test('add an object to the package that is asked for, which gets a Kptfile if it has none', () => {
    const near = inFile('eu/app/one.yaml', configMap('one'))
    const there = ResourceList.of([near, kptfile('eu/shared/Kptfile')])
    applyEdits([addition('new', near)], there, { into: 'eu/shared' })
    expect(filesOf(there).toSorted()).toEqual(['eu/app/one.yaml one', 'eu/shared/Kptfile p', 'eu/shared/dependencies.yaml new'])
    const made = ResourceList.of([near, kptfile('eu/other/Kptfile')])
    applyEdits([addition('new', near), addition('newer', near)], made, { into: 'eu/shared' })
    expect(filesOf(made).toSorted()).toEqual([
      'eu/app/one.yaml one',
      'eu/other/Kptfile p',
      'eu/shared/Kptfile shared',
      'eu/shared/dependencies.yaml new',
      'eu/shared/dependencies.yaml newer',
    ])
    expect(made.items.find(({ name }) => name === 'shared')?.toJson()).toEqual({
      apiVersion: 'kpt.dev/v1',
      kind: 'Kptfile',
      metadata: { name: 'shared', annotations: { 'config.kubernetes.io/local-config': 'true' } },
      info: { description: 'Packages that other packages of the cluster require, as resolve-dependencies adds them.' },
    })
  })
})
