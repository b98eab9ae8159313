import { MAX_CODE_POINTS } from '../budget.ts'
import type { Call, Expression } from '../expression.ts'
import { countCodePoints } from '../expression-position.ts'
import { Faults } from '../faults.ts'
import { parseMember } from './parse-primary.ts'
import { accept, at, expect, grow, nested, next, type ParserState, peek, startParser, syntaxError } from './parser-state.ts'
import { tokenize } from './tokens.ts'

const RELATIONS = ['<', '<=', '>=', '>', '==', '!=', 'in']
const SUMS = ['+', '-']
const PRODUCTS = ['*', '/', '%']

/**
 * Parses an expression and expands its macros (cel-spec, Syntax and Macros).
 *
 * @param isExtended  true to know the calls of the extension libraries
 * @throws Faults the first syntax error, and every misuse of well-formed syntax
 */
export function parse(expression: string, isExtended = false): Expression {
  checkSize(expression)
  const state = startParser(tokenize(expression), parseExpression, isExtended)
  const tree = parseExpression(state)
  if (peek(state).kind !== 'end') syntaxError(state, 'end of expression')
  if (state.faults.length > 0) throw new Faults(state.faults)
  return tree
}

function checkSize(expression: string): void {
  const size = expression.length > MAX_CODE_POINTS ? countCodePoints(expression) : 0
  if (size <= MAX_CODE_POINTS) return
  const message = `expression code point size exceeds limit: size: ${size}, limit ${MAX_CODE_POINTS}`
  throw new Faults([{ offset: undefined, message }])
}

/** Parses `condition ? whenTrue : whenFalse`, or its parts. */
function parseExpression(state: ParserState): Expression {
  return nested(state, 'expr', () => {
    const condition = parseLogic(state, '||')
    const operator = accept(state, '?')
    if (operator === undefined) return condition
    const whenTrue = parseLogic(state, '||')
    expect(state, ':')
    return operation(state, '_?_:_', operator.offset, [condition, whenTrue, parseExpression(state)])
  })
}

/** Parses `a || b || c` or `a && b && c` as one call with all terms. */
function parseLogic(state: ParserState, operator: '||' | '&&'): Expression {
  const term = () => (operator === '||' ? parseLogic(state, '&&') : parseRelation(state))
  const terms = [term()]
  const { offset } = peek(state)
  while (accept(state, operator)) terms.push(term())
  const [only] = terms
  if (terms.length === 1 && only !== undefined) return only
  return grow(state, { kind: 'call', name: `_${operator}_`, target: undefined, args: terms, offset }, 0, terms)
}

function parseRelation(state: ParserState): Expression {
  return nested(state, 'relation', () => parseChain(state, 'relation', RELATIONS, parseSum))
}

function parseSum(state: ParserState): Expression {
  return nested(state, 'calc', () => parseChain(state, 'calc', SUMS, (each) => parseChain(each, 'calc', PRODUCTS, parseUnary)))
}

/** Parses `a + b - c` as calls of two operands, from left to right. */
function parseChain(
  state: ParserState,
  rule: Parameters<typeof nested>[1],
  operators: readonly string[],
  parseOperand: (state: ParserState) => Expression,
): Expression {
  let left = parseOperand(state)
  while (at(state, ...operators)) {
    const { text, offset } = next(state)
    const right = nested(state, rule, () => parseOperand(state))
    left = operation(state, text === 'in' ? '@in' : `_${text}_`, offset, [left, right])
  }
  return left
}

/** Parses `!!a` and `--a`: an even number of signs is none. A single `-` before a number belongs to the number. */
function parseUnary(state: ParserState): Expression {
  const { text, offset } = peek(state)
  if (!at(state, '!', '-') || isNegativeNumber(state)) return parseMember(state)
  let signs = 0
  while (at(state, text)) {
    next(state)
    signs += 1
  }
  const operand = parseMember(state)
  if (signs % 2 === 0) return operand
  return grow(state, { kind: 'call', name: `${text}_`, target: undefined, args: [operand], offset }, 0, [operand])
}

function isNegativeNumber(state: ParserState): boolean {
  const number = state.tokens[state.position + 1]?.kind
  return at(state, '-') && (number === 'int' || number === 'double')
}

function operation(state: ParserState, name: string, offset: number, args: readonly Expression[]): Call {
  return grow(state, { kind: 'call', name, target: undefined, args, offset }, 1, args)
}
