import { expect, test } from 'vitest'
import { writtenObject } from '../../../testdata/written-objects.ts'
import type { JsonRecord } from '../../json.ts'
import { validate } from '../../schema/validate.ts'
import { APPLY_REPLACEMENTS_SCHEMA } from './replacements-schema.ts'

/** Returns the rule and field of each finding about an ApplyReplacements. */
function faults(fields: JsonRecord): readonly string[] {
  const value = { apiVersion: 'fn.kpt.dev/v1alpha1', kind: 'ApplyReplacements', metadata: { name: 'r' }, ...fields }
  return validate(writtenObject(JSON.stringify(value)), { schema: APPLY_REPLACEMENTS_SCHEMA }).map(
    ({ tags, field }) => `${tags.rule} ${field?.path.join('.')}`,
  )
}

const wrong = (at: string, ...keys: readonly string[]) => keys.map((key) => `wrong-type ${at}.${key}`)
const numbers = (...keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, 1]))
const OBJECT = ['group', 'version', 'kind', 'name', 'namespace']
const SELECTOR = [...OBJECT, 'labelSelector', 'annotationSelector']
const WRONG_OPTIONS = { delimiter: 1, index: 'a', create: 'a' }
const OPTIONS = ['options.delimiter', 'options.index', 'options.create']

/** Returns the faults of one replacement, from its place on. */
const ofReplacement = (replacement: JsonRecord) =>
  faults({ replacements: [replacement] }).map((line) => line.replace('replacements.0.', ''))

test.each<readonly [string, JsonRecord, readonly string[]]>([
  ['nothing is written', {}, ['required source', 'required targets']],
  ['both are empty', { source: {}, targets: [] }, []],
  ['both are of another type', { source: 'a', targets: {} }, ['wrong-type source', 'wrong-type targets']],
  ['a target selects nothing', { source: {}, targets: [{}] }, ['required targets.0.select']],
  ['a target is a text', { source: {}, targets: ['a'] }, ['wrong-type targets.0']],
  ['a source has numbers', { source: numbers(...OBJECT, 'fieldPath'), targets: [] }, wrong('source', ...OBJECT, 'fieldPath')],
  ['a source has other options', { source: { options: WRONG_OPTIONS }, targets: [] }, wrong('source', ...OPTIONS)],
  ['a target selects by numbers', { source: {}, targets: [{ select: numbers(...SELECTOR) }] }, wrong('targets.0.select', ...SELECTOR)],
  [
    'a target rejects by numbers',
    { source: {}, targets: [{ select: {}, reject: [numbers(...SELECTOR)] }] },
    wrong('targets.0.reject.0', ...SELECTOR),
  ],
  ['a target rejects no list', { source: {}, targets: [{ select: {}, reject: {} }] }, wrong('targets.0', 'reject')],
  [
    'the paths of a target are numbers',
    { source: {}, targets: [{ select: {}, fieldPaths: [1, 'a'] }] },
    wrong('targets.0', 'fieldPaths.0'),
  ],
  ['the paths of a target are a text', { source: {}, targets: [{ select: {}, fieldPaths: 'a' }] }, wrong('targets.0', 'fieldPaths')],
  ['a target has other options', { source: {}, targets: [{ select: {}, options: WRONG_OPTIONS }] }, wrong('targets.0', ...OPTIONS)],
  ['an index is no whole number', { source: { options: { index: 1.5 } }, targets: [] }, wrong('source', 'options.index')],
  ['fields are not known, as in the original', { source: { a: 1 }, targets: [{ select: { b: 1 }, c: 1 }], d: 1 }, []],
])('a replacement of which %s has its faults', (_what, replacement, expected) => {
  expect(ofReplacement(replacement).toSorted()).toEqual(expected.toSorted())
})

test('an ApplyReplacements is one by its kind and version, and need not have replacements', () => {
  expect(faults({})).toEqual([])
  expect(faults({ replacements: {} })).toEqual(['wrong-type replacements'])
  expect(faults({ replacements: [1] })).toEqual(['wrong-type replacements.0'])
  expect(faults({ apiVersion: 'fn.kpt.dev/v1', kind: 'ApplyReplacement' })).toHaveLength(2)
})

test('the example of the schema fits the schema', () => {
  const [example] = APPLY_REPLACEMENTS_SCHEMA.examples
  expect(validate(writtenObject(JSON.stringify(example)), { schema: APPLY_REPLACEMENTS_SCHEMA })).toEqual([])
})
