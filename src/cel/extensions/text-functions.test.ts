import { expect, test } from 'vitest'
import { compileExtendedCondition } from '../program.ts'
import { prepareVariables } from '../variables.ts'

// 😀 is one code point and two UTF-16 units.
test.each([
  ["'😀ab'.charAt(0)", "'😀'"],
  ["'😀ab'.charAt(2)", "'b'"],
  ["'😀ab'.indexOf('b')", '2'],
  ["'b😀ab'.indexOf('b', 1)", '3'],
  ["'b😀ab'.indexOf('b', 3)", '3'],
  ["'😀b😀b'.indexOf('b', 2)", '3'],
  ["'😀a😀a'.lastIndexOf('a')", '3'],
  ["'😀ab'.lastIndexOf('b', 2)", '2'],
  ["'😀ab'.lastIndexOf('b', 1)", '-1'],
  ["'😀ab'.lastIndexOf('😀', 0)", '0'],
  ["'😀😀a'.lastIndexOf('a', 2)", '2'],
  ["'😀ab'.lastIndexOf('b', 3)", '-1'],
  ["'😀ab'.lastIndexOf('')", '3'],
  ["'😀ab'.substring(1, 2)", "'a'"],
])('a position counts code points: %s is %s', (expression, value) => {
  const condition = compileExtendedCondition(`${expression} == ${value}`, ['resources'])
  expect(condition.holds(prepareVariables(new Map([['resources', []]])))).toBe(true)
})
