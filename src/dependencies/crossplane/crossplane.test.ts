import { describe, expect, test } from 'vitest'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { NO_KINDS } from '../reading/served-kinds.ts'
import { CROSSPLANE } from './crossplane.ts'
import {
  digest,
  findingsOn,
  knownPackage,
  knownVersion,
  lockEntry,
  lockObject,
  metadataObject,
  objectOf,
  packageObject,
  read,
  revisionObject,
} from './testing/objects.ts'

const APP = 'xpkg.example.org/acme/app'
const HELM = 'xpkg.example.org/acme/helm'
const A = digest('a')

type Options = Parameters<typeof read>[2]

const app = packageObject('app', `${APP}:v1.0.0`, {}, 'Configuration')
const helm = packageObject('helm', `${HELM}:v1.0.0`)
const needsHelm = (version = '>=v1.0.0') => ({ provider: HELM, version })

describe('an install', () => {
  test.each<[string, KrmObject, readonly unknown[]]>([
    ['a version', helm, ['v1.0.0', 'v1.0.0', undefined, true]],
    ['a tag that is no version', packageObject('helm', `${HELM}:stable`), [undefined, 'stable', undefined, true]],
    ['a digest', packageObject('helm', `${HELM}@${A}`), [undefined, A, A, true]],
    // Of `source:tag@digest` no dependency is ever met (crossplane#7458).
    ['a tag and a digest', packageObject('helm', `${HELM}:v1.0.0@${A}`), ['v1.0.0', 'v1.0.0', A, false]],
    ['neither', packageObject('helm', HELM), [undefined, '', undefined, true]],
    ['a version that the Lock alone has', lockObject(lockEntry(HELM, 'v1.0.0')), ['v1.0.0', 'v1.0.0', undefined, false]],
  ])('has %s', (_, object, expected) => {
    const { installs } = read([object]).index
    expect(installs.map(({ version, text, digest: content, movable }) => [version?.text, text, content, movable])).toEqual([expected])
  })

  test('is an object of a source, whose field has the whole reference', () => {
    const [install] = read([helm]).index.installs
    expect([install?.name, install?.object, install?.package.id, install?.generated]).toEqual(['helm', helm, HELM, false])
    expect([install?.fieldFor('v2.0.0'), install?.fieldFor(A)]).toEqual([`${HELM}:v2.0.0`, `${HELM}@${A}`])
    expect(install?.place.path).toEqual(['spec', 'package'])
    expect(install?.package.installs).toEqual([install])
  })

  test('that was made for another package stays where a person set more than the reference', () => {
    const kept = (object: KrmObject) => read([object]).index.installs[0]?.keptBecause
    expect(kept(helm)).toBeUndefined()
    expect(kept(packageObject('helm', HELM, { revisionHistoryLimit: 1 }))).toBe('a person may have set `spec.revisionHistoryLimit`')
    expect(kept(lockObject(lockEntry(HELM, 'v1.0.0')))).toBeUndefined()
  })

  test.each<[string, readonly KrmObject[], readonly object[], boolean]>([
    ['known from a catalog', [helm], [knownPackage(HELM, knownVersion('v1.0.0'))], true],
    ['unknown without one', [helm], [], false],
    ['unknown of a version that a catalog only names', [helm], [knownPackage(HELM, 'v1.0.0')], false],
    ['unknown of a version whose dependencies a catalog leaves out', [helm], [knownPackage(HELM, { version: 'v1.0.0' })], false],
    ['known from the Lock', [helm, lockObject(lockEntry(HELM, 'v1.0.0'))], [], true],
    ['unknown if the Lock has another version', [helm, lockObject(lockEntry(HELM, 'v2.0.0'))], [], false],
    ['not needed with skipDependencyResolution', [packageObject('helm', HELM, { skipDependencyResolution: true })], [], true],
  ])('has requirements that are %s', (_, objects, entries, expected) => {
    expect(read(objects, entries).index.installs.map(({ metadataKnown }) => metadataKnown)).toEqual([expected])
  })

  test('needs a reference: an empty one is a fault', () => {
    const empty = packageObject('helm', '')
    expect(read([empty]).index.installs).toEqual([])
    expect(findingsOn([empty])).toEqual(['dependency-form-invalid: `spec.package` must be set'])
  })
})

describe('a package with requirements', () => {
  const requirements = (...given: Parameters<typeof read>) =>
    read(...given).index.dependents.map(({ id, name, requirements: all, place, install }) => [
      id,
      name,
      all.map((each) => (each.type === 'package' ? `${each.package.id} ${each.range?.text}` : each.type)),
      place.path.join('.'),
      install?.name,
    ])

  test('is an install, with the requirements of its metadata, else those that the Lock recorded', () => {
    const recorded = lockObject(lockEntry(APP, 'v1.0.0', [{ package: HELM, constraints: '>=v0.1.0' }]))
    expect(requirements([app, recorded], [knownPackage(APP, knownVersion('v1.0.0', [needsHelm()]))])).toEqual([
      [APP, `${APP} v1.0.0`, [`${HELM} >=v1.0.0`], 'spec.package', 'app'],
    ])
    expect(requirements([app, recorded])).toEqual([[APP, `${APP} v1.0.0`, [`${HELM} >=v0.1.0`], 'spec.package', 'app']])
    expect(requirements([app, recorded], [knownPackage(APP, { version: 'v1.0.0' })])).toEqual([
      [APP, `${APP} v1.0.0`, [`${HELM} >=v0.1.0`], 'spec.package', 'app'],
    ])
    expect(requirements([app])).toEqual([[APP, `${APP} v1.0.0`, [], 'spec.package', 'app']])
  })

  test('is no install with skipDependencyResolution', () => {
    const skipping = packageObject('app', `${APP}:v1.0.0`, { skipDependencyResolution: true }, 'Configuration')
    expect(requirements([skipping], [knownPackage(APP, knownVersion('v1.0.0', [needsHelm()]))])).toEqual([])
  })

  test('is a package that is being written, after the installs', () => {
    expect(requirements([metadataObject('own', { dependsOn: [needsHelm()] }), helm])).toEqual([
      [HELM, `${HELM} v1.0.0`, [], 'spec.package', 'helm'],
      ['own', 'own', [`${HELM} >=v1.0.0`], 'metadata.name', undefined],
    ])
  })
})

describe('the package index', () => {
  test('is closed if the user says so, or if there is a Lock', () => {
    const closed = (objects: readonly KrmObject[], given: boolean) => read(objects, [], { closed: given }).index.closed
    expect([closed([], true), closed([lockObject()], false), closed([helm], false)]).toEqual([true, true, false])
  })

  test('has the ranges of version 3 of Masterminds since Crossplane 2.3', () => {
    const dialect = (crossplaneVersion?: string) => read([], [], { crossplaneVersion }).index.dialect
    expect([dialect(), dialect('v2.3.0'), dialect('v2.2.1')]).toEqual(['m350', 'm350', 'm150'])
  })

  test('chooses any version, names objects by their repositories, and says that a cycle stops Crossplane', () => {
    const { index } = read([helm], [knownPackage(HELM, knownVersion('v1.0.0'), knownVersion('v2.0.0-rc.1'))])
    const [install] = index.installs
    expect(install?.package.versions.map(index.chooses)).toEqual([true, true])
    expect(install && index.objectName(install.package, 'v1.0.0')).toBe('acme-helm')
    expect(index).toMatchObject({
      ecosystem: 'crossplane',
      unknownMissing: 'dependency-missing',
      cycleConsequence: 'Crossplane installs nothing more',
    })
  })

  test('suggests a known or an installed source', () => {
    const { index } = read([helm], [knownPackage('xpkg.example.org/acme/sql', knownVersion('v1.0.0'))])
    expect([index.suggest('xpkg.example.org/acme/hlem'), index.suggest('xpkg.example.org/acme/sqll')]).toEqual([
      `; did you mean '${HELM}'?`,
      "; did you mean 'xpkg.example.org/acme/sql'?",
    ])
  })

  // provider-upjet-aws#1739.
  test.each([
    ['xpkg.other.org/acme/helm', `; '${HELM}', the same path from another registry, is installed, and Crossplane compares whole sources`],
    ['xpkg.other.org/acme/sql', ''],
    ['acme/helm', ''],
  ])('of the missing package %s names the installed one with its path: %j', (missing, words) => {
    const { index } = read([app, helm], [knownPackage(APP, knownVersion('v1.0.0', [{ provider: missing, version: '>=v1' }]))])
    const [requirement] = index.dependents.flatMap(({ requirements }) => requirements)
    expect(requirement?.type === 'package' && index.elsewhere?.(requirement.package)).toBe(words)
  })
})

describe('platform-incompatible', () => {
  const limited = (id: string) => knownPackage(id, knownVersion('v1.0.0', [], { constraints: { crossplane: '>=v2.0.0' } }))
  const platforms = (objects: readonly KrmObject[], entries: readonly object[], crossplaneVersion: string) =>
    findingsOn(objects, entries, { crossplaneVersion }).filter((each) => each.startsWith('platform-incompatible'))

  test('a package that is being written must run on the cluster, too', () => {
    const own = metadataObject('own', { crossplane: { version: '>=v2.0.0' } })
    expect(platforms([own], [], 'v1.20.0')).toEqual([expect.stringContaining('own requires Crossplane ">=v2.0.0"')])
    expect(platforms([own], [], 'v2.0.0')).toEqual([])
  })

  test('a version that is only known need not run on the cluster', () => {
    expect(platforms([], [limited(HELM)], 'v1.20.0')).toEqual([])
    expect(platforms([helm], [limited(HELM)], 'v1.20.0')).toHaveLength(1)
  })
})

describe('the findings', () => {
  const config = objectOf(
    { apiVersion: 'pkg.crossplane.io/v1beta1', kind: 'ImageConfig', metadata: { name: 'c' }, spec: { rewriteImage: {} } },
    'c.yaml',
  )
  const objects = [
    packageObject('helm', 'acme/helm:v1.0.0'),
    packageObject('again', 'acme/helm:v2.0.0'),
    packageObject('partial', `${HELM}:v1`),
    objectOf({ apiVersion: 'pkg.crossplane.io/v1alpha1', kind: 'ControllerConfig', metadata: { name: 'old' }, spec: {} }, 'old.yaml'),
    objectOf(
      {
        apiVersion: 'pkg.crossplane.io/v1beta1',
        kind: 'Lock',
        metadata: { name: 'other' },
        packages: [lockEntry(APP, 'v1.0.0', [{ package: HELM, constraints: 'one' }])],
      },
      'other.yaml',
    ),
    config,
  ]
  const entries = [knownPackage(HELM, knownVersion('v2.0.0', [{ provider: APP, version: '>2.0.0, <1.0.0' }]))]
  const named = (found: ReturnType<ReturnType<typeof read>['findings']>) => found.map(({ rule, place }) => `${rule}: ${place.ref.name}`)

  test('that make requirements doubtful are those on forms, the Lock and duplicates, without constraints that only seem wrong', () => {
    expect(named(read(objects, entries).faults())).toEqual([
      'dependency-form-invalid: helm',
      'dependency-form-invalid: again',
      'constraint-invalid: other',
      'lock-invalid: other',
      'duplicate-package: again',
    ])
  })

  test('are these and those on constraints, references and ImageConfigs', () => {
    expect(named(read(objects, entries).findings())).toEqual([
      'dependency-form-invalid: helm',
      'dependency-form-invalid: again',
      'constraint-suspect: holder',
      'constraint-invalid: other',
      'kind-removed: old',
      'lock-invalid: other',
      'partial-tag: partial',
      'duplicate-package: again',
      'image-config-invalid: c',
    ])
  })

  test('are none on ImageConfigs in the seed, which has none', () => {
    expect(findingsOn([config])).toEqual([expect.stringMatching(/^image-config-invalid/)])
    expect(findingsOn([config], [], { crossplaneSemantics: 'seed' })).toEqual([])
  })

  test('are those on revisions, where there are some', () => {
    const active = (name: string, revision: number) => revisionObject('helm', name, { desiredState: 'Active', revision })
    const found = findingsOn([helm, active('helm-1', 1), active('helm-2', 2)]).filter((each) => each.startsWith('revision-many-active'))
    expect(found).toHaveLength(1)
    expect(findingsOn([helm])).toEqual([])
  })
})

describe('the controller', () => {
  const policy = { upgrades: 'all', downgrades: false, prune: false } as const
  const input = { policy, kinds: NO_KINDS, maxSteps: 10 }
  const entries = [
    knownPackage(APP, knownVersion('v1.0.0', [needsHelm('>=v2.0.0')])),
    { ...knownPackage(HELM, knownVersion('v1.0.0'), knownVersion('v2.0.0')), kind: 'Provider' },
  ]

  test('installs what is missing, and objects are written for the steps', () => {
    const { controller } = read([app], entries)
    const [step] = controller?.installMissing(input).steps ?? []
    expect(step && [step.op, step.package.id, step.version]).toEqual(['create', HELM, 'v2.0.0'])
    expect(step && controller?.writer.create(step, undefined)).toMatchObject({
      object: { kind: 'Provider', metadata: { name: 'acme-helm' } },
    })
  })

  test('moves an installed package, but not one that Crossplane 2.1 and 2.2 look for where an ImageConfig pulls it from', () => {
    const mirror = objectOf({
      apiVersion: 'pkg.crossplane.io/v1beta1',
      kind: 'ImageConfig',
      metadata: { name: 'mirror' },
      spec: { matchImages: [{ prefix: HELM }], rewriteImage: { prefix: 'mirror.example.org/helm' } },
    })
    const plan = (objects: readonly KrmObject[], options: Options) => {
      const { steps, failures } = read(objects, entries, options).controller?.installMissing(input) ?? { steps: [], failures: [] }
      return [steps.map(({ op, version }) => `${op} ${version}`), failures.length]
    }
    expect(plan([app, helm], {})).toEqual([['update v2.0.0'], 0])
    expect(plan([app, helm, mirror], {})).toEqual([['update v2.0.0'], 0])
    expect(plan([app, helm, mirror], { crossplaneVersion: 'v2.2.0' })).toEqual([[], 1])
  })

  test('reads objects again at each reconcile, without those that run packages', () => {
    const deployment = objectOf({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'helm-1' } }, 'deployment.yaml')
    const packages = (...objects: readonly KrmObject[]) =>
      read(objects)
        .controller?.reconcile?.(NO_KINDS)
        .packages.map(({ name }) => name)
    expect(packages(helm, deployment)).toEqual(['Provider helm'])
  })
})

test.each([
  ['pkg.crossplane.io', true],
  ['meta.pkg.crossplane.io', true],
  ['packages.crossplane.io', true],
  ['stacks.crossplane.io', true],
  ['apiextensions.crossplane.io', true],
  ['meta.dev.upbound.io', true],
  ['helm.crossplane.io', false],
  ['other.pkg.crossplane.io', false],
  ['pkg.crossplane.io.example.org', false],
])('the group %s is one of Crossplane: %s', (group, own) => {
  expect(CROSSPLANE.groups.test(group)).toBe(own)
})

test('objects of other groups are read that define kinds, run packages, or patch objects', () => {
  expect([...(CROSSPLANE.groupsBeside ?? [])].sort()).toEqual([
    '',
    'apiextensions.k8s.io',
    'apps',
    'kustomize.config.k8s.io',
    'rbac.authorization.k8s.io',
  ])
  expect(CROSSPLANE.definitions).toEqual([{ group: 'apiextensions.crossplane.io', kind: 'CompositeResourceDefinition' }])
})
