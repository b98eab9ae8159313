import { expect, test } from 'vitest'
import { VALUES } from './builder.ts'
import { readFast } from './fast-reader.ts'
import { nodeValue } from './node-value.ts'
import { readYaml, YamlError } from './yaml-reader.ts'

function fast(text: string) {
  return readFast(text, VALUES, { frame: 'document' })
}

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

// The library takes what follows for part of the scalar, since it takes the comment's column for that of the key.
test.each([
  { text: 'a: #@ c\n#c\n and more text\nb: 1\n', value: { a: 'and more text', b: 1 } },
  { text: '- # c\n#c\n text\n- b\n', value: ['text', 'b'] },
  { text: '  a:\n#c\n   |\n  b: 1\n', value: undefined },
])('$text is right or refused', ({ text, value }) => {
  expect(fast(text)).toEqual(value)
  expect(full(text)).toBeInstanceOf(YamlError)
})
