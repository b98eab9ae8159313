import { describe, expect, test } from 'vitest'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { NO_KINDS } from '../reading/served-kinds.ts'
import { revisionResolver } from './reconcile.ts'
import { currentRevisionName } from './revisions.ts'
import { digest, objectOf, packageObject, read, revisionObject } from './testing/objects.ts'

const APP = 'xpkg.example.org/acme/app'
const HELM = 'xpkg.example.org/acme/helm'
const SQL = 'xpkg.example.org/acme/sql'
const HELM_REQUIRES_SQL = { id: HELM, versions: [{ version: 'v1.0.0', dependencies: [{ provider: SQL, version: '>=v1.0.0' }] }] }
const APP_REQUIRES_HELM = { id: APP, versions: [{ version: 'v1.0.0', dependencies: [{ provider: HELM, version: '>=v1.0.0' }] }] }

const app = packageObject('app', `${APP}:v1.0.0`, {}, 'Configuration')
const helm = packageObject('helm', `${HELM}:v1.0.0`)

describe('the dependencies that a revision counts', () => {
  const catalog = [APP_REQUIRES_HELM, HELM_REQUIRES_SQL]
  const count = (objects: readonly KrmObject[], isNew: boolean, isActive = true) =>
    revisionResolver(read(objects, catalog).index)({ source: APP, isNew, isActive })

  test('an Inactive revision counts none', () => {
    expect(count([app, helm], false, false)).toEqual({ found: 0, installed: 0, invalid: 0 })
  })

  test('a new revision with a missing direct dependency counts the direct ones', () => {
    expect(count([app], true)).toEqual({ found: 1, installed: 0, invalid: 0 })
  })

  test('any other revision counts indirect dependencies too', () => {
    expect(count([app, helm], true)).toEqual({ found: 2, installed: 1, invalid: 0 })
    expect(count([app, helm, packageObject('sql', `${SQL}:v1.0.0`)], false)).toEqual({ found: 2, installed: 2, invalid: 0 })
  })

  test('a revision that the Lock has counts indirect dependencies although a direct one is missing', () => {
    const BASE = 'xpkg.example.org/acme/base'
    const requires = (id: string, ...sources: readonly string[]) => {
      const dependencies = sources.map((provider) => ({ provider, version: '>=v1.0.0' }))
      return { id, versions: [{ version: 'v1.0.0', dependencies }] }
    }
    const objects = [app, packageObject('sql', `${SQL}:v1.0.0`), packageObject('base', `${BASE}:v1.0.0`)]
    const { index } = read(objects, [requires(APP, HELM, SQL), requires(SQL, BASE)])
    const found = (isNew: boolean) => revisionResolver(index)({ source: APP, isNew, isActive: true }).found
    expect([found(true), found(false)]).toEqual([2, 3])
  })

  test('versions are compared when nothing is missing', () => {
    const old = packageObject('helm', `${HELM}:v0.9.0`)
    expect(count([app, old], false)).toEqual({ found: 1, installed: 1, invalid: 1 })
  })

  test('a wrong version is not counted while another dependency is missing', () => {
    const dependencies = [HELM, SQL].map((provider) => ({ provider, version: '>=v1.0.0' }))
    const both = [{ id: APP, versions: [{ version: 'v1.0.0', dependencies }] }]
    const old = packageObject('helm', `${HELM}:v0.9.0`)
    const counted = (objects: readonly KrmObject[]) =>
      revisionResolver(read(objects, both).index)({ source: APP, isNew: false, isActive: true })
    expect(counted([app, old])).toEqual({ found: 2, installed: 1, invalid: 0 })
    expect(counted([app, old, packageObject('sql', `${SQL}:v1.0.0`)])).toEqual({ found: 2, installed: 2, invalid: 1 })
  })
})

/** Returns the steps of one reconcile in words, and its findings as `RULE: MESSAGE`. */
function reconcile(objects: readonly KrmObject[], ...rest: [catalog?: readonly object[], options?: object]) {
  const done = read(objects, ...rest).controller?.reconcile?.(NO_KINDS)
  return {
    steps: (done?.steps ?? []).map(({ what }) => what),
    findings: (done?.findings ?? []).map(({ rule, message }) => `${rule}: ${message}`),
    packages: done?.packages,
  }
}

test('before v2.4 an image with the digest of the old one makes no revision, and from v2.2 on the Lock gets its version', () => {
  const name = currentRevisionName('helm', digest('a'), undefined)
  const versions = ['v1.0.0', 'v1.0.1'].map((version) => ({ version, digest: digest('a'), dependencies: [] }))
  const entry = { name, source: HELM, version: 'v1.0.0', dependencies: [] }
  const after = (revisionTag: string, crossplaneVersion: string) => {
    const objects = [
      packageObject('helm', `${HELM}:v1.0.1`),
      revisionObject('helm', name, { image: `${HELM}:${revisionTag}`, revision: 1, desiredState: 'Active' }),
      objectOf({ apiVersion: 'pkg.crossplane.io/v1beta1', kind: 'Lock', metadata: { name: 'lock' }, packages: [entry] }),
    ]
    const done = read(objects, [{ id: HELM, versions }], { crossplaneVersion }).controller?.reconcile?.(NO_KINDS)
    return [...(done?.steps ?? []), ...(done?.clusterSteps ?? [])].map(({ what }) => what)
  }
  const image = `ProviderRevision ${name} has the image ${HELM}:v1.0.1`
  const locked = `Lock lock has ${HELM} v1.0.1 as ${name}`
  expect(['v2.1.3', 'v2.3.4', 'v2.4.0'].map((release) => after('v1.0.0', release).includes(image))).toEqual([true, true, false])
  expect(['v2.1.3', 'v2.2.0', 'v2.3.4'].map((release) => after('v1.0.1', release).includes(locked))).toEqual([false, true, true])
})

describe('one reconcile of a package', () => {
  const pinned = packageObject('helm', `${HELM}@${digest('a')}`)
  const name = currentRevisionName('helm', digest('a'), 1)

  test('makes the revision of its image and notes it as current', () => {
    expect(reconcile([pinned]).steps).toEqual([
      `ProviderRevision ${name} is made: Active, revision 1`,
      `Provider helm has ${name} as its current revision`,
    ])
  })

  test.each([
    { policy: 'Automatic', state: 'Active' },
    { policy: 'automatic', state: 'Inactive' },
    { policy: 'Manual', state: 'Inactive' },
  ])('the policy $policy makes the revision $state', ({ policy, state }) => {
    const provider = packageObject('helm', `${HELM}@${digest('a')}`, { revisionActivationPolicy: policy })
    expect(reconcile([provider]).steps[0]).toBe(`ProviderRevision ${name} is made: ${state}, revision 1`)
  })

  test('reads the digest of a tag from a catalog', () => {
    const catalog = [{ id: HELM, versions: [{ version: 'v1.0.0', digest: digest('a'), dependencies: [] }] }]
    expect(reconcile([helm], catalog).steps[0]).toBe(`ProviderRevision ${name} is made: Active, revision 1`)
  })

  test('without a known digest makes nothing and reports revision-unknown', () => {
    const { steps, findings } = reconcile([helm])
    expect(steps).toEqual([])
    expect(findings).toEqual([expect.stringMatching(/^revision-unknown: nothing says the digest/)])
  })

  test('makes an unhealthy revision today if a dependency is missing, and none in seed 003', () => {
    const requires = [{ id: HELM, versions: [{ version: digest('a'), dependencies: [{ provider: SQL, version: '>=v1.0.0' }] }] }]
    const today = reconcile([pinned], requires)
    expect(today.steps[0]).toMatch(/^ProviderRevision .* is made/)
    expect(today.findings).toEqual([expect.stringMatching(/^revision-unhealthy: .*missing dependency xpkg\.example\.org\/acme\/sql/)])
    const seed = [{ id: HELM, versions: [{ version: digest('a'), dependencies: [{ package: SQL, version: '>=v1.0.0' }] }] }]
    expect(reconcile([pinned], seed, { crossplaneSemantics: 'seed' }).steps).toEqual([])
  })

  test('takes no step while a revision is invalid', () => {
    const broken = revisionObject('helm', 'helm-0', { desiredState: 'Running', revision: 1 })
    const { steps, findings } = reconcile([pinned, broken])
    expect(steps).toEqual([])
    expect(findings).toEqual([expect.stringMatching(/^revision-invalid: /)])
  })

  test('describes the state before its steps', () => {
    const object = objectOf({
      apiVersion: 'pkg.crossplane.io/v1',
      kind: 'Provider',
      metadata: { name: 'helm' },
      spec: { package: `${HELM}@${digest('a')}` },
      status: { currentRevision: name },
    })
    const revision = revisionObject('helm', name, { desiredState: 'Active', revision: 1 })
    expect(reconcile([object, revision]).packages).toEqual([
      { name: 'Provider helm', at: `${HELM}@${digest('a')}`, parts: [`${name} Active, revision 1, current`] },
    ])
  })
})
