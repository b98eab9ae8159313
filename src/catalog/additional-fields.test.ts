import { expect, test } from 'vitest'
import { writtenObject } from '../../testdata/written-objects.ts'
import type { JsonValue } from '../json.ts'
import { findingsOf } from '../result.ts'
import { additionalFields } from './additional-fields.ts'

const fieldsOf = (more: JsonValue) => additionalFields(writtenObject(JSON.stringify({ kind: 'SetImage', more })), 'more')

/** Returns the place of each fault of additional fields. */
function faultsOf(more: JsonValue): readonly (string | undefined)[] {
  return findingsOf(() => {
    fieldsOf(more)
    return []
  }).map(({ message }) => /^`([^`]*)`/.exec(message)?.[1])
}

test('what an entry lacks is any group, version and kind, and no field is made', () => {
  expect(fieldsOf([{ path: 'a/b' }])).toEqual([{ group: '', version: '', kind: '', path: 'a/b', create: false }])
  const whole = { group: 'g', version: 'v', kind: 'K', path: 'p', create: true }
  expect(fieldsOf([whole, { path: 'q', create: null }])).toEqual([whole, { group: '', version: '', kind: '', path: 'q', create: false }])
})

test('without entries there are no fields', () => {
  expect(additionalFields(writtenObject('kind: SetImage\n'), 'more')).toEqual([])
  expect(fieldsOf(null)).toEqual([])
  expect(fieldsOf([])).toEqual([])
})

test.each<readonly [JsonValue, string]>([
  [{ path: 'a' }, 'more'],
  ['a', 'more'],
  [['a'], 'more[0]'],
  [[{ path: 'a' }, null], 'more[1]'],
  [[{ path: 'a', create: 'true' }], 'more[0].create'],
  [[{ kind: 'A' }], 'more[0].path'],
  [[{ path: 'a', kind: 1 }], 'more[0].kind'],
  [[{ path: 'a', group: 1 }], 'more[0].group'],
  [[{ path: 'a', version: 1 }], 'more[0].version'],
])('of the entries %j the first that is wrong is named: %s', (more, place) => {
  expect(faultsOf(more)).toEqual([place])
})
