import { firstThat } from '../../binary-search.ts'
import { type Node, walk } from './node.ts'
import { yamlLibrary } from './yaml-library.ts'

/** A repaired text; `origin` maps an offset in it to the offset in the original. */
export interface Repair {
  readonly text: string
  /** The offsets of the repaired lines in the original, in their order. */
  readonly lines: readonly number[]
  origin(offset: number): number
}

/** The indentation of repaired lines: deeper than the key or dash of any flow collection in practice. */
export const REPAIRED_COLUMN = 80

/** Matches characters that go-yaml writes in column 0 for a flow collection with comments; its own scanner accepts these lines. */
const ODD_LINE = /(?<![^\n])[\]},{[]/g

/**
 * Indents the lines of a flow collection that go-yaml writes in column 0, where YAML 1.2 allows none inside a block. Leading blanks are
 * no content in flow collections.
 *
 * @param others  the offsets of lines that are in no flow collection
 */
export function repairFlow(text: string, others: readonly number[] = []): Repair {
  const odd = [...text.matchAll(ODD_LINE)].map((match) => match.index)
  if (odd.length === 0 || odd[0] === 0) return { text, lines: [], origin: (offset) => offset }
  const left = new Set(others)
  const lines = odd.filter((at) => !left.has(at))
  const inserted = ' '.repeat(REPAIRED_COLUMN)
  const repaired = text.replace(ODD_LINE, (sign, at: number) => (left.has(at) ? sign : `${inserted}${sign}`))
  return { text: repaired, lines, origin: (offset) => offset - insertedBefore(lines, offset, inserted.length) }
}

/**
 * Returns the lines that became text of a scalar by their new indentation: `}` below `a: b` closes nothing, and is no part of the value.
 * Between quotes a line may begin in any column for go-yaml.
 */
export function linesInScalars(root: Node, lines: readonly number[]): readonly number[] {
  if (lines.length === 0) return []
  const firstAt = (offset: number) => firstThat(lines.length, (at) => (lines[at] ?? 0) >= offset)
  return [...walk(root)].flatMap(({ node, key }) =>
    [key, node].flatMap((part) => {
      if (part?.type !== 'scalar' || part.style === 'single' || part.style === 'double') return []
      return lines.slice(firstAt(part.start + 1), firstAt(part.end))
    }),
  )
}

function insertedBefore(odd: readonly number[], offset: number, width: number): number {
  return firstThat(odd.length, (at) => (odd[at] ?? 0) + (at + 1) * width > offset) * width
}

/** Matches a comment on a line of its own, without a blank after its `#`. */
const TIGHT = /(?<![^\n]) *#[^ \t\r\n]/

/** Lexemes that are not part of the text: the start of a document, of a scalar, or of the rest of a broken flow collection. */
const [DOCUMENT, SCALAR, FLOW_ERROR] = ['\x02', '\x1f', '\x18']

/** The most passes. A further pass is needed only for a comment that the lexer finds after the comment above it has changed. */
const MOST_PASSES = 10

/**
 * Replaces the first character of each comment on a line of its own by a blank: `#c` becomes `# `. The library's lexer takes the
 * column of such a comment for that of the key or dash above it, unless a blank follows the `#`, and reads the keys below the value as
 * further lines of the value:
 *
 *     spec:
 *       name:
 *     #from the catalog
 *         web
 *       replicas: 3   ← read as a part of the name
 *
 * Offsets stay, and no comment is read from this text. A `#` line in a block scalar or between quotes is not a comment, so the lexer
 * decides which lines are comments. The lexer makes scalars too long, never too short, so each comment it finds is one.
 */
export function withLooseComments(text: string): string {
  let loose = text
  for (let pass = 0; pass < MOST_PASSES && TIGHT.test(loose); pass++) {
    const next = loosened(loose)
    if (next === loose) break
    loose = next
  }
  return loose
}

function loosened(text: string): string {
  const { Lexer } = yamlLibrary()
  const parts: string[] = []
  let [offset, copied] = [0, 0]
  let [isScalar, isLineStart] = [false, true]
  for (const lexeme of new Lexer().lex(text)) {
    if (lexeme === DOCUMENT || lexeme === FLOW_ERROR) continue
    if (lexeme === SCALAR && !isScalar) {
      isScalar = true
      continue
    }
    if (!isScalar && isLineStart && /^#[^ \t\r\n]/.test(lexeme)) {
      parts.push(text.slice(copied, offset + 1), ' ')
      copied = offset + 2
    }
    offset += lexeme.length
    isLineStart = lexeme.endsWith('\n') || (isLineStart && /^ +$/.test(lexeme))
    isScalar = false
  }
  return parts.join('') + text.slice(copied)
}
