import { expect, test } from 'vitest'
import type { LeftoverStep, VariantStep } from './package-steps.ts'
import { targetRenames } from './target-renames.ts'
import { packagePlace, packagePlaces, variantsOf, type WrittenPlace } from './testing/places-of.ts'

const made = (downstream: string, name: string): VariantStep => {
  const [variant] = variantsOf([downstream, name])
  if (variant === undefined) throw new Error('must be a variant')
  return { op: 'create', variant, folder: downstream }
}

const gone = (folder: string, owner: string, op: LeftoverStep['op'] = 'remove', more: WrittenPlace = {}): LeftoverStep => ({
  op,
  place: packagePlace(folder, { owner, ...more }),
})

/** Returns the message about each target under a new name. */
function renamed(steps: readonly VariantStep[], leftovers: readonly LeftoverStep[], others: Readonly<Record<string, WrittenPlace>> = {}) {
  const own = leftovers.map(({ place }) => [place.folder, { owner: place.owner?.variant ?? '' }] as const)
  const places = packagePlaces({ ...Object.fromEntries(own), ...others })
  return targetRenames(steps, leftovers, places, { upstreamDirectory: () => 'app' }).map(({ message }) => message)
}

test('packages whose names differ only in the repository are those of a target under a new name', () => {
  expect(renamed([made('eu-north-01/shop', 'shop-eu-north-01-shop')], [gone('eu-01/shop', 'shop-eu-01-shop')])).toEqual([
    "`spec.downstream` looks like 'eu-01' under a new name: 1 package (eu-01/shop) is removed and made anew for 'eu-north-01', without what people changed; if it is the same target, keep the changes by `git mv clusters/eu-01 clusters/eu-north-01` before render",
  ])
})

test('a repository that keeps other packages, or exists, is not moved as a whole', () => {
  const steps = [made('west/shop', 'shop-west')]
  const leftovers = [gone('east/shop', 'shop-east')]
  const move = '`mkdir -p clusters/west && git mv clusters/east/shop clusters/west/shop`'
  expect(renamed(steps, leftovers, { 'east/web': { owner: 'web-east' } })).toEqual([expect.stringContaining(move)])
  expect(renamed(steps, leftovers, { west: {} })).toEqual([expect.stringContaining(move)])
})

test('a repository of which every package goes is moved as a whole, whatever goes elsewhere', () => {
  const leftovers = [gone('east/shop', 'shop-east'), gone('east/db', 'db'), gone('north/web', 'web-north')]
  expect(renamed([made('west/shop', 'shop-west')], leftovers)).toEqual([expect.stringContaining('`git mv clusters/east clusters/west`')])
})

test('all packages of a target are named together', () => {
  const steps = [made('west/shop', 'shop-west'), made('west/web', 'web-west')]
  expect(renamed(steps, [gone('east/shop', 'shop-east'), gone('east/web', 'web-east')])).toEqual([
    expect.stringContaining('2 packages (east/shop, east/web) are removed and made anew'),
  ])
})

test('a package that is left to itself is named as such', () => {
  expect(renamed([made('west/shop', 'shop-west')], [gone('east/shop', 'shop-east', 'orphan')])).toEqual([
    expect.stringContaining('is left to itself'),
  ])
  const leftovers = [gone('east/shop', 'shop-east', 'orphan'), gone('east/till', 'till-east', 'orphan')]
  expect(renamed([made('west/shop', 'shop-west'), made('west/till', 'till-west')], leftovers)).toEqual([
    expect.stringContaining('2 packages (east/shop, east/till) are left to themselves'),
  ])
})

test.each([
  ['another name of the variant', [made('west/shop', 'shop-west')], [gone('east/shop', 'till-east')]],
  ['another package', [made('west/shop', 'shop-west')], [gone('east/web', 'shop-east')]],
  ['another upstream', [made('west/shop', 'shop-west')], [gone('east/shop', 'shop-east', 'remove', { directory: 'web' })]],
  ['two targets that go', [made('north/shop', 'shop-north')], [gone('east/shop', 'shop-east'), gone('west/shop', 'shop-west')]],
  ['two targets that come', [made('west/shop', 'shop-west'), made('north/shop', 'shop-north')], [gone('east/shop', 'shop-east')]],
  ['a package that is updated', [{ ...made('west/shop', 'shop-west'), op: 'update' as const }], [gone('east/shop', 'shop-east')]],
  ['no package that goes', [made('west/shop', 'shop-west')], []],
])('%s is no target under a new name', (_what, steps, leftovers) => {
  expect(renamed(steps, leftovers)).toEqual([])
})

test('a name of a fleet does not become a command', () => {
  const leftover = gone("a;rm'/shop", "shop-a;rm'")
  expect(renamed([made('west/shop', 'shop-west')], [leftover])).toEqual([
    expect.stringContaining("git mv 'clusters/a;rm'\\''' clusters/west"),
  ])
})
