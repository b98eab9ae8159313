import { expect, test } from 'vitest'
import { kptfileText } from '../../testdata/written-objects.ts'
import type { MergeStrategy } from './merged-package.ts'
import { config, mergeTexts, type SideTexts } from './testing/merge-of-texts.ts'

/** Returns the files of a merge by path, the outcomes as `RESULT PATH`, and the findings. */
function merged(sides: Partial<SideTexts>, strategy: MergeStrategy) {
  const { files, outcomes, messages } = mergeTexts({ base: {}, theirs: {}, ours: {}, ...sides }, strategy)
  return { files, outcomes: outcomes.map(({ result, path }) => `${result} ${path}`), messages }
}

const ALL = { base: { 'a.yaml': config('a') }, theirs: { 'a.yaml': config('a', 'two') }, ours: { 'a.yaml': config('a') } }

test.each<MergeStrategy>(['resource-merge', 'fast-forward', 'force-delete-replace', 'copy-merge'])(
  'with %s an unchanged file gets upstream’s change',
  (strategy) => {
    expect(merged(ALL, strategy)).toEqual({ files: { 'a.yaml': config('a', 'two') }, outcomes: ['taken a.yaml'], messages: [] })
  },
)

test.each<{ strategy: MergeStrategy; rule: string; files: readonly string[] }>([
  { strategy: 'resource-merge', rule: 'stay', files: ['new.txt', 'own.txt'] },
  { strategy: 'force-delete-replace', rule: 'go', files: ['new.txt'] },
  { strategy: 'copy-merge', rule: 'stay, but not those that upstream removed', files: ['new.txt', 'own.txt'] },
])('with $strategy the files that only the downstream has $rule', ({ strategy, files }) => {
  const found = merged({ base: { 'gone.txt': 'a' }, theirs: { 'new.txt': 'b' }, ours: { 'own.txt': 'c', 'gone.txt': 'a' } }, strategy)
  expect(Object.keys(found.files)).toEqual(files)
})

test.each<{ strategy: MergeStrategy; text: string; outcome: string }>([
  { strategy: 'resource-merge', text: 'ours', outcome: 'kept a.txt' },
  { strategy: 'force-delete-replace', text: 'theirs', outcome: 'lost a.txt' },
  { strategy: 'copy-merge', text: 'theirs', outcome: 'lost a.txt' },
])('with $strategy a file that both sides changed is that of $text', ({ strategy, text, outcome }) => {
  const sides = { base: { 'a.txt': 'base' }, theirs: { 'a.txt': 'theirs' }, ours: { 'a.txt': 'ours' } }
  expect(merged(sides, strategy)).toMatchObject({ files: { 'a.txt': text }, outcomes: [outcome] })
})

type Text = string | undefined

/** The three sides of a file, undefined where the file is missing, and what its replacement by upstream's file is. */
const REPLACED: readonly {
  reason: string
  sides: readonly [base: Text, theirs: Text, ours: Text]
  outcomes: readonly string[]
}[] = [
  { reason: 'nothing, if all sides are the same', sides: ['a', 'a', 'a'], outcomes: [] },
  { reason: 'nothing, if both sides made the same change', sides: ['a', 'b', 'b'], outcomes: [] },
  { reason: 'nothing, if both sides added the same file', sides: [undefined, 'a', 'a'], outcomes: [] },
  { reason: 'a change of upstream, if the file has no edit', sides: ['a', 'b', 'a'], outcomes: ['taken a.txt'] },
  { reason: 'a new file of upstream', sides: [undefined, 'a', undefined], outcomes: ['taken a.txt'] },
  { reason: 'a lost edit, if only the downstream changed the file', sides: ['a', 'a', 'b'], outcomes: ['lost a.txt'] },
  { reason: 'a lost edit, if both sides changed the file', sides: ['a', 'b', 'c'], outcomes: ['lost a.txt'] },
  { reason: 'a lost edit, if both sides added the file', sides: [undefined, 'a', 'b'], outcomes: ['lost a.txt'] },
  { reason: 'a lost edit, if only the downstream removed the file', sides: ['a', 'a', undefined], outcomes: ['lost a.txt'] },
  { reason: 'a lost edit, if the downstream removed what upstream changed', sides: ['a', 'b', undefined], outcomes: ['lost a.txt'] },
]

for (const strategy of ['force-delete-replace', 'copy-merge'] as const)
  test.each(REPLACED)(`with ${strategy} the replacement of a file is $reason`, ({ sides: [base, theirs, ours], outcomes }) => {
    const side = (text?: string): Readonly<Record<string, string>> => (text === undefined ? {} : { 'a.txt': text })
    const found = merged({ base: side(base), theirs: side(theirs), ours: side(ours) }, strategy)
    expect([found.files, found.outcomes]).toEqual([side(theirs), outcomes])
  })

test.each([
  { reason: 'a removal of upstream, if the file has no edit', ours: 'a', outcome: 'taken a.txt' },
  { reason: 'a lost edit, if the downstream changed the file', ours: 'b', outcome: 'lost a.txt' },
])('the removal of a file that upstream removed is $reason', ({ ours, outcome }) => {
  for (const strategy of ['force-delete-replace', 'copy-merge'] as const) {
    const { files, outcomes } = merged({ base: { 'a.txt': 'a' }, ours: { 'a.txt': ours } }, strategy)
    expect([files, outcomes]).toEqual([{}, [outcome]])
  }
})

test.each<MergeStrategy>(['force-delete-replace', 'copy-merge'])(
  'with %s the Kptfile of the package is merged, that of a subpackage replaced',
  (strategy) => {
    const label = (value: string) => `info:\n  site: ${value}\n`
    const found = merged(
      {
        base: { Kptfile: kptfileText('a'), 'sub/Kptfile': kptfileText('sub') },
        theirs: { Kptfile: kptfileText('a', label('x')), 'sub/Kptfile': kptfileText('sub', label('x')) },
        ours: { Kptfile: kptfileText('mine'), 'sub/Kptfile': kptfileText('mine') },
      },
      strategy,
    )
    expect(found.files).toEqual({ Kptfile: kptfileText('mine', label('x')), 'sub/Kptfile': kptfileText('sub', label('x')) })
  },
)

test('a Kptfile that the downstream lacks is that of upstream', () => {
  expect(merged({ theirs: { Kptfile: kptfileText('a') } }, 'force-delete-replace').files).toEqual({ Kptfile: kptfileText('a') })
})

test('an unchanged file has no outcome, and a file of one resource names it', () => {
  const same = { 'a.yaml': config('a') }
  expect(merged({ base: same, theirs: same, ours: same }, 'force-delete-replace').outcomes).toEqual([])
  const sides = { base: same, theirs: { 'a.yaml': config('a', 'two') }, ours: { 'a.yaml': config('a', 'three') } }
  const [outcome] = mergeTexts(sides, 'force-delete-replace').outcomes
  expect([outcome?.ours.object?.name, outcome?.theirs.object?.name, outcome?.contested]).toEqual(['a', 'a', true])
  const two = { ...sides, ours: { 'a.yaml': `${config('a')}---\n${config('b')}` } }
  expect(mergeTexts(two, 'force-delete-replace').outcomes[0]?.ours).toMatchObject({ object: undefined, exists: true })
})

test('a package with edits is not fast-forwarded: its files stay, and the edits are named', () => {
  const ours = { 'b.yaml': config('b'), 'a.yaml': config('a', 'mine') }
  const { files, outcomes, messages } = merged({ ...ALL, ours }, 'fast-forward')
  expect(files).toEqual(ours)
  expect(outcomes).toEqual([])
  expect(messages).toEqual([
    expect.stringMatching(
      /^error: `strategy` must not be 'fast-forward' for a package that was changed since it was cloned, found changes in 'a\.yaml', 'b\.yaml'/,
    ),
  ])
})

test('one edit alone forbids a fast-forward', () => {
  const ours = { 'a.yaml': config('a', 'mine') }
  expect(merged({ ...ALL, ours }, 'fast-forward')).toMatchObject({
    files: ours,
    messages: [expect.stringContaining("found changes in 'a.yaml'")],
  })
})

test('an error leaves every file of the downstream as it is, and is the only finding', () => {
  const twice = `${config('a')}---\n${config('a')}`
  const ours = { 'a.yaml': twice, 'b.yaml': config('b', 'mine'), 'c.txt': 'c' }
  const { files, outcomes, messages } = merged(
    { base: { 'b.yaml': config('b') }, theirs: { 'a.yaml': config('a'), 'b.yaml': config('b', 'two'), 'd.txt': 'd' }, ours },
    'resource-merge',
  )
  expect(files).toEqual(ours)
  expect(outcomes).toEqual([])
  expect(messages).toEqual([expect.stringMatching(/error: .*\[duplicate-in-file\]$/)])
})

test('the files of a merge are in the order of their paths', () => {
  const side = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, name]))
  for (const strategy of ['resource-merge', 'copy-merge'] as const)
    expect(Object.keys(merged({ theirs: side(['c', 'a']), ours: side(['d', 'b']) }, strategy).files)).toEqual(['a', 'b', 'c', 'd'])
})
