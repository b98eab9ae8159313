import type { Expression } from '../expression.ts'
import { expandMacro } from './macros.ts'
import { messageName, parseArguments, parseMessage, parsePrimary } from './parse-primary.ts'
import { accept, at, expect, grow, next, type ParserState, peek, syntaxError } from './parser-state.ts'

/** `primary.field`, `primary.method(args)`, `primary[index]`, `package.Message{}`, in any number. */
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
  const { kind, text, offset: place } = peek(state)
  if (optional) state.faults.push({ offset, message: "unsupported syntax '.?'", cause: { kind: 'optional', operand, field: text } })
  if (kind !== 'identifier' && kind !== 'escaped') syntaxError(state, 'a field name')
  next(state)
  if (kind === 'escaped') state.faults.push({ offset: place, message: "unsupported syntax: '`'" })
  if (kind === 'identifier' && !optional && at(state, '(')) return parseMethod(state, operand, text)
  return grow(state, { kind: 'select', operand, field: text, test: false, offset }, 1, [operand])
}

function parseMethod(state: ParserState, target: Expression, name: string): Expression {
  const { offset } = peek(state)
  const args = parseArguments(state)
  const call = expandMacro({ kind: 'call', name, target, args, offset }, state.faults)
  return grow(state, call, 1, [target, ...args])
}

function parseIndex(state: ParserState, operand: Expression): Expression {
  const { offset } = next(state)
  if (accept(state, '?')) {
    state.faults.push({ offset, message: "unsupported syntax '[?'", cause: { kind: 'optional', operand, field: undefined } })
  }
  const index = state.parseExpression(state)
  expect(state, ']')
  return grow(state, { kind: 'call', name: '_[_]', target: undefined, args: [operand, index], offset }, 1, [operand, index])
}
