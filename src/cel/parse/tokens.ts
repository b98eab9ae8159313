import { endOfString, faultOfString } from './string-literal.ts'

export type TokenKind =
  | 'identifier'
  | 'escaped'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'keyword'
  | 'operator'
  | 'unknown'
  | 'end'

/** A word of an expression: text as written, offset in UTF-16 units. */
export interface Token {
  readonly kind: TokenKind
  readonly text: string
  readonly offset: number
  /** The fault of a text that has no end. */
  readonly fault?: string
}

const BLANK = /(?:[\t \r\n\f]+|\/\/[^\n]*)*/y
const QUOTE = /([bB]?)([rR]?)(?=["'])/y

// In order: the first that matches is the longest, as the grammar of cel-spec wants it.
const WORDS: readonly (readonly [TokenKind, RegExp])[] = [
  ['keyword', /(?:true|false|null|in)(?![A-Za-z0-9_])/y],
  ['identifier', /[A-Za-z_][A-Za-z0-9_]*/y],
  ['double', /\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?/y],
  ['uint', /(?:0x[0-9a-fA-F]+|\d+)[uU]/y],
  ['int', /0x[0-9a-fA-F]+|\d+/y],
  ['escaped', /`[A-Za-z0-9_.\-/ ]+`/y],
  ['operator', /==|!=|<=|>=|&&|\|\||[<>[\]{}().,\-!?:+*/%]/y],
]

/**
 * Splits an expression into words, blanks and comments left out, an `end` at the end (cel-spec, Syntax).
 * The first character that begins no word gives a last token of kind `unknown`.
 */
export function tokenize(expression: string): readonly Token[] {
  const tokens: Token[] = []
  for (let offset = skipBlank(expression, 0); ; ) {
    const token = tokenAt(expression, offset)
    tokens.push(token)
    if (token.kind === 'end' || token.kind === 'unknown') return tokens
    offset = skipBlank(expression, offset + token.text.length)
  }
}

function skipBlank(expression: string, offset: number): number {
  return offset + (matchAt(BLANK, expression, offset)?.[0].length ?? 0)
}

function tokenAt(expression: string, offset: number): Token {
  if (offset >= expression.length) return { kind: 'end', text: '', offset: expression.length }
  const quoted = quotedAt(expression, offset)
  if (quoted !== undefined) return quoted
  for (const [kind, pattern] of WORDS) {
    const match = matchAt(pattern, expression, offset)
    if (match !== null) return { kind, text: match[0], offset }
  }
  return { kind: 'unknown', text: String.fromCodePoint(expression.codePointAt(offset) ?? 0), offset }
}

function quotedAt(expression: string, offset: number): Token | undefined {
  const prefix = matchAt(QUOTE, expression, offset)
  if (prefix === null) return undefined
  const end = endOfString(expression, { start: offset + prefix[0].length, raw: prefix[2] !== '' })
  if (end === undefined) return prefix[0] === '' ? unfinished(expression, offset) : undefined
  return { kind: prefix[1] === '' ? 'string' : 'bytes', text: expression.slice(offset, end), offset }
}

function unfinished(expression: string, offset: number): Token {
  return { kind: 'unknown', text: expression.charAt(offset), offset, fault: faultOfString(expression, offset) }
}

function matchAt(pattern: RegExp, text: string, offset: number): RegExpExecArray | null {
  pattern.lastIndex = offset
  return pattern.exec(text)
}
