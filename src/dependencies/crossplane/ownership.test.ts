import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ObjectOwner, OwnerReference } from '../reading/object-metadata.ts'
import { establish, release, withoutOwner } from './ownership.ts'

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
