import { expect, test } from 'vitest'
import { packageOfTexts, type Texts } from '../../../testdata/package-of-texts.ts'
import type { FieldPath } from '../../field-path.ts'
import type { JsonValue } from '../../json.ts'
import type { MergeOutcome } from '../../merge/merged-package.ts'
import { isBytes } from '../../merge/package-files.ts'
import { answered, known } from '../../pipeline/calls.ts'
import type { Result } from '../../result.ts'
import { contentsOf, type FunctionRun, objectAt, type RenderedFiles, unchanged } from '../clone/rendered-package.ts'
import { hasFieldValue, withEdits, withoutWrittenValues, writtenObjects } from './written-values.ts'

const rendered = (texts: Texts): RenderedFiles =>
  new Map([...packageOfTexts(texts)].map(([path, content]) => [path, unchanged(content, 'ours')]))

const configMap = (name: string, data: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {${data}}\n`
const TWO = `${configMap('a', 'x: 1, y: 1')}---\n${configMap('b', 'x: 1')}`
const FILES = rendered({ 'two.yaml': TWO, 'one.yaml': configMap('c', 'x: 1'), 'notes.txt': 'notes' })

/** Returns the texts of files as they will be written. */
function textsOf(files: RenderedFiles): Texts {
  const texts = [...contentsOf(files)].map(([path, content]) => [
    path,
    isBytes(content) ? Buffer.from(content).toString() : content.map((object) => object.toText()).join('---\n'),
  ])
  return Object.fromEntries(texts)
}

/** Returns a run whose functions left some files with other texts, or deleted them. */
function runOf(changed: Readonly<Record<string, string | undefined>> = {}, outcome: FunctionRun['outcome'] = 'done'): FunctionRun {
  const bytes = Object.entries(changed).map(([path, text]) => [path, text === undefined ? undefined : Buffer.from(text)] as const)
  return { outcome, changed: new Map(bytes), ran: ['f'], results: [] }
}

const at = (path: string, index: number, field: FieldPath, value: JsonValue | undefined) => ({ path, index, field, value })

test.each<[string, ReturnType<typeof at>, FunctionRun, boolean]>([
  ['unchanged by functions', at('two.yaml', 1, ['data', 'x'], 1), runOf(), true],
  ['with another value', at('two.yaml', 1, ['data', 'x'], 2), runOf(), false],
  ['of an object that is not there', at('two.yaml', 2, ['data', 'x'], undefined), runOf(), false],
  ['that is missing, as asked', at('two.yaml', 1, ['data', 'y'], undefined), runOf(), true],
  ['that is missing, and has a value when asked', at('two.yaml', 1, ['data', 'y'], 1), runOf(), false],
  ['that is there, and missing when asked', at('two.yaml', 0, ['data', 'y'], undefined), runOf(), false],
  ['with a list', at('one.yaml', 0, ['data', 'x'], [1, 2]), runOf({ 'one.yaml': configMap('c', 'x: [1, 2]') }), true],
  ['as functions wrote it', at('two.yaml', 1, ['data', 'x'], 3), runOf({ 'two.yaml': TWO.replace(/x: 1}/, 'x: 3}') }), true],
  ['as it was before functions wrote it', at('two.yaml', 1, ['data', 'x'], 1), runOf({ 'two.yaml': TWO.replace(/x: 1}/, 'x: 3}') }), false],
  ['in a file that functions deleted', at('two.yaml', 1, ['data', 'x'], 1), runOf({ 'two.yaml': undefined }), false],
  ['in a file that functions broke', at('one.yaml', 0, ['data', 'x'], 1), runOf({ 'one.yaml': 'a: [' }), false],
])('a field %s', (_, field, run, expected) => {
  expect(hasFieldValue(field, FILES, run)).toBe(expected)
})

test('the objects of a file that functions wrote are read once, and a file without resources has none', () => {
  const bytes = Buffer.from(TWO)
  expect(writtenObjects('two.yaml', bytes).map(({ name }) => name)).toEqual(['a', 'b'])
  expect(writtenObjects('two.yaml', bytes)).toBe(writtenObjects('two.yaml', bytes))
  expect(writtenObjects('notes.txt', Buffer.from('notes'))).toEqual([])
})

test('edits are set and deleted in their objects, and everything else stays', () => {
  const edited = withEdits(FILES, [
    at('two.yaml', 0, ['data', 'x'], 2),
    at('two.yaml', 0, ['data', 'y'], undefined),
    at('two.yaml', 1, ['data', 'z'], 3),
    at('notes.txt', 0, ['data', 'x'], 2),
    at('gone.yaml', 0, ['data', 'x'], 2),
  ])
  expect(edited && textsOf(edited)).toEqual({
    ...textsOf(FILES),
    'two.yaml': `${configMap('a', 'x: 2')}---\n${configMap('b', 'x: 1, z: 3')}`,
  })
  expect(edited && objectAt(edited, 'one.yaml')).toBe(objectAt(FILES, 'one.yaml'))
  expect(objectAt(FILES, 'two.yaml')?.get(['data', 'x'])).toBe(1)
})

test('a field that cannot be written stays, and without an edit of an object there is no package with edits', () => {
  const alias = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\na: &a {x: 1}\ndata: *a\n'
  const edited = withEdits(rendered({ 'a.yaml': alias }), [at('a.yaml', 0, ['data', 'x'], 2)])
  expect(edited && textsOf(edited)).toEqual({ 'a.yaml': alias })
  expect(withEdits(FILES, [])).toBeUndefined()
  expect(withEdits(FILES, [at('two.yaml', -1, ['data', 'x'], 2)])).toBeUndefined()
})

/** Returns the finding that an edit of a field was lost, and the outcome of the merge that it is about. */
function lost(
  path: string,
  index: number,
  field: FieldPath,
  value: JsonValue,
): { readonly result: Result; readonly outcome: MergeOutcome } {
  const object = objectAt(FILES, path, index)
  const side = { object, field, value, exists: true }
  return {
    result: { severity: 'warning', message: `${path} ${index}`, field: { path: field }, tags: { rule: 'edit-lost' } },
    outcome: { result: 'lost', contested: true, path, ours: side, theirs: { ...side, value: 1 } },
  }
}

/** Returns the messages that are left of an update, and those of edits in fields that functions write. */
function settled(
  edits: readonly ReturnType<typeof lost>[],
  { run = runOf(), again = runOf(), others = [] }: { run?: FunctionRun; again?: FunctionRun; others?: readonly Result[] } = {},
): readonly [left: readonly string[], written: readonly string[], asked: number] {
  let asked = 0
  const { results, written } = answered(
    withoutWrittenValues({
      files: FILES,
      results: [...others, ...edits.map(({ result }) => result)],
      outcomes: edits.map(({ outcome }) => outcome),
      run,
      again: () => {
        asked++
        return known(again)
      },
    }),
  )
  return [results.map(({ message }) => message), written.map(({ result }) => result.message), asked]
}

test('an edit that functions put back is not lost', () => {
  const edits = [lost('two.yaml', 0, ['data', 'x'], 5), lost('one.yaml', 0, ['data', 'x'], 5)]
  expect(settled(edits, { run: runOf({ 'two.yaml': TWO.replace('x: 1', 'x: 5') }) })).toEqual([['one.yaml 0'], [], 1])
})

test('an edit of a field that functions write anyway is no loss of upstream', () => {
  const edits = [lost('two.yaml', 0, ['data', 'x'], 5), lost('one.yaml', 0, ['data', 'x'], 5)]
  const again = runOf({ 'two.yaml': TWO })
  expect(settled(edits, { again })).toEqual([['one.yaml 0'], ['two.yaml 0'], 1])
})

test('without a second run that is done, edits count as lost', () => {
  const edits = [lost('two.yaml', 0, ['data', 'x'], 5)]
  expect(settled(edits, { again: runOf({ 'two.yaml': TWO }, 'failed') })).toEqual([['two.yaml 0'], [], 1])
})

test('without a lost edit of a field nothing runs again, and other findings stay', () => {
  const whole: Result = { severity: 'warning', message: 'whole', field: { path: [] }, tags: { rule: 'edit-lost' } }
  const bare: Result = { severity: 'warning', message: 'bare', tags: { rule: 'edit-lost' } }
  const other: Result = { severity: 'warning', message: 'other', field: { path: ['data', 'x'] }, tags: { rule: 'change-passed-over' } }
  expect(settled([], { others: [whole, bare, other] })).toEqual([['whole', 'bare', 'other'], [], 0])
})

test('a lost edit of an object that is gone is left out, since nothing can show what functions write there', () => {
  const { result } = lost('one.yaml', 0, ['data', 'x'], 5)
  expect(settled([], { others: [result] })).toEqual([['one.yaml 0'], [], 0])
})

test('edits of Kptfiles and of the files that their pipelines name stay lost: they are what functions are given', () => {
  const kptfile = 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: a}\n'
  const pipeline = (file: string, stage = 'mutators') => `pipeline:\n  ${stage}:\n  - {image: f, configPath: ${file}}\n`
  const texts = {
    Kptfile: `${kptfile}${pipeline('two.yaml')}`,
    'sub/Kptfile': `${kptfile}${pipeline('./one.yaml', 'validators')}`,
    'sub/one.yaml': configMap('s', 'x: 1'),
    'two.yaml': configMap('a', 'x: 1'),
    'one.yaml': configMap('c', 'x: 1'),
  }
  const files = rendered(texts)
  const edits = Object.keys(texts).map((path) => {
    const side = { object: objectAt(files, path), field: ['metadata', 'name'], value: 'mine', exists: true }
    const result: Result = { severity: 'warning', message: path, field: { path: side.field }, tags: { rule: 'edit-lost' } }
    return { result, outcome: { result: 'lost', contested: true, path, ours: side, theirs: { ...side, value: 'a' } } as const }
  })
  const { written } = answered(
    withoutWrittenValues({
      files,
      results: edits.map(({ result }) => result),
      outcomes: edits.map(({ outcome }) => outcome),
      run: runOf(),
      again: () => known(runOf(texts)),
    }),
  )
  expect(written.map(({ path }) => path)).toEqual(['one.yaml'])
})
