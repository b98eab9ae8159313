import { expect, test } from 'vitest'
import { KrmObject } from './krm-object.ts'

// What go-yaml v3 reads: a carriage return alone ends a line too (YAML 1.2.2, 5.4), and what it folds to is one line feed.
test.each([
  { reason: 'a plain scalar', text: 'a: x\r  y\nb: 1\n', value: { a: 'x y', b: 1 } },
  { reason: 'double quotes', text: 'a: "x\r  y"\n', value: { a: 'x y' } },
  { reason: 'an escaped break', text: 'a: "x\\\r  y"\n', value: { a: 'xy' } },
  { reason: 'single quotes, twice', text: "a: 'x\r\r  y'\n", value: { a: 'x\ny' } },
  { reason: 'a literal block', text: 'a: |\r  x\r  y\rb: 1\r', value: { a: 'x\ny\n', b: 1 } },
  { reason: 'a block that keeps its breaks', text: 'a: |+\r  x\r\rb: 1\n', value: { a: 'x\n\n', b: 1 } },
  { reason: 'a folded block', text: 'a: >\n  x\r  y\r\r  z\n', value: { a: 'x y\nz\n' } },
  { reason: 'one among CRLF', text: 'a: |\n  x\r\n  y\r', value: { a: 'x\ny\n' } },
  { reason: 'brackets', text: 'a: [x,\r y]\n', value: { a: ['x', 'y'] } },
  { reason: 'the end of a key', text: 'a: x\rb: 2\n', value: { a: 'x', b: 2 } },
  { reason: 'the end of a comment', text: 'a: x # c\rb: 1\n', value: { a: 'x', b: 1 } },
  { reason: 'an escape, which is text', text: 'a: "\\r"\n', value: { a: '\r' } },
])('a carriage return alone in $reason is read as go-yaml reads it', ({ text, value }) => {
  expect(KrmObject.fromDocument(text).toJson()).toEqual(value)
})

test('a scalar with one keeps its bytes when another field is edited', () => {
  const object = KrmObject.fromDocument('a: "x\r  y"\nb: 1\n')
  object.set(['b'], 2)
  expect(object.toText()).toBe('a: "x\r  y"\nb: 2\n')
})

test('text with one is written so that it is read again', () => {
  const object = KrmObject.fromDocument('a: 1\n')
  object.set(['a'], 'x\ry')
  expect(KrmObject.fromDocument(object.toText()).get(['a'])).toBe('x\ry')
})
