import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BOOL, DYN, INT, listOf, mapOf, NULL, newVariable, STRING, TIMESTAMP, type Type, typeOf } from './types.ts'
import { assignable, emptySubstitution, finalType, mostGeneral, substitute } from './unify.ts'

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
