import { MAX_NESTING } from '../budget.ts'
import type { Expression } from '../expression.ts'
import { type CompileFault, Faults } from '../faults.ts'
import { syntaxAdvice } from './syntax-advice.ts'
import type { Token } from './tokens.ts'

/** Rules of the grammar that can contain themselves. cel-go counts the nesting of each on its own. */
export type NestingRule = 'expr' | 'relation' | 'calc'

/** The position of the parser and the faults found so far. */
export interface ParserState {
  readonly tokens: readonly Token[]
  position: number
  readonly faults: CompileFault[]
  readonly nesting: Record<NestingRule, number>
  /** Operators, selections, indexes and method calls on the longest way from a node to its leaves. */
  readonly heights: Map<Expression, number>
  /** True if calls of the extension libraries are known. */
  readonly isExtended: boolean
  /** Parses by the grammar's first rule, for the rules that contain whole expressions. */
  readonly parseExpression: (state: ParserState) => Expression
}

export function startParser(tokens: readonly Token[], parseExpression: ParserState['parseExpression'], isExtended: boolean): ParserState {
  return { tokens, position: 0, faults: [], nesting: { expr: 0, relation: 0, calc: 0 }, heights: new Map(), isExtended, parseExpression }
}

export function peek(state: ParserState): Token {
  return state.tokens[state.position] ?? { kind: 'end', text: '', offset: 0 }
}

export function next(state: ParserState): Token {
  const token = peek(state)
  state.position += 1
  return token
}

export function at(state: ParserState, ...operators: readonly string[]): boolean {
  const { kind, text } = peek(state)
  return (kind === 'operator' || kind === 'keyword') && operators.includes(text)
}

/** Takes the operator if it is next. */
export function accept(state: ParserState, operator: string): Token | undefined {
  return at(state, operator) ? next(state) : undefined
}

export function expect(state: ParserState, operator: string): Token {
  return accept(state, operator) ?? syntaxError(state, `'${operator}'`)
}

/** Throws Faults: the next token is not allowed here. The faults found so far are included. */
export function syntaxError(state: ParserState, expected: string): never {
  const { kind, text, offset, fault } = peek(state)
  const found = kind === 'end' ? 'end of expression' : `'${text}'`
  const message = `Syntax error: ${fault ?? `unexpected ${found}, expected ${expected}`}`
  const advice = syntaxAdvice(state.tokens, state.position) ?? choiceAdvice(state, expected)
  throw new Faults([...state.faults, { offset, message, ...(advice !== undefined && { cause: { kind: 'syntax', advice } }) }])
}

/** Returns the form of a choice, for one whose second value is missing: `target.name == 'a' ? 'b'`. */
function choiceAdvice({ tokens, position }: ParserState, expected: string): string | undefined {
  const isChoice = expected === "':'" && tokens.slice(0, position).some(({ text }) => text === '?')
  return isChoice ? "a choice has two values: test ? 'a' : 'b'" : undefined
}

/** Parses a rule of the grammar one level deeper. Throws Faults where cel-go's parser stops. */
export function nested<T>(state: ParserState, rule: NestingRule, parse: () => T): T {
  state.nesting[rule] += 1
  if (state.nesting[rule] > MAX_NESTING) stop(state, `expression recursion limit exceeded: ${MAX_NESTING}`)
  const parsed = parse()
  state.nesting[rule] -= 1
  return parsed
}

/** Notes the height of a node above the parts it was made from. Throws Faults where cel-go's tree walk stops. */
export function grow<T extends Expression>(state: ParserState, node: T, levels: 0 | 1, parts: readonly Expression[]): T {
  const height = levels + Math.max(0, ...parts.map((part) => state.heights.get(part) ?? 0))
  if (height > MAX_NESTING) stop(state, 'max recursion depth exceeded')
  if (height > 0) state.heights.set(node, height)
  return node
}

function stop(state: ParserState, message: string): never {
  throw new Faults([...state.faults, { offset: undefined, message }])
}
