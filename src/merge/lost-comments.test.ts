import { expect, test } from 'vitest'
import { mergeTexts } from './testing/merge-of-texts.ts'

const HEAD = 'apiVersion: example.com/v1\nkind: Site\nmetadata:\n  name: s\nspec:\n'

/** Returns the findings about comments that an update of one resource loses, without their places and rule. */
function said(base: string, theirs: string, ours: string): readonly string[] {
  const side = (spec: string) => ({ 'a.yaml': `${HEAD}${spec}` })
  const { messages } = mergeTexts({ base: side(base), theirs: side(theirs), ours: side(ours) })
  return messages.flatMap((message) => /^a\.yaml:\d+:\d+: warning: (.*), which is lost: .* \[comment-lost\]$/.exec(message)?.[1] ?? [])
}

test('comments of fields that upstream removes or replaces are reported at these fields', () => {
  const ours = `  # why this list
  list:
  # ticket 1
  - a # first
  - mine # ticket 2
  # ticket 3
  - b
  # why deep
  deep:
    # why x
    x: 1 # one
  gone: 3 # "three"
`
  expect(
    said('  list:\n  - a\n  - b\n  deep: {x: 1}\n  gone: 3\n', '  list:\n  - c\n', ours.replace('deep:\n', 'deep:\n    y: 1\n')),
  ).toEqual([
    "`spec.list[1]` has the comment '# ticket 2' here",
    "`spec.list[2]` has the comment '# ticket 3' here",
    "`spec.deep.x` has the comment '# why x' here",
    "`spec.deep.x` has the comment '# one' here",
    '`spec.gone` has the comment \'# "three"\' here',
  ])
})

test('comments that the original has, that stay or that are values are not reported', () => {
  const base = '  a: 1 # of upstream\n  b: "x # no comment"\n  text: |\n    # a line\n  c: 1\n'
  const ours = base.replace('  c: 1', '  # ours\n  c: 1 # too')
  expect(said(base, '  c: 2\n', ours)).toEqual([])
})

test('of a comment that occurs twice, the one that is lost is reported', () => {
  expect(said('  a: 1\n  b: 1\n', '  b: 1\n', '  a: 1 # keep\n  b: 1 # keep\n')).toEqual(["`spec.a` has the comment '# keep' here"])
})

test('comments of a file with line breaks of Windows are reported too', () => {
  expect(said('  a: 1\n  b: 1\n', '  b: 1\n', '  a: 1 # keep\r\n  b: 1\r\n')).toEqual(["`spec.a` has the comment '# keep' here"])
})
