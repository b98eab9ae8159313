import { yamlLibrary } from './yaml-library.ts'

/** A comment on a line of its own, with no blank behind its `#`. */
const TIGHT = /(?<![^\n]) *#[^ \t\r\n]/

/** What the library's lexer yields beside parts of the text: where a document, a scalar or the rest of a broken flow collection begins. */
const [DOCUMENT, SCALAR, FLOW_ERROR] = ['\x02', '\x1f', '\x18']

/** A comment that is seen only when the one above it is loose, again and again, nobody wrote. */
const MOST_PASSES = 10

/**
 * Puts a blank in the place of the first character of each comment on a line of its own: `#c` becomes `# `. The library's lexer takes the
 * column of such a comment for that of the key or dash above it, unless a blank is behind the `#`, and reads the keys below the value as
 * further lines of the value:
 *
 *     spec:
 *       name:
 *     #from the catalog
 *         web
 *       replicas: 3   ← read as a part of the name
 *
 * Offsets stay, and no comment is read from this text. What begins with `#` in a block scalar or between quotes is no comment, so the
 * lexer says which are; it reads scalars too long, never too short, so that what it calls a comment is one.
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
