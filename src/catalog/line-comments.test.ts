import { expect, test } from 'vitest'
import { writtenObject } from '../../testdata/written-objects.ts'
import type { FieldPath } from '../field-path.ts'
import { findingsOf } from '../result.ts'
import { checkComment, setLineComments, skippedComment } from './line-comments.ts'

/** Returns a text with comments at paths, `a.0` for the first entry of `a`, and the paths without one. */
function commented(text: string, comments: Readonly<Record<string, string>>): string {
  const item = writtenObject(text)
  const at = (path: string): FieldPath => path.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step))
  const skipped = setLineComments(item, new Map(Object.entries(comments).map(([path, comment]) => [at(path), comment])))
  return item.toText() + skipped.map((path) => `skipped ${path.join('.')}\n`).join('')
}

test.each([
  ['a value', 'a: b\n', { a: '# x' }, 'a: b # x\n'],
  ['a value with a comment, which is replaced', 'a: b   # old\nc: d # stays\n', { a: '# x' }, 'a: b # x\nc: d # stays\n'],
  ['a block of text, behind its head', 'a: |-\n  b\nc: d\n', { a: '# x' }, 'a: |- # x\n  b\nc: d\n'],
  ['a list with lines, behind its key', 'a:\n- b\n', { a: '# x' }, 'a: # x\n- b\n'],
  ['a list with an anchor, behind the anchor', 'a: &n # old\n- b\n', { a: '# x' }, 'a: &n # x\n- b\n'],
  ['an entry of a list', 'a:\n- b\n- c\n', { 'a.1': '# x' }, 'a:\n- b\n- c # x\n'],
  ['a list in brackets', 'a: [b, c]\n', { a: '# x' }, 'a: [b, c] # x\n'],
  ['a missing value', 'a: b\n', { c: '# x' }, 'a: b\n'],
  ['two values', 'a: b\nc: d\n', { c: '# y', a: '# x' }, 'a: b # x\nc: d # y\n'],
])('%s gets a comment', (_, text, comments, answer) => {
  expect(commented(text, comments)).toBe(answer)
})

test.each([
  ['a list', 'a: [b, c]\n', { 'a.0': '# x' }, 'a:\n- b # x\n- c\n'],
  ['a list with a comment of its own', 'a: [b, c] # own\n', { 'a.1': '# x' }, 'a: # own\n- b\n- c # x\n'],
  ['a list that gets a comment, too', 'a: [b] # own\n', { a: '# new', 'a.0': '# x' }, 'a: # new\n- b # x\n'],
  ['a map', 'a: {b: c, "d": e}\nf: g\n', { 'a.d': '# x' }, 'a:\n  b: c\n  "d": e # x\nf: g\n'],
  ['a map deeper', 'a:\n  b: {c: d}\n', { 'a.b.c': '# x' }, 'a:\n  b:\n    c: d # x\n'],
  [
    'a map in a list, whose comment goes behind the first line',
    'a:\n- {b: c, d: e} # own\n',
    { 'a.0.d': '# x' },
    'a:\n- b: c # own\n  d: e # x\n',
  ],
  ['lists as wide as the others', 'w:\n  - v\na: [b]\n', { 'a.0': '# x' }, 'w:\n  - v\na:\n  - b # x\n'],
  ['the line breaks of the file', 'a: [b, c]\r\nd: e\r\n', { 'a.0': '# x' }, 'a:\r\n- b # x\r\n- c\r\nd: e\r\n'],
  ['brackets in brackets, one after the other', 'a: {b: [c, d]}\n', { 'a.b.0': '# x', 'a.b': '# y' }, 'a:\n  b: # y\n  - c # x\n  - d\n'],
])('values in brackets get lines of their own: %s', (_, text, comments, answer) => {
  expect(commented(text, comments)).toBe(answer)
})

test.each([
  ['brackets in brackets alone', 'a: {b: [c, d]}\n', { 'a.b.0': '# x' }],
  ['brackets on several lines', 'a: [b,\n  c]\n', { 'a.0': '# x' }],
  ['a list in a list', 'a:\n- [b]\n', { 'a.0.0': '# x' }],
  ['the root', '{a: b}\n', { a: '# x' }],
  ['a value with a tag', 'a: !!seq [b]\n', { 'a.0': '# x' }],
])('%s stays as it is, and the path is returned', (_, text, comments) => {
  expect(commented(text, comments)).toBe(
    `${text}${Object.keys(comments)
      .map((path) => `skipped ${path}\n`)
      .join('')}`,
  )
})

test('a comment has one line, and gets its sign', () => {
  const item = writtenObject('kind: A\n')
  expect([checkComment(item, ['a'], 'note'), checkComment(item, ['a'], '# note'), checkComment(item, ['a'], '')]).toEqual([
    '# note',
    '# note',
    '# ',
  ])
  for (const text of ['a\nb', 'a\u0007', 'a\u2028b', '\ufeff', '\ud800']) {
    const faults = findingsOf(() => {
      checkComment(item, ['a'], text)
      return []
    })
    expect(faults).toMatchObject([{ severity: 'error', tags: { rule: 'line-comment' }, field: { path: ['a'] } }])
    expect(faults[0]?.message).toContain('must get a comment of one line')
  }
})

test('a value without a comment is warned of at its place', () => {
  const item = writtenObject('kind: A\nmetadata: {name: a}\n')
  expect(skippedComment(item, ['a', 0], { line: 3, column: 4 })).toEqual({
    severity: 'warning',
    message: '`a[0]` must be on a line of its own to get a comment',
    resourceRef: item.ref,
    field: { path: ['a', 0] },
    file: { path: 'a.yaml', index: 0 },
    position: { line: 3, column: 4 },
    tags: { rule: 'comment-skipped' },
  })
})
