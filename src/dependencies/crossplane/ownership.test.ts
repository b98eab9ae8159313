import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ObjectOwner, OwnerReference } from '../reading/object-metadata.ts'
import { NO_KINDS } from '../reading/served-kinds.ts'
import { establish, release, withoutOwner } from './ownership.ts'
import { currentRevisionName } from './revisions.ts'
import { digest, objectOf, packageObject, read, revisionObject } from './testing/objects.ts'

/** Somebody with a uid of their own, another one after a restore, or one that is not known. */
const owner: fc.Arbitrary<ObjectOwner> = fc
  .record({
    kind: fc.constantFrom('Provider', 'ProviderRevision'),
    name: fc.constantFrom('a', 'b', 'c'),
    uid: fc.constantFrom('', 'first', 'restored'),
  })
  .map(({ kind, name, uid }) => ({ apiVersion: 'pkg.crossplane.io/v1', kind, name, uid: uid && `${kind} ${name} ${uid}` }))

/** Owners as an API server admits them: one controller at most, each uid once. */
const owners: fc.Arbitrary<OwnerReference[]> = fc
  .tuple(fc.uniqueArray(owner, { selector: ({ kind, name }) => `${kind} ${name}`, maxLength: 5 }), fc.integer({ min: 0, max: 8 }))
  .map(([list, controller]) => list.map((each, i) => ({ ...each, controller: i === controller })))

const wish = fc.record({
  revision: owner,
  package: fc.option(owner, { nil: undefined }),
  control: fc.boolean(),
  uidsMayDiffer: fc.boolean(),
})

function controllers(list: readonly OwnerReference[] | null): number {
  return (list ?? []).filter(({ controller }) => controller).length
}

test('an object never gets a second controller, and a second look changes nothing', () => {
  fc.assert(
    fc.property(owners, wish, (before, wanted) => {
      // A package is no revision of itself.
      fc.pre(wanted.package?.kind !== wanted.revision.kind)
      const made = establish('object', before, wanted)
      const owners = 'error' in made ? before : made.owners
      expect(controllers(owners)).toBeLessThan(2)
      expect(establish('object', owners, wanted)).toEqual(made)
    }),
    { numRuns: 2000 },
  )
})

test('a revision that turned Inactive controls nothing and stays an owner; one that is gone is none', () => {
  fc.assert(
    fc.property(owners, owner, fc.boolean(), (before, revision, uidsMayDiffer) => {
      const released = release(before, revision, { uidsMayDiffer })
      expect(released.some(({ kind, name }) => kind === revision.kind && name === revision.name)).toBe(true)
      expect(release(released, revision, { uidsMayDiffer })).toBe(released)
      expect(withoutOwner(released, revision, { uidsMayDiffer }).length).toBeLessThan(released.length)
    }),
    { numRuns: 2000 },
  )
})

const REVISION: ObjectOwner = { apiVersion: 'pkg.crossplane.io/v1', kind: 'ProviderRevision', name: 'helm-1', uid: 'r1' }
const PARENT: ObjectOwner = { apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', name: 'helm', uid: 'p1' }
const OTHER: OwnerReference = { ...REVISION, name: 'sql-1', uid: 'r2', controller: true }

describe('establish', () => {
  const rules = { revision: REVISION, package: PARENT, uidsMayDiffer: false }

  test('an Active revision makes a missing object, which the package owns beside the revision', () => {
    expect(establish('object', null, { ...rules, control: true })).toEqual({
      owners: [
        { ...REVISION, controller: true },
        { ...PARENT, controller: false },
      ],
    })
  })

  test('an Inactive revision makes no object', () => {
    expect(establish('object', null, { ...rules, control: false })).toEqual({ owners: null })
  })

  test('an Active revision takes no object that another revision controls', () => {
    expect(establish('charts', [OTHER], { ...rules, control: true })).toEqual({
      error: 'charts is already controlled by ProviderRevision sql-1 (UID r2)',
    })
  })

  test('an Inactive revision owns an object that another revision controls', () => {
    const made = establish('charts', [OTHER], { ...rules, control: false })
    expect('owners' in made && made.owners?.map(({ name, controller }) => [name, controller])).toEqual([
      ['sql-1', true],
      ['helm', false],
      ['helm-1', false],
    ])
  })

  test('an owner that was restored with another uid is the same owner in seed 003 only', () => {
    const before = [{ ...REVISION, uid: 'before', controller: true }]
    expect(establish('charts', before, { ...rules, control: true })).toHaveProperty('error')
    expect(establish('charts', before, { ...rules, control: true, uidsMayDiffer: true })).toHaveProperty('owners')
  })
})

describe('the owners in the cluster', () => {
  const SOURCE = 'xpkg.example.org/acme/helm'
  const crd = (name: string) => ({ kind: 'CustomResourceDefinition', name })
  const object = (name: string, ...ownerReferences: readonly object[]) =>
    objectOf(
      { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name, ownerReferences } },
      `${name}.yaml`,
    )
  const owner = (name: string, controller = true) => ({ ...REVISION, name, uid: `uid ${name}`, controller })
  const image = `${SOURCE}@${digest('a')}`
  const own = currentRevisionName('helm', digest('a'), 1)
  const helm = packageObject('helm', image)
  const made = (name: string, desiredState: string, number: number) =>
    revisionObject('helm', name, { desiredState, revision: number, image }, { uid: `uid ${name}` })
  const catalog = [{ id: SOURCE, versions: [{ version: digest('a'), dependencies: [], brings: [crd('a.acme.org'), crd('b.acme.org')] }] }]

  /** Returns the changes of CustomResourceDefinitions in words, and the rules of the findings. */
  function changesWith(...objects: Parameters<typeof read>[0]) {
    const reconciled = read([helm, ...objects], catalog).controller?.reconcile?.(NO_KINDS)
    const steps = (reconciled?.steps ?? []).map(({ what }) => what).filter((what) => what.startsWith('CustomResourceDefinition'))
    return { steps, rules: (reconciled?.findings ?? []).map(({ rule }) => rule) }
  }

  test('an Active revision takes control of every object that its image brings', () => {
    expect(changesWith(made(own, 'Active', 1), object('a.acme.org'), object('b.acme.org'))).toEqual({
      steps: [`CustomResourceDefinition a.acme.org is controlled by ${own}`, `CustomResourceDefinition b.acme.org is controlled by ${own}`],
      rules: [],
    })
  })

  test('of all objects or of none: one object of another owner keeps it from all (seed 003 rule 23)', () => {
    const taken = object('b.acme.org', owner('sql-1'))
    expect(changesWith(made(own, 'Active', 1), object('a.acme.org'), taken)).toEqual({ steps: [], rules: ['revision-unhealthy'] })
  })

  test('a revision that turned Inactive loses control and stays an owner', () => {
    const held = object('c.acme.org', owner('helm-old'))
    const { steps } = changesWith(made('helm-old', 'Active', 1), made(own, 'Inactive', 2), held)
    expect(steps).toEqual(['CustomResourceDefinition c.acme.org is owned by helm-old, and controlled by it no longer'])
  })

  test('an object whose last owner is deleted is deleted too', () => {
    const gone = object('c.acme.org', owner('helm-1', false))
    const { steps } = changesWith(made('helm-1', 'Inactive', 1), made('helm-2', 'Inactive', 2), made(own, 'Active', 3), gone)
    expect(steps).toEqual(['CustomResourceDefinition c.acme.org goes'])
  })
})
