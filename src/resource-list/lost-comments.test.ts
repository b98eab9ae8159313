import { expect, test } from 'vitest'
import { formatFieldPath } from '../field-path.ts'
import { KrmObject } from './krm-object.ts'
import { commentsAt, lostComments } from './lost-comments.ts'

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
