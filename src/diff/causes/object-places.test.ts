import { expect, test } from 'vitest'
import { writtenObject } from '../../../testdata/written-objects.ts'
import type { JsonValue } from '../../json.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import type { FieldStep } from '../report.ts'
import { lineIn, lineOfChange, pathOfSteps } from './object-places.ts'

const TEXT = `apiVersion: v1
kind: ConfigMap
metadata:
  name: a
data:
  app.conf: |
    one
    two
    three
  short: one
  folded: >
    one
    two
`
const CONFIG = writtenObject(TEXT, 'fleet/a.yaml')

test('a field has the line of its value, a missing field that of the field above, and an object without a file none', () => {
  expect(lineIn(CONFIG, ['data', 'short'])).toEqual({ file: 'fleet/a.yaml', line: 10 })
  expect(lineIn(CONFIG, ['metadata', 'name', 'none'])).toEqual({ file: 'fleet/a.yaml', line: 4 })
  expect(lineIn(KrmObject.fromDocument(TEXT), ['data', 'short'])).toEqual({})
  expect(lineOfChange(KrmObject.fromDocument(TEXT), ['data', 'app.conf'], 'a\n', 'b\n')).toEqual({})
})

test.each<[string, string, JsonValue | undefined, JsonValue | undefined, number]>([
  ['the first line of a block', 'app.conf', '1\ntwo\nthree\n', 'one\ntwo\nthree\n', 7],
  ['a line within a block, the first of several', 'app.conf', 'one\n2\n3\n', 'one\ntwo\nthree\n', 8],
  ['a line that is added at the end', 'app.conf', 'one\ntwo\n', 'one\ntwo\nthree\n', 9],
  ['lines that are gone at the end, which have the last line', 'app.conf', 'one\ntwo\nthree\nfour\nfive\n', 'one\ntwo\nthree\n', 9],
  ['a line that is gone at the end of a text without a line break', 'app.conf', 'one\ntwo\nthree\nfour', 'one\ntwo\nthree', 9],
  ['a block that had no text', 'app.conf', '', 'one\ntwo\nthree\n', 7],
  ['a block that is new', 'app.conf', undefined, 'one\ntwo\nthree\n', 6],
  ['a block that was a number', 'app.conf', 1, 'one\ntwo\nthree\n', 6],
  ['a block that is gone in the later state', 'app.conf', 'one\n', undefined, 6],
  ['a block that becomes a number', 'app.conf', 'one\n', 1, 6],
  ['a text in one line', 'short', 'two', 'one', 10],
  ['a folded text, whose line breaks are others', 'folded', 'one 2\n', 'one two\n', 11],
])('a change has the line of %s', (_, key, before, after, line) => {
  expect(lineOfChange(CONFIG, ['data', key], before, after)).toEqual({ file: 'fleet/a.yaml', line })
})

const LISTS = writtenObject('spec:\n  list:\n  - {name: a, port: 1}\n  - {name: b, port: 2}\n  texts: [x, y]\n')

test.each<[string, readonly FieldStep[], readonly (string | number)[]]>([
  ['keys', ['spec', 'list'], ['spec', 'list']],
  ['the fields of an entry', ['spec', 'list', { name: 'b' }, 'port'], ['spec', 'list', 1, 'port']],
  ['several fields of an entry', ['spec', 'list', { name: 'a', port: '1' }], ['spec', 'list', 0]],
  ['a position', ['spec', 'texts', 1], ['spec', 'texts', 1]],
  ['an entry that is not there, which ends at the list', ['spec', 'list', { name: 'c' }, 'port'], ['spec', 'list']],
  ['an entry of a list that is not there', ['spec', 'none', { name: 'a' }, 'port'], ['spec', 'none']],
])('the path of steps by %s has positions for entries', (_, steps, path) => {
  expect(pathOfSteps(LISTS, steps)).toEqual(path)
})
