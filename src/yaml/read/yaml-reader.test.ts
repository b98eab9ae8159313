import { expect, test } from 'vitest'
import { MAX_UNUSUAL } from './limits.ts'
import type { Node } from './node.ts'
import { nodeValue } from './node-value.ts'
import { YamlError } from './yaml-error.ts'
import { readYaml } from './yaml-reader.ts'

/** Returns the parts of a text that the nodes take, from the root on; keys before their values. */
function sourcesIn(text: string): readonly string[] {
  const sources = (node: Node): readonly string[] => {
    const own = text.slice(node.start, node.end)
    if (node.type === 'map') return [own, ...node.entries.flatMap(({ key, value }) => [text.slice(key.start, key.end), ...sources(value)])]
    return node.type === 'sequence' ? [own, ...node.items.flatMap(({ value }) => sources(value))] : [own]
  }
  return sources(readYaml(text))
}

test.each<[string, readonly string[]]>([
  ['a: 1 # c\nb:\n  - x\n  - "y"\n', ['a: 1 # c\nb:\n  - x\n  - "y"', 'a', '1', 'b', '- x\n  - "y"', 'x', '"y"']],
  ['? a\n: b\n', ['a\n: b', 'a', 'b']],
  ['a:\nb: {c: [1, 2], d: {}}\n', ['a:\nb: {c: [1, 2], d: {}}', 'a', '', 'b', '{c: [1, 2], d: {}}', 'c', '[1, 2]', '1', '2', 'd', '{}']],
  ["'a b': 'x''y'\n", ["'a b': 'x''y'", "'a b'", "'x''y'"]],
  ['a: |\n  x\n  y\n\nb: 1\n', ['a: |\n  x\n  y\n\nb: 1', 'a', '|\n  x\n  y', 'b', '1']],
  ['a: |+\n  x\n\nb: 1\n', ['a: |+\n  x\n\nb: 1', 'a', '|+\n  x\n', 'b', '1']],
  ['a: >-\n  x\n  y\n', ['a: >-\n  x\n  y', 'a', '>-\n  x\n  y']],
  ['a: |\nb: 1\n', ['a: |\nb: 1', 'a', '|', 'b', '1']],
  ['a: one\n  two\n', ['a: one\n  two', 'a', 'one\n  two']],
  ['a: &x b\nc: *x\nd: !t e\n', ['a: &x b\nc: *x\nd: !t e', 'a', 'b', 'c', '*x', 'd', 'e']],
  ['[]', ['[]']],
  ['a: {b: 1,\n}\n', ['a: {b: 1,\n}', 'a', '{b: 1,\n}', 'b', '1']],
])('the nodes of %j take these parts of the text', (text, expected) => {
  expect(sourcesIn(text)).toEqual(expected)
})

/** Returns the value of the first key of a text. */
function valueIn(text: string): Node | undefined {
  const root = readYaml(text)
  return root.type === 'map' ? root.entries[0]?.value : undefined
}

test.each<[string, Partial<Node>]>([
  ['a: b\n', { style: 'plain', text: 'b' }],
  ["a: 'b'\n", { style: 'single', text: 'b' }],
  ['a: "b\\n"\n', { style: 'double', text: 'b\n' }],
  ['a: |\n  b\n', { style: 'literal', text: 'b\n' }],
  ['a: >\n  b\n', { style: 'folded', text: 'b\n' }],
  ['a: &x b\n', { anchor: 'x', text: 'b' }],
  ['a: !t b\n', { tag: '!t', text: 'b' }],
  ['a: !!str b\n', { tag: 'tag:yaml.org,2002:str', text: 'b' }],
  ['a: &x\n', { anchor: 'x', text: '', start: 5, end: 5 }],
  ['a: !!str # c\n', { tag: 'tag:yaml.org,2002:str', text: '', start: 8, end: 8 }],
  ['a: *x\n', { type: 'alias', anchor: 'x' }],
  ['a: &x {b: 1}\n', { type: 'map', flow: true, anchor: 'x' }],
  ['a: &x\n  b: 1\n', { type: 'map', flow: false, anchor: 'x' }],
  ['a: !t [b]\n', { type: 'sequence', flow: true, tag: '!t' }],
  ['a: !t\n- b\n', { type: 'sequence', flow: false, tag: '!t' }],
  ['a:\n  ? b\n', { type: 'map', explicit: true }],
])('the style and properties of the value of %j', (text, expected) => {
  expect(valueIn(text)).toMatchObject(expected)
})

test('a value without a tag or an anchor has none, and a map of usual keys is not explicit', () => {
  for (const text of ['a: b\n', 'a: {b: 1}\n', 'a: [b]\n', 'a:\n  b: 1\n', 'a:\n'])
    for (const property of ['tag', 'anchor', 'explicit']) expect(valueIn(text)).not.toHaveProperty(property)
})

test('an empty value is behind its colon, its key or its dash', () => {
  const startOf = (text: string) => {
    const root = readYaml(text)
    return root.type === 'map' ? root.entries[0]?.value.start : root.type === 'sequence' ? root.items[0]?.value.start : root.start
  }
  expect([startOf('a:   # c\n'), startOf('? a\n'), startOf('-  # c\n'), startOf('{a}'), startOf('')]).toEqual([2, 3, 1, 2, 0])
})

test('the dash of an item is its place, in brackets the value', () => {
  const dashes = (text: string) => {
    const root = readYaml(text)
    return root.type === 'sequence' && root.items.map(({ dash }) => dash)
  }
  expect([dashes('- a\n-   b\n- \n'), dashes('[a,  b]')]).toEqual([
    [0, 4, 10],
    [1, 5],
  ])
})

test.each<[string, unknown]>([
  ['? a\n: 1\n? b\n', { a: 1, b: null }],
  ['a:\t1\n', { a: 1 }],
  ['a: 1\ra2: 2\rb: 3\r', { a: 1, a2: 2, b: 3 }],
  ['a: 1\r\nb: 2\r\n', { a: 1, b: 2 }],
  ['a: !!timestamp 2020-01-01\n', { a: '2020-01-01' }],
  ['a: |\n  x', { a: 'x' }],
  ['a: |\n  x\n   ', { a: 'x\n ' }],
  ['a: |\n  x\n ', { a: 'x\n' }],
  ['a: |\n  x\n  ', { a: 'x\n' }],
  ['a: |+\n  x', { a: 'x' }],
  ['a: |\n   \n', { a: '' }],
  ['a: {b: 1,\n}\n', { a: { b: 1 } }],
  ['', null],
  ['# c\n', null],
])('%j is read', (text, expected) => {
  expect(nodeValue(readYaml(text))).toEqual(expected)
})

test.each(['? a\n', '? \n: 1\n', '&x : 1\n', '!!str : 1\n', '"" : 1\n', 'a: [? b : c, d: e, f]\n', 'a: {b, ? c, "d", e: }\n'])(
  '%j has a key for each value',
  (text) => {
    expect(faultOf(text)).toBe(undefined)
  },
)

function faultOf(text: string): readonly [message: string, offset: number] | undefined {
  try {
    readYaml(text)
    return undefined
  } catch (error) {
    if (error instanceof YamlError) return [error.message, error.offset]
    throw error
  }
}

test.each<[string, string, number]>([
  ['a: 1\n---\nb: 2\n', 'a second document begins', 5],
  ['? [a]\n: 1\n', 'a key must be a scalar', 2],
  ['? {a: 1}\n: 1\n', 'a key must be a scalar', 2],
  ['a: "b\n', 'the text that begins with " is not closed', 3],
])('%j is refused', (text, message, offset) => {
  expect(faultOf(text)).toEqual([message, offset])
})

const TOO_DEEP = 'nested deeper than 100 levels'

test.each<[string, (depth: number) => string]>([
  ['brackets', (depth) => '['.repeat(depth) + ']'.repeat(depth)],
  ['lists', (depth) => `${'- '.repeat(depth)}a`],
  ['maps', (depth) => Array.from({ length: depth }, (_, level) => `${' '.repeat(level)}a:\n`).join('')],
])('a text may be nested a hundred times by %s', (_, textOf) => {
  expect([faultOf(textOf(100)), faultOf(textOf(102))?.[0]]).toEqual([undefined, TOO_DEEP])
})

test('a text of a hundred thousand brackets is refused where it is too deep', () => {
  expect(faultOf(`a: ${'['.repeat(100_000)}`)).toEqual([TOO_DEEP, 'a: '.length + 99])
})

test('a text of more characters than the parser may read is refused, with the part that needs the parser', () => {
  const [message = '', offset] = faultOf(`a: *x\n#${' '.repeat(MAX_UNUSUAL)}\n`) ?? []
  expect([message.startsWith('an alias (*) in a text of '), offset]).toEqual([true, 3])
  expect(faultOf(`a: &x 1\n#${' '.repeat(MAX_UNUSUAL - 10)}\n`)).toBeUndefined()
})

test('a line break of YAML 1.1 outside quotes, and a mark in a key, are refused with their places', () => {
  expect(faultOf('a: b\u2028c\n')?.[1]).toBe(4)
  expect(faultOf('a: "b\u2028c"\n')).toBeUndefined()
  expect(faultOf('a: 1\nb\ufeff: 2\n')?.[1]).toBe(6)
})
