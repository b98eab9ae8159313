import { describe, expect, test } from 'vitest'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { itemFields } from '../reading/field.ts'
import { planObjects } from '../resolve-objects.ts'
import { writePlan } from '../write-plan.ts'
import { findKnownPackages } from './known.ts'
import { catalogOf, collector, digest, fieldOf, packageObject } from './testing/objects.ts'
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
