import type { Constant, Literal } from '../expression.ts'
import { Uint } from '../value.ts'
import { next, type ParserState, peek } from './parser-state.ts'
import { unquoteBytes, unquoteString } from './string-literal.ts'
import type { Token } from './tokens.ts'

const MIN_INT = -(2n ** 63n)
const MAX_INT = 2n ** 63n - 1n
const MAX_UINT = 2n ** 64n - 1n

const KEYWORDS: ReadonlyMap<string, Literal> = new Map<string, Literal>([
  ['true', true],
  ['false', false],
  ['null', null],
])

/** The literal that comes next, if one does; a fault and null for one without a value. */
export function parseLiteral(state: ParserState): Constant | undefined {
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

type Reader = (text: string) => Literal | { readonly fault: string }

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
