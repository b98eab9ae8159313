import { expect, test } from 'vitest'
import { KrmObject } from './krm-object.ts'

// A copy means to every reader what its source meant: tag and text as they were written.
test.each([
  '!!timestamp 2024-01-01',
  '!!binary aGVsbG8=',
  '!!float 1',
  '!!int "5"',
  '!!bool "true"',
  '!!null',
  '!!str',
  '! 5',
  '!!str 5',
  '!!merge x',
  '!local x',
  '!<tag:example.com,2000:a> x',
  '!!omap [{a: 1}, {b: 2}]',
  '!!pairs [{a: 1}, {a: 2}]',
  '!!set {a: null, b: null}',
])('%s is copied as it stands, into a block and between braces', (written) => {
  const source = KrmObject.fromDocument(`spec:\n  a: ${written}\n`)
  const [block, braces] = ['spec:\n  b: 1\n', 'spec: {b: 1}\n'].map((text) => KrmObject.fromDocument(text))
  block?.copy(['spec', 'a'], source)
  braces?.copy(['spec', 'a'], source)
  expect(braces?.toText()).toBe(`spec: {b: 1, a: ${written}}\n`)
  if (!/[[{]/.test(written)) expect(block?.toText()).toBe(`spec:\n  b: 1\n  a: ${written}\n`)
  expect(block?.get(['spec', 'a'])).toEqual(source.get(['spec', 'a']))
})

test('a tagged list and a merge key go to lines of their own with their tags', () => {
  const source = KrmObject.fromDocument(
    'spec:\n  !!merge <<: {a: 1}\n  list: !!omap\n    - a: 1\n  bytes: !!binary |\n    aGVs\n    bG8=\n',
  )
  const target = KrmObject.fromDocument('kind: A\n')
  target.copy(['spec'], source)
  expect(target.toText()).toBe(
    'kind: A\nspec:\n  !!merge <<:\n    a: 1\n  list: !!omap\n  - a: 1\n  bytes: !!binary |\n    aGVs\n    bG8=\n',
  )
})
