import { expect, test } from 'vitest'
import type { JsonValue } from '../../json.ts'
import {
  MAX_CODE_POINTS,
  MAX_NESTING,
  MAX_REGEX_SIZE,
  MAX_RUN_WORK,
  MAX_STEPS,
  MAX_TEXT,
  MAX_TYPE_SIZE,
  MAX_WORK,
  openBudget,
  RunBudget,
  spend,
} from '../budget.ts'
import { estimateRegexSize } from '../builtins/regex-size.ts'
import { CelError } from '../cel-error.ts'
import { compile } from '../program.ts'
import { prepareVariables } from '../variables.ts'

function outcome(expression: string, target: JsonValue = null): string {
  try {
    return compile(expression, ['target']).evaluate(prepareVariables(new Map([['target', target]])))
  } catch (error) {
    if (error instanceof CelError) return `${error.phase}: ${error.message}`
    throw error
  }
}

/** A literal of a type with so many nodes: lists while they can nest, then maps of two halves. */
function literalOfSize(size: number): string {
  if (size <= 100) return `${'['.repeat(size - 1)}1${']'.repeat(size - 1)}`
  const half = Math.floor((size - 1) / 2)
  return `{${literalOfSize(half)}: ${literalOfSize(size - 1 - half)}}`
}

/** A pattern that is measured to have so many instructions. */
function patternOfSize(size: number): string {
  const lengths = Array.from({ length: size }, (_, length) => 'a'.repeat(length))
  return lengths.find((pattern) => estimateRegexSize(pattern) === size) ?? ''
}

const numbers = (length: number) => Array.from({ length }, (_, i) => i)

test.each([
  {
    limit: 'MAX_CODE_POINTS',
    within: () => outcome(`'${'😀'.repeat(MAX_CODE_POINTS - 2)}'`).length,
    expected: 2 * (MAX_CODE_POINTS - 2),
    beyond: () => outcome(`'${'a'.repeat(MAX_CODE_POINTS - 1)}'`),
    error: 'expression code point size exceeds limit: size: 100001, limit 100000',
  },
  {
    limit: 'MAX_NESTING of parentheses; the whole expression is one level',
    within: () => outcome(`${'('.repeat(MAX_NESTING - 1)}'a'${')'.repeat(MAX_NESTING - 1)}`),
    expected: 'a',
    beyond: () => outcome(`${'('.repeat(MAX_NESTING)}'a'${')'.repeat(MAX_NESTING)}`),
    error: 'expression recursion limit exceeded: 250',
  },
  {
    limit: 'MAX_NESTING of operators in a chain',
    within: () => outcome(`''${" + 'a'".repeat(MAX_NESTING)}`),
    expected: 'a'.repeat(MAX_NESTING),
    beyond: () => outcome(`''${" + 'a'".repeat(MAX_NESTING + 1)}`),
    error: 'max recursion depth exceeded',
  },
  {
    limit: 'MAX_TYPE_SIZE',
    within: () => outcome(literalOfSize(MAX_TYPE_SIZE)),
    expected: "convert: type conversion error from map to 'string'",
    beyond: () => outcome(literalOfSize(MAX_TYPE_SIZE + 1)),
    error: `type size limit exceeded: ${MAX_TYPE_SIZE}`,
  },
  {
    limit: 'MAX_STEPS: 1,000 outer ones, 999 inner ones for each',
    within: () => outcome('string(target.a.all(x, target.b.all(y, true)))', { a: numbers(1_000), b: numbers(MAX_STEPS / 1_000 - 1) }),
    expected: 'true',
    beyond: () =>
      outcome('string([1].all(z, true) && target.a.all(x, target.b.all(y, true)))', {
        a: numbers(1_000),
        b: numbers(MAX_STEPS / 1_000 - 1),
      }),
    error: `eval: evaluation limit exceeded: ${MAX_STEPS} steps of comprehensions`,
  },
  {
    limit: 'MAX_TEXT of strings',
    within: () => outcome("target + 'a'", 'a'.repeat(MAX_TEXT - 1)).length,
    expected: MAX_TEXT,
    beyond: () => outcome("target + 'a'", 'a'.repeat(MAX_TEXT)),
    error: `eval: evaluation limit exceeded: ${MAX_TEXT} characters in one string`,
  },
  {
    limit: 'MAX_TEXT of bytes',
    within: () => outcome("string(size(bytes(target) + b'a'))", 'a'.repeat(MAX_TEXT - 1)),
    expected: String(MAX_TEXT),
    beyond: () => outcome("string(size(bytes(target) + b'a'))", 'a'.repeat(MAX_TEXT)),
    error: `eval: evaluation limit exceeded: ${MAX_TEXT} characters in one string`,
  },
  {
    limit: 'MAX_REGEX_SIZE',
    within: () => outcome(`'b'.matches('${patternOfSize(MAX_REGEX_SIZE)}') ? 'y' : 'n'`),
    expected: 'n',
    beyond: () => outcome(`'b'.matches('${patternOfSize(MAX_REGEX_SIZE)}a') ? 'y' : 'n'`),
    error: `compile: regular expression limit exceeded: ${MAX_REGEX_SIZE} instructions`,
  },
])('$limit: the last that is allowed, and one more', ({ within, expected, beyond, error }) => {
  expect(within()).toBe(expected)
  expect(beyond()).toContain(error)
})

test('MAX_WORK: the last unit that is allowed, and one more', () => {
  openBudget()
  spend(MAX_WORK)
  expect(() => spend(1)).toThrow(`evaluation limit exceeded: ${MAX_WORK} units of work`)
})

/** A run whose evaluations took so much. */
function runThatTook(work: number): RunBudget {
  const run = new RunBudget()
  openBudget()
  run.charge(work)
  return run
}

test('MAX_RUN_WORK: the last evaluation that is allowed, and one more', () => {
  const run = runThatTook(MAX_RUN_WORK - 1)
  const program = compile("'a' + 'b'", [], { run })
  expect(program.evaluate(new Map())).toBe('ab')
  expect(() => program.evaluate(new Map())).toThrow(`run limit exceeded: ${MAX_RUN_WORK} units of work in all evaluations`)
})

test('a run pays for the loops of its evaluations too, and for no other run', () => {
  const list = prepareVariables(new Map([['target', numbers(100)]]))
  const run = runThatTook(MAX_RUN_WORK - 100)
  const program = compile('string(target.all(x, true))', ['target'], { run })
  expect(program.evaluate(list)).toBe('true')
  expect(() => program.evaluate(list)).toThrow('run limit exceeded')
  expect(compile('string(target.all(x, true))', ['target'], { run: new RunBudget() }).evaluate(list)).toBe('true')
})

test('a limit cannot be absorbed by an operator', () => {
  const list = numbers(2_000)
  expect(outcome("target.all(x, target.all(y, true)) || true ? 'a' : 'b'", list)).toContain('evaluation limit exceeded')
})

test('each evaluation has a budget of its own', () => {
  const program = compile('string(target.all(x, target.all(y, true)))', ['target'])
  const variables = prepareVariables(new Map([['target', numbers(900)]]))
  expect([program.evaluate(variables), program.evaluate(variables)]).toEqual(['true', 'true'])
})
