import { describe, expect, test } from 'vitest'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { Step } from '../plan/plan.ts'
import { itemFields } from '../reading/field.ts'
import { planObjects } from '../resolve-objects.ts'
import { writePlan } from '../write-plan.ts'
import { findKnownPackages } from './known.ts'
import { catalogOf, collector, digest, fieldOf, objectOf, packageObject, read } from './testing/objects.ts'
import { dependencyObject, PackageKinds } from './write-crossplane.ts'

const HELM = 'xpkg.example.org/acme/helm'
const APP = 'xpkg.example.org/acme/app'

test('the object of a dependency has the name of its repository, and a tag or a digest', () => {
  const kind = { apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider' }
  const spec = (version: string) => dependencyObject(HELM, version, kind)
  expect(spec('v1.0.0')).toEqual({ ...kind, metadata: { name: 'acme-helm' }, spec: { package: `${HELM}:v1.0.0` } })
  expect(spec(digest('a')).spec.package).toBe(`${HELM}@${digest('a')}`)
})

describe('the kind of object that installs a package', () => {
  function kindOf(source: string, ...entries: readonly object[]) {
    const known = findKnownPackages([], catalogOf(...entries), { crossplaneSemantics: 'current' })
    return new PackageKinds(known, collector()).of(source)?.kind
  }
  const requiring = (...dependencies: readonly object[]) => ({ id: APP, versions: [{ version: 'v1.0.0', dependencies }] })

  test('is the kind that a requirement names, before the kind of a catalog', () => {
    expect(kindOf(HELM, { id: HELM, kind: 'Function', versions: [] }, requiring({ provider: HELM }))).toBe('Provider')
  })

  test('is the kind of a catalog if no requirement names one', () => {
    expect(kindOf(HELM, { id: HELM, kind: 'Function', versions: [] })).toBe('Function')
  })

  test('is the first in the order of texts if requirements differ, whichever is read first', () => {
    const both = [{ provider: HELM }, { function: HELM }]
    expect(kindOf(HELM, requiring(...both))).toBe('Function')
    expect(kindOf(HELM, requiring(...both.toReversed()))).toBe('Function')
  })

  test('is not known without a requirement and a catalog', () => {
    expect(kindOf(HELM)).toBeUndefined()
  })
})

/** Returns the objects that the resolver makes for one Configuration that requires a package, or the reasons why it makes none. */
function made(required: object, parent: KrmObject, inheritPullSettings = false, id = HELM) {
  const entries = [
    { ecosystem: 'crossplane', id: APP, versions: [{ version: 'v1.0.0', dependencies: [required] }] },
    { ecosystem: 'crossplane', id, versions: [{ version: 'v1.0.0', dependencies: [] }] },
  ]
  const options = { closed: true, globalPackageNamespace: 'global', carvelSemver: '2024', crossplaneSemantics: 'current' } as const
  const input = { objects: [parent], listed: itemFields(fieldOf(entries)), apis: [], options: { ...options, inheritPullSettings } }
  const policy = { upgrades: 'none', downgrades: false, prune: false, maxSteps: 100, strategy: 'native' } as const
  const { plan, readings } = planObjects(input, policy)
  const { edits, findings } = writePlan(plan, readings, input.objects)
  return findings.length > 0 ? findings.map(({ message }) => message) : edits
}

describe('the object that is written for a step', () => {
  const PULL = { packagePullSecrets: [{ name: 'registry' }], packagePullPolicy: 'Always' }
  const app = packageObject('app', `${APP}:v1.0.0`, PULL, 'Configuration')

  test('is marked as made to meet a requirement, and lies beside the package that requires it', () => {
    expect(made({ provider: HELM, version: '>=v1.0.0' }, app)).toEqual([
      {
        type: 'add',
        object: {
          apiVersion: 'pkg.crossplane.io/v1',
          kind: 'Provider',
          metadata: { name: 'acme-helm', annotations: { 'krm-variants.dev/resolved': 'v1.0.0' } },
          spec: { package: `${HELM}:v1.0.0` },
        },
        near: app,
      },
    ])
  })

  test('has the pull settings of the package that requires it with inheritPullSettings', () => {
    expect(made({ provider: HELM, version: '>=v1.0.0' }, app, true)).toMatchObject([{ object: { spec: { ...PULL } } }])
  })

  test('is not written for a source without a registry', () => {
    expect(made({ provider: 'acme/helm', version: '>=v1.0.0' }, app, false, 'acme/helm')).toEqual([
      expect.stringMatching(/cannot be installed: its source must name a registry, such as xpkg\.crossplane\.io\/acme\/helm$/),
    ])
  })
})

describe('the writer', () => {
  const PULL = { packagePullSecrets: [{ name: 'registry' }], packagePullPolicy: 'Always' }
  const app = packageObject('app', `${APP}:v1.0.0`, PULL, 'Configuration')
  const requiring = (source: string) => ({
    id: APP,
    versions: [{ version: 'v1.0.0', dependencies: [{ provider: source, version: '>=v1' }] }],
  })

  /** Returns the writer for some objects, and a step on the package that the first of them requires. */
  function setUp(...given: Parameters<typeof read>) {
    const { index, controller } = read(...given)
    const [dependent] = index.dependents
    const [requirement] = dependent?.requirements ?? []
    if (controller === undefined || dependent === undefined || requirement?.type !== 'package')
      throw new Error('the app requires a package')
    const step = (fields: Partial<Step> = {}): Step => ({
      op: 'create',
      ecosystem: 'crossplane',
      version: 'v1.0.0',
      name: 'acme-helm',
      pass: 1,
      package: requirement.package,
      parents: [{ name: dependent.name, requirement, dependent }],
      ...fields,
    })
    return { writer: controller.writer, installs: index.installs, step }
  }

  test.each([
    ['xpkg.example.org/acme/helm', true],
    ['example.org/helm', true],
    ['acme/helm', false],
    ['localhost:5000/acme/helm', false],
    ['xpkg.example.org', false],
    ['xpkg.example.org/acme/helm:v1', false],
    ['xpkg..org/acme/helm', false],
  ])('makes an object of the source %s: %s', (source, isMade) => {
    const { writer, step } = setUp([app], [requiring(source)])
    const fault = { fault: `its source must name a registry, such as xpkg.crossplane.io/${source}` }
    expect(writer.create(step(), undefined)).toMatchObject(isMade ? { object: { spec: { package: `${source}:v1.0.0` } } } : fault)
  })

  test('makes no object of a package whose kind no file names', () => {
    const dependencies = [{ package: HELM, constraints: '>=v1.0.0' }]
    const packages = [{ name: 'app-1', source: APP, version: 'v1.0.0', dependencies }]
    const lock = objectOf({ apiVersion: 'pkg.crossplane.io/v1beta1', kind: 'Lock', metadata: { name: 'lock' }, packages })
    const { writer, step } = setUp([lock])
    expect(writer.create(step(), undefined)).toEqual({ fault: 'no file says if it is a Provider, a Configuration or a Function' })
  })

  test('passes pull settings on along a chain of new packages, on request, and none without a package that has some', () => {
    const specs = (inheritPullSettings: boolean | undefined) => {
      const { writer, step } = setUp([app], [requiring(HELM)], { inheritPullSettings })
      const first = step()
      const [parent] = first.parents
      const chained = step({ parents: parent === undefined ? [] : [{ ...parent, step: first }] })
      return [writer.create(first, app), writer.create(chained, undefined), writer.create(step(), undefined)]
    }
    const spec = (settings: object) =>
      expect.objectContaining({ object: expect.objectContaining({ spec: { package: `${HELM}:v1.0.0`, ...settings } }) })
    expect(specs(true)).toEqual([spec(PULL), spec(PULL), spec({})])
    expect(specs(false)).toEqual([spec({}), spec({}), spec({})])
    expect(specs(undefined)).toEqual([spec({}), spec({}), spec({})])
  })

  test('moves an install by its whole reference, and marks one that was made for another package', () => {
    const changes = (annotations: object, version: string) => {
      const value = {
        apiVersion: 'pkg.crossplane.io/v1',
        kind: 'Provider',
        metadata: { name: 'helm', annotations },
        spec: { package: `${HELM}:v1.0.0` },
      }
      const { writer, installs, step } = setUp([app, objectOf(value)], [requiring(HELM)])
      return writer.update(step({ op: 'update', version, install: installs.find(({ name }) => name === 'helm') }))
    }
    const moved = { path: ['spec', 'package'], value: `${HELM}:v2.0.0` }
    const resolved = 'krm-variants.dev/resolved'
    expect(changes({}, 'v2.0.0')).toEqual([moved])
    expect(changes({ [resolved]: 'v1.0.0' }, 'v2.0.0')).toEqual([{ path: ['metadata', 'annotations', resolved], value: 'v2.0.0' }, moved])
    expect(changes({ [resolved]: 'v1.0.0' }, 'v1.0.0')).toEqual([])
  })
})
