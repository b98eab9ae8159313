import { isRecord, type JsonRecord, type JsonValue, lookup } from '../../json.ts'
import { quoteText } from '../../schema/describe-value.ts'
import { asQuestion, nearestName } from '../../schema/nearest-name.ts'

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
  and: (...args) => {
    const at = args.findIndex(isEmpty)
    return args.at(at)
  },
  coalesce: (...args) => args.find((each) => !isEmpty(each)),
  contains: (part, text) => goText(text).includes(goText(part)),
  default: (fallback, value) => (isEmpty(value) ? fallback : value),
  empty: (value: TemplateValue) => isEmpty(value),
  eq: (first, ...others) => others.some((other) => isSame(first, other)),
  first: (list) => listOf(list)[0],
  get: (map, key) => (isRecord(map) ? (lookup(map, goText(key)) ?? '') : notFollowed('get', 'a map')),
  hasKey: (map, key) => (isRecord(map) ? Object.hasOwn(map, goText(key)) : notFollowed('hasKey', 'a map')),
  hasPrefix: (part, text) => goText(text).startsWith(goText(part)),
  hasSuffix: (part, text) => goText(text).endsWith(goText(part)),
  index: (value, ...steps) => steps.reduce(memberAt, value),
  join: (separator, list) => listOf(list).map(goText).join(goText(separator)),
  last: (list) => listOf(list).at(-1),
  lower: (text) => goText(text).toLowerCase(),
  ne: (first, other) => !isSame(first, other),
  normalize: (text) => sanitizedName(goText(text)),
  nospace: (text) => goText(text).replaceAll(/\s/g, ''),
  not: (value) => isEmpty(value),
  or: (...args) => args.find((each) => !isEmpty(each)) ?? args.at(-1),
  print: (...args) => (args.length === 1 ? goText(args[0]) : notFollowed('print', 'one argument')),
  printf: (format, ...args) => formatted(goText(format), args),
  quote: (text) => JSON.stringify(goText(text)),
  replace: (from, to, text) => goText(text).replaceAll(goText(from), () => goText(to)),
  slugify: (...args) => slug(args),
  splitList: (separator, text) => goText(text).split(goText(separator)),
  squote: (text) => `'${goText(text)}'`,
  substr: (start, end, text) => substring(Math.max(0, numberOf(start)), numberOf(end), asciiText(text)),
  ternary: (yes, no, condition) => (condition === true ? yes : no),
  toString: (value: TemplateValue) => goText(value),
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
export const VARIADIC: ReadonlySet<string> = new Set(['and', 'coalesce', 'eq', 'index', 'or', 'print', 'printf', 'slugify'])

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
  if (isRecord(value)) return lookup(value, goText(step))
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
export function parameterAt(params: JsonRecord, fields: readonly string[], isStrict: boolean): TemplateValue {
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
