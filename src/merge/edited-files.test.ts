import { expect, test } from 'vitest'
import { packageOfTexts, type Texts } from '../../testdata/package-of-texts.ts'
import { kptfileText } from '../../testdata/written-objects.ts'
import { editedFiles, hasNewComment, isContextFile, isUnedited } from './edited-files.ts'
import { config } from './testing/merge-of-texts.ts'

const edited = (base: Texts, ours: Texts) => editedFiles(packageOfTexts(base), packageOfTexts(ours))

const CONTEXT = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: kptfile.kpt.dev\n'
const MADE = `${CONTEXT}  annotations:\n    config.kubernetes.io/local-config: "true"\ndata:\n  name: shop\n  package-path: shop\n`

test('the edited files are those that are changed, added or removed, sorted', () => {
  const base = { 'c.yaml': config('c'), 'b.yaml': config('b'), 'd.txt': 'one', 'e.yaml': config('e') }
  expect(edited(base, { 'd.txt': 'two', 'c.yaml': config('c'), 'a.yaml': config('a'), 'b.yaml': config('b', 'two') })).toEqual([
    'a.yaml',
    'b.yaml',
    'd.txt',
    'e.yaml',
  ])
  expect(edited(base, base)).toEqual([])
})

test.each([
  { rule: 'a merge comment is no edit', base: config('a'), ours: config('a').replace('metadata:', 'metadata: # kpt-merge: ns/a') },
  {
    rule: 'an upstream identifier is no edit',
    base: config('a'),
    ours: config('a', 'one', "  annotations:\n    internal.kpt.dev/upstream-identifier: '|ConfigMap|ns|a'\n"),
  },
])('$rule', ({ base, ours }) => {
  expect(edited({ 'a.yaml': base }, { 'a.yaml': ours })).toEqual([])
})

test.each([
  { rule: 'the package context that a clone makes', files: { 'package-context.yaml': MADE }, edits: [] },
  { rule: 'the package context that a clone makes in a subpackage', files: { 'sub/package-context.yaml': MADE }, edits: [] },
  { rule: 'a context without data', files: { 'package-context.yaml': CONTEXT }, edits: [] },
  { rule: 'a context with data of people', files: { 'package-context.yaml': `${MADE}  zone: a\n` }, edits: ['package-context.yaml'] },
  {
    rule: 'a context with labels of people',
    files: { 'package-context.yaml': MADE.replace('annotations:', 'labels: {a: b}\n  annotations:') },
    edits: ['package-context.yaml'],
  },
  {
    rule: 'a context of another kind',
    files: { 'package-context.yaml': MADE.replace('ConfigMap', 'Secret') },
    edits: ['package-context.yaml'],
  },
  {
    rule: 'a context of another name',
    files: { 'package-context.yaml': MADE.replace('kptfile.kpt.dev', 'other') },
    edits: ['package-context.yaml'],
  },
  {
    rule: 'a context beside another object',
    files: { 'package-context.yaml': `${MADE}---\n${config('a')}` },
    edits: ['package-context.yaml'],
  },
  { rule: 'a context in another file', files: { 'my-package-context.yaml': MADE }, edits: ['my-package-context.yaml'] },
])('of added files, edits are $edits: $rule', ({ files, edits }) => {
  expect(edited({}, files)).toEqual(edits)
})

test.each([
  { rule: 'data that a clone writes', ours: MADE, isEdit: false },
  { rule: 'data of people', ours: `${MADE}  zone: a\n`, isEdit: true },
  { rule: 'a second object', ours: `${MADE}---\n${config('a')}`, isEdit: true },
  { rule: 'another name', ours: MADE.replace('kptfile.kpt.dev', 'other'), isEdit: true },
  { rule: 'an annotation of people', ours: MADE.replace('local-config: "true"', 'local-config: "true"\n    a: b'), isEdit: true },
])('a package context that upstream has is edited by $rule: $isEdit', ({ ours, isEdit }) => {
  for (const path of ['package-context.yaml', 'any.yaml'])
    expect(edited({ [path]: `${CONTEXT}data:\n  name: app\n` }, { [path]: ours })).toEqual(isEdit ? [path] : [])
})

test('a package context that is removed is an edit, and so is one beside another object in upstream', () => {
  const context = { 'package-context.yaml': MADE }
  expect(edited(context, {})).toEqual(['package-context.yaml'])
  expect(edited({ 'package-context.yaml': `${MADE}---\n${config('a')}` }, context)).toEqual(['package-context.yaml'])
})

const UPSTREAM = 'upstream:\n  type: git\nupstreamLock:\n  type: git\n'

test.each([
  { rule: 'a name', ours: kptfileText('other'), isEdit: false },
  { rule: 'an upstream and its lock', ours: kptfileText('shop', UPSTREAM), isEdit: false },
  {
    rule: 'the status of a render',
    ours: kptfileText('shop', 'status:\n  renderStatus: {}\n  conditions:\n  - type: Rendered\n'),
    isEdit: false,
  },
  {
    rule: 'an upstream identifier',
    ours: kptfileText('shop', '').replace('  name', '  annotations:\n    internal.kpt.dev/upstream-identifier: x\n  name'),
    isEdit: false,
  },
  { rule: 'another condition', ours: kptfileText('shop', 'status:\n  conditions:\n  - type: Ready\n'), isEdit: true },
  { rule: 'a label', ours: kptfileText('shop').replace('  name', '  labels: {a: b}\n  name'), isEdit: true },
  { rule: 'a pipeline', ours: kptfileText('shop', 'pipeline:\n  mutators:\n  - image: a\n'), isEdit: true },
])('the Kptfile of a package or of a subpackage is edited by $rule: $isEdit', ({ ours, isEdit }) => {
  for (const path of ['Kptfile', 'sub/Kptfile'])
    expect(edited({ [path]: kptfileText('shop') }, { [path]: ours })).toEqual(isEdit ? [path] : [])
})

test('the Kptfile that a clone makes is no edit at the top, but a Kptfile that is added or removed in a subpackage is', () => {
  expect(edited({}, { Kptfile: kptfileText('shop', UPSTREAM) })).toEqual([])
  expect(edited({}, { 'sub/Kptfile': kptfileText('shop') })).toEqual(['sub/Kptfile'])
  expect(edited({ 'sub/Kptfile': kptfileText('shop') }, {})).toEqual(['sub/Kptfile'])
})

test('a new comment is an edit of the Kptfile of a subpackage, and not of that at the top', () => {
  const [base, ours] = [kptfileText('shop', '# old\n'), kptfileText('shop # new', '# old\n')]
  expect(edited({ Kptfile: base, 'sub/Kptfile': base }, { Kptfile: ours, 'sub/Kptfile': ours })).toEqual(['sub/Kptfile'])
  expect(edited({ 'sub/Kptfile': ours }, { 'sub/Kptfile': base })).toEqual([])
})

test.each([
  ['a: b # one\n', 'a: b # one\nc: d # one\n', false],
  ['a: b # one\n', 'a: b # two\n', true],
  ['a: b\n', '# one\na: b\n', true],
  ['a: b\n', 'a: b#c\n', false],
])('after %j, %j has a new comment: %s', (base, ours, expected) => {
  const [one, two] = [base, ours].map((text) => packageOfTexts({ 'a.yaml': text }).get('a.yaml'))
  expect(hasNewComment(one, two)).toBe(expected)
})

test.each([
  ['package-context.yaml', true],
  ['a/b/package-context.yaml', true],
  ['a/my-package-context.yaml', false],
  ['package-context.yaml/a', false],
])('%s is the path of a package context: %s', (path, expected) => {
  expect(isContextFile(path)).toBe(expected)
})

test.each<[string, string, string | undefined, string | undefined, boolean]>([
  ['the Kptfile that a clone made', 'Kptfile', undefined, kptfileText('shop'), true],
  ['the Kptfile with a new comment', 'Kptfile', kptfileText('shop'), `# mine\n${kptfileText('shop')}`, true],
  ['the Kptfile of a subpackage with a new comment', 'sub/Kptfile', kptfileText('shop'), `# mine\n${kptfileText('shop')}`, false],
  ['the Kptfile of a subpackage with another name', 'sub/Kptfile', kptfileText('shop'), kptfileText('web'), true],
  ['a new Kptfile of a subpackage', 'sub/Kptfile', undefined, kptfileText('sub'), false],
  ['a deleted Kptfile of a subpackage', 'sub/Kptfile', kptfileText('sub'), undefined, false],
  ['the Kptfile with a function', 'Kptfile', kptfileText('shop'), kptfileText('shop', 'pipeline: {mutators: [{image: a}]}\n'), false],
  ['the package context that a clone made', 'package-context.yaml', undefined, MADE, true],
  ['a package context in another file', 'context.yaml', undefined, MADE, false],
  ['a package context with data of people', 'package-context.yaml', undefined, `${MADE}  site: edge\n`, false],
  ['a package context with another name in its data', 'context.yaml', MADE, MADE.replaceAll(': shop', ': web'), true],
  ['two package contexts', 'context.yaml', MADE, `${MADE}---\n${MADE}`, false],
  ['another ConfigMap with other data', 'a.yaml', config('a'), config('a', 'two'), false],
  ['a deleted file', 'a.yaml', config('a'), undefined, false],
])('%s is no edit: see the row', (_what, path, base, ours, expected) => {
  const contentOf = (text: string | undefined) => (text === undefined ? undefined : packageOfTexts({ [path]: text }).get(path))
  expect(isUnedited(path, contentOf(base), contentOf(ours))).toBe(expected)
})
