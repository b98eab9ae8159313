import { expect, test } from 'vitest'
import type { Advised } from './advisor.ts'
import { NO_ADVICE } from './advisor.ts'
import { EvaluationFailure, type Lack } from './builtins/failure.ts'
import { NoValue } from './evaluate/closure.ts'
import type { CompileFault } from './faults.ts'
import { compileError, convertError, evalError } from './messages.ts'
import { type CelValue, Duration, OptionalValue, Timestamp, typeValue, Uint } from './value.ts'

const faultAt = (offset: number | undefined, message = 'm'): CompileFault => ({ offset, message })

/** Returns the message about one fault of an expression. */
const messageOf = (expression: string, offset: number | undefined) =>
  compileError(expression, undefined, [faultAt(offset)], NO_ADVICE).message

test.each([
  ['a place in the first line', 'a + b', 4, 'ERROR: <input>:1:5: m\n | a + b\n | ....^'],
  ['a place in a further line', 'a +\nb.c', 5, 'ERROR: <input>:2:2: m\n | b.c\n | .^'],
  ['no place', 'a', undefined, 'ERROR: <input>:-1:0: m'],
  ['an empty expression', '', 0, 'ERROR: <input>:1:0: m'],
  ['a tab, which is shown as a blank', '\ta', 1, 'ERROR: <input>:1:2: m\n |  a\n | .^'],
  ['wide dots below wide characters', 'ä😀b', 3, 'ERROR: <input>:1:3: m\n | ä😀b\n | ．．^'],
  ['a wide caret below a wide character', 'aä', 1, 'ERROR: <input>:1:2: m\n | aä\n | .＾'],
  ['a narrow caret behind the end', 'a', 1, 'ERROR: <input>:1:2: m\n | a\n | .^'],
])('a fault has its place and its line: %s', (_, expression, offset, message) => {
  expect(messageOf(expression, offset)).toBe(message)
})

test('a line of more than 16,384 bytes is left out', () => {
  expect(messageOf('a'.repeat(16_384), 0)).toContain('\n | aaa')
  expect(messageOf('a'.repeat(16_385), 0)).toBe('ERROR: <input>:1:1: m')
  expect(messageOf(`${'a'.repeat(16_383)}ä`, 0)).toBe('ERROR: <input>:1:1: m')
})

test('faults are sorted by place, those of the whole expression first, and the error has the place of the first', () => {
  const faults = [faultAt(2, 'third'), faultAt(0, 'second'), faultAt(undefined, 'first')]
  const all = compileError('a b', undefined, faults, NO_ADVICE)
  expect(all.message.split('\n').filter((line) => line.startsWith('ERROR'))).toEqual([
    'ERROR: <input>:-1:0: first',
    'ERROR: <input>:1:1: second',
    'ERROR: <input>:1:3: third',
  ])
  expect([all.phase, all.line, all.column]).toEqual(['compile', undefined, undefined])
  const placed = compileError('a b', undefined, faults.slice(0, 2), NO_ADVICE)
  expect([placed.line, placed.column]).toEqual([1, 1])
})

test('of more than a hundred faults the first hundred that were found are shown, and the others counted', () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => faultAt(count - at, `m${at}`))
  const linesOf = (count: number) =>
    compileError('a', undefined, many(count), NO_ADVICE)
      .message.split('\n')
      .filter((line) => !line.startsWith(' |'))
  expect(linesOf(100)).toHaveLength(100)
  expect([linesOf(100).at(0), linesOf(100).at(-1)]).toEqual([expect.stringMatching(/ m99$/), expect.stringMatching(/ m0$/)])
  expect([linesOf(102).length, linesOf(102).at(-1)]).toEqual([101, '2 more errors were truncated'])
  expect(linesOf(102).some((line) => line.endsWith(' m101'))).toBe(false)
})

test('advice is asked for when the hints are read, with the faults by place', () => {
  const asked: Advised[] = []
  const error = compileError('a b', undefined, [faultAt(2), faultAt(0)], (failure) => {
    asked.push(failure)
    return [{ kind: 'advice', text: 'do so' }]
  })
  expect(asked).toEqual([])
  expect(error.hints).toEqual([{ kind: 'advice', text: 'do so' }])
  expect(asked).toEqual([{ kind: 'faults', expression: 'a b', tree: undefined, faults: [faultAt(0), faultAt(2)] }])
})

/** Returns the error of an evaluation that fails at the second line. */
const failing = (lack?: Lack) =>
  evalError('a +\nb', new NoValue(new EvaluationFailure('no such key: x', lack), 4), () => [{ kind: 'advice', text: 'x' }])

test('an evaluation without a value has the place of the node that failed, and what the node lacks', () => {
  const plain = failing()
  expect([plain.phase, plain.message, plain.line, plain.column, plain.missingKey, plain.missingVariable]).toEqual([
    ...['eval', 'no such key: x', 2, 1],
    ...[undefined, undefined],
  ])
  expect(plain.hints).toEqual([{ kind: 'advice', text: 'x' }])
  expect([failing({ variable: 'ring' }).missingVariable, failing({ variable: 'ring' }).missingKey]).toEqual(['ring', undefined])
})

test('a missing key is named with the texts among the keys that the map has, sorted', () => {
  const map = new Map<CelValue, CelValue>([
    ['b', 1n],
    [2n, 1n],
    ['a', 1n],
  ])
  const { missingKey, missingVariable } = failing({ key: 'x', map })
  expect([missingKey?.key, missingKey?.keys, missingVariable]).toEqual(['x', ['a', 'b'], undefined])
})

// The texts of cel-go: ConvertToNative and ConvertToType of each type.
test.each<[string, CelValue, string]>([
  ['an int', 1n, "unsupported type conversion from 'int' to string"],
  ['a uint', new Uint(1n), "unsupported type conversion from 'uint' to string"],
  ['a double', 1.5, "type conversion error from Double to 'string'"],
  ['a bool', true, "type conversion error from bool to 'string'"],
  ['bytes', new Uint8Array(), "type conversion error from Bytes to 'string'"],
  ['a list', [], "type conversion error from list to 'string'"],
  ['a map', new Map(), "type conversion error from map to 'string'"],
  ['null', null, "type conversion error from 'null_type' to 'string'"],
  ['a timestamp', new Timestamp(0n, 0), "type conversion error from 'Timestamp' to 'string'"],
  ['a duration', new Duration(0n), "type conversion error from 'Duration' to 'string'"],
  ['a type', typeValue('int'), "type conversion not supported for 'type'"],
  ['an optional value', new OptionalValue(undefined), 'no string'],
])('%s is no string of a template', (_, value, message) => {
  const error = convertError(value, () => [{ kind: 'advice', text: 'x' }])
  expect([error.phase, error.message, error.hints]).toEqual(['convert', message, [{ kind: 'advice', text: 'x' }]])
})
