import { describe, expect, test } from 'vitest'
import { readInput } from '../../testdata/conformance-runner/dependencies/plans.ts'
import { packageObject } from './crossplane/testing/objects.ts'
import type { Finding } from './finding.ts'
import { install, packageOfCarvel, REQUIRES } from './plan/testing/carvel-plans.ts'
import {
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
