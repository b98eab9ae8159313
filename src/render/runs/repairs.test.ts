import { expect, test } from 'vitest'
import { type FieldPath, formatFieldPath } from '../../field-path.ts'
import type { JsonRecord, JsonValue } from '../../json.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { repairsOf } from './repairs.ts'

/** Returns a list after the repairs of its faulty entries, and the paths of the repairs. */
function repaired(was: JsonValue | undefined, now: JsonValue, ...faults: readonly FieldPath[]) {
  const document = (list: JsonValue | undefined): JsonRecord => ({ kind: 'Kptfile', ...(list !== undefined && { list }) })
  const object = KrmObject.fromDocument(JSON.stringify(document(now)))
  const repairs = repairsOf(
    document(was),
    document(now),
    faults.map((fault) => ['list', ...fault]),
  )
  for (const { path, value } of repairs)
    if (value === undefined) object.delete(path)
    else object.set(path, value)
  return { list: object.toJson().list, at: repairs.map(({ path }) => formatFieldPath(path)) }
}

const A = { image: 'a' }
const B = { image: 'b' }
const C = { image: 'c' }
const entry = (name: string, x: JsonValue): JsonRecord => ({ name, image: 'a', configMap: { x } })

test.each<{ what: string; was: JsonValue | undefined; now: JsonValue; faults: FieldPath[]; list: JsonValue | undefined; at: string[] }>([
  {
    what: 'new faulty entries go, and a new sound one stays',
    was: [A],
    now: [7, A, 8, B],
    faults: [[0], [2]],
    list: [A, B],
    at: ['[2]', '[0]'],
  },
  {
    what: 'an entry that moved gets its own value back',
    was: [entry('one', '1'), entry('two', '2')],
    now: [entry('two', 2), entry('one', '1')],
    faults: [[0, 'configMap', 'x']],
    list: [entry('two', '2'), entry('one', '1')],
    at: ['[0].configMap.x'],
  },
  {
    what: 'an entry without a name is known by its image',
    was: [A, { ...B, exclude: [] }],
    now: [{ ...B, exclude: 1, keep: 'yes' }, A],
    faults: [[0, 'exclude']],
    list: [{ ...B, exclude: [], keep: 'yes' }, A],
    at: ['[0].exclude'],
  },
  {
    what: 'an entry that changed wholly is the one at its position',
    was: [A, B],
    now: [A, 7, C],
    faults: [[1]],
    list: [A, B, C],
    at: ['[1]'],
  },
  { what: 'else the one that has no other entry', was: [A, B], now: [7, C, A], faults: [[0]], list: [B, C, A], at: ['[0]'] },
  { what: 'a fault of before that moved stays', was: [7, A], now: [A, 7], faults: [[1]], list: [A, 7], at: [] },
  { what: 'a new list keeps its sound entries', was: undefined, now: [A, 7], faults: [[1]], list: [A], at: ['[1]'] },
  { what: 'a new list of faulty entries goes', was: undefined, now: [7, 8], faults: [[0], [1]], list: undefined, at: [''] },
  { what: 'a list without a value gets none again', was: null, now: [7], faults: [[0]], list: null, at: [''] },
  { what: 'a list that is a text now goes back', was: [A], now: 'a', faults: [[]], list: [A], at: [''] },
  {
    what: 'what was made around a fault goes as a whole',
    was: [A],
    now: [{ ...A, configMap: { x: 1, y: 'a' } }],
    faults: [[0, 'configMap', 'x']],
    list: [A],
    at: ['[0].configMap'],
  },
  {
    what: 'so does each list in an entry for itself',
    was: [{ ...A, exclude: [{ kind: 'A' }] }],
    now: [{ ...A, exclude: [{ kind: 'B' }, 1, { kind: 'A' }] }],
    faults: [[0, 'exclude', 1]],
    list: [{ ...A, exclude: [{ kind: 'B' }, { kind: 'A' }] }],
    at: ['[0].exclude[1]'],
  },
])('$what', ({ was, now, faults, list, at }) => {
  expect(repaired(was, now, ...faults)).toEqual({ list, at: at.map((path) => `list${path}`) })
})
