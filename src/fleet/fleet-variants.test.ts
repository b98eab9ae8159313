import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { formatResult } from '../result.ts'
import { readVariants, setFinder, VariantNames, wholeVariant } from './fleet-variants.ts'
import { list, resourceListOf, setOf, variant } from './testing/fleet-of-objects.ts'

const readOf = (...objects: readonly JsonRecord[]) => readVariants(resourceListOf(objects).items)

test('a variant with faults is left out, and its faults and the warnings of the others are results', () => {
  const vague = variant('vague', 'b', { upstream: { repo: 'r', package: 'p', revision: '2' } })
  const { variants, results } = readOf(variant('a', 'a'), { ...variant('broken', 'a'), spec: {} }, vague)
  expect(variants.map(({ name }) => name)).toEqual(['a', 'vague'])
  expect(results.map((result) => `${result.resourceRef?.name} ${result.severity}`)).toEqual(
    expect.arrayContaining(['broken error', 'vague warning']),
  )
  expect(results.filter(({ resourceRef }) => resourceRef?.name === 'a').map(formatResult)).toEqual([])
})

test('only the part of a variant that planning needs is kept, and the whole variant is read again', () => {
  const [only] = readOf(variant('a', 'a', { labels: { l: 'x' }, annotations: { n: 'y' }, packageContext: { data: { k: 'v' } } })).variants
  if (only === undefined) throw new Error('no variant')
  expect(Object.keys(only).sort()).toEqual(['downstream', 'labels', 'name', 'object', 'upstream'])
  const whole = wholeVariant(only)
  expect([[...whole.annotations], [...whole.packageContext.data]]).toEqual([[['n', 'y']], [['k', 'v']]])
})

test('equal upstreams share one object, different ones do not', () => {
  const other = variant('c', 'c', { upstream: { repo: 'catalog', package: 'app', revision: 3 } })
  const [a, b, c] = readOf(variant('a', 'a'), variant('b', 'b'), other).variants
  expect(a?.upstream).toBe(b?.upstream)
  expect(c?.upstream).toMatchObject({ revision: 3 })
})

test.each([
  { name: 'a', found: ['a.b', 'a.b.c', 'a.c'] },
  { name: 'a.b', found: ['a.b.c'] },
  { name: 'a.b.c', found: [] },
  { name: 'ab', found: ['ab.d'] },
  { name: 'c', found: [] },
])('the names that begin with $name and a dot are $found', ({ name, found }) => {
  expect(new VariantNames(['ab.d', 'a.c', 'a.b.c', 'a', 'a.b', 'c', 'a.b']).beginningWith(name)).toEqual(found)
})

test('the set of a variant is found by its marks, and none for a variant without a set', () => {
  const alone = { ...variant('alone', 'b'), metadata: { name: 'alone' } }
  const { items } = resourceListOf([setOf([list('a')]), variant('mine', 'a'), alone])
  const setOfVariant = setFinder(items)
  const { variants } = readVariants(items.filter(({ kind }) => kind === 'PackageVariant'))
  expect(variants.map((each) => [each.name, setOfVariant(each)])).toEqual([
    ['mine', 'default/fleet'],
    ['alone', undefined],
  ])
})
