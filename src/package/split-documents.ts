import type { Position } from '../result.ts'

/** One document of a file with the text around it. The texts of all chunks, one after the other, are the file. */
export interface Chunk {
  /** The line `---` before it, with its comment; '' when the file begins without one. */
  readonly separator: string
  /** A byte order mark. */
  readonly before: string
  /** The document with its comments; a chunk that only holds comments, blank lines or `null` is no document (`isEmpty`). */
  readonly text: string
  /** From a line `...` on: no reader looks there. */
  readonly after: string
  readonly isEmpty: boolean
  /** The first line of `text` in the file, from 1. */
  readonly line: number
}

/** A line that looks like a separator and is none. */
export interface SeparatorFault extends Position {
  readonly text: string
}

/** A line with which a document may begin. Lines are not made into a list: a file may have millions. */
const DASHES = /(?<![^\n])\uFEFF?---[^\n]*\n?/g
/** `---` alone, or with a comment. */
const SEPARATOR = /^\uFEFF?---\s*(#|$)/
/** `--- ` and the document's first line, which counts only where a document may begin. */
const INLINE_START = /^\uFEFF?---\s(?=\s*\S)/
/** The line from which on no reader looks. */
const END = /(?<![^\n])\.\.\.(?=\s|$)/

/**
 * Cuts a file at its lines `---`, as kpt does before it parses (kyaml kio/byteio_reader.go splitDocuments): the rest of such a line must be
 * blank or a comment. Only at the very start of a document may it hold the document itself (`--- {a: 1}`).
 */
export function splitDocuments(file: string): { readonly chunks: readonly Chunk[]; readonly faults: readonly SeparatorFault[] } {
  const starts: Start[] = []
  const faults: SeparatorFault[] = []
  let [line, counted] = [1, 0]
  for (const { 0: text, index } of file.matchAll(DASHES)) {
    line += lineFeeds(file, counted, index)
    counted = index
    const inline = index === (starts.at(-1)?.from ?? 0) ? INLINE_START.exec(text)?.[0] : undefined
    if (SEPARATOR.test(text)) starts.push({ separator: text, at: index, from: index + text.length, line: line + 1 })
    else if (inline !== undefined) starts.push({ separator: inline, at: index, from: index + inline.length, line })
    else if (text.startsWith('---')) faults.push({ line, column: 1, text: text.trim() })
  }
  if (file !== '' && starts[0]?.at !== 0) starts.unshift({ separator: '', at: 0, from: 0, line: 1 })
  return { chunks: starts.map((start, i) => toChunk(start, file.slice(start.from, starts[i + 1]?.at))), faults }
}

/** The start of a document in a file. */
interface Start {
  readonly separator: string
  /** Where the separator begins. */
  readonly at: number
  /** Where the document begins. */
  readonly from: number
  readonly line: number
}

function lineFeeds(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count++
  return count
}

function toChunk({ separator, line }: Start, body: string): Chunk {
  const end = END.exec(body)?.index ?? body.length
  const before = body.startsWith('\uFEFF') && end > 0 ? '\uFEFF' : ''
  const text = body.slice(before.length, end)
  return { separator, before, text, after: body.slice(end), isEmpty: isEmptyDocument(text), line }
}

/** A line that is neither blank nor a comment; there is no need to look beyond the second. */
const CONTENT = /(?:^|\n)[^\S\n]*([^\s#][^\n]*)/g

/** Comments and blank lines, or one plain null among them: kpt does not count such a document. */
function isEmptyDocument(text: string): boolean {
  const [first, second] = text.matchAll(CONTENT)
  return first === undefined || (second === undefined && /^(~|null|Null|NULL)(\s+#.*)?$/.test(first[1]?.trim() ?? ''))
}
