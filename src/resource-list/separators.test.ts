import { expect, test } from 'vitest'
import { KrmObject } from './krm-object.ts'
import { ResourceList } from './resource-list.ts'

// What go-yaml v3 makes of each text is what the judge of scripts/fuzz/go-judge says.
test.each([
  { reason: 'a key, whose end go-yaml takes for another key', text: 'a:\n  k\x85y: x\n', place: '2:4' },
  { reason: 'a key beside another one, which go-yaml refuses', text: 'a:\n  k\u2028y: x\n  b: y\n', place: '2:4' },
  { reason: 'a plain value', text: 'a: x\u2028y\n', place: '1:5' },
  { reason: 'a plain value, before which go-yaml drops the blank', text: 'a: x \u2029 y\n', place: '1:6' },
  { reason: 'a block, whose indentation go-yaml drops', text: 'a: |\n  x\x85  y\n', place: '2:4' },
  { reason: 'single quotes, where go-yaml makes a space of it', text: "a: 'x\x85y'\n", place: '1:6' },
  { reason: 'double quotes beside a blank, which go-yaml drops', text: 'a: "x \u2028y"\n', place: '1:7' },
  { reason: 'quotes before what ends a document', text: 'a: "x\u2028--- y"\n', place: '1:6' },
  { reason: 'a key in quotes', text: '"k\u2028y": x\n', place: '1:3' },
  { reason: 'a comment, behind which go-yaml reads on', text: 'a: b # c\u2028y: d\n', place: '1:9' },
  { reason: 'front of the first key', text: '\x85a: b\n', place: '1:1' },
])('a separator in $reason is refused', ({ text, place }) => {
  const read = () => KrmObject.fromDocument(text, { path: 'a.yaml', index: 0, line: 1 }).toJson()
  const [line, column] = place.split(':')
  expect(read).toThrow(/^.*a\.yaml: expected YAML, found a fault: U\+(0085|2028|2029) must be written as \\[NLP] in double quotes, since /)
  expect(read).toThrow(expect.objectContaining({ position: { line: Number(line), column: Number(column) } }))
})

test.each([
  { reason: 'where no YAML is left', text: 'a: b\n\u2028\nc: d\n' },
  { reason: 'in place of a line break', text: 'a: b\x85c: d\n' },
])('one $reason is reported as such', ({ text }) => {
  expect(() => KrmObject.fromDocument(text).toJson()).toThrow('in double quotes, since other readers end the line there')
})

test.each([
  { reason: 'between single quotes', text: "a: 'x\u2028y'\n", value: 'x\u2028y' },
  { reason: 'between double quotes', text: 'a: "x\u2029\u2029y"\n', value: 'x\u2029\u2029y' },
  { reason: 'as an escape', text: 'a: "x\\N\\L \\Py"\n', value: 'x\x85\u2028 \u2029y' },
])('a separator $reason is a character', ({ text, value }) => {
  expect(KrmObject.fromDocument(text).toJson()).toEqual({ a: value })
})

test('one in a comment of a list is refused with its place', () => {
  const list = 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- kind: A # c\x85  spec: {}\n'
  expect(() => ResourceList.parse(list)).toThrow('U+0085 must be written as \\N in double quotes')
})
