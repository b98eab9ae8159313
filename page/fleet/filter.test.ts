import { expect, test } from 'vitest'
import { variantFinder } from './filter.ts'
import type { PageVariant } from './page-data.ts'

const variant = (name: string, cluster: string): PageVariant => ({
  op: 'create',
  name,
  namespace: 'default',
  cluster,
  reason: 'a target matches',
  labels: {},
  fields: [],
})

test('the page finds the variants of one cluster, and those whose cluster is searched for', () => {
  const find = variantFinder([variant('a', 'ber'), variant('b', 'ham'), variant('c', 'ber')])
  const everything = { text: '', cluster: '', label: '', op: '' }
  const named = (filter: Partial<typeof everything>) => find({ ...everything, ...filter }).map(({ name }) => name)
  expect(named({})).toEqual(['a', 'b', 'c'])
  expect(named({ cluster: 'ber' })).toEqual(['a', 'c'])
  expect(named({ cluster: 'ber', text: 'b' })).toEqual(['a', 'c'])
  expect(named({ text: 'ham' })).toEqual(['b'])
})
