import { expect, test } from 'vitest'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { readYaml } from '../read/yaml-reader.ts'
import { flowSpan, heldMember, keepsBlankLines, type Member, memberLines, membersOf } from './members.ts'
import { linkedRoot } from './testing/linked-root.ts'

/** Returns a text without the fields at some paths. */
function without(text: string, ...paths: readonly (readonly (string | number)[])[]): string {
  const object = KrmObject.fromDocument(text)
  for (const path of paths) object.delete(path)
  return object.toText()
}

test.each([
  [
    'the blank lines below it, which would become part of a text before it that keeps them',
    'a: |+\n  x\nb: 1\n\n\nc: 2\n',
    'a: |+\n  x\nc: 2\n',
  ],
  ['the blank lines at the end of the file, for the same reason', 'a: >2+\n  x\nb: 1\n\n\n', 'a: >2+\n  x\n'],
  ['no blank lines behind a text that ends with one line break', 'a: |\n  x\nb: 1\n\nc: 2\n', 'a: |\n  x\n\nc: 2\n'],
  ['no blank lines behind another value', 'a: 1\nb: 1\n\nc: 2\n', 'a: 1\n\nc: 2\n'],
  ['its own comments, and none of the next field', 'a: 1\n# of b\nb: 1 # b\n# of c\nc: 2\n', 'a: 1\n# of c\nc: 2\n'],
  ['the lines of its value', 'a: 1\nb:\n  deep: |\n    x\n\n    y\nc: 2\n', 'a: 1\nc: 2\n'],
])('a field goes with %s', (_, before, after) => {
  expect(without(before, ['b'])).toBe(after)
})

test('the text before a field that goes has the same value as before, with the line breaks that it keeps', () => {
  const object = KrmObject.fromDocument('a: |+\n  x\n\nb: 1\n\nc: 2\n')
  object.delete(['b'])
  expect(KrmObject.fromDocument(object.toText()).get(['a'])).toBe('x\n\n')
})

test('the first field of an entry of a list leaves its dash to the next one', () => {
  expect(without('l:\n- a: 1\n  b: 2\n- c\n', ['l', 0, 'a'])).toBe('l:\n- b: 2\n- c\n')
  expect(without('l:\n- a: 1 # one\n\n  # of b\n  b: 2\n', ['l', 0, 'a'])).toBe('l:\n- # of b\n  b: 2\n')
})

test('an entry in braces or brackets goes with one comma', () => {
  expect(without('m: {a: 1, b: 2, c: 3}\n', ['m', 'a'])).toBe('m: {b: 2, c: 3}\n')
  expect(without('m: {a: 1, b: 2, c: 3}\n', ['m', 'b'])).toBe('m: {a: 1, c: 3}\n')
  expect(without('m: [a, b, c]\n', ['m', 2])).toBe('m: [a, b]\n')
  expect(without('m: [a, b, c]\n', ['m', 2], ['m', 1])).toBe('m: [a]\n')
})

test('the last fields go with their lines, to the end of a text without a line break', () => {
  expect(without('a: 1\n# of b\nb: 2', ['b'])).toBe('a: 1')
  expect(without('a: 1\r\nb: 2', ['b'])).toBe('a: 1')
  expect(without('a: 1\nb: 2\nc: 3', ['b'], ['c'])).toBe('a: 1')
  expect(without('a: 1\nb: 2\n', ['a'])).toBe('b: 2\n')
})

test('a field in a map behind a dash leaves the lines of the others', () => {
  expect(without('l:\n- a: 1\n  b: 2\n  c: 3\n', ['l', 0, 'a'], ['l', 0, 'b'])).toBe('l:\n- c: 3\n')
  expect(without('l:\n- a: 1\n  b: 2\n  c: 3\n', ['l', 0, 'b'])).toBe('l:\n- a: 1\n  c: 3\n')
  expect(without('l:\n- - 1\n  - 2\n', ['l', 0, 0])).toBe('l:\n- - 2\n')
  expect(without('l:\r\n- a: 1\r\n  b: 2\r\n', ['l', 0, 'a'])).toBe('l:\r\n- b: 2\r\n')
})

/** Returns the members of the value of the first key of a text. */
function membersIn(text: string): readonly Member[] {
  const root = linkedRoot(text)
  return root.type === 'map' && root.entries[0] !== undefined ? membersOf(root.entries[0].value) : []
}

test.each([
  ['m: {a: 1, b: 2}\n', ['a: 1', 'b: 2']],
  ['m:\n- x\n- y: 1\n', ['- x', '- y: 1']],
  ['m: text\n', []],
  ['m: {}\n', []],
])('the members of %j reach from the key or dash to the end of the value', (text, expected) => {
  expect(membersIn(text).map(({ start, end }) => text.slice(start, end))).toEqual(expected)
})

test.each([
  { reason: 'an entry', text: 'm:\n  a: 1\n', inFlow: false, held: { holder: 'entry', column: 2 }, lead: ' 1' },
  { reason: 'an entry in braces', text: 'm: {a: 1}\n', inFlow: true, held: { holder: 'entry', column: 0 }, lead: ' 1' },
  { reason: 'an entry without a colon', text: 'm: {a, b: 1}\n', inFlow: true, held: { holder: 'entry', column: 0 }, lead: '' },
  { reason: 'a key with a colon in it', text: 'm:\n  "a:b": 1\n', inFlow: false, held: { holder: 'entry', column: 2 }, lead: ' 1' },
  { reason: 'an item', text: 'm:\n  -  x\n', inFlow: false, held: { holder: 'item', column: 2 }, lead: '  x' },
])('a value with its holder: $reason', ({ text, inFlow, held, lead }) => {
  const [first] = membersIn(text)
  const found = first && heldMember(text, first, { inFlow })
  expect(found).toMatchObject({ ...held, inFlow })
  expect(found?.node).toBe(first?.value)
  expect(found && text.slice(found.lead, found.node.end)).toBe(lead)
})

test.each([
  ['the first', 0, 0, 'm: [b, c]'],
  ['the middle one', 1, 1, 'm: [a, c]'],
  ['the last', 2, 2, 'm: [a, b]'],
  ['the first two', 0, 1, 'm: [c]'],
  ['the last two', 1, 2, 'm: [a]'],
  ['all', 0, 2, 'm: []'],
])('in brackets %s of three go with one comma', (_, from, to, expected) => {
  const text = 'm: [a, b, c]'
  const members = membersIn(text)
  const [first, last] = [members[from], members[to]]
  if (first === undefined || last === undefined) throw new Error('no member')
  const { start, end } = flowSpan({ first, last, before: members[from - 1], after: members[to + 1] })
  expect(text.slice(0, start) + text.slice(end)).toBe(expected)
})

test('the lines of members begin at their own comments, and end before the line below', () => {
  const text = 'm:\n  # of a\n  a: 1\n  b: |\n    x\nc: 3\n'
  const lines = memberLines(text, membersIn(text))
  expect(lines?.starts.map((start) => text.slice(start).split('\n')[0])).toEqual(['  # of a', '  b: |'])
  expect(lines && text.slice(lines.start, lines.end)).toBe('  # of a\n  a: 1\n  b: |\n    x')
  expect(lines && text.slice(lines.below)).toBe('c: 3\n')
})

test('members that do not all begin their lines have no lines, nor have none', () => {
  const root = readYaml('- a: 1\n  b: 2\n')
  const [item] = membersOf(root)
  expect(item && memberLines('- a: 1\n  b: 2\n', membersOf(item.value))).toBeUndefined()
  expect(memberLines('a: 1\n', [])).toBeUndefined()
})

test.each([
  ['a: |+\n  x\n', true],
  ['a: >2+\n   x\n', true],
  ['a: |+2\n   x\n', true],
  ['a: |+ # why\n  x\n', true],
  ['a: |+\r\n  x\r\n', true],
  ['a: |+', true],
  ['a: |\n  x\n', false],
  ['a: |-\n  x\n', false],
  ['a: x|+y\n', false],
  ['a: + |\n', false],
])('%j has a text that keeps the blank lines after it: %s', (text, expected) => {
  expect(keepsBlankLines(text, { start: 0, end: text.length })).toBe(expected)
  expect(keepsBlankLines(text, { start: 0, end: 3 })).toBe(false)
})
