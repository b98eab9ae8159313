import { expect, test } from 'vitest'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { readYaml } from '../read/yaml-reader.ts'
import type { Splice } from './apply-splices.ts'
import {
  type Block,
  blockAt,
  blockLines,
  bodyText,
  commentsAbove,
  isBlockCollection,
  linesAbove,
  ownsLines,
  withBody,
  withCommentsAbove,
  withLinesAbove,
} from './block.ts'

/** Returns the entry at a step of the value of the key `m`. */
function entryOf(text: string, step: string | number): Block | undefined {
  const { node } = KrmObject.fromDocument(text).written()
  return blockAt(text, node.type === 'map' ? node.entries.find(({ key }) => key.text === 'm')?.value : undefined, step)
}

/** Returns what a reader finds in an entry. */
function inEntry<T>(text: string, step: string | number, read: (text: string, block: Block) => T): T {
  const block = entryOf(text, step)
  if (block === undefined) throw new Error('no entry')
  return read(text, block)
}

const spliced = (text: string, splice: Splice) => text.slice(0, splice.start) + splice.text + text.slice(splice.end)

test('the comments above an entry are the lines in its column, and no blank line or deeper comment above these', () => {
  const above = (lines: string) => inEntry(`m:\n  a: 1\n${lines}  b: 2\n`, 'b', commentsAbove)
  expect(above('  # one\n  # two\n')).toBe('# one\n# two\n')
  expect(above('  # of a\n\n  # of b\n')).toBe('# of b\n')
  expect(above('')).toBe('')
})

test('the lines above an entry are its comments with blank lines, up to a value or a comment in another column', () => {
  const above = (lines: string) => inEntry(`m:\n  a: 1\n${lines}  b: 2\n`, 'b', linesAbove)
  expect(above('  # one\n\n  # two\n')).toBe('# one\n\n# two\n')
  expect(above('    # of a\n  # of b\n')).toBe('# of b\n')
  expect(above('# of all\n\n  # of b\n')).toBe('\n# of b\n')
  expect(above('\n\n')).toBe('\n\n')
})

test('the body of an entry has its lines without the indentation, and gets it back', () => {
  const text = 'm:\n  a:\n    x: 1\n\n    y: |\n      z\n  b: 2\n'
  const body = 'a:\n  x: 1\n\n  y: |\n    z'
  expect(inEntry(text, 'a', bodyText)).toBe(body)
  expect(inEntry(text, 'a', (_, block) => spliced(text, withBody(block, body)))).toBe(text)
  expect(inEntry(text.replaceAll('\n', '\r\n'), 'a', bodyText)).toBe(body)
})

test('comments and lines above an entry are replaced with the indentation of the entry', () => {
  const text = 'm:\n  a: 1\n\n  # old\n  b: 2\n'
  expect(inEntry(text, 'b', (whole, block) => spliced(whole, withCommentsAbove(whole, block, '# new\n')))).toBe(
    'm:\n  a: 1\n\n  # new\n  b: 2\n',
  )
  expect(inEntry(text, 'b', (whole, block) => spliced(whole, withLinesAbove(whole, block, '# new\n\n')))).toBe(
    'm:\n  a: 1\n  # new\n\n  b: 2\n',
  )
})

test('an entry in braces, and one that is not there, is no block', () => {
  expect(entryOf('m: {a: 1}\n', 'a')).toBeUndefined()
  expect(entryOf('m: [a]\n', 0)).toBeUndefined()
  expect(entryOf('m:\n  a: 1\n', 'b')).toBeUndefined()
  expect(entryOf('m:\n- a\n', 1)).toBeUndefined()
})

test.each([
  ['a: 1\n', true],
  ['- a\n', true],
  ['{a: 1}\n', false],
  ['[a]\n', false],
  ['a\n', false],
])('%j is a map or list in block style: %s', (text, expected) => {
  expect(isBlockCollection(readYaml(text))).toBe(expected)
})

test('an entry owns its lines but for the first one behind a dash', () => {
  const text = '- a: 1\n  b: 2\n'
  const root = readYaml(text)
  const map = root.type === 'sequence' ? root.items[0]?.value : undefined
  const owns = (step: string) => {
    const block = blockAt(text, map, step)
    return block && ownsLines(text, block)
  }
  expect([owns('a'), owns('b')]).toEqual([false, true])
})

test('lines to write have the indentation of a column, empty ones none', () => {
  expect(blockLines('# a\n', 'x: |\n  y\n\n  z', 2)).toBe('  # a\n  x: |\n    y\n\n    z')
  expect(blockLines('# a\n', 'x: 1', 0)).toBe('# a\nx: 1')
})

test.each([
  ['a comment behind a value', 'm:\n  a: 1 # x\n', ' # x'],
  ['nothing behind a value', 'm:\n  a: 1\n', ''],
  ['a comment behind braces', 'm:\n  a: {b: 1} # x\n', ' # x'],
  ['a comment behind a key, with its value below', 'm:\n  a: # x\n    b: 1\n', ' # x'],
  ['no place for one behind a block of text', 'm:\n  a: | # x\n    b\n', undefined],
])('what is behind an entry: %s', (_, text, expected) => {
  const behind = inEntry(text, 'a', (_text, block) => block.behind)
  expect(behind && text.slice(behind.start, behind.end)).toBe(expected)
})
