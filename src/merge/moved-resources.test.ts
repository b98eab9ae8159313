import { expect, test } from 'vitest'
import { packageOfTexts, type Texts } from '../../testdata/package-of-texts.ts'
import { unitsOf } from '../../testdata/processor-time.ts'
import { kptfileText } from '../../testdata/written-objects.ts'
import { movesOfEdited, upstreamMoves } from './moved-resources.ts'
import { config, mergeTexts, sub } from './testing/merge-of-texts.ts'

test('a resource that people moved to another file stays there, and a change of upstream is passed over', () => {
  const moved = `${config('other')}---\n${config('a')}`
  const result = mergeTexts({ base: { 'a.yaml': config('a') }, theirs: { 'a.yaml': config('a', 'up') }, ours: { 'b.yaml': moved } })
  expect(result).toMatchObject({
    files: { 'b.yaml': moved },
    messages: [
      "a.yaml: warning: `ConfigMap a` was moved to 'b.yaml' here, and stays there as it is, since an update compares file by file; upstream changed it (a.yaml:1:1) [change-passed-over]",
    ],
  })
})

test('a resource that upstream moved to another file takes the edits of people along', () => {
  const [base, theirs] = [{ 'a.yaml': config('a') }, { 'b.yaml': config('a') }]
  const mine = config('a', 'mine')
  const merged = (ours: Texts, after: Texts = theirs) => mergeTexts({ base, theirs: after, ours })
  expect(merged({ 'a.yaml': mine })).toMatchObject({ files: { 'b.yaml': mine }, messages: [] })
  expect(merged({ 'a.yaml': config('a', 'k', '  labels: {x: y}\n') }, { 'b.yaml': config('a', 'up') }).files).toEqual({
    'b.yaml': config('a', 'up', '  labels: {x: y}\n'),
  })
  expect(merged({})).toMatchObject({ files: {}, messages: [] })
  // People's own file of that name gets the resource too.
  expect(merged({ 'a.yaml': mine, 'b.yaml': config('b') }).files).toEqual({ 'b.yaml': `${config('b')}---\n${mine}` })
  // People moved the resource there first.
  expect(merged({ 'b.yaml': mine }).files).toEqual({ 'b.yaml': mine })
})

test('a resource in braces that people gave another namespace is moved with upstream, by its annotation', () => {
  const braces = (namespace: string, value: string) =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, ${namespace}annotations: {internal.kpt.dev/upstream-identifier: '|ConfigMap|default|a'}}\ndata:\n  k: ${value}\n`
  const [base, theirs] = [{ 'a.yaml': braces('', 'k') }, { 'b.yaml': braces('', 'up') }]
  const mine = braces('namespace: mine, ', 'k')
  expect(mergeTexts({ base, theirs, ours: { 'a.yaml': mine } })).toMatchObject({
    files: { 'b.yaml': braces('namespace: mine, ', 'up') },
    messages: [],
  })
  // Base has a resource of that name too: it is the one that stays.
  const both = { 'a.yaml': `${braces('', 'k')}---\n${mine}` }
  expect(mergeTexts({ base: both, theirs: { ...theirs, 'a.yaml': mine }, ours: { 'a.yaml': mine } }).files).toEqual({ 'a.yaml': mine })
})

test('the resources of a file that were given another namespace, or removed, and are moved are found in one pass', () => {
  const text = (namespace: string, first = 0) =>
    Array.from({ length: 600 - first }, (_, at) => {
      const name = `a${at + first}`
      return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, ${namespace}annotations: {internal.kpt.dev/upstream-identifier: '|ConfigMap|default|${name}'}}\n`
    }).join('---\n')
  const of = (ours: string) =>
    unitsOf(() => mergeTexts({ base: { 'a.yaml': text('') }, theirs: { 'b.yaml': text('') }, ours: { 'a.yaml': ours } }))
  const [renamed, removed] = [of(text('namespace: mine, ')), of(text('', 300))]
  expect(renamed.value.files).toEqual({ 'b.yaml': text('namespace: mine, ') })
  expect(removed.value.files).toEqual({ 'b.yaml': text('', 300) })
  expect(renamed.units + removed.units).toBeLessThan(20)
})

test('a file of people that cannot be read stays where upstream moved a resource out of it, or into it', () => {
  const [base, theirs] = [{ 'a.yaml': config('a') }, { 'b.yaml': config('a') }]
  const broken = 'a: [\n'
  expect(mergeTexts({ base, theirs, ours: { 'a.yaml': broken } }).files['a.yaml']).toBe(broken)
  expect(mergeTexts({ base, theirs, ours: { 'a.yaml': config('a', 'mine'), 'b.yaml': broken } }).files['b.yaml']).toBe(broken)
})

test('a resource that people have in both files is not moved from one to the other with upstream', () => {
  const [base, theirs] = [{ 'a.yaml': config('a') }, { 'b.yaml': config('a') }]
  const ours = { 'a.yaml': config('a', 'mine'), 'b.yaml': config('a', 'other') }
  expect(mergeTexts({ base, theirs, ours }).files).toEqual({ 'a.yaml': config('a', 'mine'), 'b.yaml': config('a') })
})

test('a resource that upstream had in two files is not moved when one of the two goes', () => {
  const base = { 'a.yaml': config('a'), 'b.yaml': config('a', 'two') }
  const ours = { 'b.yaml': config('a', 'mine') }
  expect(mergeTexts({ base, theirs: { 'a.yaml': config('a', 'up') }, ours })).toMatchObject({
    files: ours,
    messages: [
      'a.yaml: warning: `ConfigMap a` was deleted here, and stays so; upstream changed it (a.yaml:1:1) [change-passed-over]',
      'b.yaml:1:1: warning: `ConfigMap a` is changed here, and stays so; upstream removed it [change-passed-over]',
    ],
  })
})

test('a resource that upstream moved into or out of a subpackage is another resource', () => {
  const root = { Kptfile: kptfileText('shop') }
  const { files } = mergeTexts({
    base: { ...root, 'a.yaml': config('a') },
    theirs: { ...root, ...sub() },
    ours: { ...root, 'a.yaml': config('a', 'mine') },
  })
  expect(files['a.yaml']).toBe(config('a', 'mine'))
})

test.each([
  ['of people', {}, {}, { 'sub/Kptfile': kptfileText('sub') }],
  ['of upstream', {}, { 'sub/Kptfile': kptfileText('sub') }, {}],
  ['of the old upstream', { 'sub/Kptfile': kptfileText('sub') }, {}, {}],
])('a Kptfile %s alone makes a subpackage too, into which no resource moves', (_whose, inBase, inTheirs, inOurs) => {
  const packages = {
    base: packageOfTexts({ 'a.yaml': config('a'), ...inBase }),
    theirs: packageOfTexts({ 'sub/a.yaml': config('a'), ...inTheirs }),
    ours: packageOfTexts({ 'a.yaml': config('a', 'mine'), ...inOurs }),
  }
  const moves = upstreamMoves(packages)
  expect(moves).toMatchObject([{ from: 'a.yaml', to: 'sub/a.yaml' }])
  expect(movesOfEdited(moves, packages)).toEqual([])
  const without = { ...packages, theirs: packageOfTexts({ 'sub/a.yaml': config('a') }), base: packageOfTexts({ 'a.yaml': config('a') }) }
  expect(movesOfEdited(moves, { ...without, ours: packageOfTexts({ 'a.yaml': config('a', 'mine') }) })).toEqual(moves)
})

test('a resource that people moved to another file and that upstream removed is named', () => {
  const base = { 'all.yaml': `${config('a')}---\n${config('b')}` }
  const ours = { 'all.yaml': config('a'), 'b.yaml': config('b') }
  expect(mergeTexts({ base, theirs: { 'all.yaml': config('a') }, ours })).toMatchObject({
    files: ours,
    messages: [
      "b.yaml:1:1: warning: `ConfigMap b` was moved to 'b.yaml' here, and stays there as it is, since an update compares file by file; upstream removed it [change-passed-over]",
    ],
  })
  expect(mergeTexts({ base, theirs: { 'all.yaml': config('a') }, ours: { 'all.yaml': config('a') } }).messages).toEqual([])
  const moved = { 'all.yaml': config('a'), 'c.yaml': config('b') }
  expect(mergeTexts({ base, theirs: moved, ours: moved }).messages).toEqual([])
})

test('a resource in another namespace, without a merge comment, is not called deleted', () => {
  const ours = { 'all.yaml': config('a', 'one', '  namespace: shop\n') }
  expect(mergeTexts({ base: { 'a.yaml': config('a') }, theirs: { 'a.yaml': config('a', 'up') }, ours })).toMatchObject({
    files: ours,
    messages: [
      "a.yaml: warning: `ConfigMap a` is not found here: 'all.yaml' has it in the namespace 'shop', where an update finds it only in the file of upstream and with the comment 'metadata: # kpt-merge: /a'; upstream changed it (a.yaml:1:1) [change-passed-over]",
    ],
  })
})

test('a resource whose merge comment people removed is named with the comment that finds it: that of upstream, not the namespace of functions', () => {
  const rendered = (value: string) => config('a', value, '  namespace: shop\n').replace('metadata:', 'metadata: # kpt-merge: /a')
  const ours = { 'a.yaml': config('a', 'one', '  namespace: shop\n') }
  expect(mergeTexts({ base: { 'a.yaml': rendered('one') }, theirs: { 'a.yaml': rendered('up') }, ours })).toMatchObject({
    files: ours,
    messages: [expect.stringContaining("with the comment 'metadata: # kpt-merge: /a'; upstream changed it")],
  })
  const named = { 'a.yaml': ours['a.yaml'].replace('metadata:', 'metadata: # kpt-merge: /a') }
  expect(mergeTexts({ base: { 'a.yaml': rendered('one') }, theirs: { 'a.yaml': rendered('up') }, ours: named })).toMatchObject({
    files: { 'a.yaml': rendered('up') },
    messages: [],
  })
})
