import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import { FunctionError } from '../result.ts'
import { oneOf, readTextOptions, type TextOptions, TRUE_OR_FALSE } from './read-text-options.ts'

interface Fields {
  readonly strict?: boolean
  readonly mode?: 'a' | 'b'
  readonly version?: string
}

const OPTIONS: TextOptions<Fields> = {
  strict: TRUE_OR_FALSE,
  mode: oneOf('a', 'b'),
  version: { allowed: 'a version', read: (text) => text || undefined },
}

function read(data: string): Partial<Fields> {
  return readTextOptions(KrmObject.fromDocument(`kind: ConfigMap\n${data}`), 'try-out', OPTIONS)
}

test.each([
  {
    reason: 'texts of all options',
    data: 'data: {strict: "true", mode: b, version: v1}',
    expected: { strict: true, mode: 'b', version: 'v1' },
  },
  { reason: 'false is a value', data: 'data: {strict: "false"}', expected: { strict: false } },
  { reason: 'a boolean without quotes', data: 'data: {strict: true}', expected: { strict: true } },
  { reason: 'a number without quotes keeps its zero', data: 'data: {version: 1.30}', expected: { version: '1.30' } },
  { reason: 'nothing to say', data: 'data: {}', expected: {} },
  { reason: 'kpt sends no data at all', data: '', expected: {} },
  { reason: 'whichever way YAML writes a boolean', data: 'data: {strict: TRUE}', expected: { strict: true } },
  { reason: 'other fields of a ConfigMap', data: 'immutable: true\ndata: {mode: a}', expected: { mode: 'a' } },
])('$reason', ({ data, expected }) => {
  expect(read(data)).toEqual(expected)
})

test.each([
  {
    reason: 'a near name is suggested',
    data: 'data: {stric: "true"}',
    rule: 'unknown-field',
    message:
      "`data.stric` is not an option of try-out in a ConfigMap; its options there are 'strict', 'mode', 'version'; did you mean 'strict'?",
  },
  {
    reason: 'keys of the prototype are no options',
    data: 'data: {constructor: "true"}',
    rule: 'unknown-field',
    message: "`data.constructor` is not an option of try-out in a ConfigMap; its options there are 'strict', 'mode', 'version'",
  },
  {
    reason: 'what is allowed, then what was found',
    data: 'data: {mode: c}',
    rule: 'allowed-values',
    message: "`data.mode` must be one of 'a', 'b', got 'c'",
  },
  { reason: 'nothing is no text', data: 'data: {version: }', rule: 'allowed-values', message: "`data.version` must be a version, got ''" },
  {
    reason: 'a map is no text',
    data: 'data: {version: {a: b}}',
    rule: 'wrong-type',
    message: '`data.version` must be a string, got a map',
  },
  {
    reason: 'the text of a key further down is not its own',
    data: 'data:\n  strict: "no"\n  other:\n    strict: "true"',
    rule: 'wrong-type',
    message: '`data.other` must be a string, got a map',
  },
  { reason: 'pairs stand in a map', data: 'data:\n- strict: true', rule: 'wrong-type', message: '`data` must be a map, got a list' },
  { reason: 'pairs are no text', data: 'data: strict=true', rule: 'wrong-type', message: "`data` must be a map, got 'strict=true'" },
  {
    reason: 'data misspelt',
    data: 'dta: {strict: "true"}',
    rule: 'unknown-field',
    message: "`dta` is not a field of ConfigMap; did you mean 'data'?",
  },
  {
    reason: 'a key that stands twice',
    data: 'data:\n  strict: "true"\n  strict: "false"',
    rule: 'duplicate-key',
    message: '`data.strict` must occur once in its map, but occurs in lines 3 and 4',
  },
])('fault: $reason', ({ data, rule, message }) => {
  expect(resultsOf(data)[0]).toMatchObject({ severity: 'error', message, tags: { rule } })
})

test('all faults at once', () => {
  expect(resultsOf('data: {strict: "yes", mode: c, other: x}').map(({ tags }) => tags.rule)).toEqual([
    'allowed-values',
    'allowed-values',
    'unknown-field',
  ])
})

function resultsOf(data: string): FunctionError['results'] {
  try {
    read(data)
  } catch (error) {
    if (error instanceof FunctionError) return error.results
    throw error
  }
  return []
}
