import { compactJson, equalJson, isRecord, type JsonRecord, type JsonValue, lookup } from '../../json.ts'
import { sha256Hex } from '../../kubernetes/truncated-name.ts'
import { quoteText } from '../../schema/describe-value.ts'
import { asQuestion, nearestName } from '../../schema/nearest-name.ts'
import { emitValue } from '../../yaml/emit/emit.ts'
import { TEXT_MAPS } from './text-maps.ts'

/** A template that Argo CD would refuse, or that convert cannot follow. The message comes after the field of the template. */
export class TemplateFault extends Error {}

/**
 * A value in a template; undefined for a parameter that is not there. A bigint is an integer of the template: numbers of parameters are
 * floats.
 */
export type TemplateValue = JsonValue | undefined

/** Returns the text that Go writes for a value. @throws TemplateFault for what Go writes as `<no value>`, `map[…]` or with an exponent */
export function goText(value: TemplateValue): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'bigint' && Number.isSafeInteger(Number(value))) return String(value)
  if (typeof value === 'number' && (value === 0 || (Math.abs(value) >= 1e-4 && Math.abs(value) < 1e6))) return String(value)
  if (typeof value === 'number' || typeof value === 'bigint')
    throw new TemplateFault(`must use texts for numbers that Go writes with an exponent, got ${String(value)}; quote the number`)
  throw new TemplateFault(
    `must give a text, got ${value === undefined || value === null ? 'a parameter without a value' : 'a map or list'}`,
  )
}

/** Returns true for what a condition of a Go template counts as false. */
export function isEmpty(value: TemplateValue): boolean {
  if (Array.isArray(value)) return value.length === 0
  if (isRecord(value)) return Object.keys(value).length === 0
  return value === undefined || value === null || value === false || value === 0 || value === 0n || value === ''
}

/** Returns a name as Argo CD makes it legal: at most 253 of a-z0-9, '-' and '.' (SanitizeName). */
export function sanitizedName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^-a-z0-9.]/g, '-')
    .slice(0, 253)
    .replaceAll(/^[-.]+|[-.]+$/g, '')
}

type TemplateFunction = (...args: TemplateValue[]) => TemplateValue

/** The functions of Go's templates, Argo CD and sprig that convert follows, with the order of arguments that a pipeline needs. */
export const TEMPLATE_FUNCTIONS: Readonly<Record<string, TemplateFunction>> = {
  add: (...args) => args.map(wholeNumber).reduce((sum, each) => sum + each, 0n),
  and: (...args) => {
    const at = args.findIndex(isEmpty)
    return args.at(at)
  },
  b64dec: (text) => decoded(goText(text)),
  b64enc: (text) => Buffer.from(goText(text)).toString('base64'),
  cat: (...args) =>
    args
      .filter((each) => each !== undefined && each !== null)
      .map(goText)
      .join(' '),
  coalesce: (...args) => args.find((each) => !isEmpty(each)),
  contains: (part, text) => goText(text).includes(goText(part)),
  default: (fallback, value) => (isEmpty(value) ? fallback : value),
  dict: (...args) => Object.fromEntries(pairsOf(args)),
  dig: (...args) => dug(args.slice(0, -2).map(goText), args.at(-2), args.at(-1)),
  empty: (value: TemplateValue) => isEmpty(value),
  eq: (first, ...others) => others.some((other) => isSame(first, other)),
  first: (list) => listOf(list)[0],
  ge: (one, other) => order(one, other) >= 0,
  get: (map, key) => (isRecord(map) ? (lookup(map, goText(key)) ?? '') : notFollowed('get', 'a map')),
  gt: (one, other) => order(one, other) > 0,
  has: (item, list) => listOf(list).some((each) => typeof each === typeof item && equalJson(each, item ?? null)),
  hasKey: (map, key) => (isRecord(map) ? Object.hasOwn(map, goText(key)) : notFollowed('hasKey', 'a map')),
  hasPrefix: (part, text) => goText(text).startsWith(goText(part)),
  hasSuffix: (part, text) => goText(text).endsWith(goText(part)),
  indent: (count, text) => indented(numberOf(count), goText(text)),
  index: (value, ...steps) => steps.reduce(memberAt, value),
  initial: (list) => listOf(list).slice(0, -1),
  int: (value) => wholeNumber(value),
  join: (separator, list) => listOf(list).map(goText).join(goText(separator)),
  last: (list) => listOf(list).at(-1),
  le: (one, other) => order(one, other) <= 0,
  len: (value) => lengthOf(value),
  list: (...args) => args.map((each) => each ?? null),
  lower: (text) => goText(text).toLowerCase(),
  lt: (one, other) => order(one, other) < 0,
  mul: (one, ...args) => args.map(wholeNumber).reduce((product, each) => product * each, wholeNumber(one)),
  ne: (first, other) => !isSame(first, other),
  nindent: (count, text) => `\n${indented(numberOf(count), goText(text))}`,
  normalize: (text) => sanitizedName(goText(text)),
  nospace: (text) => goText(text).replaceAll(/\s/g, ''),
  not: (value) => isEmpty(value),
  or: (...args) => args.find((each) => !isEmpty(each)) ?? args.at(-1),
  print: (...args) => (args.length === 1 ? goText(args[0]) : notFollowed('print', 'one argument')),
  printf: (format, ...args) => formatted(goText(format), args),
  quote: (text) => JSON.stringify(goText(text)),
  replace: (from, to, text) => goText(text).replaceAll(goText(from), () => goText(to)),
  rest: (list) => listOf(list).slice(1),
  sha256sum: (text) => sha256Hex(goText(text)),
  slugify: (...args) => slug(args),
  snakecase: (text) => snakeCase(goText(text)),
  split: (separator, text) =>
    Object.fromEntries([...goText(text).split(goText(separator)).entries()].map(([at, part]) => [`_${at}`, part])),
  splitList: (separator, text) => goText(text).split(goText(separator)),
  squote: (text) => `'${goText(text)}'`,
  sub: (one, other) => wholeNumber(one) - wholeNumber(other),
  substr: (start, end, text) => substring(Math.max(0, numberOf(start)), numberOf(end), asciiText(text)),
  ternary: (yes, no, condition) => (condition === true ? yes : no),
  toJson: (value: TemplateValue) => jsonOf(value),
  toString: (value: TemplateValue) => goText(value),
  toYaml: (value: TemplateValue) => emitValue(sortedKeys(value), { column: 0, sequences: 'compact' }).replace(/^\n/, ''),
  trim: (text) => goText(text).trim(),
  trimAll: (characters, text) => trimmed(goText(text), goText(characters)),
  trimPrefix: (part, text) => (goText(text).startsWith(goText(part)) ? goText(text).slice(goText(part).length) : goText(text)),
  trimSuffix: (part, text) => {
    const [end, whole] = [goText(part), goText(text)]
    return end !== '' && whole.endsWith(end) ? whole.slice(0, -end.length) : whole
  },
  trunc: (count, text) => (numberOf(count) < 0 ? asciiText(text).slice(numberOf(count)) : asciiText(text).slice(0, numberOf(count))),
  upper: (text) => goText(text).toUpperCase(),
}

/** The functions that take any number of arguments. */
export const VARIADIC: ReadonlySet<string> = new Set([
  ...['add', 'and', 'cat', 'coalesce', 'dict', 'dig', 'eq', 'index', 'list', 'mul', 'or', 'print', 'printf', 'slugify'],
])

function notFollowed(name: string, what: string): never {
  throw new TemplateFault(`must give the function ${name} ${what}`)
}

/** Compares as Go does: values of two kinds are no equal values but an error. */
function isSame(one: TemplateValue, other: TemplateValue): boolean {
  if (typeof one !== typeof other || typeof one === 'object') throw new TemplateFault('must compare values of one kind: a text with a text')
  return one === other
}

function listOf(value: TemplateValue): readonly JsonValue[] {
  if (!Array.isArray(value)) throw new TemplateFault('must use a list here')
  return value
}

function numberOf(value: TemplateValue): number {
  if (typeof value === 'bigint') return Number(value)
  throw new TemplateFault("must use a whole number of the template here: Argo CD's parameters are no integers")
}

function decoded(text: string): string {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') !== text) throw new TemplateFault(`must use b64dec with base64, got ${quoteText(text)}`)
  return bytes.toString()
}

/** Returns a number as sprig makes it whole: a parameter with a fraction, and a text that is no plain number, are refused. */
function wholeNumber(value: TemplateValue): bigint {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  if (typeof value === 'string' && /^(?:0|-?[1-9]\d{0,14})$/.test(value)) return BigInt(value)
  throw new TemplateFault(
    `must use a whole number here, got ${value === undefined ? 'a parameter without a value' : quoteText(String(value))}`,
  )
}

/** Compares as Go does: two texts, or two numbers of one kind. */
function order(one: TemplateValue, other: TemplateValue): number {
  const isText = typeof one === 'string' && typeof other === 'string'
  const isNumber = (typeof one === 'bigint' && typeof other === 'bigint') || (typeof one === 'number' && typeof other === 'number')
  if (one === undefined || other === undefined || one === null || other === null || !(isText || isNumber))
    throw new TemplateFault('must compare texts, or numbers of one kind: `int` makes whole numbers of parameters')
  if (isText) return Buffer.compare(Buffer.from(one), Buffer.from(other))
  return one === other ? 0 : one < other ? -1 : 1
}

function lengthOf(value: TemplateValue): bigint {
  if (typeof value === 'string') return BigInt(Buffer.byteLength(value))
  if (Array.isArray(value)) return BigInt(value.length)
  return isRecord(value) ? BigInt(Object.keys(value).length) : notFollowed('len', 'a text, list or map')
}

function indented(count: number, text: string): string {
  if (count < 0 || count > WIDEST_INDENT) throw new TemplateFault(`must indent by 0 to ${WIDEST_INDENT} columns, got ${count}`)
  const margin = ' '.repeat(count)
  return `${margin}${text.replaceAll('\n', `\n${margin}`)}`
}

const WIDEST_INDENT = 1000

/** Returns the keys and values of `dict`: a key without a value gets an empty text. */
function pairsOf(args: readonly TemplateValue[]): readonly (readonly [string, JsonValue])[] {
  return args.flatMap((key, at) => (at % 2 === 0 ? [[goText(key), at + 1 < args.length ? (args[at + 1] ?? null) : ''] as const] : []))
}

function dug([key = '', ...others]: readonly string[], fallback: TemplateValue, map: TemplateValue): TemplateValue {
  if (!isRecord(map)) return notFollowed('dig', 'a map')
  if (!Object.hasOwn(map, key)) return fallback
  return others.length === 0 ? map[key] : dug(others, fallback, map[key])
}

/** Returns a name of words with `_` between them. Capitals and digits, which sprig divides by rules of their own, are refused. */
function snakeCase(text: string): string {
  if (/^[a-z]+(?:[-_ ][a-z]+)*$/.test(text)) return text.replaceAll(/[- ]/g, '_')
  throw new TemplateFault(`must use snakecase with words of a-z, got ${quoteText(text)}: \`replace "-" "_"\` takes other names too`)
}

/** Returns the JSON of a value as Go writes it: keys by name, and `<`, `>` and `&` escaped. */
function jsonOf(value: TemplateValue): string {
  return compactJson(sortedKeys(value)).replaceAll(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`)
}

function sortedKeys(value: TemplateValue): JsonValue {
  if (Array.isArray(value)) return value.map(sortedKeys)
  if (!isRecord(value)) return value ?? null
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, each]) => [key, sortedKeys(each)]))
}

/** Returns a text that is cut: Go counts bytes. */
function asciiText(value: TemplateValue): string {
  const text = goText(value)
  if (/^[\x20-\x7e]*$/.test(text)) return text
  throw new TemplateFault(`must cut texts of plain letters, got ${quoteText(text)}`)
}

function substring(start: number, end: number, text: string): string {
  return end < 0 || end > text.length ? text.slice(start) : text.slice(start, end)
}

function memberAt(value: TemplateValue, step: TemplateValue): TemplateValue {
  if (Array.isArray(value)) {
    const at = numberOf(step)
    if (at < 0 || at >= value.length)
      throw new TemplateFault(`must name an entry of the list, ${at} is outside of its ${value.length} entries`)
    return value[at]
  }
  if (isRecord(value)) return lookup(value, goText(step)) ?? (TEXT_MAPS.has(value) ? '' : undefined)
  throw new TemplateFault('must use index with a list or a map')
}

function trimmed(text: string, characters: string): string {
  const letters = [...text]
  const start = letters.findIndex((each) => !characters.includes(each))
  const end = letters.findLastIndex((each) => !characters.includes(each))
  return start === -1 ? '' : letters.slice(start, end + 1).join('')
}

function formatted(format: string, args: readonly TemplateValue[]): string {
  const rest = [...args]
  const text = format.replaceAll(/%(.)/g, (whole, verb: string) => {
    if (verb === '%') return '%'
    const value = rest.shift()
    if (verb === 's' && typeof value === 'string') return value
    if (verb === 'd' && typeof value === 'bigint') return String(value)
    if (verb === 'v') return goText(value)
    throw new TemplateFault(`must use printf with %s for texts, %d for numbers of the template, and %v, got '${whole}'`)
  })
  if (rest.length > 0) throw new TemplateFault('must use printf with a verb for each value')
  return text
}

/**
 * `slugify [SIZE] [SMART] NAME`: a name without dots, cut to 50. A cut depends on Argo CD's version, so a name that must be cut is refused.
 */
function slug(args: readonly TemplateValue[]): string {
  const [size, name] = [args.length > 1 ? numberOf(args[0]) : 50, goText(args.at(-1))]
  const text = sanitizedName(name)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  if (text.length >= size) throw new TemplateFault(`must not cut a name with slugify, ${quoteText(text)} is not shorter than ${size}`)
  return text
}

/** Returns the value of a path of fields. @throws TemplateFault for a field that is not there, if the set says so, or of what is no map */
export function parameterAt(params: TemplateValue, fields: readonly string[], isStrict: boolean): TemplateValue {
  let value: TemplateValue = params
  for (const [index, field] of fields.entries()) {
    if (!isRecord(value)) throw new TemplateFault(`must name a parameter of the generator, got '.${fields.slice(0, index + 1).join('.')}'`)
    const within: JsonRecord = value
    value = lookup(within, field)
    if (value === undefined && (isStrict || index < fields.length - 1)) {
      const near = asQuestion(nearestName(field, Object.keys(within)))
      throw new TemplateFault(`must name a parameter of the generator, got '.${fields.slice(0, index + 1).join('.')}'${near}`)
    }
  }
  return value
}
