import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  BOOL,
  DURATION,
  DYN,
  ERROR,
  INT,
  listOf,
  mapOf,
  NULL,
  newVariable,
  optionalOf,
  recordOf,
  STRING,
  TIMESTAMP,
  type Type,
  typeOf,
} from './types.ts'
import { assignable, emptySubstitution, finalType, isDynamic, mostGeneral, substitute } from './unify.ts'

const VARIABLES = [newVariable('A'), newVariable('B'), newVariable('C')]

function anyType(): fc.Arbitrary<Type> {
  return fc.letrec<{ type: Type }>((tie) => ({
    type: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(...VARIABLES, BOOL, INT, STRING, NULL, DYN, TIMESTAMP),
      tie('type').map(listOf),
      fc.tuple(tie('type'), tie('type')).map(([key, value]) => mapOf(key, value)),
    ),
  })).type
}

test('equal types are one object', () => {
  expect(mapOf(STRING, listOf(INT))).toBe(mapOf(STRING, listOf(INT)))
  expect(typeOf(listOf(INT))).not.toBe(typeOf(listOf(STRING)))
})

test('a question that is answered with no binds nothing', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anyType(), anyType()), { maxLength: 6 }), (questions) => {
      const substitution = emptySubstitution()
      for (const [value, place] of questions) {
        const before = new Map(substitution.bindings)
        if (!assignable(substitution, [value], [place])) expect(substitution.bindings).toEqual(before)
      }
    }),
  )
})

test('every type fits itself and dyn', () => {
  fc.assert(
    fc.property(anyType(), (type) => {
      expect(assignable(emptySubstitution(), [type, type], [type, DYN])).toBe(true)
    }),
  )
})

test('no variable is bound to a type that contains it', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anyType(), anyType()), { maxLength: 6 }), (questions) => {
      const substitution = emptySubstitution()
      for (const [value, place] of questions) assignable(substitution, [value], [place])
      // Would not come to an end if one were.
      for (const variable of VARIABLES) expect(finalType(substitution, variable).open).toBe(false)
    }),
  )
})

test('a variable that met two types stands for the more general one', () => {
  const [variable = DYN] = VARIABLES
  const substitution = emptySubstitution()
  expect(assignable(substitution, [STRING, DYN], [variable, variable])).toBe(true)
  expect(substitute(substitution, variable)).toBe(DYN)
  expect(mostGeneral(listOf(DYN), listOf(STRING))).toBe(listOf(DYN))
})

const RECORD = recordOf('R', { a: STRING })

// The rules of cel-go's checker: null has the place of what is a message or optional, and a record is a map of strings.
test.each<[string, Type, Type, boolean]>([
  ['null for a duration', NULL, DURATION, true],
  ['null for a time', NULL, TIMESTAMP, true],
  ['null for a record', NULL, RECORD, true],
  ['null for an optional value', NULL, optionalOf(INT), true],
  ['null for a text', NULL, STRING, false],
  ['null for a list', NULL, listOf(INT), false],
  ['any value for what did not check', ERROR, STRING, true],
  ['dyn for a text', DYN, STRING, true],
  ['a type for another type', typeOf(INT), typeOf(STRING), true],
  ['a type for a value', typeOf(INT), INT, false],
  ['a record for a map of strings', RECORD, mapOf(STRING, INT), true],
  ['a record for a map of ints', RECORD, mapOf(INT, DYN), false],
  ['a record for a list', RECORD, listOf(DYN), false],
  ['a record for itself', RECORD, RECORD, true],
  ['a record for another of the same fields', RECORD, recordOf('R', { a: STRING }), false],
  ['a list for a list of another type', listOf(INT), listOf(STRING), false],
  ['a list for a list of any type', listOf(INT), listOf(DYN), true],
  ['a map for a map of other values', mapOf(STRING, INT), mapOf(STRING, BOOL), false],
  ['an optional value for its value', optionalOf(INT), INT, false],
])('%s', (_, type, place, expected) => {
  expect([assignable(emptySubstitution(), [type], [place]), assignable(emptySubstitution(), [place], [type])]).toEqual([expected, expected])
})

test('as many values as places', () => {
  expect([[INT], [INT, INT, INT]].map((values) => assignable(emptySubstitution(), values, [INT, INT]))).toEqual([false, false])
})

test('dyn and what did not check are dynamic, a variable and a list of dyn are not', () => {
  expect([DYN, ERROR, INT, newVariable('A'), listOf(DYN)].map(isDynamic)).toEqual([true, true, false, false, false])
})

const VARIABLE = newVariable('A')
const OTHER = recordOf('S', {})

test.each<[string, Type, Type, Type]>([
  ['dyn, before', DYN, STRING, DYN],
  ['dyn, behind', STRING, DYN, DYN],
  ['a variable', VARIABLE, STRING, VARIABLE],
  ['a variable, behind', STRING, VARIABLE, VARIABLE],
  ['the first of two types', typeOf(INT), typeOf(STRING), typeOf(INT)],
  ['the map with dyn', mapOf(STRING, INT), mapOf(STRING, DYN), mapOf(STRING, DYN)],
  ['the map with dyn, before', mapOf(DYN, INT), mapOf(STRING, INT), mapOf(DYN, INT)],
  ['a map, behind a record', RECORD, mapOf(STRING, INT), mapOf(STRING, INT)],
  ['the second of two records', RECORD, OTHER, OTHER],
  ['the second of two kinds', NULL, TIMESTAMP, TIMESTAMP],
])('the more general type is %s', (_, first, second, expected) => {
  expect(mostGeneral(first, second)).toBe(expected)
})
