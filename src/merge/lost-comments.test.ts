import { expect, test } from 'vitest'
import { kptfileText } from '../../testdata/written-objects.ts'
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

/** Returns the file and the messages of an update of one resource. */
function merged(base: string, theirs: string, ours: string): { readonly text: string | undefined; readonly messages: readonly string[] } {
  const side = (spec: string) => ({ 'a.yaml': `${HEAD}${spec}` })
  const { files, messages } = mergeTexts({ base: side(base), theirs: side(theirs), ours: side(ours) })
  return { text: files['a.yaml']?.slice(HEAD.length), messages }
}

test('a comment that both sides changed stays, and a warning has both', () => {
  expect(merged('  a: 1 # kpt-set: ${x}\n', '  a: 1 # kpt-set: ${y}\n', '  a: 1 # kpt-set: ${mine}\n')).toEqual({
    text: '  a: 1 # kpt-set: ${mine}\n',
    messages: [
      "a.yaml:6:6: warning: `spec.a` has the comment '# kpt-set: ${mine}' here, which stays; upstream wrote '# kpt-set: ${y}' (a.yaml:6:6) [change-passed-over]",
    ],
  })
})

test('comments of upstream above and behind an entry are in one warning', () => {
  const { messages } = merged('  # old\n  a: 1 # old\n', '  # AC-1\n  # AC-2\n  a: 1 # new\n', '  # ours\n  a: 1 # mine\n')
  expect(messages).toEqual([
    "a.yaml:7:6: warning: `spec.a` has the comment '# ours', '# mine' here, which stays; upstream wrote '# AC-1', '# AC-2', '# new' (a.yaml:8:6) [change-passed-over]",
  ])
})

test('a new comment of upstream on an entry that people deleted is in a warning', () => {
  const { messages } = merged('  a: 1\n  b: 1\n', '  # note\n  a: 1\n  b: 1\n', '  b: 1\n')
  expect(messages).toEqual(["a.yaml:5:1: warning: `spec.a` lacks upstream's comment '# note' (a.yaml:7:6) [change-passed-over]"])
})

test.each([
  ['removed', '  a: 1\n# foot\n', '  a: 1\n', '  a: 1\n'],
  ['changed', '  a: 1\n# foot\n', '  a: 1\n\n# FOOT\n# more\n', '  a: 1\n\n# FOOT\n# more\n'],
  ['added', '  a: 1\n', '  a: 1\n  # deep\n# foot\n', '  a: 1\n  # deep\n# foot\n'],
])('a comment at the end that upstream %s is taken where people changed another line', (_, base, theirs, expected) => {
  const edited = (text: string) => text.replace('a: 1', 'a: 1\n  mine: 2')
  expect(merged(base, theirs, edited(base))).toEqual({ text: edited(expected), messages: [] })
})

test('a comment at the end that both sides changed stays, and a warning has both', () => {
  expect(merged('  a: 1\n# foot\n', '  a: 1\n# FOOT\n', '  a: 1\n# mine\n')).toEqual({
    text: '  a: 1\n# mine\n',
    messages: [
      "a.yaml:1:1: warning: `Site s` has the comment '# mine' here, which stays; upstream wrote '# FOOT' (a.yaml:1:1) [change-passed-over]",
    ],
  })
})

test('a comment at the end of a Kptfile is merged', () => {
  const kptfile = (foot: string) => ({ Kptfile: kptfileText('a', foot) })
  expect(mergeTexts({ base: kptfile('#pipeline:\n#  x\n'), theirs: kptfile(''), ours: kptfile('#pipeline:\n#  x\n') }).files).toEqual(
    kptfile(''),
  )
})
