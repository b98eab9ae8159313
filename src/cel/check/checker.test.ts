import { expect, test } from 'vitest'
import type { Expression } from '../expression.ts'
import { fail, freshVariable, isAssignable, startChecker, typeOfNode, undeclared } from './checker.ts'
import type { Overloads } from './declarations.ts'
import { namesOf } from './scope.ts'
import { DYN, ERROR, INT, listOf, STRING } from './types.ts'

const NONE: Overloads = new Map()
const EXTENDED: Overloads = new Map([['first', []]])
const NAMES = namesOf(new Map([['target', DYN]]))
const NODE: Expression = { kind: 'identifier', name: 'a', offset: 3 }

test('numbers of two types may be ordered from the start with extensions alone', () => {
  expect([startChecker(NAMES, NONE).mixedOrder, startChecker(NAMES, EXTENDED).mixedOrder]).toEqual([false, true])
})

test('every new variable of a type has a name of its own, counted from 0', () => {
  const checker = startChecker(NAMES, NONE)
  expect([freshVariable(checker).variable, freshVariable(checker).variable, checker.variables]).toEqual(['_var0', '_var1', 2])
})

test('the type of a node that was not checked is the error type', () => {
  const checker = startChecker(NAMES, NONE)
  expect(typeOfNode(checker, NODE)).toBe(ERROR)
  checker.types.set(NODE, INT)
  expect(typeOfNode(checker, NODE)).toBe(INT)
})

test('a variable of a type is bound by the value that it takes', () => {
  const checker = startChecker(NAMES, NONE)
  const variable = freshVariable(checker)
  expect([isAssignable(checker, INT, INT), isAssignable(checker, INT, STRING)]).toEqual([true, false])
  expect(isAssignable(checker, listOf(INT), listOf(variable))).toBe(true)
  expect([isAssignable(checker, INT, variable), isAssignable(checker, STRING, variable)]).toEqual([true, false])
})

test('a fault has the place of its node, its cause if it is known, and the error type', () => {
  const checker = startChecker(NAMES, NONE)
  expect(fail(checker, NODE, 'first')).toBe(ERROR)
  fail(checker, NODE, 'second', { kind: 'syntax', advice: 'x' })
  expect(checker.faults).toEqual([
    { offset: 3, message: 'first' },
    { offset: 3, message: 'second', cause: { kind: 'syntax', advice: 'x' } },
  ])
  expect(checker.faults[0]).not.toHaveProperty('cause')
})

test('an undeclared name is a fault in the words of cel-go, with the names that are declared', () => {
  const checker = startChecker(NAMES, EXTENDED)
  expect(undeclared(checker, NODE, 'a')).toBe(ERROR)
  expect(checker.faults).toEqual([
    {
      offset: 3,
      message: "undeclared reference to 'a' (in container '')",
      cause: { kind: 'undeclared', node: NODE, names: NAMES, extensions: ['first'] },
    },
  ])
})
