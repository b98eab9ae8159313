import { expect, test } from 'vitest'
import { countOf, cutAround, inLine, nameFirst } from './wording.ts'

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

test('what should be a name is one line, and no longer than it can be read', () => {
  expect([inLine('edge-1'), inLine('edge\n  1'), inLine('x'.repeat(300))]).toEqual(['edge-1', 'edge 1', `${'x'.repeat(200)}…`])
})

test('of long texts with many lines, those that differ are shown', () => {
  const text = (...changed: readonly string[]) => ['a = 1', ...changed, ...Array.from({ length: 9 }, (_, i) => `b${i} = 2`)].join('\n')
  expect(cutAround([text('c = 3'), text('c = 4')], 20)).toEqual(['…c = 3…', '…c = 4…'])
  expect(cutAround([text(), text('c = 4')], 20)).toEqual(['a = 1…', 'a = 1\nc = 4…'])
  expect(cutAround([JSON.stringify(text('c')), JSON.stringify(text('d'))], 20)).toEqual(['…c…', '…d…'])
  expect(cutAround(['a\nb', 'a\nc'], 20)).toEqual(['a\nb', 'a\nc'])
})
