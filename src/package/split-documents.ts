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

/** `---` alone, or with a comment. */
const SEPARATOR = /^\uFEFF?---\s*(#|$)/
/** `--- ` and the document's first line, which counts only where a document may begin. */
const INLINE_START = /^\uFEFF?---\s(?=\s*\S)/

/**
 * Cuts a file at its lines `---`, as kpt does before it parses (kyaml kio/byteio_reader.go splitDocuments): the rest of such a line must be
 * blank or a comment. Only at the very start of a document may it hold the document itself (`--- {a: 1}`).
 */
export function splitDocuments(file: string): { readonly chunks: readonly Chunk[]; readonly faults: readonly SeparatorFault[] } {
  const drafts: Draft[] = []
  const faults: SeparatorFault[] = []
  for (const [i, line] of (file.match(/[^\n]*\n|[^\n]+$/g) ?? []).entries()) {
    const current = drafts.at(-1)
    const inline = current === undefined || current.lines.length === 0 ? INLINE_START.exec(line)?.[0] : undefined
    if (SEPARATOR.test(line)) drafts.push({ separator: line, lines: [], line: i + 2 })
    else if (inline !== undefined) drafts.push({ separator: inline, lines: [line.slice(inline.length)], line: i + 1 })
    else if (current === undefined) drafts.push({ separator: '', lines: [line], line: i + 1 })
    else current.lines.push(line)
    if (line.startsWith('---') && !SEPARATOR.test(line) && inline === undefined) faults.push({ line: i + 1, column: 1, text: line.trim() })
  }
  return { chunks: drafts.map(toChunk), faults }
}

interface Draft {
  readonly separator: string
  readonly lines: string[]
  readonly line: number
}

function toChunk({ separator, lines, line }: Draft): Chunk {
  const end = lines.findIndex((text) => /^\.\.\.(\s|$)/.test(text))
  const written = (end < 0 ? lines : lines.slice(0, end)).join('')
  const before = written.startsWith('\uFEFF') ? '\uFEFF' : ''
  const text = written.slice(before.length)
  return { separator, before, text, after: end < 0 ? '' : lines.slice(end).join(''), isEmpty: isEmptyDocument(text), line }
}

/** A line that is neither blank nor a comment; there is no need to look beyond the second. */
const CONTENT = /(?:^|\n)[^\S\n]*([^\s#][^\n]*)/g

/** Comments and blank lines, or one plain null among them: kpt does not count such a document. */
function isEmptyDocument(text: string): boolean {
  const [first, second] = text.matchAll(CONTENT)
  return first === undefined || (second === undefined && /^(~|null|Null|NULL)(\s+#.*)?$/.test(first[1]?.trim() ?? ''))
}
