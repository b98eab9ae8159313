import { expect, test } from 'vitest'
import { diffFiles, styleDiff, unifiedChange } from './file-diff.ts'
import { stylesFor } from './styles.ts'

const bytes = (text: string): Uint8Array => Buffer.from(text)

test('the lines that differ are counted and shown with three lines around them', () => {
  const lines = ['1', '2', '3', '4', '5', '6', '7', '8', '9']
  const before = `${lines.join('\n')}\n`
  const after = before.replace('5\n', 'five\nand more\n')
  expect(diffFiles(bytes(before), bytes(after))).toEqual({
    added: 2,
    removed: 1,
    hunks: '@@ -2,7 +2,8 @@\n 2\n 3\n 4\n-5\n+five\n+and more\n 6\n 7\n 8\n',
  })
  expect(diffFiles(bytes(before), bytes(before))).toEqual({ added: 0, removed: 0, hunks: '' })
})

test('a part of the bytes of another array is read from where it begins to where it ends', () => {
  const part = new Uint8Array(bytes('x\na\ny\n')).subarray(2, 4)
  expect(diffFiles(new Uint8Array(), part)).toEqual({ added: 1, removed: 0, hunks: '@@ -0,0 +1,1 @@\n+a\n' })
})

test.each([
  ['a zero byte', Uint8Array.of(97, 0)],
  ['bytes that are no UTF-8', Uint8Array.of(97, 0xff)],
])('a file with %s before or after has no differences by lines', (_, binary) => {
  expect(diffFiles(binary, bytes('a\n'))).toBeUndefined()
  expect(diffFiles(bytes('a\n'), binary)).toBeUndefined()
})

test('texts with too many lines that differ are shown as one replaced by the other', () => {
  const text = (word: string, count: number) => `${Array.from({ length: count }, (_, i) => `${word}${i}`).join('\n')}\n`
  const found = diffFiles(bytes(text('a', 2600)), bytes(text('b', 2601)))
  expect([found?.added, found?.removed]).toEqual([2601, 2600])
  const lines = found?.hunks.trimEnd().split('\n') ?? []
  expect([lines[0], lines[1], lines[2600], lines[2601], lines.at(-1)]).toEqual(['@@ -1,2600 +1,2601 @@', '-a0', '-a2599', '+b0', '+b2600'])
})

test('values of Secrets are not shown, only that they differ', () => {
  const secret = (value: string) => bytes(`apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData:\n  a: ${value}\n`)
  const { added, removed, hunks = '' } = diffFiles(secret('hunter2-old'), secret('hunter2-new')) ?? {}
  expect([added, removed]).toEqual([1, 1])
  expect(hunks).not.toMatch(/hunter2/)
})

test.each([
  ['create', undefined, 'a\n', '--- /dev/null\n+++ b/f.yaml\n@@ -0,0 +1,1 @@\n+a\n'],
  ['update', 'b\n', 'a\n', '--- a/f.yaml\n+++ b/f.yaml\n@@ -1,1 +1,1 @@\n-b\n+a\n'],
  ['delete', 'b\n', '', '--- a/f.yaml\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-b\n'],
] as const)('a change with the operation %s names the file on the sides that have it', (op, before, text, diff) => {
  expect(unifiedChange({ path: 'other.yaml', op, text, ...(before !== undefined && { before }) }, 'f.yaml')).toBe(diff)
})

test('a new file without content is a change without lines', () => {
  expect(unifiedChange({ path: 'a', op: 'create', text: '' }, 'a')).toBe('--- /dev/null\n+++ b/a\n')
})

test('the name of a changed file stays in its line', () => {
  expect(unifiedChange({ path: 'a', op: 'update', text: '' }, 'a\n+b')).toBe('--- a/a\\n+b\n+++ b/a\\n+b\n')
})

test('each line of a diff has the style of its sign, other lines have none', () => {
  const styles = stylesFor({ environment: {}, isTerminal: true }, {})
  const { added, removed, faint } = styles
  expect(styleDiff('@@ -1 +1 @@\n a\n-b\n+c\n', styles)).toBe(`${faint('@@ -1 +1 @@')}\n a\n${removed('-b')}\n${added('+c')}\n`)
})
