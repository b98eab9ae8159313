import { checkLength, spendText } from '../budget.ts'
import { EvaluationFailure, noSignature } from '../builtins/failure.ts'
import { type CelValue, isCelList } from '../value.ts'
import { ESCAPES, format } from './format.ts'
import { wholeOf } from './list-functions.ts'

type TextFunction = (...args: readonly CelValue[]) => CelValue

/** The functions of cel-go's extension library of strings, version 2. Positions count code points. */
export const TEXT_FUNCTIONS: ReadonlyMap<string, TextFunction> = new Map<string, TextFunction>([
  ['charAt', onText('charAt', (text, at) => pointsOf(text)[inside(at, pointsOf(text).length)] ?? '')],
  ['indexOf', (text, part, from = 0n) => first(textsOf('indexOf', [text, part]), wholeOf('indexOf', from))],
  [
    'lastIndexOf',
    (text, part, from) => last(textsOf('lastIndexOf', [text, part]), from === undefined ? undefined : wholeOf('lastIndexOf', from)),
  ],
  ['lowerAscii', onText('lowerAscii', (text) => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()))],
  ['upperAscii', onText('upperAscii', (text) => text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase()))],
  ['trim', onText('trim', (text) => text.replace(/^\p{White_Space}+/u, '').slice(0, endOfContent(text)))],
  ['replace', replace],
  ['split', split],
  ['substring', substring],
  ['join', join],
  ['strings.quote', onText('strings.quote', quote)],
  ['format', format],
])

function onText(name: string, run: (text: string, second: CelValue) => string): TextFunction {
  return (text, second = null) => {
    if (typeof text !== 'string') throw noSignature(name, [text ?? null])
    spendText(text.length)
    return run(text, second)
  }
}

function endOfContent(text: string): number {
  const start = /^\p{White_Space}*/u.exec(text)?.[0].length ?? 0
  let end = text.length
  while (end > start && /\p{White_Space}/u.test(text[end - 1] ?? '')) end--
  return end - start
}

function textsOf(name: string, values: readonly (CelValue | undefined)[]): readonly string[] {
  const texts = values.filter((value) => typeof value === 'string')
  if (texts.length < values.length)
    throw noSignature(
      name,
      values.map((value) => value ?? null),
    )
  for (const text of texts) spendText(text.length)
  return texts
}

function pointsOf(text: string): readonly string[] {
  return Array.from(text)
}

/** Returns a position from 0 to the length. @throws EvaluationFailure  for another one */
function inside(at: CelValue, length: number): number {
  if (typeof at !== 'bigint') throw noSignature('charAt', [at])
  if (at < 0n || at > BigInt(length)) throw outOfRange(at)
  return Number(at)
}

function outOfRange(at: number | bigint): EvaluationFailure {
  return new EvaluationFailure(`index out of range: ${at}`)
}

function first([text = '', part = '']: readonly string[], from: number): bigint {
  if (part === '') return BigInt(from)
  if (from < 0) throw outOfRange(from)
  const points = pointsOf(text)
  if (from >= points.length) return -1n
  payForSearch(text, part)
  const start = points.slice(0, from).join('').length
  return positionOf(text, text.indexOf(part, start))
}

/** @param from  the last position at which the part may begin; undefined for any */
function last([text = '', part = '']: readonly string[], from: number | undefined): bigint {
  const points = pointsOf(text)
  if (part === '') return BigInt(from ?? points.length)
  if (from !== undefined && from < 0) throw outOfRange(from)
  if (from !== undefined && from >= points.length) return -1n
  payForSearch(text, part)
  const start = from === undefined ? text.length : points.slice(0, from).join('').length
  return positionOf(text, text.lastIndexOf(part, start))
}

/** Pays for a search: JavaScript's search may take the product of both lengths. */
function payForSearch(text: string, part: string): void {
  if (part.length > 250) spendText((text.length * part.length) / 250)
}

/** Returns the number of code points before an offset; -1 for -1. */
function positionOf(text: string, offset: number): bigint {
  return offset === -1 ? -1n : BigInt(pointsOf(text.slice(0, offset)).length)
}

/** Returns `text.replace(old, new, most)`; a negative number replaces all. An empty `old` is before each code point and at the end. */
function replace(...[text, former, now, most = -1n]: readonly CelValue[]): string {
  const [whole = '', old = '', written = ''] = textsOf('replace', [text, former, now])
  payForSearch(whole, old)
  const limit = wholeOf('replace', most)
  const parts = old === '' ? ['', ...pointsOf(whole), ''] : whole.split(old)
  const count = limit < 0 ? parts.length - 1 : Math.min(limit, parts.length - 1)
  checkLength(whole.length + count * Math.max(0, written.length - old.length))
  spendText(count * written.length)
  return (
    parts.slice(0, count + 1).join(written) +
    parts
      .slice(count + 1)
      .map((part) => old + part)
      .join('')
  )
}

/** Returns `text.split(separator, most)`: the last of `most` parts is the rest; a negative number splits at all, 0 gives no part. */
function split(...[text, separator, most = -1n]: readonly CelValue[]): CelValue {
  const [whole = '', between = ''] = textsOf('split', [text, separator])
  payForSearch(whole, between)
  const limit = wholeOf('split', most)
  if (limit === 0) return []
  const parts = between === '' ? pointsOf(whole) : whole.split(between)
  if (limit < 0 || parts.length <= limit) return parts
  return [...parts.slice(0, limit - 1), parts.slice(limit - 1).join(between)]
}

function substring(...[text, from, to]: readonly CelValue[]): string {
  const [whole = ''] = textsOf('substring', [text])
  const points = pointsOf(whole)
  const start = wholeOf('substring', from)
  const end = to === undefined ? points.length : wholeOf('substring', to)
  if (to !== undefined && start > end) throw new EvaluationFailure(`invalid substring range. start: ${start}, end: ${end}`)
  for (const at of [start, end]) if (at < 0 || at > points.length) throw outOfRange(at)
  return points.slice(start, end).join('')
}

function join(...[list, separator = '']: readonly CelValue[]): string {
  if (list === undefined || !isCelList(list)) throw noSignature('join', [list ?? null, separator])
  const [between = '', ...parts] = textsOf('join', [separator, ...list])
  checkLength(parts.reduce((length, part) => length + part.length + between.length, 0))
  return parts.join(between)
}

/** The letters of `ESCAPES`, of which a backslash is doubled within brackets. */
const ESCAPED = new RegExp(`[${Object.keys(ESCAPES).join('').replace('\\', '\\\\')}]`, 'g')

function quote(text: string): string {
  checkLength(2 * text.length + 2)
  return `"${text.replaceAll(ESCAPED, (letter) => ESCAPES[letter] ?? letter)}"`
}
