import { expect, test } from 'vitest'
import { VALUES } from './builder.ts'
import { readFast } from './fast-reader.ts'
import { nodeValue } from './node-value.ts'
import { YamlError } from './yaml-error.ts'
import { MARK_IN_KEY } from './yaml-mistake.ts'
import { readYaml } from './yaml-reader.ts'

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

// A comment without a blank behind its `#` that stands further left than the value, which the library takes for the column of the key.
test.each([
  { text: 'a: #@ c\n#c\n and more text\nb: 1\n', value: { a: 'and more text', b: 1 } },
  { text: '- # c\n#c\n text\n- b\n', value: ['text', 'b'] },
  { text: 'k:\n#v\n b\nz: 1\n', value: { k: 'b', z: 1 } },
  { text: "k:\n#v\n  'b\n c'\nz: 1\n", value: { k: 'b c', z: 1 } },
  { text: '- k:\n#v\n   s\n  z: 1\n', value: [{ k: 's', z: 1 }] },
  { text: 'k: #a\n#b\n#c\n  b\nl:\n#d\n  e\nz: 1\n', value: { k: 'b', l: 'e', z: 1 } },
])('$text is one value for both readers, below its comment', ({ text, value }) => {
  expect([fast(text), full(text)]).toEqual([value, value])
})

// The fast reader refuses what is not on the line of its key; a `#` in a text is no comment.
test.each([
  { text: '  a:\n#c\n   |\n  b: 1\n', value: { a: '', b: 1 } },
  { text: 'a:\n#c\n  |\n  #b\n  c\nd: 1\n', value: { a: '#b\nc\n', d: 1 } },
  { text: 'a:\n#c\n  "b\n  #d"\ne: 1\n', value: { a: 'b #d', e: 1 } },
  { text: 'a: &x |\n#c\nb: 1\n', value: { a: '', b: 1 } },
])('$text is read by the full parser, below its comment', ({ text, value }) => {
  expect(full(text)).toEqual(value)
})

// YAML 1.2.2, 7.3.1: blank lines behind an escaped line break are line breaks. yaml.v3 reads them so; the library makes one of them a
// space.
test.each([
  { text: 'a: "one\\\n\n  two"\n', value: { a: 'one\ntwo' } },
  { text: 'a: "one\\\n\n\n  two"\n', value: { a: 'one\n\ntwo' } },
  { text: 'a: "one \\\r\n  \r\n  two"\r\n', value: { a: 'one \ntwo' } },
  { text: 'a: "\\\n\n  \\\n\n  two"\n', value: { a: '\n\ntwo' } },
  { text: 'a: "one\\\\\n\n  two"\n', value: { a: 'one\\\ntwo' } },
])('$text keeps its blank lines with both readers', ({ text, value }) => {
  expect([fast(text), full(text)]).toEqual([value, value])
})

test.each(['\\x', '\\x4', '\\\\\\u00e', '\\U0001f60'])('the escape %s takes no digits from the next line', (cut) => {
  expect(fast(`a: "${cut}\\\n  0"\n`)).toBeUndefined()
  expect(full(`a: "${cut}\\\n  0"\n`)).toBeInstanceOf(YamlError)
})

test('an escaped backslash before x is no cut escape', () => {
  const text = 'a: "\\\\x\\\n  41 \\x41\\\n  b"\n'
  expect([fast(text), full(text)]).toEqual([{ a: '\\x41 Ab' }, { a: '\\x41 Ab' }])
})

test('a tab beside an escaped line break is no content', () => {
  expect(full('a: "one\\\n \t\n \ttwo"\n')).toEqual({ a: 'one\ntwo' })
})

// Spaces beyond the indentation that a header names are content, at the end too, where the library loses them.
test.each([
  { text: 'k: |2\n    \nz: 1\n', value: { k: '  \n', z: 1 } },
  { text: 'k: >1-\n  \nz: 1\n', value: { k: ' ', z: 1 } },
  { text: 'k: |1\n      a\n    \nz: 1\n', value: { k: '     a\n   \n', z: 1 } },
  { text: 'k: |1+\n   a\n  \n\nz: 1\n', value: { k: '  a\n \n\n', z: 1 } },
  { text: 'k: |\n  a\n     \nz: 1\n', value: { k: 'a\n   \n', z: 1 } },
  { text: 'k: |2\n     ', value: { k: '   ' } },
  { text: 'k: |2\n\n     \n ', value: { k: '\n   \n' } },
  { text: 'k: |4\n     \n   # c\nz: 1\n', value: { k: ' \n', z: 1 } },
  { text: 'k: |\n    a\n  # c\nz: 1\n', value: { k: 'a\n', z: 1 } },
])('$text keeps its spaces with both readers', ({ text, value }) => {
  expect([fast(text), full(text)]).toEqual([value, value])
})

// The library ends the scalar above the tab, takes the doubled quote for the closing one, and reads a second key.
test.each(["o:\n  'k': 'a ''\n  \t\n    : b'\n", 'o:\n  k: "a \\"\n  \t\n    : b"\n'])('%j is refused, not cut short', (text) => {
  expect(fast(text)).toBeUndefined()
  expect(full(text)).toBeInstanceOf(YamlError)
})

test('blanks with which a text ends are no line of a block scalar', () => {
  expect(full('k: |+\n   ')).toEqual({ k: '' })
})

test.each([
  { text: 'a: 1\n\ufeffb: 2\n', offset: 5 },
  { text: 'x: {a\ufeffb: 1}\n', offset: 5 },
  { text: 'a\ufeff: 1\n', offset: 1 },
])('$text is refused: the mark in its key is invisible', ({ text, offset }) => {
  expect(fast(text)).toBeUndefined()
  const error = full(text)
  expect(error instanceof YamlError && [error.offset, error.message]).toEqual([offset, MARK_IN_KEY])
})

test.each(['\ufeffa: 1\n', 'a: x\ufeffy\n', '"a\ufeffb": 1\n'])('a byte order mark elsewhere is none in a key: %j', (text) => {
  expect(full(text)).not.toBeInstanceOf(YamlError)
})
