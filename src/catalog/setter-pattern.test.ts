import { expect, test } from 'vitest'
import { printedScalar } from './plain-scalar.ts'
import { fillPattern, setterNames, settersOfValue } from './setter-pattern.ts'

/** Returns the text that a pattern gives, and the setters without a value. */
function filled(pattern: string, values: Readonly<Record<string, string>>, current: string) {
  const { text, missing } = fillPattern(pattern, new Map(Object.entries(values)), current, { take: () => undefined })
  return [text, ...missing]
}

test('the setters of a pattern are named in its order', () => {
  expect(setterNames('${image}:${tag}')).toEqual(['image', 'tag'])
  expect(setterNames('plain $x {y}')).toEqual([])
})

test.each([
  ['${image}:${tag}', { tag: '1.15' }, 'nginx:1.14', ['nginx:1.15']],
  ['${image}:${tag}', { image: 'httpd' }, 'host:80/nginx:1.14', ['httpd:1.14']],
  ['${a}-${b}', { a: 'x' }, 'one-two-three', ['x-three']],
  ['v${a}', { a: '2' }, 'v1', ['v2']],
  ['v${a}', {}, 'v1', ['v1']],
  ['${a}.com', {}, 'example.com', ['example.com']],
  ['v${a}', {}, '1', ['v${a}', 'a']],
  ['${a}.com', {}, 'example.org', ['${a}.com', 'a']],
  ['${a}-${b}', {}, 'one-', ['${a}-${b}', 'a', 'b']],
  ['${a}-${b}', {}, '-two', ['${a}-${b}', 'a', 'b']],
  ['a${x}a', {}, 'a', ['a${x}a', 'x']],
  ['${a}', { a: '${b}' }, 'x', ['${b}', 'b']],
  ['${a}-${b}', { a: '${b}' }, 'x-y', ['y-y']],
])('the pattern %s with %j, of the value %s, gives %j', (pattern, values, current, expected) => {
  expect(filled(pattern, values, current)).toEqual(expected)
})

test('the growth of a text is counted before it is written', () => {
  const taken: number[] = []
  fillPattern('${a}-${a}', new Map([['a', '12345']]), '', { take: (characters) => taken.push(characters) })
  expect(taken).toEqual([1, 1])
})

test.each([
  ['nginx:${tag}', 'docker.io/nginx:1.14', { tag: '1.14' }],
  ['${image}:${tag}', 'host:80/nginx:1', { image: 'host:80/nginx', tag: '1' }],
  ['${a}-${b}-c', 'x-y-z-c', { a: 'x-y', b: 'z' }],
  ['${a}.com', 'first\nexample.com', { a: 'example' }],
  ['${a}:${b}', 'x:', {}],
  ['nginx:${tag}', 'httpd:1', {}],
  ['b${x}a', 'a b', {}],
  ['a${x}a', 'a\naba', { x: 'b' }],
])('the pattern %s shows in %j the values %j', (pattern, text, values) => {
  expect(Object.fromEntries(settersOfValue(pattern, text))).toEqual(values)
})

test.each([
  ['plain', 'text', '', 'text'],
  ['plain', 'text', '# note', 'text # note'],
  ['plain', 'a: b', '# note', "'a: b' # note"],
  ['plain', '', '# note', '# note'],
  ['plain', 'a\nb', '', '|-\n  a\n  b'],
  ['single', "it's", '', "'it''s'"],
  ['double', 'a"b', '# n', '"a\\"b" # n'],
  ['literal', 'a\nb\n', '', '|\n  a\n  b'],
  ['literal', 'a\n\n', '', '|+\n  a'],
  ['folded', 'a', '', '>-\n  a'],
] as const)('the %s scalar %j with the comment %j is printed as %j', (style, text, comment, expected) => {
  expect(printedScalar(style, text, comment)).toBe(expected)
})
