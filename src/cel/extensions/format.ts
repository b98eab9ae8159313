import { checkLength, LimitExceeded, spend, spendText } from '../budget.ts'
import { CONVERSIONS } from '../builtins/conversion.ts'
import { EvaluationFailure, noSignature } from '../builtins/failure.ts'
import { parseWholeNumber } from '../builtins/numbers.ts'
import type { CheckedExpression } from '../check/check.ts'
import type { Type } from '../check/types.ts'
import { type Call, childrenOf, type Expression } from '../expression.ts'
import type { CompileFault } from '../faults.ts'
import { type CelValue, isCelList, isMap, type Kind, kindOf, type ListValue, type MapValue, Uint } from '../value.ts'

/*
 * `format` of cel-go's extension library of strings, version 2 (ext/formatting.go), with its quirks: numbers of `%f` have the separators of
 * American English, and `%e` reads the precision as the least width and always prints six digits.
 */

/** `%.2f` in a text: how an argument is written. */
interface Clause {
  readonly letter: string
  readonly precision: number
}

const DEFAULT_PRECISION = 6

/** The kinds of values that a clause writes, the complaint about others, and the text for a value. */
interface ClauseRule {
  /** Undefined for all kinds. */
  readonly kinds: ReadonlySet<Kind> | undefined
  readonly complaint: string
  readonly write: (value: CelValue, precision: number) => string
}

const INTEGERS: readonly Kind[] = ['int', 'uint']

const HEX: ClauseRule = {
  kinds: new Set<Kind>([...INTEGERS, 'bytes', 'string']),
  complaint: 'only integers, byte buffers, and strings can be formatted as hex',
  write: writeHex,
}

const CLAUSES: ReadonlyMap<string, ClauseRule> = new Map<string, ClauseRule>([
  ['s', { kinds: undefined, complaint: '', write: writeText }],
  ['d', { kinds: new Set(INTEGERS), complaint: 'decimal clause can only be used on integers', write: (value) => String(integerOf(value)) }],
  [
    'f',
    {
      kinds: new Set<Kind>(['double', 'string']),
      complaint: 'fixed-point clause can only be used on doubles',
      write: (value, precision) => writeFixed(doubleOf(value), precision),
    },
  ],
  [
    'e',
    {
      kinds: new Set<Kind>(['double', 'string']),
      complaint: 'scientific clause can only be used on doubles',
      write: (value, width) => writeScientific(doubleOf(value)).padStart(width),
    },
  ],
  [
    'b',
    {
      kinds: new Set<Kind>([...INTEGERS, 'bool']),
      complaint: 'only integers and bools can be formatted as binary',
      write: (value) => (typeof value === 'boolean' ? String(Number(value)) : integerOf(value).toString(2)),
    },
  ],
  ['x', HEX],
  ['X', { ...HEX, write: (value) => writeHex(value).toUpperCase() }],
  [
    'o',
    { kinds: new Set(INTEGERS), complaint: 'octal clause can only be used on integers', write: (value) => integerOf(value).toString(8) },
  ],
])

/** Returns the text with each clause replaced by its value: `text.format(values)`. @throws EvaluationFailure */
export function format(...[text, values]: readonly CelValue[]): string {
  if (typeof text !== 'string' || values === undefined || !isCelList(values)) throw noSignature('format', [text ?? null, values ?? null])
  spendText(text.length)
  return replaceClauses(text, values.length, (position, { letter, precision }) => {
    const value = values[position] ?? null
    const rule = ruleOf(letter)
    // Texts are values of `%f` for the numbers that JSON lacks.
    const fits = rule.kinds?.has(kindOf(value)) !== false && (!'fe'.includes(letter) || typeof value !== 'string' || NUMBERS.has(value))
    if (!fits) throw duringFormatting(`${rule.complaint}, was given ${kindOf(value)}`)
    const written = rule.write(value, precision)
    spendText(written.length)
    return written
  })
}

/**
 * Returns the faults of calls whose text and list of values are literals, which cel-go finds when an expression is compiled.
 *
 * @example  `'%d'.format(['a'])` is a fault at 'a'; `'%d'.format([dyn('a')])` fails when it is evaluated
 */
export function formatFaults(tree: Expression, typeOf: CheckedExpression['typeOf']): readonly CompileFault[] {
  const own = tree.kind === 'call' && tree.name === 'format' ? callFault(tree, typeOf) : undefined
  return [...(own === undefined ? [] : [own]), ...childrenOf(tree).flatMap((child) => formatFaults(child, typeOf))]
}

function callFault({ target, args: [list], offset }: Call, typeOf: CheckedExpression['typeOf']): CompileFault | undefined {
  if (target?.kind !== 'constant' || typeof target.value !== 'string' || list?.kind !== 'list') return undefined
  const { elements } = list
  let read = 0
  let place = offset
  try {
    replaceClauses(target.value, elements.length, (position, { letter }) => {
      read = position + 1
      const element = elements[position]
      const type = element && typeOf(element)
      const { kinds, complaint } = ruleOf(letter)
      if (element === undefined || type === undefined || type.kind === 'dyn' || kinds?.has(kindOfType(type)) !== false) return ''
      place = element.offset
      throw duringFormatting(`${complaint}, was given ${kindOfType(type)}`)
    })
  } catch (error) {
    if (error instanceof EvaluationFailure || error instanceof LimitExceeded) return { offset: place, message: error.message }
    throw error
  }
  if (elements.length <= read) return undefined
  return { offset, message: `too many arguments supplied to string.format (expected ${read}, got ${elements.length})` }
}

function kindOfType({ kind }: Type): Kind {
  if (kind === 'timestamp' || kind === 'duration') return kind === 'timestamp' ? 'google.protobuf.Timestamp' : 'google.protobuf.Duration'
  if (kind === 'null') return 'null_type'
  if (kind === 'optional') return 'optional_type'
  return kind === 'record' || kind === 'variable' || kind === 'dyn' || kind === '!error!' ? 'map' : kind
}

const MARK = /%(%|(\.\d*)?)/g

/**
 * Replaces the clauses of a text; `%%` is a percent sign.
 *
 * @param size   the number of values
 * @param write  returns the text for the value at a position
 * @throws EvaluationFailure  for a clause that cannot be read or has no value
 */
function replaceClauses(text: string, size: number, write: (position: number, clause: Clause) => string): string {
  const pieces: string[] = []
  let length = 0
  let end = 0
  let position = 0
  for (let mark = matchFrom(text, end); mark !== null; mark = matchFrom(text, end)) {
    pieces.push(text.slice(end, mark.index))
    length += mark.index - end
    end = mark.index + mark[0].length
    if (mark[1] === '%') {
      pieces.push('%')
      continue
    }
    if (position >= size) throw new EvaluationFailure(`index ${position} out of range`)
    if (end >= text.length && mark[2] === undefined) throw new EvaluationFailure('unexpected end of string')
    const letter = String.fromCodePoint(text.codePointAt(end) ?? 0)
    const written = write(position, clauseOf(mark[2], end < text.length ? letter : undefined))
    length += written.length
    checkLength(length)
    pieces.push(written)
    end += letter.length
    position++
  }
  checkLength(length + text.length - end)
  return [...pieces, text.slice(end)].join('')
}

function matchFrom(text: string, start: number): RegExpExecArray | null {
  MARK.lastIndex = start
  return MARK.exec(text)
}

/** @param letter  undefined at the end of the text */
function clauseOf(precision: string | undefined, letter: string | undefined): Clause {
  const complain = (reason: string): EvaluationFailure => new EvaluationFailure(`could not parse formatting clause: ${reason}`)
  if (letter === undefined) throw complain('error while parsing precision: could not find end of precision specifier')
  const clause = { letter, precision: precision === undefined ? DEFAULT_PRECISION : readPrecision(precision.slice(1), complain) }
  if (!CLAUSES.has(letter)) throw complain(`unrecognized formatting clause "${letter}"`)
  checkLength(clause.precision)
  return clause
}

function readPrecision(digits: string, complain: (reason: string) => EvaluationFailure): number {
  try {
    return parseWholeNumber(digits)
  } catch (error) {
    if (!(error instanceof EvaluationFailure)) throw error
    throw complain(`error while parsing precision: error while converting precision to integer: ${error.message}`)
  }
}

function ruleOf(letter: string): ClauseRule {
  const rule = CLAUSES.get(letter)
  if (rule === undefined) throw new Error('a clause that was read has a rule')
  return rule
}

function duringFormatting(reason: string): EvaluationFailure {
  return new EvaluationFailure(`error during formatting: ${reason}`)
}

const NUMBERS: ReadonlyMap<string, number> = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
])

function doubleOf(value: CelValue): number {
  return typeof value === 'number' ? value : (NUMBERS.get(String(value)) ?? Number.NaN)
}

function integerOf(value: CelValue): bigint {
  return value instanceof Uint ? value.value : BigInt(String(value))
}

function writeHex(value: CelValue): string {
  if (typeof value !== 'string' && !(value instanceof Uint8Array)) return integerOf(value).toString(16)
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value
  checkLength(2 * bytes.length)
  spend(bytes.length)
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Returns a value as `%s` writes it. */
function writeText(value: CelValue): string {
  if (value === null) return 'null'
  if (isCelList(value)) return writeList(value)
  if (isMap(value)) return writeMap(value)
  const convert = CONVERSIONS.get('string')
  if (kindOf(value) === 'type' || convert === undefined) return typeof value === 'object' && 'name' in value ? String(value.name) : ''
  try {
    return String(convert(value))
  } catch (error) {
    if (!(error instanceof EvaluationFailure)) throw error
    throw duringFormatting(`could not convert argument "${error.message}" to string`)
  }
}

/** Units of work for writing a list, however short it is, and for a map and each of its entries, which are sorted. */
const WORK_OF_LIST = 4
const WORK_OF_MAP = 8

function writeList(list: ListValue): string {
  spend(WORK_OF_LIST + list.length)
  return `[${joined(list.map(writeMember))}]`
}

const KEYS: ReadonlySet<Kind> = new Set<Kind>(['string', 'bool', 'int', 'uint'])

function writeMap(map: MapValue): string {
  spend(WORK_OF_MAP * (1 + map.size))
  const pairs = Array.from(map, ([key, value]) => {
    if (!KEYS.has(kindOf(key))) throw duringFormatting(`no formatting function for map key of type ${kindOf(key)}`)
    return [writeMember(key), writeMember(value)] as const
  })
  return `{${joined(pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map((pair) => pair.join(':')))}}`
}

/** Joins the members of a list or map, whose text must not be longer than a string may be: a list may hold another one often. */
function joined(members: readonly string[]): string {
  checkLength(members.reduce((length, member) => length + member.length + 2, 0))
  return members.join(', ')
}

/** Returns a value within a list or a map, as a literal of CEL. */
function writeMember(value: CelValue): string {
  const kind = kindOf(value)
  if (typeof value === 'number') return Number.isFinite(value) ? signed(value, decimals(value, DEFAULT_PRECISION)) : `"${writeText(value)}"`
  if (kind === 'google.protobuf.Timestamp') return `timestamp("${writeText(value)}")`
  if (kind === 'google.protobuf.Duration') return `duration("${writeText(value)}")`
  if (kind === 'bytes') return `b${quoted(writeText(value))}`
  return kind === 'string' ? quoted(writeText(value)) : writeText(value)
}

/** The letters that a quoted text has behind a backslash. */
export const ESCAPES: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
}

/** Returns a text as Go's `%q` writes it. */
function quoted(text: string): string {
  spendText(text.length)
  return `"${text.replaceAll(/["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, (letter) => ESCAPES[letter] ?? escaped(letter))}"`
}

function escaped(letter: string): string {
  const point = letter.codePointAt(0) ?? 0
  const digits = point.toString(16)
  if (point < 0x80) return `\\x${digits.padStart(2, '0')}`
  return point < 0x10000 ? `\\u${digits.padStart(4, '0')}` : `\\U${digits.padStart(8, '0')}`
}

function signed(value: number, digits: string): string {
  return value < 0 || Object.is(value, -0) ? `-${digits}` : digits
}

function writeFixed(value: number, precision: number): string {
  if (!Number.isFinite(value)) return writeInfinite(value)
  const [whole = '', fraction] = decimals(value, precision).split('.')
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')
  const digits = fraction === undefined ? grouped : `${grouped}.${fraction}`
  return value < 0 ? `-${digits}` : digits
}

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** Returns a number as `1.052000 × 10⁰³`, with narrow spaces. */
function writeScientific(value: number): string {
  if (!Number.isFinite(value)) return writeInfinite(value)
  let [, exponent = '0'] = value.toExponential().split('e')
  let digits = decimals(value, DEFAULT_PRECISION, Number(exponent))
  if (digits.startsWith('10.')) {
    exponent = String(Number(exponent) + 1)
    digits = decimals(value, DEFAULT_PRECISION, Number(exponent))
  }
  const power = String(Math.abs(Number(exponent)))
    .padStart(2, '0')
    .replaceAll(/\d/g, (digit) => SUPERSCRIPTS[Number(digit)] ?? '')
  return `${value < 0 ? '-' : ''}${digits}\u202f×\u202f10${Number(exponent) < 0 ? '⁻' : ''}${power}`
}

function writeInfinite(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  return value > 0 ? '∞' : '-∞'
}

/** Returns the size of value / 10^exponent, rounded to a number of decimals, half to even, as Go does; JavaScript rounds half up. */
function decimals(value: number, precision: number, exponent = 0): string {
  spendText(precision)
  let [mantissa, halves] = [Math.abs(value), 0]
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2
    halves++
  }
  const shift = precision - exponent
  const numerator = BigInt(mantissa) * 10n ** BigInt(Math.max(0, shift))
  const denominator = 2n ** BigInt(halves) * 10n ** BigInt(Math.max(0, -shift))
  const twice = (numerator % denominator) * 2n
  const down = numerator / denominator
  const isUp = twice > denominator || (twice === denominator && down % 2n === 1n)
  const digits = String(isUp ? down + 1n : down).padStart(precision + 1, '0')
  return precision === 0 ? digits : `${digits.slice(0, -precision)}.${digits.slice(-precision)}`
}
