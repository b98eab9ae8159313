import { expect, test } from 'vitest'
import type { CompileFault } from '../faults.ts'
import { answerTo, conditionAnswer } from '../testing/answer.ts'
import { expandMacro } from './macros.ts'
import { parse } from './parse.ts'

// Answers of cel-go 0.26.1 and, for conditions, of cel-go 0.28.0 in the environment of kpt.
test.each([
  ['[1, 2].all(x, x > 0)', 'true'],
  ['[1, 2].all(x, x > 1)', 'false'],
  ['[].all(x, false)', 'true'],
  ['[1, 2].exists(x, x > 1)', 'true'],
  ['[1, 2].exists(x, x > 2)', 'false'],
  ['[].exists(x, true)', 'false'],
  ['[1, 2, 3].exists_one(x, x == 2)', 'true'],
  ['[2, 2].exists_one(x, x == 2)', 'false'],
  ['[].exists_one(x, true)', 'false'],
])('all, exists and exists_one: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ['[1, 2, 3].map(x, x * 2)', '[2, 4, 6]'],
  ['[1, 2, 3].map(x, x > 1, x * 2)', '[4, 6]'],
  ['[1, 2, 3].filter(x, x > 1)', '[2, 3]'],
])('map and filter: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ['has(target.name)', 'true'],
  ['has(target.nope)', 'false'],
  ['has(target.labels.env)', 'true'],
  ['has(target)', '1:5: invalid argument to has() macro'],
  ["has(target['name'])", '1:11: invalid argument to has() macro'],
  ['has(1)', '1:5: invalid argument to has() macro'],
])('has: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ['[1].map(1, 2)', '1:9: argument is not an identifier'],
  ['[1].map(a.b, true, 2)', '1:10: argument is not an identifier'],
  ['[1].filter(1, true)', '1:12: argument is not an identifier'],
  ['[1].all(1, true)', '1:9: argument must be a simple name'],
  ['[1].exists(a.b, true)', '1:13: argument must be a simple name'],
  ["[1].exists_one('a', true)", '1:16: argument must be a simple name'],
  ['[1].all(__result__, true)', '1:9: iteration variable overwrites accumulator variable'],
])('a macro takes the name of a variable: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  [
    '[1].all(x, y, true)',
    "1:8: undeclared reference to 'all' (in container '')\n1:9: undeclared reference to 'x' (in container '')\n1:12: undeclared reference to 'y' (in container '')",
  ],
  ['[1].map(1)', "1:8: undeclared reference to 'map' (in container '')"],
  ['has()', "1:4: undeclared reference to 'has' (in container '')"],
  ['all([1], x)', "1:4: undeclared reference to 'all' (in container '')\n1:10: undeclared reference to 'x' (in container '')"],
])('another number of arguments is no macro, and neither is a function: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  [
    '[1].existsOne(i, v, true)',
    "1:14: undeclared reference to 'existsOne' (in container '')\n1:15: undeclared reference to 'i' (in container '')\n1:18: undeclared reference to 'v' (in container '')",
  ],
  [
    '[1].transformList(i, v, v)',
    "1:18: undeclared reference to 'transformList' (in container '')\n1:19: undeclared reference to 'i' (in container '')\n1:22: undeclared reference to 'v' (in container '')\n1:25: undeclared reference to 'v' (in container '')",
  ],
])('macros of two variables are those of kpt alone: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ['[1, 2].all(i, v, i < v)', 'true'],
  ['[1, 2].all(i, v, v < 2)', 'false'],
  ['[1, 2].exists(i, v, v == 2)', 'true'],
  ['[1, 2].exists(i, v, i == 2)', 'false'],
  ['[1, 2].existsOne(i, v, v == 2)', 'true'],
  ['[2, 2].existsOne(i, v, v == 2)', 'false'],
  ['[1, 2].exists_one(i, v, i == 1)', 'true'],
  ["['a', 'b'].transformList(i, v, i) == [0, 1]", 'true'],
  ["['a', 'b'].transformList(i, v, i == 1, v) == ['b']", 'true'],
  ["['a', 'b'].transformMap(i, v, v) == {0: 'a', 1: 'b'}", 'true'],
  ["{'a': 1, 'b': 2}.transformMap(k, v, v > 1, v * 10) == {'b': 20}", 'true'],
  ["['a', 'b'].transformMapEntry(i, v, {v: i}) == {'a': 0, 'b': 1}", 'true'],
  ["['a', 'b'].transformMapEntry(i, v, i > 0, {v: i}) == {'b': 1}", 'true'],
])('macros of two variables: %s', (expression, answer) => {
  expect(conditionAnswer(expression)).toBe(answer)
})

test.each([
  ['[1].all(i, i, true)', '1:12: duplicate variable name: i'],
  ['[1].all(1, v, true)', '1:9: argument must be a simple name'],
  ['[1].all(i, 2, true)', '1:12: argument must be a simple name'],
  ['[1].all(1, 2, true)', '1:9: argument must be a simple name'],
  ['[1].all(__result__, v, true)', '1:9: iteration variable overwrites accumulator variable'],
  ['[1].all(i, __result__, true)', '1:12: iteration variable overwrites accumulator variable'],
  ['[1].all(__result__, __result__, true)', '1:21: duplicate variable name: __result__'],
])('both variables are names, and differ, and the first fault is reported: %s', (expression, answer) => {
  expect(conditionAnswer(expression)).toBe(answer)
})

test.each([
  ['optional.of(1).optMap(x, x + 1).value() == 2', 'true'],
  ['optional.none().optMap(x, x).hasValue()', 'false'],
  ['optional.of(1).optFlatMap(x, optional.of(x + 1)).value() == 2', 'true'],
  ['optional.of(1).optFlatMap(x, optional.none()).hasValue()', 'false'],
  ['optional.of(1).optMap(1, 2) == optional.none()', '1:23: optMap() variable name must be a simple identifier'],
  ['optional.of(1).optFlatMap(1, 2) == optional.none()', '1:27: optFlatMap() variable name must be a simple identifier'],
  [
    'optional.of(1).optMap(x) == optional.none()',
    "1:22: undeclared reference to 'optMap' (in container '')\n1:23: undeclared reference to 'x' (in container '')",
  ],
])('optional values are mapped where they are there: %s', (expression, answer) => {
  expect(conditionAnswer(expression)).toBe(answer)
})

test('every node of an expansion has the place of the macro', () => {
  const offsets = new Set<number>()
  const { condition, initial, result, step } = parsedLoop('[1].exists_one(x, x == 1)')
  for (const node of [condition, initial, result, step]) offsets.add(node.offset)
  expect([...offsets]).toEqual([14])
})

function parsedLoop(expression: string) {
  const tree = parse(expression)
  if (tree.kind !== 'comprehension') throw new Error('no comprehension')
  return tree
}

test('a call that is no macro is returned as it is', () => {
  const faults: CompileFault[] = []
  const call = { kind: 'call', name: 'all', target: undefined, args: [], offset: 0 } as const
  expect(expandMacro(call, faults, true)).toBe(call)
  expect(faults).toEqual([])
})
