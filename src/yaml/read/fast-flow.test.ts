import { expect, test } from 'vitest'
import { VALUES } from './builder.ts'
import { FlowReader } from './fast-flow.ts'
import { nodeValue } from './node-value.ts'
import { REFUSAL, TextCursor } from './text-cursor.ts'
import { readYaml } from './yaml-reader.ts'

/** Returns the value of a collection and what follows it, with the unusual parts; `refused` if it is left to the full parser. */
function read(text: string, { column = -1, depth = 0 } = {}) {
  const at = new TextCursor(text)
  const unusual: string[] = []
  const reader = new FlowReader(at, VALUES, (name = 'a comment') => unusual.push(name))
  try {
    return [reader.read(depth, column, {}), text.slice(at.offset), ...unusual]
  } catch (error) {
    if (error === REFUSAL) return 'refused'
    throw error
  }
}

test.each<[string, unknown]>([
  ['{}', {}],
  ['[]', []],
  ['{ }', {}],
  ['[ ]', []],
  ['{a: 1}', { a: 1 }],
  ['{a: 1, b: x}', { a: 1, b: 'x' }],
  ['{ a: 1 , b: 2 }', { a: 1, b: 2 }],
  ['[1, x, "y", \'z\']', [1, 'x', 'y', 'z']],
  ['[1,2]', [1, 2]],
  ['[1, 2,]', [1, 2]],
  ['{a: 1,}', { a: 1 }],
  ['{a: {b: [{c: 1}]}, d: []}', { a: { b: [{ c: 1 }] }, d: [] }],
  ['{"a":1,"b":[2]}', { a: 1, b: [2] }],
  ['{"a": "b c"}', { a: 'b c' }],
  ["{'a':1}", { a: 1 }],
  ['[-1, -0.5]', [-1, -0.5]],
  ['[a b c]', ['a b c']],
  ['{a: x/y.z}', { a: 'x/y.z' }],
  ['{a: 1,\n b: 2\n}', { a: 1, b: 2 }],
  ['[\n\n 1\n , 2 ]', [1, 2]],
])('the collection %j is read as both readers read it', (text, value) => {
  expect(read(text)).toEqual([value, ''])
  expect(nodeValue(readYaml(text))).toEqual(value)
})

test('what follows the collection is left', () => {
  expect(read('{a: 1} # c\nb: 2')).toEqual([{ a: 1 }, ' # c\nb: 2'])
})

test.each<[string, unknown, string]>([
  ['{a: 1, a: 2}', { a: 2 }, 'a repeated key'],
  ['[1, # c\n 2]', [1, 2], 'a comment'],
])('%j is read, and unusual', (text, value, unusual) => {
  expect(read(text)).toEqual([value, '', unusual])
})

test.each([
  ['a colon without a blank', '{a:1}'],
  ['a key without a colon', '{a}'],
  ['a pair in a list', '[a: 1]'],
  ['no comma', '[1 "2"]'],
  ['two commas', '[1,, 2]'],
  ['a merge key', '{<<: 1}'],
  ['a missing end', '[1, 2'],
  ['another end', '[1}'],
  ['an alias', '[*x]'],
  ['an anchor', '[&x 1]'],
  ['a tag', '[!t 1]'],
  ['a dash alone', '[-]'],
  ['a question mark', '{? a: 1}'],
  ['a comment right behind a value', '[1,#c\n 2]'],
  ['a long key', `{${'k'.repeat(1001)}: 1}`],
])('a collection with %s is left to the full parser', (_, text) => {
  expect(read(text)).toBe('refused')
})

test('a key may have the most characters', () => {
  expect(read(`{${'k'.repeat(1000)}: 1}`)).toEqual([{ ['k'.repeat(1000)]: 1 }, ''])
})

test('further lines must be deeper than the column, but for the lines that go-yaml begins with an odd character in column 0', () => {
  expect(read('[1,\n   2]', { column: 2 })).toEqual([[1, 2], ''])
  expect(read('[1,\n  2]', { column: 2 })).toBe('refused')
  expect(read('[1\n, 2\n]', { column: 2 })).toEqual([[1, 2], '', 'a comment', 'a comment'])
  expect(read('[1\n, 2\n]', { column: 79 })).toEqual([[1, 2], '', 'a comment', 'a comment'])
  expect(read('[1\n, 2\n]', { column: 80 })).toBe('refused')
  expect(read('[1,\n2]', { column: 0 })).toBe('refused')
})
