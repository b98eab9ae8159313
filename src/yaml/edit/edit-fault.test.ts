import { expect, test } from 'vitest'
import type { FieldPath } from '../../field-path.ts'
import { AliasError } from '../read/alias-targets.ts'
import { positionAt } from '../read/lines.ts'
import { aliasFault, anchoredFault, EditError, layoutFault, UnsafeMaps } from './edit-fault.ts'
import { linkedRoot } from './testing/linked-root.ts'

const TEXT = `\
twice: {a: 1, b: {c: 2}}
twice: {a: 3}
list:
- x: 1
  x: 2
- y: {}
deep:
  more:
    ? k
    : v
  other: 1
`

function faultAt(text: string, path: FieldPath) {
  return new UnsafeMaps(linkedRoot(text), (offset) => positionAt(text, offset)).faultAt(path)
}

const TWICE = { rule: 'duplicate-key', path: ['twice'], message: '`twice` must occur once, occurs on lines 1 and 2' }
const ITEM = { rule: 'duplicate-key', path: ['list', 0, 'x'], message: '`list[0].x` must occur once, occurs on lines 4 and 5' }
const EXPLICIT = {
  rule: 'explicit-key',
  path: ['deep', 'more'],
  message: "`deep.more` must be written with plain keys to be edited, has keys behind '? '",
}

test('a map with a repeated key is on the way to every field of it', () => {
  for (const path of [['twice'], ['deep'], ['new'], []]) expect(faultAt(TEXT, path)).toEqual(TWICE)
})

const SAFE_ROOT = TEXT.replace('twice: {a: 3}\n', '')
const AT = { ...ITEM, message: '`list[0].x` must occur once, occurs on lines 3 and 4' }

test.each<[string, FieldPath, unknown]>([
  ['above a map with a repeated key', ['list'], AT],
  ['at the map', ['list', 0], AT],
  ['in the map, also at another key', ['list', 0, 'z'], AT],
  ['beside the map', ['list', 1, 'y'], undefined],
  ['beside the map, where nothing is yet', ['list', 2, 'z'], undefined],
  ['above a map with a key behind a question mark', ['deep'], EXPLICIT],
  ['in this map', ['deep', 'more', 'k'], EXPLICIT],
  ['beside this map', ['deep', 'other'], undefined],
  ['in a new field beside both', ['new', 'field'], undefined],
  ['the first of both from the root', [], AT],
])('the fault that an edit meets %s', (_, path, expected) => {
  expect(faultAt(SAFE_ROOT, path)).toEqual(expected)
})

test('no edit of a usual text meets a fault', () => {
  expect(faultAt('a: {b: [1]}\n', [])).toBeUndefined()
})

test('the fault of an alias names the path of the alias, or the path that was asked for', () => {
  expect(aliasFault(new AliasError('x', ['a', 0]), ['a'])).toEqual({
    rule: 'alias',
    path: ['a', 0],
    message: '`a[0]` must be written out: the alias *x is not expanded',
  })
  expect(aliasFault(new AliasError('x', []), ['a']).path).toEqual(['a'])
})

test('the fault of an edit in a value with an anchor names the alias and the value', () => {
  expect(anchoredFault({ anchor: 'x', alias: ['k'], target: ['a', 'b'] })).toEqual({
    rule: 'anchored',
    path: ['k'],
    message: '`k` must be written out: the alias *x would change with `a.b`',
  })
})

test('the error of an edit has its fault, and says it', () => {
  const fault = layoutFault(['a'])
  const error = new EditError(fault)
  expect([error.name, error.fault, error.message]).toEqual(['EditError', fault, fault.message])
  expect([fault.rule, fault.path, fault.message.startsWith('`a` must be in plain YAML to be edited, but ')]).toEqual([
    'unusual-layout',
    ['a'],
    true,
  ])
})
