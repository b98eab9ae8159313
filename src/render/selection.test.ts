import { expect, test } from 'vitest'
import { writtenObject } from '../../testdata/written-objects.ts'
import { readVariants } from '../fleet/fleet-variants.ts'
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

test('a variant is named with its namespace or without, and a variant without a set has none that a term could name', () => {
  expect(only({ field: 'variant', value: 'default/nyc-app' })).toEqual(['nyc-app'])
  expect(only({ field: 'variant', value: 'other/nyc-app' })).toEqual([])
  expect(only({ field: 'set', value: '*' })).toEqual(['ams-app'])
})

test('a label is that of the variant or the one that the variant gives its package', () => {
  const [own, ofPackage] = labelledVariants()
  const selection = (value: string) => {
    const found = selectVariants({ only: [{ field: 'label', key: 'tier', value }], shard: undefined }, setOf)
    return [own, ofPackage].map((each) => each !== undefined && found?.has(each))
  }
  expect(selection('front')).toEqual([true, false])
  expect(selection('back')).toEqual([false, true])
  expect(selection('*')).toEqual([true, true])
  const why = (key: string) => emptySelection({ only: [{ field: 'label', key, value: 'x' }] }, labelledVariants(), setOf)
  expect(why('tier')).toBe("'label=tier=x' selects none; there is front, back")
  expect(why('zone')).toBe("'label=zone=x' selects none")
})

function labelledVariants() {
  const text = (name: string, labels: string, spec: string) => `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: ${name}${labels}}
spec:
  upstream: {repo: catalog, package: app, revision: 1}
  downstream: {repo: ${name}, package: app}
${spec}`
  const texts = [text('a', ', labels: {tier: front}', ''), text('b', '', '  labels: {tier: back}\n')]
  return readVariants(texts.map((each) => writtenObject(each))).variants
}

test('of a shard and a chosen cluster both must have a repository', () => {
  const part = shardOf('ams', 2)
  const both = (shard: number, repository: string) => selected({ shard: { part: shard, of: 2 }, inCluster: (each) => each === repository })
  expect(both(part, 'ams')).toEqual(['ams-app', 'ams'])
  expect(both(3 - part, 'ams')).toEqual([])
})

test('terms of which each has a variant, and that no variant meets together, are all named; those that one meets select', () => {
  const why = (...values: readonly string[]) =>
    emptySelection(
      { only: values.map((value) => ({ field: 'variant', value })) },
      [AMS, NYC].flatMap((each) => each ?? []),
      setOf,
    )
  expect(why('ams*', 'nyc*')).toBe("none is selected by all of 'variant=ams*', 'variant=nyc*'")
  expect(why('*', '*app', 'nyc*')).toBeUndefined()
  expect(why('*', 'x')).toMatch(/^'variant=x' selects none; there is ams-app, nyc-app/)
  expect(emptySelection({ only: [] }, [], setOf)).toBe('none is selected by all of ')
})

test('the part of a repository is that of the hash FNV-1a of 32 bits, from 1', () => {
  // The hash of the empty text is the offset 2166136261, and of `a` 0xe40c292c (the test vectors of FNV).
  expect([shardOf('', 1000), shardOf('a', 1000), shardOf('anything', 1)]).toEqual([262, (0xe40c292c % 1000) + 1, 1])
})
