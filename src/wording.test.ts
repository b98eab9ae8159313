import { expect, test } from 'vitest'
import { countOf, nameFirst } from './wording.ts'

test.each([
  [1, 'Repository', '1 Repository'],
  [2, 'Repository', '2 Repositories'],
  [2, 'Gateway', '2 Gateways'],
  [0, 'target', '0 targets'],
  [3, 'Ingress', '3 Ingresses'],
  [2, 'Endpoints', '2 Endpoints'],
  [2, 'Batch', '2 Batches'],
])('%i of %s are %s', (count, noun, text) => {
  expect(countOf(count, noun)).toBe(text)
})

test('the first names, and how many more there are', () => {
  expect([nameFirst(['a', 'b'], 2), nameFirst(['a', 'b', 'c', 'd'], 2)]).toEqual(['a, b', 'a, b and 2 more'])
})
