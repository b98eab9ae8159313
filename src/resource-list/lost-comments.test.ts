import { expect, test } from 'vitest'
import { formatFieldPath } from '../field-path.ts'
import { KrmObject } from './krm-object.ts'
import { commentsAt, lostComments, placedComments, shownComment } from './lost-comments.ts'

/** Returns the comments that people wrote and that a later text lacks, each with its field. */
function lost(ours: string, after: string, base?: string): readonly string[] {
  const states = { base: base === undefined ? undefined : KrmObject.fromDocument(base), ours: KrmObject.fromDocument(ours) }
  return lostComments(KrmObject.fromDocument(after), states).map(({ field, comment }) => `${formatFieldPath(field)} ${comment}`)
}

test('a comment whose entry is gone is lost, one that is still there is not', () => {
  expect(lost('a: 1 # one\nb: 2 # two\n', 'a: 1 # one\n')).toEqual(['b # two'])
  expect(lost('# of a\na: 1\n# of b\nb: 2\n', '# of b\nb: 3\n')).toEqual(['a # of a'])
  expect(lost('a: 1 # one\nb: 2 # two\n', 'b: 2 # two\na: 1 # one\n')).toEqual([])
})

test('a comment that upstream wrote is no loss, a second one of the same words is', () => {
  expect(lost('a: 1 # why\n', 'b: 1\n', 'a: 1 # why\n')).toEqual([])
  expect(lost('a: 1 # why\nb: 2 # why\n', 'c: 1\n', 'a: 1 # why\n')).toHaveLength(1)
  expect(lost('a: 1 # why\nb: 2 # why\n', 'a: 1 # why\n')).toHaveLength(1)
  expect(lost('a: 1 # why\nb: 2 # why\n', 'a: 1 # why\nb: 2 # why\n')).toEqual([])
})

test('a number sign in a value is no comment', () => {
  expect(lost('a: "x # y"\nb: 1\n', 'b: 1\n')).toEqual([])
  expect(lost('a: |\n  x\n  # y\nb: 1\n', 'b: 1\n')).toEqual([])
  expect(lost('a: x#y\nb: 1 # z\n', 'c: 1\n')).toEqual(['b # z'])
})

test('the comments of an entry are those above it and behind it', () => {
  const object = KrmObject.fromDocument('# of a\na: 1 # one\nl:\n# of x\n- x # behind x\n- y\n')
  expect(commentsAt(object, ['a'])).toEqual(['# of a', '# one'])
  expect(commentsAt(object, ['l', 0])).toEqual(['# of x', '# behind x'])
  expect(commentsAt(object, ['l', 1])).toEqual([])
})

test('a comment alone on its line belongs to the next entry, one behind the last entry to the whole', () => {
  const object = KrmObject.fromDocument('a: 1 # one\n# of b\nb:\n  c: 2 # two\n# at the end\n')
  expect([['a'], ['b'], ['b', 'c'], []].map((field) => commentsAt(object, field))).toEqual([
    ['# one'],
    ['# of b'],
    ['# two'],
    ['# at the end'],
  ])
})

test('each comment of a text has the offset of its sign, a sign in a value has none', () => {
  const text = '# head  \na: "x # y" # one\n"b # c": z#z\nl: | # of l\n  # x\nd: 1\t# two\r\n'
  const placed = placedComments(KrmObject.fromDocument(text).written())
  expect(placed.map(({ comment }) => comment)).toEqual(['# head', '# one', '# of l', '# two'])
  expect(placed.map(({ start, comment }) => text.slice(start, start + comment.length))).toEqual(['# head', '# one', '# of l', '# two'])
})

const SECRET = 'kind: Secret\napiVersion: v1\nmetadata: {name: a}\n'

test.each([
  { reason: 'of another kind', text: 'kind: ConfigMap\nmetadata: {name: a}\n', comment: '# old: x', shown: '# old: x' },
  { reason: 'of a Secret', text: SECRET, comment: '# old: x', shown: '# not-shown' },
  { reason: 'of a Secret, with the name of a setter', text: SECRET, comment: '# kpt-set: ${x}', shown: '# kpt-set: ${x}' },
  { reason: 'of another kind that names a Secret', text: 'kind: A\nspec: {ref: {kind: Secret}}\n', comment: '# old: x', shown: '# old: x' },
  { reason: 'of a Secret that cannot be read', text: `${SECRET}data: *unknown\n`, comment: '# kpt-set: ${x}', shown: '# not-shown' },
  {
    reason: 'of another kind that cannot be read and names a Secret',
    text: 'kind: A\nspec: *unknown\nother: a Secret\n',
    comment: '# old: x',
    shown: '# old: x',
  },
  { reason: 'of a list of Secrets', text: `- ${SECRET.replaceAll('\n', '\n  ').trimEnd()}\n`, comment: '# old: x', shown: '# not-shown' },
])('a comment in a message: $reason', ({ text, comment, shown }) => {
  expect(shownComment(KrmObject.fromDocument(text), comment)).toBe(shown)
})

test('a comment behind the sign of a block of text is lost with its field, and is the comment of the field', () => {
  expect(lost('a: | # why\n  x # y\nb: >- # also\n  z\n', 'b: >- # also\n  z\n')).toEqual(['a # why'])
  expect(lost('a: | # why\n  x\n', 'a: | # why\n  y\n')).toEqual([])
  expect(commentsAt(KrmObject.fromDocument('a: | # why\n  # x\nb: |+ # empty\nc: 1 # c\n'), ['a'])).toEqual(['# why'])
  expect(commentsAt(KrmObject.fromDocument('b: |+ # empty\nc: 1 # c\n'), ['b'])).toEqual(['# empty'])
})
