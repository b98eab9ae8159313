import { expect, test } from 'vitest'
import { variantsOf } from '../lifecycle/testing/places-of.ts'
import { emptySelection, type SelectionTerm, type SelectionTerms, selectVariants, shardOf } from './selection.ts'

const [AMS, NYC] = variantsOf(['ams/app', 'ams-app'], ['nyc/app', 'nyc-app'])
const setOf = ({ name }: { readonly name: string }) => (name === 'ams-app' ? 'default/edge' : undefined)

/** Returns the variants that are selected, and the repositories from which packages without a variant may go. */
function selected(terms: Partial<SelectionTerms>): readonly string[] {
  const selection = selectVariants({ only: [], shard: undefined, ...terms }, setOf)
  const variants = [AMS, NYC].flatMap((each) => (each !== undefined && selection?.has(each) === true ? [each.name] : []))
  return [...variants, ...['ams', 'nyc'].filter((repo) => selection?.mayGo('', repo) === true)]
}

const only = (...terms: readonly SelectionTerm[]) => selected({ only: terms })

test('a term on the repository selects its variants, and the packages there without a variant', () => {
  expect(only({ field: 'repository', value: 'ams' })).toEqual(['ams-app', 'ams'])
  expect(only({ field: 'repository', value: '*' })).toEqual(['ams-app', 'nyc-app', 'ams', 'nyc'])
})

test('a term on anything else selects no package without a variant: it could be of any set', () => {
  expect(only({ field: 'set', value: 'edge' })).toEqual(['ams-app'])
  expect(only({ field: 'set', value: 'default/edge' })).toEqual(['ams-app'])
  expect(only({ field: 'variant', value: 'nyc-*' })).toEqual(['nyc-app'])
  expect(only({ field: 'label', key: 'tier', value: '*' })).toEqual([])
  expect(only({ field: 'repository', value: 'ams' }, { field: 'set', value: 'edge' })).toEqual(['ams-app'])
})

test('a variant must meet all terms', () => {
  expect(only({ field: 'repository', value: 'nyc' }, { field: 'set', value: 'edge' })).toEqual([])
})

test('the shards of a fleet have each repository once, with its packages', () => {
  const shards = [1, 2, 3].map((part) => selected({ shard: { part, of: 3 } }))
  expect(shards.flat().sort()).toEqual(['ams', 'ams-app', 'nyc', 'nyc-app'])
  expect(shards[shardOf('ams', 3) - 1]).toEqual(expect.arrayContaining(['ams', 'ams-app']))
})

test('a chosen cluster has the variants and packages of its repositories alone', () => {
  expect(selected({ inCluster: (repository) => repository === 'nyc' })).toEqual(['nyc-app', 'nyc'])
})

test('without terms there is no selection', () => {
  expect(selectVariants({ only: [], shard: undefined }, setOf)).toBeUndefined()
})

test('a term that no variant meets is named with the nearest value, and so are terms that none meets together', () => {
  const why = (...terms: readonly SelectionTerm[]) =>
    emptySelection(
      { only: terms },
      [AMS, NYC].flatMap((each) => each ?? []),
      setOf,
    )
  expect(why({ field: 'set', value: 'egde' })).toBe("'set=egde' selects none; did you mean 'edge'?")
  expect(why({ field: 'repository', value: 'x' })).toMatch(/^'repository=x' selects none; there is ams/)
  expect(why({ field: 'repository', value: 'nyc' }, { field: 'set', value: 'edge' })).toMatch(/^none is selected by all of/)
  expect(why({ field: 'set', value: 'edge' })).toBeUndefined()
})
