import { expect, test } from 'vitest'
import { packageOfTexts, type Texts } from '../../testdata/package-of-texts.ts'
import { writtenObject } from '../../testdata/written-objects.ts'
import type { FieldPath } from '../field-path.ts'
import type { JsonValue } from '../json.ts'
import { formatResult } from '../result.ts'
import { commentsPassedOver, duplicates, editOverwritten, outcomeResults, typeChanged } from './merge-results.ts'
import { type MergeOutcome, type OutcomeSide, wholeOutcome } from './merged-package.ts'
import { config, type SideTexts } from './testing/merge-of-texts.ts'

const OURS = writtenObject(config('a', 'mine'))
const THEIRS = writtenObject(config('a', 'up'))

const side = (of: typeof OURS, value: JsonValue | undefined, field: FieldPath = ['data', 'a']): OutcomeSide => ({
  object: of,
  field,
  value,
  exists: value !== undefined,
})

const fieldOutcome = (ours: JsonValue | undefined, theirs: JsonValue | undefined): MergeOutcome => ({
  result: 'lost',
  contested: true,
  path: 'a.yaml',
  ours: side(OURS, ours),
  theirs: side(THEIRS, theirs),
})

const requestOf = ({ base, theirs, ours }: SideTexts) => ({
  base: packageOfTexts(base),
  theirs: packageOfTexts(theirs),
  ours: packageOfTexts(ours),
  strategy: 'resource-merge' as const,
})

const NO_FILES: SideTexts = { base: {}, theirs: {}, ours: {} }

const messagesOf = (outcomes: readonly MergeOutcome[], texts: SideTexts = NO_FILES) =>
  outcomeResults(outcomes, requestOf(texts)).map(formatResult)

test('a lost edit of a field has both values, their fields and places', () => {
  expect(outcomeResults([fieldOutcome('mine', 'up')], requestOf(NO_FILES))).toEqual([
    {
      severity: 'warning',
      message: "`data.a` is 'mine' here; upstream changed it to 'up' (a.yaml:6:6), and that is taken",
      resourceRef: { apiVersion: 'v1', kind: 'ConfigMap', name: 'a' },
      field: { path: ['data', 'a'], currentValue: 'mine', proposedValue: 'up' },
      file: { path: 'a.yaml', index: 0 },
      position: { line: 6, column: 6 },
      tags: { rule: 'edit-lost' },
    },
  ])
})

test.each<[string, MergeOutcome, string | undefined]>([
  [
    'an edit of a field that upstream removed',
    fieldOutcome('mine', undefined),
    "a.yaml:6:6: warning: `data.a` is 'mine' here; upstream removed it (a.yaml:6:6), and that is taken [edit-lost]",
  ],
  [
    'a removal of a field that upstream changed',
    fieldOutcome(undefined, 'up'),
    "a.yaml:6:6: warning: `data.a` was deleted here; upstream changed it to 'up' (a.yaml:6:6), and that is taken [edit-lost]",
  ],
  ['a field that is taken', { ...fieldOutcome('mine', 'up'), result: 'taken' }, undefined],
  ['a field that only people changed', { ...fieldOutcome('mine', 'up'), result: 'kept', contested: false }, undefined],
  [
    'a field that stays though upstream changed it',
    { ...fieldOutcome('mine', 'up'), result: 'kept' },
    'a.yaml:6:6: warning: `data.a` is changed here, and stays so; upstream changed it (a.yaml:6:6) [change-passed-over]',
  ],
  [
    'a field that people removed though upstream changed it',
    { ...fieldOutcome(undefined, 'up'), result: 'kept' },
    'a.yaml:6:6: warning: `data.a` was deleted here, and stays so; upstream changed it (a.yaml:6:6) [change-passed-over]',
  ],
  [
    'a file of bytes',
    wholeOutcome(
      { result: 'lost', contested: true, path: 'sub/run.sh' },
      { object: undefined, exists: true },
      { object: undefined, exists: false },
    ),
    'sub/run.sh: warning: `sub/run.sh` is changed here; upstream does not have it, and it is gone [edit-lost]',
  ],
  [
    'a resource that people removed',
    wholeOutcome(
      { result: 'lost', contested: true, path: 'a.yaml' },
      { object: undefined, exists: false },
      { object: THEIRS, exists: true },
    ),
    'a.yaml: warning: `ConfigMap a` was deleted here; upstream has it (a.yaml:1:1), and that is taken [edit-lost]',
  ],
  [
    'a resource that both have',
    wholeOutcome({ result: 'lost', contested: true, path: 'a.yaml' }, { object: OURS, exists: true }, { object: THEIRS, exists: true }),
    "a.yaml:1:1: warning: `ConfigMap a` is changed here with data.a 'mine'; upstream has another (a.yaml:1:1) with data.a 'up', and that is taken [edit-lost]",
  ],
])('%s is said as such', (_what, outcome, message) => {
  expect(messagesOf([outcome])).toEqual(message === undefined ? [] : [message])
})

test('a file without a resource is named below the folder of the package', () => {
  const gone = wholeOutcome(
    { result: 'lost', contested: true, path: 'run.sh' },
    { object: undefined, exists: true },
    { object: undefined, exists: false },
  )
  expect(outcomeResults([gone], { ...requestOf(NO_FILES), place: 'shops/web' })).toMatchObject([
    { file: { path: 'shops/web/run.sh', index: 0 } },
  ])
})

test('an object without kind and name is named by its file', () => {
  const values = writtenObject('a: 1\n')
  const whole = wholeOutcome(
    { result: 'lost', contested: true, path: 'values.yaml' },
    { object: values, exists: true },
    { object: undefined, exists: false },
  )
  const [result] = outcomeResults([whole], requestOf(NO_FILES))
  expect(result?.message).toBe('`values.yaml` is changed here; upstream does not have it, and it is gone')
  expect(result).not.toHaveProperty('resourceRef')
})

const SECRET = (value: string) => `apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\nstringData:\n  password: ${value}\n`

test('values of Secrets are not in a message', () => {
  const [ours, theirs] = [writtenObject(SECRET('hunter2')), writtenObject(SECRET('hunter3'))]
  const field = ['stringData', 'password']
  const outcome = { ...fieldOutcome('', ''), ours: side(ours, 'hunter2', field), theirs: side(theirs, 'hunter3', field) }
  const whole = wholeOutcome(
    { result: 'lost', contested: true, path: 'a.yaml' },
    { object: ours, exists: true },
    { object: theirs, exists: true },
  )
  const said = JSON.stringify([
    outcomeResults([outcome, whole], requestOf(NO_FILES)),
    editOverwritten(outcome, 'the function f', 'its input'),
    typeChanged({ path: 'a.yaml' }, { ours, theirs }, { ours: { field, value: 'hunter2' }, theirs: { field, value: ['hunter3'] } }),
  ])
  expect(said).not.toContain('hunter')
  expect(said).toContain('stringData')
})

const MOVED_TO = (path: string) => `was moved to '${path}' here, and stays there as it is, since an update compares file by file`

test.each<[string, Texts, Texts, Texts, readonly string[]]>([
  [
    'in another file',
    { 'a.yaml': config('a') },
    {},
    { 'b.yaml': config('a') },
    [`b.yaml:1:1: warning: \`ConfigMap a\` ${MOVED_TO('b.yaml')}; upstream removed it [change-passed-over]`],
  ],
  ['nowhere', { 'a.yaml': config('a') }, {}, {}, []],
  ['in its file', { 'a.yaml': config('a') }, {}, { 'a.yaml': config('a') }, []],
  ['in its file, and as a copy in another', { 'a.yaml': config('a') }, {}, { 'a.yaml': config('a'), 'b.yaml': config('a') }, []],
  ['in another file, and upstream too', { 'a.yaml': config('a') }, { 'c.yaml': config('a') }, { 'b.yaml': config('a') }, []],
  ['in a file where upstream had it as well', { 'a.yaml': config('a'), 'b.yaml': config('a') }, {}, { 'b.yaml': config('a') }, []],
  [
    'in another file of JSON',
    { 'a.yaml': config('a') },
    {},
    { 'b.json': '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}' },
    [`b.json:1:1: warning: \`ConfigMap a\` ${MOVED_TO('b.json')}; upstream removed it [change-passed-over]`],
  ],
])('a resource that upstream removed and that people have %s', (_where, base, theirs, ours, messages) => {
  expect(messagesOf([], { base, theirs, ours })).toEqual(messages)
})

test.each<[string, string, string]>([
  ['moved', config('a'), MOVED_TO('b.yaml')],
  [
    'in another namespace',
    config('a', 'one', '  namespace: shop\n'),
    "is not found here: 'b.yaml' has it in the namespace 'shop', where an update finds it only in the file of upstream and with the comment 'metadata: # kpt-merge: /a'",
  ],
  [
    'in another namespace with a comment about another resource',
    config('a', 'one', '  namespace: shop\n').replace('metadata:', 'metadata: # kpt-merge: x/y'),
    'was deleted here, and stays so',
  ],
  ['of another kind', config('a').replace('ConfigMap', 'Secret'), 'was deleted here, and stays so'],
  ['of another group', config('a').replace('v1', 'x.y/v1'), 'was deleted here, and stays so'],
  ['with another name', config('b'), 'was deleted here, and stays so'],
])('a resource that upstream changed, with one in another file that is %s', (_what, text, said) => {
  const sides = { base: { 'a.yaml': config('a') }, theirs: { 'a.yaml': config('a', 'up') }, ours: { 'b.yaml': text } }
  const gone = wholeOutcome(
    { result: 'kept', contested: true, path: 'a.yaml' },
    { object: undefined, exists: false },
    { object: THEIRS, exists: true },
  )
  expect(messagesOf([gone], sides)).toEqual([
    `a.yaml: warning: \`ConfigMap a\` ${said}; upstream changed it (a.yaml:1:1) [change-passed-over]`,
  ])
})

test('a field that people removed, or a resource that stays, is not said to be moved to its copy', () => {
  const sides = { base: { 'a.yaml': config('a') }, theirs: {}, ours: { 'a.yaml': config('a'), 'b.yaml': config('a') } }
  const kept = { result: 'kept', contested: true, path: 'a.yaml' } as const
  const stays = wholeOutcome(kept, { object: OURS, exists: true }, { object: THEIRS, exists: true })
  expect(messagesOf([stays, { ...fieldOutcome(undefined, 'up'), ...kept }], { ...sides, base: {} })).toEqual([
    'a.yaml:1:1: warning: `ConfigMap a` is changed here, and stays so; upstream changed it (a.yaml:1:1) [change-passed-over]',
    'a.yaml:6:6: warning: `data.a` was deleted here, and stays so; upstream changed it (a.yaml:6:6) [change-passed-over]',
  ])
})

test.each<[string, JsonValue | undefined, JsonValue | undefined, string]>([
  ['writes another value', 'mine', 'up', "`data.a` is 'mine' here; the function f of the package writes 'up'"],
  ['removes it', 'mine', undefined, "`data.a` is 'mine' here; the function f of the package removes it"],
  ['writes it again', undefined, 'up', "`data.a` was deleted here; the function f of the package writes 'up'"],
])('an edit whose function %s', (_what, ours, theirs, said) => {
  const result = editOverwritten(fieldOutcome(ours, theirs), 'the function f', 'the setter x')
  expect(formatResult(result)).toBe(`a.yaml:6:6: warning: ${said}, and that is taken: change the setter x for another value [edit-lost]`)
})

test('a field of another type is an error with both kinds of values', () => {
  const change = { ours: { field: ['data'], value: { a: 'mine' } }, theirs: { field: ['data'], value: ['x'] } }
  const result = typeChanged({ path: 'a.yaml' }, { ours: OURS, theirs: THEIRS }, change)
  expect(formatResult(result)).toBe(
    'a.yaml:5:1: error: `data` must keep its type in an update, is a map here and a list upstream (a.yaml:5:1) [type-change]',
  )
  expect(result.field).toEqual({ path: ['data'], currentValue: { a: 'mine' }, proposedValue: ['x'] })
})

test('each further resource of one identity is an error at its name', () => {
  const objects = [...packageOfTexts({ 'a.yaml': [1, 2, 3].map((value) => config('a', `${value}`)).join('---\n') }).values()].flatMap(
    (content) => (content instanceof Uint8Array ? [] : content),
  )
  expect(duplicates('a.yaml', 'theirs', objects.slice(0, 1))).toEqual([])
  expect(duplicates('a.yaml', 'theirs', [])).toEqual([])
  const second = {
    severity: 'error',
    message: "`metadata.name` must be unique in 'a.yaml' upstream for it to be merged, ConfigMap a is in line 1 as well",
    resourceRef: { apiVersion: 'v1', kind: 'ConfigMap', name: 'a' },
    field: { path: ['metadata', 'name'] },
    file: { path: 'a.yaml', index: 1 },
    position: { line: 11, column: 9 },
    tags: { rule: 'duplicate-in-file' },
  }
  const third = { ...second, file: { path: 'a.yaml', index: 2 }, position: { line: 18, column: 9 } }
  expect(duplicates('a.yaml', 'theirs', objects)).toEqual([second, third])
  expect(duplicates('a.yaml', 'base', objects)[0]?.message).toContain(' original for it')
  expect(duplicates('a.yaml', 'ours', objects)[0]?.message).toContain(' downstream for it')
})

const COMMENTED = (comment: string, above = '') => writtenObject(config('a').replace('  a: one', `${above}  a: one${comment}`))

test.each<[string, string, readonly string[], string]>([
  ['has none', '', ['# up'], "`data.a` lacks upstream's comment '# up' (a.yaml:6:6)"],
  ['has another one', ' # mine', ['# up'], "`data.a` has the comment '# mine' here, which stays; upstream wrote '# up' (a.yaml:6:6)"],
  ['has one of two', ' # up', ['# more', '# again'], "`data.a` lacks upstream's comment '# more', '# again' (a.yaml:6:6)"],
])('upstream comments are named where the downstream %s', (_what, own, comments, message) => {
  const theirs = COMMENTED(' # up')
  const found = commentsPassedOver(
    { path: 'a.yaml' },
    { theirs, ours: COMMENTED(own) },
    comments.map((comment) => ({ field: ['data', 'a'], comment })),
  )
  expect(found.map((result) => formatResult(result))).toEqual([`a.yaml:6:6: warning: ${message} [change-passed-over]`])
})

test('each entry with comments of upstream has a warning, and a comment of a clone is none of people', () => {
  const ours = writtenObject(config('a').replace('metadata:', 'metadata: # kpt-merge: /a'))
  const found = commentsPassedOver({ path: 'a.yaml', upstream: new Map() }, { theirs: COMMENTED(''), ours }, [
    { field: ['metadata'], comment: '# one' },
    { field: [], comment: '# two' },
    { field: ['metadata'], comment: '# three' },
  ])
  expect(found.map(({ message, field }) => ({ message, path: field?.path }))).toEqual([
    { message: "`metadata` lacks upstream's comment '# one', '# three'", path: ['metadata'] },
    { message: "`ConfigMap a` lacks upstream's comment '# two'", path: undefined },
  ])
})
