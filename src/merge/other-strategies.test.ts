import { describe, expect, test } from 'vitest'
import { kptfileText } from '../../testdata/written-objects.ts'
import { config, mergeTexts, sub } from './testing/merge-of-texts.ts'

test('of a file with several resources that is replaced the file is named', () => {
  const all = (value: string) => ({ 'a.yaml': `${config('a', value)}---\n${config('b')}` })
  expect(mergeTexts({ base: all('one'), theirs: all('up'), ours: all('mine') }, 'force-delete-replace').messages).toEqual([
    'a.yaml: warning: `a.yaml` is changed here; upstream has another, and that is taken [edit-lost]',
  ])
})

test('a replacement reports as taken what only upstream changed', () => {
  const sides = { base: { 'a.yaml': config('a') }, theirs: { 'a.yaml': config('a', 'up'), 'n.md': '' }, ours: { 'a.yaml': config('a') } }
  expect(mergeTexts(sides, 'force-delete-replace')).toMatchObject({
    messages: [],
    outcomes: [
      { result: 'taken', contested: false, path: 'a.yaml' },
      { result: 'taken', contested: false, path: 'n.md', ours: { exists: false } },
    ],
  })
})

test('copy-merge takes a file that both sides added from upstream', () => {
  const result = mergeTexts({ base: {}, theirs: { 'a.md': 'up' }, ours: { 'a.md': 'mine' } }, 'copy-merge')
  expect(result.files).toEqual({ 'a.md': 'up' })
  expect(result.outcomes).toMatchObject([{ result: 'lost', contested: true }])
})

test('copy-merge takes every file of upstream, and keeps those that only the downstream has', () => {
  const sides = {
    base: { Kptfile: kptfileText('base'), 'a.yaml': config('a'), 'gone.md': '', ...sub() },
    theirs: { Kptfile: kptfileText('base', 'info: {site: up}\n'), 'a.yaml': config('a', 'up') },
    ours: {
      Kptfile: kptfileText('mine'),
      'a.yaml': config('a', 'mine'),
      'gone.md': '',
      'mine.md': '',
      ...sub('one', { 'sub/mine.md': '' }),
    },
  }
  const result = mergeTexts(sides, 'copy-merge')
  expect(result.files).toEqual({
    Kptfile: kptfileText('mine', 'info: {site: up}\n'),
    'a.yaml': config('a', 'up'),
    'mine.md': '',
    'sub/mine.md': '',
  })
  expect(result.messages).toEqual([
    "a.yaml:1:1: warning: `ConfigMap a` is changed here with data.a 'mine'; upstream has another (a.yaml:1:1) with data.a 'up', and that is taken [edit-lost]",
  ])
})

/** The files that both strategies replace as a whole, and the values that each side gives, as the warning names them. */
const REPLACED = [
  {
    what: 'an alias',
    text: `${config('a', '&v one')}  b: *v\n`,
    here: "data.a 'mine', data.b 'mine'",
    upstream: "data.a 'up', data.b 'up'",
  },
  { what: 'a merge key', text: `${config('a')}x: &x {c: d}\ny: {<<: *x}\n`, here: "data.a 'mine'", upstream: "data.a 'up'" },
]

describe.each(['force-delete-replace', 'copy-merge'] as const)('%s', (strategy) => {
  test.each(REPLACED)('replaces a file with $what, and names what is lost', ({ text, here, upstream }) => {
    const theirs = { 'a.yaml': text.replace('one', 'up') }
    const ours = { 'a.yaml': text.replace('one', 'mine') }
    const { files, messages } = mergeTexts({ base: { 'a.yaml': text }, theirs, ours }, strategy)
    expect(files).toEqual(theirs)
    expect(messages).toEqual([
      `a.yaml:1:1: warning: \`ConfigMap a\` is changed here with ${here}; upstream has another (a.yaml:1:1) with ${upstream}, and that is taken [edit-lost]`,
    ])
  })
})

const MERGING = `${config('a', 'one', '  labels: &l {tier: edge}\n')}more:\n  <<: *l # as the labels\n`

test.each(['resource-merge', 'fast-forward', 'force-delete-replace', 'copy-merge'] as const)(
  '%s keeps a merge key of an unedited resource',
  (strategy) => {
    const theirs = { 'a.yaml': MERGING.replace('tier: edge', 'tier: core') }
    const result = mergeTexts({ base: { 'a.yaml': MERGING }, theirs, ours: { 'a.yaml': MERGING } }, strategy)
    expect(result).toMatchObject({ files: theirs, messages: [] })
  },
)

test.each([
  { strategy: 'resource-merge', kept: true, rules: [] },
  { strategy: 'fast-forward', kept: true, rules: ['local-changes'] },
  { strategy: 'force-delete-replace', kept: false, rules: ['edit-lost'] },
  { strategy: 'copy-merge', kept: false, rules: ['edit-lost'] },
] as const)("$strategy reads people's edit beside a merge key: kept $kept, findings $rules", ({ strategy, kept, rules }) => {
  const edited = `${MERGING}  tier: mine\n`
  const sides = { base: { 'a.yaml': MERGING }, theirs: { 'a.yaml': MERGING.replace('a: one', 'a: up') }, ours: { 'a.yaml': edited } }
  const { files, messages } = mergeTexts(sides, strategy)
  const merged = strategy === 'resource-merge' ? edited.replace('a: one', 'a: up') : edited
  expect(files['a.yaml']).toBe(kept ? merged : sides.theirs['a.yaml'])
  expect(messages.map((message) => /\[([a-z-]+)\]$/.exec(message)?.[1])).toEqual(rules)
})
