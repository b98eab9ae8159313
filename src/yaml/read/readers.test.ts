import { expect, test } from 'vitest'
import { VALUES } from './builder.ts'
import { readFast } from './fast-reader.ts'
import { nodeValue } from './node-value.ts'
import { readYaml, YamlError } from './yaml-reader.ts'

function fast(text: string) {
  return readFast(text, VALUES, { frame: 'document', unusual })
}

function unusual(): void {}

function full(text: string) {
  try {
    return nodeValue(readYaml(text))
  } catch (error) {
    if (error instanceof YamlError) return error
    throw error
  }
}

// Each text was read as two different values, or by one reader and not by the other, before.
test.each([
  { text: 'a:\n  one\n  two\nb: 1\n', value: { a: 'one two', b: 1 } },
  { text: 'a: one\n  two\n\n  three\nb: 1\n', value: { a: 'one two\nthree', b: 1 } },
  { text: 'a: "one\n  two\\\n  three"\n', value: { a: 'one twothree' } },
  { text: "a: 'one\n\n  ''two'''\n", value: { a: "one\n'two'" } },
  { text: 'a: >\n  one\n  two\n\n  three\n   four\n', value: { a: 'one two\nthree\n four\n' } },
  { text: 'a: |\r\n  one\r\n  two\r\nb: 1\r\n', value: { a: 'one\ntwo\n', b: 1 } },
  { text: 'a: |\n  one', value: { a: 'one' } },
  { text: 'a: |+\n  one', value: { a: 'one' } },
  { text: '{"a":"b","c":[1,2]}', value: { a: 'b', c: [1, 2] } },
  { text: 'a: "\\x41\\u00e9\\U0001F600"\n', value: { a: 'A\u00e9\u{1f600}' } },
])('$text is one value for both readers', ({ text, value }) => {
  expect([fast(text), full(text)]).toEqual([value, value])
})

// What kpt does not write is read, and said to be unusual.
test.each([
  { text: 'a: &x b\n', value: { a: 'b' } },
  { text: 'a: !!str 1 # c\n', value: { a: '1' } },
  { text: 'a: &x !t\n  b: 1\nc: 2\n', value: { a: { b: 1 }, c: 2 } },
  { text: 'a: !t &x |\n  b\n', value: { a: 'b\n' } },
  { text: '- &x\n  a: &y [b]\n- !t {c: d}\n', value: [{ a: ['b'] }, { c: 'd' }] },
  { text: 'a: &x\nb: !!str\n', value: { a: null, b: '' } },
  { text: 'a: 1\na: 2\n', value: { a: 2 } },
  { text: 'a: {b: 1, b: 2}\n', value: { a: { b: 2 } } },
  { text: 'a: [b # c\n, d\n]\n', value: { a: ['b', 'd'] } },
  { text: '- a:\n    b: {c: 1 # c\n, d: 2\n}\n', value: [{ a: { b: { c: 1, d: 2 } } }] },
])('$text is one value for both readers, and unusual', ({ text, value }) => {
  expect([fast(text), full(text)]).toEqual([value, value])
  expect(readFast(text, VALUES, { frame: 'document' })).toBeUndefined()
})

test.each([
  'a: &x b: 1\n',
  '- &x a: 1\n',
  'a: &x\n- b\n',
  'a: &x *y\n',
  'a: *x\n',
  '<<: *x\n',
  'a: ! b\n',
  'a: !<x> b\n',
  'a: &x &y b\n',
  'a: [b,#c\n]\n',
])('%j is left to the full parser', (text) => {
  expect(fast(text)).toBeUndefined()
})

// The library takes what follows for part of the scalar, since it takes the comment's column for that of the key.
test.each([
  { text: 'a: #@ c\n#c\n and more text\nb: 1\n', value: { a: 'and more text', b: 1 } },
  { text: '- # c\n#c\n text\n- b\n', value: ['text', 'b'] },
  { text: '  a:\n#c\n   |\n  b: 1\n', value: undefined },
])('$text is right or refused', ({ text, value }) => {
  expect(fast(text)).toEqual(value)
  expect(full(text)).toBeInstanceOf(YamlError)
})
