import { expect, test } from 'vitest'
import { packageOfTexts, type Texts } from '../../testdata/package-of-texts.ts'
import { kptfileText } from '../../testdata/written-objects.ts'
import { fateAbove, type SubpackageFate, settledFile, subpackageFates } from './subpackages.ts'
import { config, mergeTexts, sub } from './testing/merge-of-texts.ts'

// kpt pkg/lib/update/resource-merge.go updatePackage.
test.each<[string, Texts, Texts, Texts, Texts, ...string[]]>([
  ['added upstream', {}, sub(), {}, sub()],
  ['added downstream', {}, {}, sub(), sub()],
  ['added on both sides alike', {}, sub(), sub(), sub()],
  ['deleted downstream stays deleted', sub(), sub('up'), {}, {}, 'change-passed-over'],
  [
    'deleted downstream leaves what is there',
    sub(),
    sub('up'),
    { 'sub/mine.yaml': config('m') },
    { 'sub/mine.yaml': config('m') },
    'change-passed-over',
  ],
  ['deleted upstream', sub(), {}, sub(), {}],
  [
    'deleted upstream, changed downstream',
    sub(),
    {},
    sub('one', { 'sub/mine.md': '' }),
    sub('one', { 'sub/mine.md': '' }),
    'change-passed-over',
  ],
  ['changed on both sides', sub(), sub('up'), sub('one', { 'sub/mine.md': '' }), sub('up', { 'sub/mine.md': '' })],
  [
    'a folder that becomes a package',
    { 'sub/a.yaml': config('a') },
    sub('up'),
    { 'sub/a.yaml': config('a'), 'sub/m.md': '' },
    sub('up', { 'sub/m.md': '' }),
  ],
])('a subpackage %s', (_, base, theirs, ours, merged, ...warnings) => {
  const result = mergeTexts({ base, theirs, ours })
  expect(result.files).toEqual(merged)
  expect(result.messages).toEqual(warnings.map((rule) => expect.stringContaining(`[${rule}]`)))
})

const CONTEXT = `apiVersion: v1
kind: ConfigMap
metadata:
  name: kptfile.kpt.dev
  annotations:
    config.kubernetes.io/local-config: "true"
data:
  name: sub
`

test('a subpackage that upstream deleted goes with the package context of its clone', () => {
  const cloned = sub('one', { 'sub/package-context.yaml': CONTEXT })
  expect(mergeTexts({ base: sub(), theirs: {}, ours: cloned })).toMatchObject({ files: {}, messages: [] })
  expect(mergeTexts({ base: cloned, theirs: {}, ours: cloned })).toMatchObject({ files: {}, messages: [] })
})

test('a subpackage that upstream deleted stays with what people wrote into its package context', () => {
  const edited = sub('one', { 'sub/package-context.yaml': `${CONTEXT}  region: eu\n` })
  const { files, messages } = mergeTexts({ base: sub(), theirs: {}, ours: edited })
  expect(files).toEqual(edited)
  expect(messages).toEqual([
    expect.stringContaining("`sub/package-context.yaml` is changed here, so the subpackage 'sub' stays; upstream removed it"),
  ])
})

test('a subpackage that upstream makes a folder loses its Kptfile and package context, and its other files are merged', () => {
  const theirs = { 'sub/a.yaml': config('a', 'up'), 'sub/new.yaml': config('new') }
  const ours = sub('one', { 'sub/package-context.yaml': CONTEXT, 'sub/mine.yaml': config('mine') })
  const merged = { ...theirs, 'sub/mine.yaml': config('mine') }
  expect(mergeTexts({ base: sub(), theirs, ours })).toMatchObject({ files: merged, messages: [] })
  const edited = { ...ours, 'sub/a.yaml': config('a', 'mine') }
  const result = mergeTexts({ base: sub(), theirs, ours: edited })
  expect(result.files).toEqual(merged)
  expect(result.messages).toEqual([expect.stringContaining('[edit-lost]')])
})

test('a subpackage that upstream makes a folder stays a package where people changed its Kptfile, with a warning', () => {
  const own = sub('one', { 'sub/Kptfile': kptfileText('sub', 'info:\n  site: mine\n'), 'sub/package-context.yaml': CONTEXT })
  const { files, messages } = mergeTexts({ base: sub(), theirs: { 'sub/a.yaml': config('a', 'up') }, ours: own })
  expect(files).toEqual({ ...own, 'sub/a.yaml': config('a', 'up') })
  expect(messages).toEqual([
    "sub/Kptfile:1:1: warning: `sub/Kptfile` is changed here, so 'sub' stays a package of its own; upstream made it a folder [change-passed-over]",
  ])
})

test('a subpackage that people deleted and upstream made a folder is named', () => {
  const { files, messages } = mergeTexts({ base: sub(), theirs: { 'sub/a.yaml': config('a', 'up') }, ours: {} })
  expect(files).toEqual({})
  expect(messages).toEqual([expect.stringContaining('`sub` was deleted here, and stays so; upstream changed it')])
})

test('packages below a subpackage that upstream makes a folder are merged as such', () => {
  const below = (value: string) => ({ 'sub/x/Kptfile': kptfileText('x'), 'sub/x/b.yaml': config('b', value) })
  const theirs = { 'sub/a.yaml': config('a'), ...below('up') }
  expect(mergeTexts({ base: sub('one', below('one')), theirs, ours: sub('one', below('one')) }).files).toEqual(theirs)
})

test('a subpackage whose upstream people changed is theirs', () => {
  const from = (ref: string) => kptfileText('sub', `upstream:\n  type: git\n  git: {repo: r, directory: d, ref: ${ref}}\n`)
  const at = (ref: string, value: string) => ({ 'sub/Kptfile': from(ref), 'sub/a.yaml': config('a', value) })
  expect(mergeTexts({ base: at('v1', 'one'), theirs: at('v2', 'up'), ours: at('mine', 'one') }).files).toEqual(at('mine', 'one'))
  expect(mergeTexts({ base: at('v1', 'one'), theirs: at('v2', 'up'), ours: at('v1', 'one') }).files).toEqual(at('v2', 'up'))
})

test('a subpackage of people is named where upstream changed it otherwise, and no news where people have the change already', () => {
  const from = (ref: string) => kptfileText('sub', `upstream:\n  type: git\n  git: {repo: r, directory: d, ref: ${ref}}\n`)
  const at = (ref: string) => ({ 'sub/Kptfile': from(ref), 'sub/a.yaml': config('a', ref) })
  expect(mergeTexts({ base: at('v1'), theirs: at('v2'), ours: at('v3') }).messages).toEqual([
    expect.stringContaining('`Kptfile sub` is changed here, and stays so; upstream changed it'),
  ])
  expect(mergeTexts({ base: at('v1'), theirs: at('v2'), ours: at('v2') })).toMatchObject({ files: at('v2'), messages: [], outcomes: [] })
})

test('a package below a subpackage whose upstream people changed is left alone too', () => {
  const from = (ref: string) => kptfileText('sub', `upstream:\n  type: git\n  git: {repo: r, directory: d, ref: ${ref}}\n`)
  const at = (ref: string, value: string) => ({
    'sub/Kptfile': from(ref),
    'sub/x/Kptfile': kptfileText('x'),
    'sub/x/a.yaml': config('a', value),
  })
  expect(mergeTexts({ base: at('v1', 'one'), theirs: at('v2', 'up'), ours: at('mine', 'one') }).files).toEqual(at('mine', 'one'))
})

test('where upstream makes a subpackage a folder, a file of its own with the name of the package context is merged', () => {
  const base = { ...sub(), 'sub/package-context.yaml': CONTEXT }
  const theirs = { 'sub/a.yaml': config('a'), 'sub/package-context.yaml': config('other') }
  expect(mergeTexts({ base, theirs, ours: base }).files).toEqual(theirs)
})

test('a subpackage added on both sides, each in its way, fails', () => {
  const result = mergeTexts({ base: {}, theirs: sub('up'), ours: sub('mine') })
  expect(result.files).toEqual(sub('mine'))
  expect(result.messages).toEqual([
    "sub/Kptfile: error: `sub` must not be a package of the downstream and one that upstream adds, 'sub' exists on both sides [package-added-twice]",
  ])
})

test('the warning about a subpackage says what each side did to it', () => {
  const said = (base: Texts, theirs: Texts, ours: Texts) => mergeTexts({ base, theirs, ours }).messages
  expect(said(sub(), sub('up'), {})).toEqual([
    'sub: warning: `Kptfile sub` was deleted here, and stays so; upstream changed it (sub/Kptfile:1:1) [change-passed-over]',
  ])
  expect(said(sub(), {}, sub('mine'))).toEqual([
    "sub/a.yaml:1:1: warning: `sub/a.yaml` is changed here, so the subpackage 'sub' stays; upstream removed it [change-passed-over]",
  ])
})

test.each<[string, Texts, string]>([
  ['added a file', sub('one', { 'sub/mine.md': '' }), 'sub/mine.md: warning: `sub/mine.md` was added here,'],
  ['deleted a file', { 'sub/Kptfile': kptfileText('sub') }, 'sub/Kptfile: warning: `sub/a.yaml` was deleted here,'],
  [
    'added a resource to a file',
    sub('one', { 'sub/a.yaml': `${config('a')}---\n${config('b')}` }),
    'sub/a.yaml:8:1: warning: `sub/a.yaml` is changed here,',
  ],
  [
    'edited several files',
    sub('mine', { 'sub/b.yaml': config('b'), 'sub/c.md': '' }),
    'sub/a.yaml:1:1: warning: `sub/a.yaml` is changed here (and 2 other files),',
  ],
])('the warning about a subpackage that stays names the file where people %s', (_, ours, start) => {
  expect(mergeTexts({ base: sub(), theirs: {}, ours }).messages).toEqual([
    `${start} so the subpackage 'sub' stays; upstream removed it [change-passed-over]`,
  ])
})

test('a subpackage deleted on both sides is no news, nor is one that upstream left alone', () => {
  expect(mergeTexts({ base: sub(), theirs: {}, ours: {} })).toMatchObject({ files: {}, messages: [], outcomes: [] })
  expect(mergeTexts({ base: sub(), theirs: sub(), ours: {} })).toMatchObject({ files: {}, messages: [], outcomes: [] })
})

test('a subpackage that upstream deleted and no person changed is reported as taken', () => {
  expect(mergeTexts({ base: sub(), theirs: {}, ours: sub() }).outcomes).toMatchObject([
    { result: 'taken', contested: false, path: 'sub', ours: { exists: true }, theirs: { exists: false } },
  ])
})

test('a file that upstream adds to a subpackage that the downstream deleted does not come', () => {
  const theirs = sub('one', { 'sub/new/deep.yaml': config('new') })
  expect(mergeTexts({ base: sub(), theirs, ours: {} }).files).toEqual({})
})

test('files in folders and packages below a subpackage go and stay with it', () => {
  const deep = (value: string) => ({ 'sub/x/y/deep.yaml': config('d', value), 'sub/x/Kptfile': kptfileText('x') })
  expect(mergeTexts({ base: sub('one', deep('one')), theirs: {}, ours: sub('one', deep('one')) }).files).toEqual({})
  const edited = sub('one', deep('mine'))
  expect(mergeTexts({ base: sub('one', deep('one')), theirs: {}, ours: edited }).files).toEqual(edited)
})

test.each<[string, Texts]>([
  ['deleted a file', { 'sub/Kptfile': kptfileText('sub') }],
  ['added a package below', sub('one', { 'sub/x/Kptfile': kptfileText('x') })],
  ['added a comment to the Kptfile', sub('one', { 'sub/Kptfile': kptfileText('sub', 'info: # mine\n  site: s\n') })],
  ['added a line of comment to the Kptfile', sub('one', { 'sub/Kptfile': `# mine\n${kptfileText('sub', 'info:\n  site: s\n')}` })],
])('a subpackage that upstream deleted stays where people %s', (_, ours) => {
  const base = sub('one', { 'sub/Kptfile': kptfileText('sub', 'info:\n  site: s\n') })
  const own = { ...base, ...ours }
  const kept = 'sub/a.yaml' in ours ? own : { 'sub/Kptfile': own['sub/Kptfile'] }
  expect(mergeTexts({ base, theirs: {}, ours: kept }).files).toEqual(kept)
})

test.each<[string, string]>([
  ['another name', kptfileText('renamed', 'info: # why\n  site: s\n')],
  ['an upstream', kptfileText('sub', 'info: # why\n  site: s\nupstream: {type: git}\nupstreamLock: {type: git}\n')],
  ['a render status', kptfileText('sub', 'info: # why\n  site: s\nstatus:\n  renderStatus: {}\n')],
  [
    'an identifier of the clone',
    kptfileText('sub', 'info: # why\n  site: s\n').replace(
      'name: sub\n',
      "name: sub\n  annotations:\n    internal.kpt.dev/upstream-identifier: '|Kptfile||sub'\n",
    ),
  ],
])('a Kptfile to which a clone or a render wrote %s is no edit', (_, text) => {
  const base = sub('one', { 'sub/Kptfile': kptfileText('sub', 'info: # why\n  site: s\n') })
  expect(mergeTexts({ base, theirs: {}, ours: { ...base, 'sub/Kptfile': text } }).files).toEqual({})
})

test('an annotation of a Kptfile that people changed is an edit', () => {
  const at = (value: string) =>
    sub('one', { 'sub/Kptfile': kptfileText('sub').replace('name: sub\n', `name: sub\n  annotations: {a: ${value}}\n`) })
  expect(mergeTexts({ base: at('one'), theirs: {}, ours: at('mine') }).files).toEqual(at('mine'))
})

test('a subpackage from which people took its upstream is merged', () => {
  const from = (value: string, upstream: string) => ({ 'sub/Kptfile': kptfileText('sub', upstream), 'sub/a.yaml': config('a', value) })
  const git = 'upstream:\n  type: git\n  git: {repo: r, directory: d, ref: v1}\n'
  expect(mergeTexts({ base: from('one', git), theirs: from('up', git), ours: from('one', '') }).files).toMatchObject({
    'sub/a.yaml': config('a', 'up'),
  })
})

test('the fates of subpackages are listed by folder, without those below a subpackage that is not merged', () => {
  const nested = (folder: string) => ({ [`${folder}/Kptfile`]: kptfileText('s'), [`${folder}/x/Kptfile`]: kptfileText('x') })
  const fates = (base: Texts, theirs: Texts, ours: Texts) =>
    [...subpackageFates({ base: packageOfTexts(base), theirs: packageOfTexts(theirs), ours: packageOfTexts(ours) })].map(
      ([folder, { fate }]) => `${folder} ${fate}`,
    )
  const all = { ...nested('c'), ...nested('b') }
  expect(fates(all, all, all)).toEqual(['b merged', 'b/x merged', 'c merged', 'c/x merged'])
  expect(fates(all, nested('c'), all)).toEqual(['b removed', 'c merged', 'c/x merged'])
  expect(fates(all, all, nested('b'))).toEqual(['b merged', 'b/x merged', 'c left'])
  expect(fates({}, {}, { Kptfile: kptfileText('p') })).toEqual([])
})

const FATES = (['merged', 'left', 'removed', 'folder', 'edited-folder'] as const).map(
  (fate): SubpackageFate => ({ folder: 'sub', fate, outcomes: [], results: [] }),
)

test.each([
  ['sub/a.yaml', undefined, ['-', 'ours', 'none', '-', '-']],
  ['sub/Kptfile', undefined, ['-', 'ours', 'none', 'none', 'ours']],
  ['sub/package-context.yaml', undefined, ['-', 'ours', 'none', 'none', 'ours']],
  ['sub/package-context.yaml', 'theirs', ['-', 'ours', 'none', '-', '-']],
  ['sub/x/Kptfile', undefined, ['-', 'ours', 'none', '-', '-']],
])('the file %s, in upstream %s, is settled by the fate of its subpackage', (path, theirs, expected) => {
  const bytes = (text: string) => Buffer.from(text)
  const sides = { base: undefined, theirs: theirs === undefined ? undefined : bytes(theirs), ours: bytes('ours') }
  const settled = FATES.map((fate) => settledFile(path, sides, fate))
  expect(settled.map((file) => (file === undefined ? '-' : file.content === undefined ? 'none' : 'ours'))).toEqual(expected)
  expect(settledFile(path, sides, undefined)).toBeUndefined()
})

test('the fate of a file is that of the nearest subpackage above', () => {
  const of = (folder: string): SubpackageFate => ({ folder, fate: 'merged', outcomes: [], results: [] })
  const fates = new Map(['a', 'a/b/c'].map((folder) => [folder, of(folder)]))
  const above = (path: string) => fateAbove(fates, path)?.folder
  expect(['a/b/c/d/e.yaml', 'a/b/c/Kptfile', 'a/b/c', 'a/b/x.yaml', 'a/x.yaml', 'a', 'ab/x.yaml', 'x.yaml'].map(above)).toEqual([
    'a/b/c',
    'a/b/c',
    'a',
    'a',
    'a',
    undefined,
    undefined,
    undefined,
  ])
})
