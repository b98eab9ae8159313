import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isOwned, ownedMoves, ownedName, prependOwned } from './owned-functions.ts'

test.each([
  {
    reason: 'as named (seed 000, Kptfile Function Pipeline Editing)',
    name: 'PackageVariant.a.fn.0',
    owner: 'a',
    others: [],
    expected: true,
  },
  { reason: 'an empty function name', name: 'PackageVariant.a..1', owner: 'a', others: [], expected: true },
  { reason: 'of another variant', name: 'PackageVariant.b.fn.0', owner: 'a', others: [], expected: false },
  { reason: 'of a variant whose name begins alike', name: 'PackageVariant.a-2.fn.0', owner: 'a', others: [], expected: false },
  { reason: 'no position', name: 'PackageVariant.a.fn.x', owner: 'a', others: [], expected: false },
  { reason: 'no function part at all', name: 'PackageVariant.a.0', owner: 'a', others: [], expected: false },
  { reason: 'a position as Go reads integers', name: 'PackageVariant.a.fn.-007', owner: 'a', others: [], expected: true },
  { reason: 'the largest position', name: 'PackageVariant.v.c.9223372036854775807', owner: 'v', others: [], expected: true },
  { reason: 'the smallest position', name: 'PackageVariant.v.c.-9223372036854775808', owner: 'v', others: [], expected: true },
  { reason: 'a position that Go refuses', name: 'PackageVariant.v.c.9223372036854775808', owner: 'v', others: [], expected: false },
  { reason: 'another case', name: 'packagevariant.a.fn.0', owner: 'a', others: [], expected: false },
  { reason: 'dots in the owner (docs/porch.md 29)', name: 'PackageVariant.a.b.fn.0', owner: 'a.b', others: [], expected: true },
  { reason: 'dots in the function', name: 'PackageVariant.a.f.n.0', owner: 'a', others: [], expected: true },
  { reason: 'a longer known owner (docs/porch.md 30)', name: 'PackageVariant.a.b.fn.0', owner: 'a', others: ['a.b'], expected: false },
  { reason: 'a longer owner that cannot be', name: 'PackageVariant.a.b.0', owner: 'a', others: ['a.b'], expected: true },
  { reason: 'a shorter known owner', name: 'PackageVariant.a.b.fn.0', owner: 'a.b', others: ['a'], expected: true },
  { reason: 'no name', name: '', owner: 'a', others: [], expected: false },
])('isOwned: $reason', ({ name, owner, others, expected }) => {
  expect(isOwned(name, { owner, others })).toBe(expected)
})

const entry = fc.record({
  name: fc.constantFrom('PackageVariant.a.x.0', 'PackageVariant.a.y.1', 'PackageVariant.b.x.0', 'own', ''),
  image: fc.string(),
})
const owners = { owner: 'a', others: ['b'] }

test('what stands in front is what is wanted, others keep their order, and a second time changes nothing', () => {
  fc.assert(
    fc.property(fc.array(entry), fc.array(fc.string()), (existing, images) => {
      const wanted = images.map((image, position) => ({ name: ownedName('a', 'x', position), image }))
      const after = prependOwned(existing, wanted, owners)
      expect(after.slice(0, wanted.length)).toEqual(wanted)
      expect(after.slice(wanted.length)).toEqual(existing.filter(({ name }) => !isOwned(name, owners)))
      expect(prependOwned(after, wanted, owners)).toEqual(after)
    }),
  )
})

test('the steps keep every entry of others in its order, and bring own ones to the front in the wanted order', () => {
  fc.assert(
    fc.property(
      fc.array(entry),
      fc.subarray(['PackageVariant.a.x.0', 'PackageVariant.a.y.1', 'PackageVariant.a.z.2'], {}),
      (existing, names) => {
        const wanted = names.map((name) => ({ name, image: 'new' }))
        const { dropped, moves } = ownedMoves(existing, wanted, owners)
        const left = existing.filter((_, position) => !dropped.includes(position))
        for (const { from, to } of moves) left.splice(to, 0, ...left.splice(from, 1))
        const kept = names.filter((name) => existing.some((one) => one.name === name))
        expect(left.map(({ name }) => name)).toEqual([
          ...kept,
          ...existing.map(({ name }) => name).filter((name) => !isOwned(name, owners)),
        ])
      },
    ),
  )
})
