import { expect, test } from 'vitest'
import { CelError } from '../cel/cel-error.ts'
import { BOOL, DOUBLE, DYN, INT, listOf, mapOf, STRING } from '../cel/check/types.ts'
import { parse } from '../cel/parse/parse.ts'
import { compile, compileTyped } from '../cel/program.ts'
import { prepareVariables } from '../cel/variables.ts'
import { advise } from './advise.ts'
import { comparedHints } from './value-hints.ts'

const TARGET = { name: 'a', namespace: 'n', labels: { region: 'eu', zone: 'x' }, annotations: {}, list: ['a'], count: 3n }
const VARIABLES = prepareVariables(
  new Map([
    ['target', TARGET],
    ['other', TARGET],
  ]),
)

function textsOf(run: () => unknown): readonly string[] {
  try {
    run()
  } catch (error) {
    if (error instanceof CelError) return error.hints.map((hint) => (hint.kind === 'advice' ? hint.text : `${hint.kind} ${hint.name}`))
    throw error
  }
  throw new Error('must fail')
}

/** Returns the hints for an expression that fails for a target. */
function hints(expression: string): readonly string[] {
  return textsOf(() => compile(expression, ['target', 'other'], { advise }).evaluate(VARIABLES))
}

const VISIBLE = 'expressions see name, namespace, labels and annotations of an object, and repo and package of a listed repository'
const MISSING = 'where it may be missing:'

test.each([
  {
    reason: 'a label that is missing',
    expression: 'target.labels.none',
    expected: [`${MISSING} has(target.labels.none) ? target.labels.none : 'none'`],
  },
  {
    reason: 'a label in brackets that is missing',
    expression: "target.labels['no-ne']",
    expected: [`${MISSING} 'no-ne' in target.labels ? target.labels['no-ne'] : 'none'`],
  },
  { reason: 'a field that no target has', expression: 'target.spec', expected: [VISIBLE] },
  { reason: 'a field of another variable', expression: 'other.spec', expected: [`${MISSING} has(other.spec) ? other.spec : 'none'`] },
  {
    reason: 'a part of a name',
    expression: 'target.name[0]',
    expected: ['target.name is a text; a part of a text is asked for with startsWith(…), endsWith(…), contains(…) or matches(…)'],
  },
  {
    reason: 'a part of a namespace',
    expression: 'target.namespace[0]',
    expected: ['target.namespace is a text; a part of a text is asked for with startsWith(…), endsWith(…), contains(…) or matches(…)'],
  },
  {
    reason: 'a key of another variable',
    expression: "other['spec']",
    expected: [`${MISSING} 'spec' in other ? other['spec'] : 'none'`],
  },
  {
    reason: 'an element behind the last',
    expression: "['a'][1]",
    expected: ['the first element of a list is [0], and size(…) is the number of its elements'],
  },
  { reason: 'a text for a test', expression: 'string(!target.name)', expected: ["! takes a test: compare, as in target.name == 'a'"] },
  {
    reason: 'a text for one of two tests',
    expression: 'string(target.name && true)',
    expected: ["&& takes a test: compare, as in target.name == 'a'"],
  },
  {
    reason: 'a text behind a test',
    expression: 'string(true && target.name)',
    expected: ["&& takes a test: compare, as in target.name == 'a'"],
  },
  {
    reason: 'a text behind a comparison',
    expression: "string(target.name == 'a' && target.name)",
    expected: ["&& takes a test: compare, as in target.name == 'a'"],
  },
  {
    reason: 'a text for the test of a choice',
    expression: "target.name ? 'a' : 'b'",
    expected: ["the choice with ? : takes a test: compare, as in target.name == 'a'"],
  },
  {
    reason: 'a text and what is taken without it',
    expression: 'string(target.labels.region || target.name)',
    expected: [`${MISSING} has(target.labels.region) ? target.labels.region : target.name`],
  },
  {
    reason: 'an object for one of two tests',
    expression: 'string(other || false)',
    expected: ["|| joins tests: compare, as in target.name == 'a'"],
  },
  { reason: 'a text and a number', expression: 'target.name + 1', expected: ['as a text: string(1)'] },
  { reason: 'a text and a list', expression: 'target.name + target.list', expected: [] },
  {
    reason: 'a text that is no number',
    expression: 'string(int(target.labels.region))',
    expected: ["a label is a text, and may be no number: target.labels.region.matches('^-?[0-9]+$') ? int(target.labels.region) : 0"],
  },
  {
    reason: 'a text that is no number without a sign',
    expression: 'string(uint(target.labels.region))',
    expected: ["a label is a text, and may be no number: target.labels.region.matches('^[0-9]+$') ? uint(target.labels.region) : 0"],
  },
  {
    reason: 'a text that is no fraction',
    expression: 'string(double(target.labels.region))',
    expected: [
      "a label is a text, and may be no number: target.labels.region.matches('^-?[0-9]+([.][0-9]+)?$') ? double(target.labels.region) : 0",
    ],
  },
])('an evaluation that fails: $reason', ({ expression, expected }) => {
  expect(hints(expression)).toEqual(expected)
})

test.each([
  { reason: 'a list', expression: 'target.list', expected: ['of a list take one element: list[0]'] },
  { reason: 'a map', expression: 'target.labels', expected: ["of a map take one value: map['key']"] },
  { reason: 'null', expression: 'null', expected: ["a template needs a string: has(a.b) ? a.b : 'none'"] },
  { reason: 'a number', expression: 'target.count', expected: ['as a text: string(target.count)'] },
  { reason: 'a boolean', expression: "target.name == 'a'", expected: ['as a text: string(…)'] },
  { reason: 'a type has no hint', expression: 'type(target)', expected: [] },
])('a value that is no string: $reason', ({ expression, expected }) => {
  expect(hints(expression)).toEqual(expected)
})

const TYPES = new Map([
  ['text', STRING],
  ['count', INT],
  ['labels', mapOf(STRING, STRING)],
  ['names', listOf(STRING)],
  ['any', DYN],
])

/** Returns the hints for an expression over variables with types that does not compile. */
function typed(expression: string): readonly string[] {
  return textsOf(() => compileTyped(expression, TYPES, { advise }))
}

test.each([
  { reason: 'a number beside a text', expression: "'a' + count", expected: ['as a text: string(count)'] },
  { reason: 'a function written as a method', expression: 'text.string()', expected: ['write string(text)'] },
  { reason: 'a method written as a function', expression: "contains(text, 'a')", expected: ["write text.contains('a')"] },
  { reason: 'a number as an operand of a method', expression: 'text.startsWith(count)', expected: ['as a text: string(count)'] },
  { reason: 'nothing that a text would help', expression: 'names + count', expected: [] },
  { reason: 'two numbers for two texts', expression: 'count.startsWith(count)', expected: ['as a text: string(count), string(count)'] },
  { reason: 'a map for a text', expression: 'text.startsWith(labels)', expected: [] },
  { reason: 'a value of unknown type behind a text', expression: '[text, any]', expected: ['as a text: string(any)'] },
  { reason: 'a text behind a value of unknown type', expression: '[any, text]', expected: ['as a text: string(any)'] },
  {
    reason: 'a number behind a value of unknown type',
    expression: '[any, count]',
    expected: ['a list or map holds one type: dyn here, from its first'],
  },
  { reason: 'a list of two types', expression: "['a', 1]", expected: ['a list or map holds one type: string here, from its first'] },
])('a call or list that does not fit: $reason', ({ expression, expected }) => {
  expect(typed(expression)).toEqual(expected)
})

test.each([
  { type: STRING, expected: ["compare it with a value, as in a.b == '…'"] },
  { type: DYN, expected: ["compare it with a value, as in a.b == '…', or == true"] },
  { type: INT, expected: ['compare it with a value, as in a.b == 1'] },
  { type: DOUBLE, expected: ['compare it with a value, as in a.b == 1.0'] },
  { type: BOOL, expected: [] },
  { type: listOf(STRING), expected: [] },
])('a condition of a value of the type $type.kind', ({ type, expected }) => {
  expect(comparedHints(parse('a.b'), type).map((hint) => hint.kind === 'advice' && hint.text)).toEqual(expected)
})

test('a long expression is not shown in a comparison', () => {
  expect(comparedHints(parse('a + b'), STRING)).toEqual([])
})
