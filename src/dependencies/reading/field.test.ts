import { expect, test } from 'vitest'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { formatPlace } from '../finding.ts'
import { childField, fieldAt, itemFields, placeOfField } from './field.ts'

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
