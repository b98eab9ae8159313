import { expect, test } from 'vitest'
import { merge } from './testing/merge-of-objects.ts'

const indented = (lines: readonly string[]) => lines.map((line) => (line === '' ? '\n' : `  ${line}\n`)).join('')

/** Returns an object whose field `map` has some lines. */
const map = (...lines: string[]) => `apiVersion: v1\nkind: X\nmap:\n${indented(lines)}`

/** Returns a Pod whose containers have some lines. */
const pod = (...lines: string[]) => `apiVersion: v1\nkind: Pod\nspec:\n  containers:\n${indented(lines)}`

/** Returns an object with two annotations of a clone. */
const marked = (identifier: string, index: string) =>
  `apiVersion: v1\nkind: X\nmetadata:\n  annotations:\n    internal.kpt.dev/upstream-identifier: ${identifier}\n    config.kubernetes.io/index: ${index}\na: 1\n`

const [A, B, C] = ['- name: a', '- name: b', '- name: c']

interface Row {
  readonly rule: string
  readonly base: string
  readonly theirs: string
  readonly ours: string
  readonly merged: string
}

test.each<Row>([
  {
    rule: 'an entry that people did not change gets the spelling of upstream',
    base: map('a: x', 'b: 1'),
    theirs: map('a: "x"', 'b: 2'),
    ours: map('a: x', 'b: 1', 'c: 1'),
    merged: map('a: "x"', 'b: 2', 'c: 1'),
  },
  {
    rule: 'an entry that people spelled otherwise keeps their spelling where upstream changes another',
    base: map('a: x', 'b: 1'),
    theirs: map('a: x', 'b: 2'),
    ours: map("a: 'x'", 'b: 1'),
    merged: map("a: 'x'", 'b: 2'),
  },
  {
    rule: 'an entry that both changed to one value keeps the text of people',
    base: map('a: x'),
    theirs: map('a: "y"', 'b: 1'),
    ours: map("a: 'y'"),
    merged: map("a: 'y'", 'b: 1'),
  },
  {
    rule: 'a number that both changed to one value keeps the spelling of people',
    base: map('a: 1.0'),
    theirs: map('a: 2.0', 'b: 1'),
    ours: map('a: 2'),
    merged: map('a: 2', 'b: 1'),
  },
  {
    rule: 'a number that both changed has the spelling of upstream',
    base: map('a: 1.0'),
    theirs: map('a: 2.0'),
    ours: map('a: 3.0'),
    merged: map('a: 2.0'),
  },
  {
    rule: 'an entry that both added with one value keeps the text and the comments of people',
    base: map('a: 1'),
    theirs: map('a: 1', '# up', 'n: "x" # up'),
    ours: map('a: 1', "n: 'x'"),
    merged: map('a: 1', "n: 'x'"),
  },
  {
    rule: 'a comment behind an entry comes from upstream where people changed the value alone',
    base: map('a: {x: 1, y: 1} # old'),
    theirs: map('a: {x: 2, y: 1} # new'),
    ours: map('a: {x: 1, y: 3} # old'),
    merged: map('a: {x: 2, y: 3} # new'),
  },
  {
    rule: 'a comment behind an entry that people changed stays',
    base: map('a: {x: 1, y: 1} # old'),
    theirs: map('a: {x: 2, y: 1} # new'),
    ours: map('a: {x: 1, y: 3} # mine'),
    merged: map('a: {x: 2, y: 3} # mine'),
  },
  {
    rule: 'a comment above an entry comes from upstream where people changed the value',
    base: map('# old', 'a: 1'),
    theirs: map('# new', 'a: 1'),
    ours: map('# old', 'a: 2'),
    merged: map('# new', 'a: 2'),
  },
  {
    rule: 'a comment above an entry that people changed stays',
    base: map('# old', 'a: 1', 'b: 1'),
    theirs: map('# new', 'a: 1', 'b: 2'),
    ours: map('# mine', 'a: 1', 'b: 1'),
    merged: map('# mine', 'a: 1', 'b: 2'),
  },
  {
    rule: 'a comment above an entry goes with upstream',
    base: map('# old', 'a: 1'),
    theirs: map('a: 1'),
    ours: map('# old', 'a: 2'),
    merged: map('a: 2'),
  },
  {
    rule: 'a blank line that upstream adds comes where people left the lines alone',
    base: map('a: 1', 'b: 1'),
    theirs: map('a: 1', '', 'b: 1'),
    ours: map('a: 2', 'b: 1'),
    merged: map('a: 2', '', 'b: 1'),
  },
  {
    rule: 'a blank line that upstream adds does not come where people have another comment',
    base: map('a: 1', '# old', 'b: 1'),
    theirs: map('a: 2', '', '# old', 'b: 1'),
    ours: map('a: 1', '# mine', 'b: 1'),
    merged: map('a: 2', '# mine', 'b: 1'),
  },
  {
    rule: 'a blank line that upstream adds does not come where people have blank lines of their own',
    base: map('a: 1', '# old', 'b: 1'),
    theirs: map('a: 2', '', '# old', 'b: 1'),
    ours: map('a: 1', '# old', '', 'b: 1'),
    merged: map('a: 2', '# old', '', 'b: 1'),
  },
  {
    rule: 'a comment of upstream comes with its blank lines though people added a blank line',
    base: map('a: 1', '# old', 'b: 1'),
    theirs: map('a: 1', '# new', 'b: 1'),
    ours: map('a: 1', '', '# old', 'b: 1'),
    merged: map('a: 1', '# new', 'b: 1'),
  },
  {
    rule: 'a header that a blank line parts from a new entry of upstream stays at the top',
    base: map('# header', '', 'b: 1'),
    theirs: map('# header', '', '# of a', 'a: 1', '# of b', 'b: 1'),
    ours: map('# header', '', 'b: 2'),
    merged: map('# header', '', '# of a', 'a: 1', '# of b', 'b: 2'),
  },
  {
    rule: 'a comment that moved with its entry is not written twice',
    base: map('a: 1', '# of b', 'b: 1'),
    theirs: map('# of b', 'b: 1', 'a: 1'),
    ours: map('a: 2', '# of b', 'b: 1'),
    merged: map('a: 2', '# of b', 'b: 1'),
  },
  {
    rule: 'an entry that moved in upstream gets its new comment, and keeps the blank lines of people',
    base: map('a: 1', '', '# of b', 'b: 1'),
    theirs: map('# more of b', 'b: 1', 'a: 1'),
    ours: map('a: 2', '', '# of b', 'b: 1'),
    merged: map('a: 2', '', '# more of b', 'b: 1'),
  },
  {
    rule: 'an entry that moved in upstream keeps the comment that people changed',
    base: map('a: 1', '# of b', 'b: 1'),
    theirs: map('# more of b', 'b: 1', 'a: 1'),
    ours: map('a: 2', '# mine', 'b: 1'),
    merged: map('a: 2', '# mine', 'b: 1'),
  },
  {
    rule: 'new entries come in the order of upstream where people added one of their own',
    base: map('a: 1', 'd: 1'),
    theirs: map('a: 1', '# of b', 'b: "1"', 'c: 1 # of c', 'd: 1'),
    ours: map('a: 1', 'd: 1', 'z: 1'),
    merged: map('a: 1', '# of b', 'b: "1"', 'c: 1 # of c', 'd: 1', 'z: 1'),
  },
  {
    rule: 'a new entry before the first one comes before the first that stays',
    base: map('# of b', 'b: 1'),
    theirs: map('# of a', 'a: "1"', '# of b', 'b: 1'),
    ours: map('# of b', 'b: 2', 'z: 1'),
    merged: map('# of a', 'a: "1"', '# of b', 'b: 2', 'z: 1'),
  },
  {
    rule: 'a new entry comes behind the nearest entry of upstream that people have',
    base: map('a: 1', 'b: 1', 'c: 1'),
    theirs: map('a: 1', 'b: 1', 'n: 1', 'c: 1'),
    ours: map('a: 1', 'c: 1'),
    merged: map('a: 1', 'n: 1', 'c: 1'),
  },
  {
    rule: 'a new entry of a map in one line comes without comments',
    base: map('m: {a: 1}'),
    theirs: map('m:', '  # of b', '  b: 1', '  a: 1'),
    ours: map('m: {a: 2}'),
    merged: map('m: {a: 2, b: 1}'),
  },
  {
    rule: 'an alias that upstream writes stays one where people changed another entry',
    base: map('a: &one {x: 1}', 'b: *one', 'c: 1'),
    theirs: map('a: &one {x: 2}', 'b: *one', 'c: 1'),
    ours: map('a: &one {x: 1}', 'b: *one', 'c: 3'),
    merged: map('a: &one {x: 2}', 'b: *one', 'c: 3'),
  },
  {
    rule: 'an entry of a list that people did not change gets the spelling and comments of upstream',
    base: pod(A, '  image: a:1', B),
    theirs: pod('# the one', A, '  image: "a:1" # new', B),
    ours: pod(A, '  image: a:1', B, '  tty: true'),
    merged: pod('# the one', A, '  image: "a:1" # new', B, '  tty: true'),
  },
  {
    rule: 'entries of a list are paired by their key, not by their place',
    base: pod('# of a', A, '# of b', B),
    theirs: pod('# new of a', A, '# new of b', B),
    ours: pod('# of b', B, '# of a', A, '  tty: true'),
    merged: pod('# new of b', B, '# new of a', A, '  tty: true'),
  },
  {
    rule: 'a new entry of a list comes with its comments and spelling, also as the first',
    base: pod(B),
    theirs: pod('# of a', A, '  image: "a:1"', B, '# of c', C),
    ours: pod(B, '  tty: true'),
    merged: pod('# of a', A, '  image: "a:1"', B, '  tty: true', '# of c', C),
  },
  {
    rule: 'an entry of a list whose comment upstream changes takes the blank lines of upstream too',
    base: pod(A, '# of b', B),
    theirs: pod(A, '', '# new of b', B),
    ours: pod(A, '# of b', B, '  tty: true'),
    merged: pod(A, '', '# new of b', B, '  tty: true'),
  },
  {
    rule: 'an entry of a list behind a new one gets its new comment without a header that stays with the new one',
    base: pod('# header', '', B),
    theirs: pod('# header', '', A, '# of b', B),
    ours: pod('# header', '', B, '  tty: true'),
    merged: pod('# header', '', A, '# of b', B, '  tty: true'),
  },
  {
    rule: 'the foot comes from upstream',
    base: map('a: 1'),
    theirs: `${map('a: 1')}# foot\n`,
    ours: map('a: 2'),
    merged: `${map('a: 2')}# foot\n`,
  },
  {
    rule: 'the foot goes with upstream',
    base: `${map('a: 1')}# foot\n`,
    theirs: map('a: 1'),
    ours: `${map('a: 2')}# foot\n`,
    merged: map('a: 2'),
  },
  {
    rule: 'a foot of people stays',
    base: `${map('a: 1')}# foot\n`,
    theirs: map('a: 2'),
    ours: `${map('a: 1')}# mine\n`,
    merged: `${map('a: 2')}# mine\n`,
  },
  {
    rule: 'a blank line in the foot of upstream does not come where people have blank lines of their own',
    base: `${map('a: 1')}# foot\n`,
    theirs: `${map('a: 2')}\n# foot\n`,
    ours: `${map('a: 1')}# foot\n\n`,
    merged: `${map('a: 2')}# foot\n\n`,
  },
  {
    rule: 'a blank line in the foot of upstream comes where people left the foot alone',
    base: `${map('a: 1')}# foot\n`,
    theirs: `${map('a: 1')}\n# foot\n`,
    ours: `${map('a: 2')}# foot\n`,
    merged: `${map('a: 2')}\n# foot\n`,
  },
  {
    rule: 'a new foot of upstream comes though people added a blank line to the old one',
    base: `${map('a: 1')}# foot\n`,
    theirs: `${map('a: 1')}# new\n`,
    ours: `${map('a: 2')}\n# foot\n`,
    merged: `${map('a: 2')}# new\n`,
  },
  {
    rule: 'what a clone wrote beside an annotation of people keeps their text',
    base: marked("'x'", "'0'"),
    theirs: marked('"x"', '"0"').replace('a: 1', 'a: 2'),
    ours: marked("'x'", "'0'\n    mine: x"),
    merged: marked("'x'", "'0'\n    mine: x").replace('a: 1', 'a: 2'),
  },
  {
    rule: 'a foot of upstream with line breaks of Windows comes with those of people',
    base: map('a: 1'),
    theirs: `${map('a: 1')}# one\n# two\n`.replaceAll('\n', '\r\n'),
    ours: map('a: 2'),
    merged: `${map('a: 2')}# one\n# two\n`,
  },
  {
    rule: 'a header that upstream puts above the first entry of a list comes',
    base: pod('# of a', A, B),
    theirs: pod('# header', '', '# of a', A, B),
    ours: pod('# of a', A, '  tty: true', B),
    merged: pod('# header', '', '# of a', A, '  tty: true', B),
  },
  {
    rule: 'entries of a list within an entry are paired by the key of their list',
    base: pod(A, '  ports:', '  # of 80', '  - containerPort: 80', '  - containerPort: 90'),
    theirs: pod(A, '  ports:', '  # new of 80', '  - containerPort: 80', '  - containerPort: 90'),
    ours: pod(A, '  ports:', '  - containerPort: 90', '  # of 80', '  - containerPort: 80'),
    merged: pod(A, '  ports:', '  - containerPort: 90', '  # new of 80', '  - containerPort: 80'),
  },
  {
    rule: 'a value that people wrote instead of an alias stays, and keeps no comment of upstream away',
    base: map('a: &one {x: 1}', 'b: *one', 'c: 1'),
    theirs: map('a: &one {x: 1}', 'b: *one', '# new', 'c: 1'),
    ours: map('a: &one {x: 1}', 'b: {x: 9}', 'c: 2'),
    merged: map('a: &one {x: 1}', 'b: {x: 9}', '# new', 'c: 2'),
  },
  {
    rule: 'a new entry behind the last one comes with its comments',
    base: map('a: 1'),
    theirs: map('a: 1', '# of b', 'b: "1"'),
    ours: map('a: 2'),
    merged: map('a: 2', '# of b', 'b: "1"'),
  },
  {
    rule: 'a new entry behind the last one of a map in one line comes without comments',
    base: map('m: {a: 1}'),
    theirs: map('m:', '  # new of a', '  a: 1', '  # of b', '  b: "1"'),
    ours: map('m: {a: 2}'),
    merged: map('m: {a: 2, b: "1"}'),
  },
  {
    rule: 'a new entry comes behind its predecessor, not behind the first entry',
    base: map('a: 1', 'b: 1', 'c: 1'),
    theirs: map('a: 1', 'b: 1', 'n: 1', 'c: 1'),
    ours: map('a: 2', 'b: 1', 'c: 1'),
    merged: map('a: 2', 'b: 1', 'n: 1', 'c: 1'),
  },
  {
    rule: 'a new entry before the one behind a dash comes behind that one',
    base: pod(B),
    theirs: pod('- image: "b:1" # new', '  name: b'),
    ours: pod(B, '  tty: true'),
    merged: pod(B, '  image: "b:1" # new', '  tty: true'),
  },
  {
    rule: 'a comment that a blank line parted from its entry is not written twice',
    base: map('a: 1', '# of b', '', 'b: 1'),
    theirs: map('a: 1', 'n: 1', '# of b', 'b: 1'),
    ours: map('a: 1', '# of b', '', 'b: 2'),
    merged: map('a: 1', 'n: 1', '# of b', '', 'b: 2'),
  },
])('$rule', ({ base, theirs, ours, merged }) => {
  expect(merge(base, theirs, ours)).toBe(merged)
})
