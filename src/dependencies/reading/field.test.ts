import { expect, test } from 'vitest'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { formatPlace } from '../finding.ts'
import {
  childField,
  childText,
  fieldAt,
  hasValue,
  isTrue,
  itemFields,
  keysOf,
  pathOfField,
  placeIn,
  placeOfField,
  textAt,
  textOfField,
} from './field.ts'
import { setOrigins } from './origins.ts'

const TEXT = `apiVersion: v1
kind: ConfigMap
metadata:
  name: a
spec:
  list:
  - b: 1.0.0
`

function firstItem(object: KrmObject) {
  const [item] = itemFields(fieldAt(object, ['spec', 'list']))
  if (item === undefined) throw new Error('the list has an item')
  return placeOfField(childField(item, 'b'))
}

test('what was read from its file has a line', () => {
  const place = firstItem(KrmObject.fromDocument(TEXT, { path: 'a.yaml', index: 1, line: 11 }))
  expect(formatPlace(place)).toBe('a.yaml:17')
  expect(place.position).toEqual({ line: 17, column: 8 })
  expect(place.path).toEqual(['spec', 'list', 0, 'b'])
})

test("what an orchestrator sent is a copy: messages name the field's path, though lines of its text are known", () => {
  const copy = TEXT.replace('  name: a\n', "  name: a\n  annotations:\n    config.kubernetes.io/path: 'a.yaml'\n")
  const place = firstItem(KrmObject.fromDocument(copy))
  expect(formatPlace(place)).toBe('a.yaml spec.list[0].b')
  expect(place.position).toEqual({ line: 9, column: 8 })
})

test('what has no file is named', () => {
  expect(formatPlace(firstItem(KrmObject.fromDocument(TEXT)))).toBe('ConfigMap a spec.list[0].b')
})

const FIELDS = fieldAt(
  KrmObject.fromDocument(
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a' },
      data: { text: 'x', empty: '', nothing: null, number: 0, no: false, list: ['y'] },
    }),
  ),
  ['data'],
)

test.each([
  ['text', true, 'x', 'x'],
  ['empty', true, '', ''],
  ['nothing', false, '', undefined],
  ['absent', false, '', undefined],
  ['number', true, '', undefined],
  ['no', true, '', undefined],
  ['list', true, '', undefined],
  ['constructor', false, '', undefined],
])('the key %s of a map has a value: %s; its text is %j, and that of its field %j', (key, has, text, own) => {
  expect([hasValue(FIELDS, key), childText(FIELDS, key), textAt(FIELDS.object, 'data', key)]).toEqual([has, text, text])
  expect(textOfField(childField(FIELDS, key))).toBe(own)
})

test('a list and a text have no keys, and no texts at keys', () => {
  expect(keysOf(FIELDS)).toEqual(['text', 'empty', 'nothing', 'number', 'no', 'list'])
  const [list, text] = [childField(FIELDS, 'list'), childField(FIELDS, 'text')]
  expect([list, text].map((field) => [keysOf(field), hasValue(field, '0'), childText(field, '0')])).toEqual([
    [[], false, ''],
    [[], false, ''],
  ])
})

test.each([
  [true, true],
  ['true', true],
  [false, false],
  ['false', false],
  ['True', false],
  ['', false],
  [1, false],
  [undefined, false],
])('the value %j is true: %s', (value, expected) => {
  expect(isTrue({ ...FIELDS, value })).toBe(expected)
})

test('the path of a field is that of its parents, and its own key', () => {
  const at = fieldAt(FIELDS.object, ['data', 'list'])
  expect([pathOfField(FIELDS), pathOfField(at), ...itemFields(at).map(pathOfField)]).toEqual([
    ['data'],
    ['data', 'list'],
    ['data', 'list', 0],
  ])
})

test('a place is in the file that its field comes from, and has no line in an object that a controller made', () => {
  const file = KrmObject.fromDocument(TEXT, { path: 'a.yaml', index: 0, line: 1 })
  const change = KrmObject.fromDocument(TEXT.replace('1.0.0', '2.0.0'), { path: 'change.yaml', index: 0, line: 1 })
  const [merged, made] = [change, file].map((object) => KrmObject.fromDocument(object.toText()))
  if (merged === undefined || made === undefined) throw new Error('there are two')
  setOrigins(merged, [change, file])
  setOrigins(made, [])
  expect(firstItem(merged)).toMatchObject({ file: { path: 'change.yaml' }, position: { line: 7 }, isOwnReading: true })
  expect(placeIn(merged, ['metadata', 'name'], 'a')).toMatchObject({ file: { path: 'a.yaml' }, position: { line: 4 }, currentValue: 'a' })
  expect(firstItem(made)).toMatchObject({ file: undefined, position: undefined, isOwnReading: false })
})
