import type { Position } from '../result.ts'

/** A document of a file, and the text around it. The texts of all chunks in order are the file. */
export interface Chunk {
  /** The `---` line before the document, with its comment; '' if the file begins without one. */
  readonly separator: string
  /** A byte order mark. */
  readonly before: string
  /** The document with its comments. A chunk of comments, blank lines or `null` alone is no document (`isEmpty`). */
  readonly text: string
  /** The text from a `...` line on, which no reader parses. */
  readonly after: string
  readonly isEmpty: boolean
  /** The first line of `text` in the file, from 1. */
  readonly line: number
}

/** A line that looks like a separator but is none. */
export interface SeparatorFault extends Position {
  readonly text: string
}

/** Matches a line with which a document may begin. The lines are not collected in a list, since a file may have millions. */
const DASHES = /(?<![^\n])\uFEFF?---[^\n]*\n?/g
/** `---` alone, or with a comment. */
const SEPARATOR = /^\uFEFF?---\s*(#|$)/
/** Matches `--- ` before the document's first line, which is allowed only at the start of a document. */
const INLINE_START = /^\uFEFF?---\s(?=\s*\S)/
/** Matches the line after which no reader parses. */
const END = /(?<![^\n])\.\.\.(?=\s|$)/

/**
 * Splits a file at its `---` lines, as kpt does before parsing (kyaml kio/byteio_reader.go splitDocuments): the rest of such a line
 * must be blank or a comment. Only at the start of a document may the line hold the document itself (`--- {a: 1}`).
 *
 * @example  `a: 1\n---\nb: 2\n` → chunks with the texts `a: 1\n` and `b: 2\n`
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

/**
 * Returns the only document of a file that is not empty, with its first line; the whole file if there is none, or several. A header of
 * comments may be a document of its own.
 *
 * @example  `# licence\n---\na: 1\n` → `a: 1\n`, line 3
 */
export function onlyDocument(file: string): Pick<Chunk, 'text' | 'line'> {
  const chunks = file.includes('\n---') || file.startsWith('---') ? splitDocuments(file).chunks.filter(({ isEmpty }) => !isEmpty) : []
  const [only, ...others] = chunks
  return only === undefined || others.length > 0 ? { text: file, line: 1 } : only
}

/** The start of a document in a file. */
interface Start {
  readonly separator: string
  /** The offset of the separator. */
  readonly at: number
  /** The offset of the document. */
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

/** Matches a line that is neither blank nor a comment; at most two are needed. */
const CONTENT = /(?:^|\n)[^\S\n]*([^\s#][^\n]*)/g

/** Returns true for comments and blank lines, with or without one plain null: kpt does not count such a document. */
function isEmptyDocument(text: string): boolean {
  const [first, second] = text.matchAll(CONTENT)
  return first === undefined || (second === undefined && /^(~|null|Null|NULL)(\s+#.*)?$/.test(first[1]?.trim() ?? ''))
}
