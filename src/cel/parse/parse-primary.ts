import type { Call, Constant, Expression, LiteralValue, MapEntry } from '../expression.ts'
import { extendedCall } from '../extensions/extensions.ts'
import { Uint } from '../value.ts'
import { expandMacro } from './macros.ts'
import { accept, at, expect, grow, next, type ParserState, peek, syntaxError } from './parser-state.ts'
import { unquoteBytes, unquoteString } from './string-literal.ts'
import { reservedAdvice } from './syntax-advice.ts'
import type { Token } from './tokens.ts'

/** Parses `primary.field`, `primary.method(args)`, `primary[index]`, `package.Message{}`, in any number. */
export function parseMember(state: ParserState): Expression {
  const start = state.position
  let member = parsePrimary(state)
  while (at(state, '.', '[', '{')) {
    if (at(state, '.')) member = parseSelection(state, member)
    else if (at(state, '[')) member = parseIndex(state, member)
    else {
      const name = messageName(state.tokens.slice(start, state.position))
      if (name === undefined) return member
      member = parseMessage(state, name)
    }
  }
  return member
}

function parseSelection(state: ParserState, operand: Expression): Expression {
  const { offset } = next(state)
  const optional = accept(state, '?') !== undefined
  if (optional && !state.isExtended)
    state.faults.push({ offset, message: "unsupported syntax '.?'", cause: { kind: 'optional', operand, field: peek(state).text } })
  const { kind, text, offset: place } = takeField(state)
  if (kind === 'identifier' && !optional && at(state, '(')) return parseMethod(state, operand, text)
  if (optional && state.isExtended) {
    const field: Constant = { kind: 'constant', value: text, offset: place }
    return grow(state, { kind: 'call', name: '_?._', target: undefined, args: [operand, field], offset }, 1, [operand])
  }
  return grow(state, { kind: 'select', operand, field: text, test: false, offset }, 1, [operand])
}

function parseMethod(state: ParserState, target: Expression, name: string): Expression {
  const { offset } = peek(state)
  const args = parseArguments(state)
  const written: Call = { kind: 'call', name, target, args, offset }
  const called = state.isExtended ? extendedCall(written, state.faults) : written
  const call = called.kind === 'call' ? expandMacro(called, state.faults, state.isExtended) : called
  return grow(state, call, 1, [target, ...args])
}

function parseIndex(state: ParserState, operand: Expression): Expression {
  const { offset } = next(state)
  const isOptional = accept(state, '?') !== undefined
  if (isOptional && !state.isExtended) {
    state.faults.push({ offset, message: "unsupported syntax '[?'", cause: { kind: 'optional', operand, field: undefined } })
  }
  const index = state.parseExpression(state)
  expect(state, ']')
  return grow(
    state,
    { kind: 'call', name: isOptional && state.isExtended ? '_[?_]' : '_[_]', target: undefined, args: [operand, index], offset },
    1,
    [operand, index],
  )
}

const MIN_INT = -(2n ** 63n)

const MAX_INT = 2n ** 63n - 1n

const MAX_UINT = 2n ** 64n - 1n

const KEYWORDS: ReadonlyMap<string, LiteralValue> = new Map<string, LiteralValue>([
  ['true', true],
  ['false', false],
  ['null', null],
])

type Reader = (text: string) => LiteralValue | { readonly fault: string }

// Words that cel-spec keeps for later; `true`, `false`, `null` and `in` are tokens of their own.
const RESERVED = new Set('as break const continue else for function if import let loop package namespace return var void while'.split(' '))

/** Parses a literal, a name, a function call, a list, a map, or an expression in parentheses. */
function parsePrimary(state: ParserState): Expression {
  const { kind } = peek(state)
  if (kind === 'identifier' || at(state, '.')) return parseName(state)
  if (at(state, '(')) return parseGroup(state)
  if (at(state, '[')) return parseList(state)
  if (at(state, '{')) return parseMap(state)
  const literal = parseLiteral(state)
  if (literal !== undefined) return literal
  accept(state, '-') // a sign may begin a number, so the word behind it is the wrong one
  return syntaxError(state, 'an expression')
}

function parseGroup(state: ParserState): Expression {
  next(state)
  const inner = state.parseExpression(state)
  expect(state, ')')
  return inner
}

function parseName(state: ParserState): Expression {
  const start = peek(state).offset
  const dot = accept(state, '.') === undefined ? '' : '.'
  const { kind, text, offset } = peek(state)
  if (kind !== 'identifier') syntaxError(state, 'a name')
  next(state)
  if (RESERVED.has(text) && !isMessageAhead(state)) {
    state.faults.push({ offset: start, message: `reserved identifier: ${text}`, cause: { kind: 'syntax', advice: reservedAdvice(text) } })
  }
  if (!at(state, '(')) return { kind: 'identifier', name: dot + text, offset }
  const { offset: place } = peek(state)
  const args = parseArguments(state)
  return grow(
    state,
    expandMacro({ kind: 'call', name: dot + text, target: undefined, args, offset: place }, state.faults, state.isExtended),
    0,
    args,
  )
}

/** Returns true if the identifier just read begins a message literal, `a.b.Message{`, in which reserved words are allowed. */
function isMessageAhead(state: ParserState): boolean {
  let position = state.position
  while (state.tokens[position]?.text === '.' && state.tokens[position + 1]?.kind === 'identifier') position += 2
  return state.tokens[position]?.text === '{'
}

function parseList(state: ParserState): Expression {
  const { offset } = next(state)
  const elements: Expression[] = []
  const optional = new Set<Expression>()
  const parseElement = () => {
    const isOptional = acceptOptional(state)
    const element = state.parseExpression(state)
    elements.push(element)
    if (isOptional) optional.add(element)
  }
  if (!at(state, ',', ']')) parseElement()
  while (accept(state, ',') && !at(state, ']')) {
    if (elements.length === 0) syntaxError(state, "']'")
    parseElement()
  }
  expect(state, ']')
  return grow(state, { kind: 'list', elements, ...(optional.size > 0 && { optional }), offset }, 0, elements)
}

/** Takes the `?` of an optional element or entry, which only the extension libraries know. */
function acceptOptional(state: ParserState): boolean {
  const mark = accept(state, '?')
  if (mark !== undefined && !state.isExtended) state.faults.push({ offset: mark.offset, message: "unsupported syntax '?'" })
  return mark !== undefined
}

function parseMap(state: ParserState): Expression {
  const { offset } = next(state)
  const entries = parseEntries(state, () => state.parseExpression(state))
  return grow(
    state,
    { kind: 'map', entries, offset },
    0,
    entries.flatMap(({ key, value }) => [key, value]),
  )
}

function parseEntries(state: ParserState, parseKey: () => Expression): readonly MapEntry[] {
  const entries: MapEntry[] = []
  const parseEntry = () => {
    const isOptional = acceptOptional(state)
    const key = parseKey()
    expect(state, ':')
    entries.push({ key, value: state.parseExpression(state), ...(isOptional && { isOptional }) })
  }
  if (!at(state, ',', '}')) parseEntry()
  while (accept(state, ',') && !at(state, '}')) {
    if (entries.length === 0) syntaxError(state, "'}'")
    parseEntry()
  }
  expect(state, '}')
  return entries
}

/** Returns the name that tokens spell when they are nothing but `.a.b.c`. */
function messageName(tokens: readonly Token[]): string | undefined {
  const name = tokens.map((token) => token.text).join('')
  return tokens.every(({ kind, text }) => kind === 'identifier' || text === '.') ? name : undefined
}

/** Parses `{field: value}` after the name of a message. */
function parseMessage(state: ParserState, name: string): Expression {
  const { offset } = next(state)
  const entries = parseEntries(state, () => parseField(state))
  const values = entries.map(({ value }) => value)
  return grow(state, { kind: 'message', name, values, offset }, 0, values)
}

function parseField(state: ParserState): Constant {
  const { text, offset } = takeField(state)
  return { kind: 'constant', value: text, offset }
}

/** Takes the name of a field. A name in back-quotes, as in ``labels.`a/b` ``, is known with the extension libraries alone, as in kpt. */
function takeField(state: ParserState): Token {
  const token = peek(state)
  if (token.kind !== 'identifier' && token.kind !== 'escaped') syntaxError(state, 'a field name')
  next(state)
  if (token.kind === 'identifier') return token
  if (!state.isExtended) state.faults.push({ offset: token.offset, message: "unsupported syntax: '`'" })
  return { ...token, text: token.text.slice(1, -1) }
}

/** Parses `(a, b)`, without a comma at the end. */
function parseArguments(state: ParserState): readonly Expression[] {
  expect(state, '(')
  if (accept(state, ')')) return []
  const args = [state.parseExpression(state)]
  while (accept(state, ',')) args.push(state.parseExpression(state))
  expect(state, ')')
  return args
}

/**
 * Reads a literal and returns its constant; undefined if the next token is no literal. A literal without a value adds a fault and gives
 * null.
 */
function parseLiteral(state: ParserState): Constant | undefined {
  const { offset, text } = peek(state)
  const sign = text === '-' ? '-' : ''
  const token = state.tokens[state.position + sign.length]
  const read = token && readerOf(token, sign)
  if (token === undefined || read === undefined) return undefined
  for (let taken = 0; taken <= sign.length; taken++) next(state)
  const value = read(sign + token.text)
  if (typeof value !== 'object' || value === null || !('fault' in value)) return { kind: 'constant', value, offset }
  state.faults.push({ offset, message: value.fault })
  return { kind: 'constant', value: null, offset }
}

function readerOf({ kind, text }: Token, sign: string): Reader | undefined {
  if (kind === 'int') return readInt
  if (kind === 'double') return readDouble
  if (sign !== '') return undefined
  if (kind === 'uint') return readUint
  if (kind === 'string') return (literal) => unquoteString(literal) ?? { fault: 'invalid unicode code point' }
  if (kind === 'bytes') return (literal) => unquoteBytes(literal) ?? { fault: 'unable to unescape string' }
  const value = kind === 'keyword' ? KEYWORDS.get(text) : undefined
  return value === undefined ? undefined : () => value
}

function readInt(text: string): ReturnType<Reader> {
  const value = text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text)
  return value >= MIN_INT && value <= MAX_INT ? value : { fault: 'invalid int literal' }
}

function readUint(text: string): ReturnType<Reader> {
  const value = BigInt(text.slice(0, -1))
  return value <= MAX_UINT ? new Uint(value) : { fault: 'invalid uint literal' }
}

function readDouble(text: string): ReturnType<Reader> {
  const value = Number(text)
  return Number.isFinite(value) ? value : { fault: 'invalid double literal' }
}
