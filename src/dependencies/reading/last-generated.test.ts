import { expect, test } from 'vitest'
import type { JsonValue } from '../../json.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { editedFields, lastGenerated, readLastGenerated } from './last-generated.ts'

function objectWith(record: string): KrmObject {
  const annotations = { 'krm-variants.dev/last-generated': record }
  return KrmObject.fromDocument(JSON.stringify({ apiVersion: 'v1', kind: 'Made', metadata: { name: 'made', annotations } }))
}

test('what is recorded is read again', () => {
  const spec = { a: [{ b: 'x' }], constructor: 1 }
  expect(readLastGenerated(objectWith(lastGenerated(spec)))).toEqual({ type: 'recorded', spec })
})

test.each([
  '',
  '[]',
  '{"spec": 1}',
  '{"spec": {}',
  `{"spec": ${'{"a":'.repeat(60)}1${'}'.repeat(61)}`,
  `{"spec": ${'{"a":'.repeat(100_000)}1${'}'.repeat(100_001)}`,
])('a record that no run wrote is unreadable (%#)', (text) => {
  expect(readLastGenerated(objectWith(text))).toEqual({ type: 'unreadable' })
})

test.each<[generated: JsonValue, current: JsonValue, fields: readonly string[]]>([
  [{ a: 1 }, { a: 1 }, []],
  [{ a: 1 }, { a: 2 }, ['a']],
  [{ a: 1, b: 2 }, { b: 2 }, ['a']],
  [{ b: 2 }, { a: 1, b: 2 }, ['a']],
  [{ a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, ['a.c']],
  [{ a: ['x'] }, { a: ['x', 'y'] }, ['a.1']],
  [{ a: ['x', 'y'] }, { a: ['x'] }, ['a.1']],
  [{ a: [{ b: 1 }] }, { a: [{ b: 2 }] }, ['a.0.b']],
  [{ a: [] }, { a: {} }, ['a']],
  [{ a: {} }, { a: 'x' }, ['a']],
])('%j as %j differs in %j', (generated, current, fields) => {
  expect(editedFields(generated, current, []).map(({ path }) => path.join('.'))).toEqual(fields)
})
