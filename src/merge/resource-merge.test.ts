import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Texts } from '../../testdata/package-of-texts.ts'
import { kptfileText } from '../../testdata/written-objects.ts'
import { config, mergeTexts, sub } from './testing/merge-of-texts.ts'

/** A row: what each side has (undefined: nothing), what comes of it, and the rules of the warnings. */
type Row = readonly [
  rule: string,
  base: string | undefined,
  theirs: string | undefined,
  ours: string | undefined,
  merged: string | undefined,
  ...warnings: string[],
]

function files(path: string, text: string | undefined): Texts {
  return text === undefined ? {} : { [path]: text }
}

// kpt pkg/lib/update/merge3/strategy.go.
test.each<Row>([
  ['added downstream', undefined, undefined, config('a'), config('a')],
  ['added upstream', undefined, config('a'), undefined, config('a')],
  [
    'added on both sides: merged',
    undefined,
    config('a', 'up'),
    config('a', 'mine', '  labels: {x: y}\n'),
    config('a', 'up', '  labels: {x: y}\n'),
    'edit-lost',
  ],
  ['removed upstream', config('a'), undefined, config('a'), undefined],
  ['removed upstream, changed downstream', config('a'), undefined, config('a', 'mine'), config('a', 'mine'), 'change-passed-over'],
  [
    'removed upstream, commented downstream',
    config('a'),
    undefined,
    `# mine\n${config('a')}`,
    `# mine\n${config('a')}`,
    'change-passed-over',
  ],
  ['deleted downstream', config('a'), config('a'), undefined, undefined],
  ['deleted downstream, changed upstream', config('a'), config('a', 'up'), undefined, undefined, 'change-passed-over'],
  ['deleted on both sides', config('a'), undefined, undefined, undefined],
  [
    'another version is the same resource',
    config('a'),
    config('a', 'up').replace('v1', 'v2'),
    config('a', 'one', '  labels: {x: y}\n'),
    config('a', 'up', '  labels: {x: y}\n').replace('v1', 'v2'),
  ],
])('a resource %s', (_, base, theirs, ours, merged, ...warnings) => {
  const result = mergeTexts({
    base: files('a.yaml', base),
    theirs: files('a.yaml', theirs),
    ours: files('a.yaml', ours),
  })
  expect(result.files).toEqual(files('a.yaml', merged))
  expect(result.messages).toEqual(warnings.map((rule) => expect.stringContaining(`[${rule}]`)))
})

// kpt pkg/lib/update/resource-merge.go ReplaceNonKRMFiles.
test.each<Row>([
  ['changed upstream', 'one', 'up', 'one', 'up'],
  ['changed downstream', 'one', 'one', 'mine', 'mine'],
  ['changed on both sides', 'one', 'up', 'mine', 'mine', 'change-passed-over'],
  ['added upstream', undefined, 'up', undefined, 'up'],
  ['added on both sides', undefined, 'up', 'mine', 'mine', 'change-passed-over'],
  ['removed upstream', 'one', undefined, 'one', undefined],
  ['removed upstream, changed downstream', 'one', undefined, 'mine', 'mine', 'change-passed-over'],
  ['deleted downstream: it comes back', 'one', 'one', undefined, 'one', 'edit-lost'],
  ['deleted downstream, changed upstream: it comes back', 'one', 'up', undefined, 'up', 'edit-lost'],
  ['deleted on both sides', 'one', undefined, undefined, undefined],
])('a file that is no KRM %s', (_, base, theirs, ours, merged, ...warnings) => {
  const result = mergeTexts({
    base: files('README.md', base),
    theirs: files('README.md', theirs),
    ours: files('README.md', ours),
  })
  expect(result.files).toEqual(files('README.md', merged))
  expect(result.messages).toEqual(warnings.map((rule) => expect.stringContaining(`[${rule}]`)))
})

test('the warnings for whole files and resources say what each side did', () => {
  const said = (base: Texts, theirs: Texts, ours: Texts) => mergeTexts({ base, theirs, ours }).messages
  const [one, up, mine] = [{ 'a.yaml': config('a') }, { 'a.yaml': config('a', 'up') }, { 'a.yaml': config('a', 'mine') }]
  expect(said(one, up, {})).toEqual([
    'a.yaml: warning: `ConfigMap a` was deleted here, and stays so; upstream changed it (a.yaml:1:1) [change-passed-over]',
  ])
  expect(said(one, {}, mine)).toEqual([
    'a.yaml:1:1: warning: `ConfigMap a` is changed here, and stays so; upstream removed it [change-passed-over]',
  ])
  const file = (text: string) => ({ 'b.md': text })
  expect(said(file('one'), file('up'), {})).toEqual([
    'b.md: warning: `b.md` was deleted here; upstream has it, and that is taken [edit-lost]',
  ])
  expect(said(file('one'), {}, file('mine'))).toEqual([
    'b.md: warning: `b.md` is changed here, and stays so; upstream removed it [change-passed-over]',
  ])
})

test('what only upstream did is reported as taken, what only people did is not reported', () => {
  const [one, other] = [config('a'), config('b')]
  const outcomes = (base: string, theirs: string, ours: string) =>
    mergeTexts({ base: { 'a.yaml': base }, theirs: { 'a.yaml': theirs }, ours: { 'a.yaml': ours } }).outcomes
  const both = `${one}---\n${other}`
  const taken = { result: 'taken', contested: false }
  expect(outcomes(one, both, one)).toMatchObject([{ ...taken, ours: { exists: false }, theirs: { exists: true } }])
  expect(outcomes(both, one, both)).toMatchObject([{ ...taken, ours: { exists: true }, theirs: { exists: false } }])
  expect(outcomes(one, one, both)).toEqual([])
  expect(mergeTexts({ base: {}, theirs: { 'b.md': 'up' }, ours: {} }).outcomes).toMatchObject([{ ...taken, path: 'b.md' }])
})

test('a resource that people deleted and upstream left alone is no news where upstream changed another of the file', () => {
  const all = (...texts: string[]) => ({ 'a.yaml': texts.join('---\n') })
  const [a, b, up] = [config('a'), config('b'), config('b', 'up')]
  expect(mergeTexts({ base: all(a, b), theirs: all(a, up), ours: all(b) })).toMatchObject({ files: all(up), messages: [] })
})

test('a file that is KRM on some sides only is one value', () => {
  const result = mergeTexts({
    base: { 'a.yaml': config('a') },
    theirs: { 'a.yaml': config('a', 'up') },
    ours: { 'a.yaml': '- no map\n' },
  })
  expect(result.files).toEqual({ 'a.yaml': '- no map\n' })
  expect(result.messages).toEqual(['a.yaml: warning: `a.yaml` is changed here, and stays so; upstream changed it [change-passed-over]'])
})

test('the warnings for fields have both values and both places', () => {
  const [base, theirs] = [config('a', 'one\n  b: 1\n  c: 1\n  d: 1'), config('a', 'up\n  b: 2\n  d: 2')]
  const ours = `# mine\n${config('a', 'mine\n  b: 3\n  c: 3')}`
  expect(mergeTexts({ base: { 'a.yaml': base }, theirs: { 'a.yaml': theirs }, ours: { 'a.yaml': ours } }).messages).toEqual([
    "a.yaml:7:6: warning: `data.a` is 'mine' here; upstream changed it to 'up' (a.yaml:6:6), and that is taken [edit-lost]",
    'a.yaml:8:6: warning: `data.b` is the number 3 here; upstream changed it to the number 2 (a.yaml:7:6), and that is taken [edit-lost]',
    'a.yaml:9:6: warning: `data.c` is the number 3 here; upstream removed it (a.yaml:5:1), and that is taken [edit-lost]',
    'a.yaml:6:1: warning: `data.d` was deleted here; upstream changed it to the number 2 (a.yaml:8:6), and that is taken [edit-lost]',
  ])
})

test('a change of type fails before anything is written, with both places', () => {
  const sides = { base: config('a'), theirs: config('a', '{now: map}'), ours: config('a') }
  const result = mergeTexts({
    base: { 'a.yaml': sides.base, 'b.yaml': config('b') },
    theirs: { 'a.yaml': sides.theirs, 'b.yaml': config('b', 'up') },
    ours: { 'a.yaml': sides.ours, 'b.yaml': config('b') },
  })
  expect(result.files).toEqual({ 'a.yaml': sides.ours, 'b.yaml': config('b') })
  expect(result.messages).toEqual([
    "a.yaml:6:6: error: `data.a` must keep its type in an update, is 'one' here and a map upstream (a.yaml:6:3) [type-change]",
  ])
})

test('two resources of one identity in a file fail, each with its place, where upstream changed the file', () => {
  const twice = `${config('a')}---\n${config('a', 'two')}`
  const result = mergeTexts({
    base: { 'a.yaml': config('a') },
    theirs: { 'a.yaml': config('a', 'up') },
    ours: { 'a.yaml': twice },
  })
  expect(result.messages).toEqual([
    "a.yaml:11:9: error: `metadata.name` must be unique in 'a.yaml' downstream for it to be merged, ConfigMap a is in line 1 as well [duplicate-in-file]",
  ])
  expect(mergeTexts({ base: { 'a.yaml': twice }, theirs: { 'a.yaml': twice }, ours: { 'a.yaml': `${twice}# mine\n` } }).messages).toEqual(
    [],
  )
})

test('a renamed resource is known by its merge comment', () => {
  const renamed = config('mine').replace('metadata:', 'metadata: # kpt-merge: /a')
  const result = mergeTexts({
    base: { 'a.yaml': config('a') },
    theirs: { 'a.yaml': config('a', 'up') },
    ours: { 'a.yaml': renamed },
  })
  expect(result.files).toEqual({ 'a.yaml': renamed.replace('one', 'up') })
})

test('group, kind, namespace, name and file make another resource', () => {
  const others = [
    config('b'),
    config('a', 'one', '  namespace: n\n'),
    config('a').replace('ConfigMap', 'Secret'),
    config('a').replace('v1', 'x.io/v1'),
  ]
  for (const other of others) {
    const result = mergeTexts({
      base: { 'a.yaml': config('a') },
      theirs: { 'a.yaml': other },
      ours: { 'a.yaml': config('a', 'mine') },
    })
    expect(result.files['a.yaml']).toBe(`${config('a', 'mine')}---\n${other}`)
  }
  const moved = mergeTexts({
    base: { 'a.yaml': config('a') },
    theirs: { 'b.yaml': config('a', 'up') },
    ours: { 'a.yaml': config('a') },
  })
  expect(moved.files).toEqual({ 'b.yaml': config('a', 'up') })
})

test('documents stand in the order of upstream, where upstream changed it', () => {
  const all = (...texts: string[]) => ({ 'a.yaml': texts.join('---\n') })
  const [a, b, c, n, own] = [config('a'), config('b'), config('c'), config('n'), config('own')]
  expect(mergeTexts({ base: all(a, b, c), theirs: all(c, n, a, b), ours: all(a, b, c, own) }).files).toEqual(all(c, n, a, b, own))
  expect(mergeTexts({ base: all(a, b), theirs: all(a, b, n), ours: all(b, a, own) }).files).toEqual(all(b, a, own, n))
})

test('a document that upstream removed keeps its place, documents that both sides added those of the downstream', () => {
  const all = (...texts: string[]) => ({ 'a.yaml': texts.join('---\n') })
  const [a, up, b, mine, c] = [config('a'), config('a', 'up'), config('b'), config('b', 'mine'), config('c')]
  expect(mergeTexts({ base: all(a, b, c), theirs: all(up, c), ours: all(a, mine, c) }).files).toEqual(all(up, mine, c))
  const [one, two] = [config('m'), config('n')]
  expect(mergeTexts({ base: all(a), theirs: all(up, one, two), ours: all(a, two, one) }).files).toEqual(all(up, two, one))
})

test('the order of files does not count', () => {
  const all = {
    base: { Kptfile: kptfileText('b'), 'a.yaml': config('a'), 'b.md': '1', ...sub() },
    theirs: { Kptfile: kptfileText('b', 'info: {site: u}\n'), 'a.yaml': config('a', 'up'), 'b.md': '2', ...sub('up') },
    ours: { Kptfile: kptfileText('m'), 'a.yaml': config('a', 'mine'), 'b.md': '3', 'c.md': '', ...sub() },
  }
  const shuffled = (texts: Texts) =>
    fc.shuffledSubarray(Object.entries(texts), { minLength: Object.keys(texts).length }).map((entries) => Object.fromEntries(entries))
  const property = fc.property(shuffled(all.base), shuffled(all.theirs), shuffled(all.ours), (base, theirs, ours) => {
    expect(mergeTexts({ base, theirs, ours })).toEqual(mergeTexts(all))
  })
  expect(() => fc.assert(property, { numRuns: 50 })).not.toThrow()
})

const MEMBER = `apiVersion: iam.cnrm.cloud.google.com/v1beta1
kind: IAMPolicyMember
metadata:
  name: reader
spec:
  role: viewer
`
const MARKED = MEMBER.replace('reader', "reader\n  annotations:\n    cnrm.cloud.google.com/blueprint: 'krm-pkg'")

test("kpt's mark on a resource of Config Connector is no edit", () => {
  const removed = mergeTexts({ base: { 'a.yaml': MEMBER }, theirs: {}, ours: { 'a.yaml': MARKED } })
  expect(removed).toMatchObject({ files: {}, messages: [] })
  const changed = mergeTexts({
    base: { 'a.yaml': MEMBER },
    theirs: { 'a.yaml': MEMBER.replace('viewer', 'editor') },
    ours: { 'a.yaml': `# mine\n${MARKED}` },
  })
  expect(changed).toMatchObject({ files: { 'a.yaml': `# mine\n${MARKED.replace('viewer', 'editor')}` }, messages: [] })
})

test('the other makers that the mark names are merged, and the package stays among them', () => {
  const made = (makers: string, role = 'viewer') => MARKED.replace("'krm-pkg'", makers).replace('viewer', role)
  const result = mergeTexts({
    base: { 'a.yaml': made('cnrm/a,kpt-fn') },
    theirs: { 'a.yaml': made('cnrm/b,kpt-fn', 'editor') },
    ours: { 'a.yaml': made('cnrm/a,kpt-pkg-fn').replace('spec:', 'spec:\n  mine: true') },
  })
  expect(result.files).toEqual({ 'a.yaml': made('cnrm/b,kpt-pkg-fn', 'editor').replace('spec:', 'spec:\n  mine: true') })
  expect(result.messages).toEqual([])
})
