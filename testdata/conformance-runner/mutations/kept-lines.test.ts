import { expect, test } from 'vitest'
import { lostLines } from './kept-lines.ts'

const BEFORE = `# head
a: 1 # of a
# above b
b:
  # above c
  c: x # of c
  d: y
list:
# first
- name: one # 1
  n: 1
- name: two
flow: {x: 1, y: 2} # of flow
`

test.each([
  { reason: 'nothing changed', after: BEFORE, lost: [] },
  { reason: 'a value changed, its comment stayed', after: BEFORE.replace('a: 1 #', 'a: 2 #'), lost: [] },
  { reason: 'a value changed, its comment went', after: BEFORE.replace('a: 1 # of a', 'a: 2'), lost: ['# of a'] },
  { reason: 'a key went with its comments', after: BEFORE.replace('  # above c\n  c: x # of c\n', ''), lost: [] },
  {
    reason: 'a key went with the comment of another',
    after: BEFORE.replace('# above b\nb:\n  # above c\n  c: x # of c\n', 'b:\n'),
    lost: ['# above b'],
  },
  { reason: 'an untouched line was written in another way', after: BEFORE.replace('d: y', 'd: "y"'), lost: ['  d: y'] },
  {
    reason: 'an entry was moved with its comments',
    after: BEFORE.replace('- name: one # 1\n  n: 1\n- name: two', '- name: two\n- name: one # 1\n  n: 1'),
    lost: [],
  },
  {
    reason: 'an entry was moved without its comments',
    after: BEFORE.replace('# first\n- name: one # 1\n  n: 1\n- name: two', '- name: two\n- name: one\n  n: 1'),
    lost: ['# first', '# 1'],
  },
  { reason: 'an entry in front', after: BEFORE.replace('list:\n', 'list:\n- name: zero\n'), lost: [] },
  {
    reason: 'an entry changed in place, its comment went',
    after: BEFORE.replace('one # 1\n  n: 1', 'one\n  n: 2'),
    lost: ['- name: one # 1'],
  },
  { reason: 'a flow map changed', after: BEFORE.replace('x: 1,', 'x: 3,'), lost: [] },
  { reason: 'a flow map changed, its comment went', after: BEFORE.replace('{x: 1, y: 2} # of flow', '{x: 3}'), lost: ['# of flow'] },
  { reason: 'the header went', after: BEFORE.replace('# head\n', ''), lost: ['# head'] },
])('$reason', ({ after, lost }) => {
  expect(lostLines(BEFORE, after)).toEqual(lost)
})
