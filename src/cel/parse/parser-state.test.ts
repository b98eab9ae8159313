import { describe, expect, test } from 'vitest'
import { MAX_NESTING } from '../budget.ts'
import type { Expression } from '../expression.ts'
import { type CompileFault, Faults } from '../faults.ts'
import { accept, at, expect as demand, grow, nested, next, type ParserState, peek, startParser, syntaxError } from './parser-state.ts'
import { tokenize } from './tokens.ts'

const LEAF: Expression = { kind: 'identifier', name: 'a', offset: 0 }

function parserAt(text: string, position = 0): ParserState {
  const state = startParser(tokenize(text), () => LEAF, false)
  state.position = position
  return state
}

function faultsOf(run: () => unknown): readonly CompileFault[] {
  try {
    run()
  } catch (error) {
    if (error instanceof Faults) return error.faults
    throw error
  }
  return []
}

describe('tokens', () => {
  test('the next token is looked at or taken, and behind the last one there is the end', () => {
    const state = parserAt('a + b')
    expect([peek(state).text, next(state).text, peek(state).text, state.position]).toEqual(['a', 'a', '+', 1])
    expect(peek(parserAt('a', 9))).toEqual({ kind: 'end', text: '', offset: 0 })
  })

  test('an operator or a keyword is at the cursor, a text or a name of the same letters is not', () => {
    expect([at(parserAt('+ a'), '+'), at(parserAt('+ a'), '-', '+'), at(parserAt('+ a'), '-'), at(parserAt('+ a'))]).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect([at(parserAt('in'), 'in'), at(parserAt('`in`'), '`in`'), at(parserAt('a'), 'a'), at(parserAt("'+'"), "'+'")]).toEqual([
      true,
      false,
      false,
      false,
    ])
  })

  test('an operator is taken if it is next, and demanded with a fault', () => {
    const state = parserAt(') a')
    expect([accept(state, '('), state.position]).toEqual([undefined, 0])
    expect([accept(state, ')')?.offset, state.position]).toEqual([0, 1])
    expect([demand(parserAt(')'), ')').text, faultsOf(() => demand(parserAt('a'), ')'))]).toEqual([
      ')',
      [{ offset: 0, message: "Syntax error: unexpected 'a', expected ')'" }],
    ])
  })
})

describe('syntax errors', () => {
  test('the token and what is expected are named, the end in words, and the fault of a token instead of both', () => {
    const messageOf = (text: string, position: number) =>
      faultsOf(() => syntaxError(parserAt(text, position), 'a value')).map(({ message }) => message)
    expect(messageOf('a ]', 1)).toEqual(["Syntax error: unexpected ']', expected a value"])
    expect(messageOf('a', 1)).toEqual(['Syntax error: unexpected end of expression, expected a value'])
    expect(messageOf("'a", 0)[0]).not.toContain('expected')
  })

  test('the faults found before come first', () => {
    const state = parserAt('a ]', 1)
    state.faults.push({ offset: 0, message: 'before' })
    expect(faultsOf(() => syntaxError(state, 'x')).map(({ message, offset }) => `${offset} ${message}`)).toEqual([
      '0 before',
      "2 Syntax error: unexpected ']', expected x",
    ])
  })

  test.each([
    ['a choice without its second value', "a ? 'b'", 3, "':'", "a choice has two values: test ? 'a' : 'b'"],
    ['another fault of a choice', "a ? 'b'", 3, "')'", undefined],
    ['a colon that is missing elsewhere', "{'a' b}", 2, "':'", undefined],
    ['a choice that begins later', "{'a' b ? c : d}", 2, "':'", undefined],
  ])('advice for %s', (_, text, position, expected, advice) => {
    const [fault] = faultsOf(() => syntaxError(parserAt(text, position), expected))
    expect(fault?.cause).toEqual(advice === undefined ? undefined : { kind: 'syntax', advice })
  })
})

describe('limits', () => {
  test('rules may be nested to the limit, each on its own, and levels that are left count no more', () => {
    const state = parserAt('a')
    const deep = (levels: number, rule: 'expr' | 'calc'): number =>
      levels === 0 ? 0 : nested(state, rule, () => 1 + deep(levels - 1, rule))
    expect([deep(MAX_NESTING, 'expr'), deep(MAX_NESTING, 'expr'), nested(state, 'expr', () => deep(MAX_NESTING, 'calc'))]).toEqual([
      MAX_NESTING,
      MAX_NESTING,
      MAX_NESTING,
    ])
    expect(faultsOf(() => deep(MAX_NESTING + 1, 'expr'))).toEqual([
      { offset: undefined, message: `expression recursion limit exceeded: ${MAX_NESTING}` },
    ])
  })

  test('a node is as high as its highest part and its own levels, up to the limit', () => {
    const state = parserAt('a')
    const above = (part: Expression, levels: 0 | 1 = 1): Expression =>
      grow(state, { kind: 'list', elements: [part], offset: 0 }, levels, [LEAF, part, LEAF])
    const high = Array.from({ length: MAX_NESTING }).reduce<Expression>((part) => above(part), LEAF)
    expect([state.heights.get(high), state.heights.get(LEAF)]).toEqual([MAX_NESTING, undefined])
    expect(state.heights.get(above(high, 0))).toBe(MAX_NESTING)
    expect(state.heights.has(above(LEAF, 0))).toBe(false)
    expect(state.heights.has(grow(state, { kind: 'list', elements: [], offset: 0 }, 0, []))).toBe(false)
    state.faults.push({ offset: 1, message: 'before' })
    expect(faultsOf(() => above(high))).toEqual([
      { offset: 1, message: 'before' },
      { offset: undefined, message: 'max recursion depth exceeded' },
    ])
  })
})
