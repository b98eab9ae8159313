import { expect, test } from 'vitest'
import { Faults } from '../faults.ts'
import { answerTo, conditionAnswer } from '../testing/answer.ts'
import { parse } from './parse.ts'

// Answers of cel-go 0.26.1 and, for conditions, of cel-go 0.28.0 in the environment of kpt.
test.each([
  ["{'a': [{'b': 'c'}]}.a[0].b", "'c'"],
  ['[[1, 2], [3]][0].size()', '2'],
  ['target.labels.env.size()', '4'],
])('a selection, an index and a call follow each other: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ['(1 + 2) * 3', '9'],
  ['[1, 2,]', '[1, 2]'],
  ['[]', '[]'],
  ["{'a': 1, 'b': 2,}", "{'a': 1, 'b': 2}"],
  ['{}', '{}'],
])('a group, a list and a map hold expressions: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ['-9223372036854775808', '-9223372036854775808'],
  ['-0x10', '-16'],
  ['-1.5', 'double -1.5'],
  ['- 1', '-1'],
  ['1 -1', '0'],
  ['-1u', "1:1: found no matching overload for '-_' applied to '(uint)'"],
  ["-'a'", "1:1: found no matching overload for '-_' applied to '(string)'"],
])('a sign belongs to the number behind it: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ['0x1F', '31'],
  ['0xffffffffffffffffu', '18446744073709551615u'],
  ['9223372036854775807', '9223372036854775807'],
  ['18446744073709551615u', '18446744073709551615u'],
  ['1e3', 'double 1000'],
  ['.5', 'double 0.5'],
  ['1.5e-3', 'double 0.0015'],
  ['-9223372036854775809', '1:1: invalid int literal'],
  ['1e999', '1:1: invalid double literal'],
])('a number: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ['true', 'true'],
  ['false', 'false'],
  ['null', 'null'],
])('a word: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ["b'a\\xff'", 'bytes 97 255'],
  ["r'\\n'", "'\\n'"],
  ['b"a"', 'bytes 97'],
  ["'\\ud800'", '1:1: invalid unicode code point'],
  ["b'\\u0041'", '1:1: unable to unescape string'],
])('bytes and texts: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ['.target.name', "'edge'"],
  ['.repoDefault', "'r'"],
])('a name may begin with a dot, as in other places: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ['for', '1:1: reserved identifier: for'],
  ['target.for', 'no such key: for'],
  ['for.a', '1:1: reserved identifier: for'],
])('words that CEL keeps are no variables: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ['target.?name', "1:7: unsupported syntax '.?'"],
  ["target[?'name']", "1:7: unsupported syntax '[?'"],
  ['[?1]', "1:2: unsupported syntax '?'"],
  ["{?'a': 1}", "1:2: unsupported syntax '?'"],
  ['target.labels.`env`', "1:15: unsupported syntax: '`'"],
])('a selection needs a name, and optional ones are not there: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ["{'a/b': 1}.`a/b` == 1", 'true'],
  ["has({'a/b': 1}.`a/b`)", 'true'],
  ["has({'a/b': 1}.`a/c`)", 'false'],
  ["{'a/b': 1}.?`a/b`.orValue(2) == 1", 'true'],
  ["{'a/b': 1}.?`c`.orValue(2) == 2", 'true'],
  ["target.labels.`env` == 'prod'", 'true'],
])('a field in back-quotes: %s', (expression, answer) => {
  expect(conditionAnswer(expression)).toBe(answer)
})

test.each([
  ["target.?name.orValue('none') == 'edge'", 'true'],
  ["target.?nope.orValue('none') == 'none'", 'true'],
  ["target[?'nope'].orValue('none') == 'none'", 'true'],
  ["[?target.?nope, ?target.?name] == ['edge']", 'true'],
  ["{?'a': target.?nope, 'b': 1} == {'b': 1}", "1:27: expected type 'dyn' but found 'int'"],
])('optional selections, indexes, elements and entries: %s', (expression, answer) => {
  expect(conditionAnswer(expression)).toBe(answer)
})

const CHAIN = `target${'.a'.repeat(249)}`

test.each([
  'chain.b',
  'chain[0]',
  'chain.size()',
  "'a'.contains(chain)",
  '[1][chain]',
  '[1, chain].k',
  "{'k': chain}.k",
  '{chain: 1}.k',
  'size(chain).k',
])('a chain of 250 selections, indexes and calls is parsed, and one of 251 is not: %s', (form) => {
  expect(() => parse(form.replace('chain', CHAIN))).not.toThrow()
  expect(faultsOf(form.replace('chain', `${CHAIN}.a`))).toEqual(['max recursion depth exceeded'])
})

// The words are ours, the places those of cel-go.
test.each([
  ['target.1', "6: Syntax error: unexpected '.1', expected end of expression"],
  ["target.'a'", "7: Syntax error: unexpected ''a'', expected a field name"],
  ['. 1', "2: Syntax error: unexpected '1', expected a name"],
  ['-', '1: Syntax error: unexpected end of expression, expected an expression'],
  ['- )', "2: Syntax error: unexpected ')', expected an expression"],
  ['[,1]', "2: Syntax error: unexpected '1', expected ']'"],
  ['{,1: 2}', "2: Syntax error: unexpected '1', expected '}'"],
  ['[1 2]', "3: Syntax error: unexpected '2', expected ']'"],
  ['{1 2}', "3: Syntax error: unexpected '2', expected ':'"],
  ['{1: 2', "5: Syntax error: unexpected end of expression, expected '}'"],
  ['f(1 2)', "4: Syntax error: unexpected '2', expected ')'"],
  ['a[0].b{}', "6: Syntax error: unexpected '{', expected end of expression"],
  ['a.b{1: 2}', "4: Syntax error: unexpected '1', expected a field name"],
  ['a.?b + for', "1: unsupported syntax '.?'\n7: reserved identifier: for"],
])('%s is a fault', (expression, faults) => {
  expect(faultsOf(expression).join('\n')).toBe(faults)
})

test('a message may have any name, reserved words and fields in back-quotes refused as elsewhere', () => {
  expect(parse('a.package.B{c: 1, in_: 2}')).toMatchObject({ kind: 'message', name: 'a.package.B', values: [{ value: 1n }, { value: 2n }] })
  expect(parse('for.B{}')).toMatchObject({ kind: 'message', name: 'for.B' })
  expect(faultsOf('B{`c`: 1}')).toEqual(["2: unsupported syntax: '`'"])
})

/** Offsets and words of the faults of an expression. */
function faultsOf(expression: string): readonly string[] {
  try {
    parse(expression)
    return []
  } catch (error) {
    if (error instanceof Faults)
      return error.faults.map(({ offset, message }) => (offset === undefined ? message : `${offset}: ${message}`))
    throw error
  }
}
