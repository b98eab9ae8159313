import { expect, test } from 'vitest'
import { MAX_TYPE_SIZE } from '../budget.ts'
import { Faults } from '../faults.ts'
import {
  DYN,
  formatType,
  INT,
  listOf,
  mapOf,
  newVariable,
  openRecordOf,
  optionalOf,
  rebuild,
  recordOf,
  STRING,
  type Type,
  typeOf,
} from './types.ts'

test('equal types are one object, and different ones are not', () => {
  expect(listOf(INT)).toBe(listOf(INT))
  expect(mapOf(STRING, INT)).toBe(mapOf(STRING, INT))
  expect(typeOf(INT)).toBe(typeOf(INT))
  expect(optionalOf(INT)).toBe(optionalOf(INT))
  expect(
    new Set([listOf(INT), listOf(STRING), optionalOf(INT), typeOf(INT), mapOf(STRING, INT), mapOf(INT, STRING), mapOf(INT, INT)]).size,
  ).toBe(7)
  expect(newVariable('A')).not.toBe(newVariable('A'))
})

test('messages write a type with its parameters', () => {
  const types = [INT, mapOf(STRING, listOf(INT)), optionalOf(INT), typeOf(INT), newVariable('A'), recordOf('inputs', {})]
  expect(types.map(formatType)).toEqual(['int', 'map(string, list(int))', 'optional_type(int)', 'type(int)', 'A', 'inputs'])
})

test('a type is open if a variable is in it, at any depth', () => {
  const variable = newVariable('A')
  expect([mapOf(STRING, listOf(variable)), mapOf(variable, INT), mapOf(STRING, INT)].map(({ open }) => open)).toEqual([true, true, false])
})

test('a type has a largest size, and each node counts', () => {
  expect([INT, listOf(INT), mapOf(STRING, listOf(INT))].map(({ size }) => size)).toEqual([1, 2, 4])
  let type: Type = INT
  while (type.size < MAX_TYPE_SIZE) type = listOf(type)
  const tooLarge = type
  expect(tooLarge.size).toBe(MAX_TYPE_SIZE)
  expect(() => listOf(tooLarge)).toThrow(Faults)
})

test('a type is made again with other parameters', () => {
  expect(rebuild(listOf(INT), [STRING])).toBe(listOf(STRING))
  expect(rebuild(mapOf(INT, INT), [STRING, DYN])).toBe(mapOf(STRING, DYN))
  expect(rebuild(optionalOf(INT), [STRING])).toBe(optionalOf(STRING))
  expect(rebuild(typeOf(INT), [STRING])).toBe(typeOf(STRING))
  expect(rebuild(INT, [])).toBe(INT)
})

test('a record knows its fields, and an open one may have others', () => {
  const [closed, open] = [recordOf('r', { a: INT }), openRecordOf('r', { a: INT })]
  expect([closed.fields?.get('a'), closed.rest, open.fields?.get('a'), open.rest]).toEqual([INT, undefined, INT, DYN])
})
