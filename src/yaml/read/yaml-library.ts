import { Composer, isAlias, isMap, isNode, isScalar, isSeq, Lexer, Parser } from 'yaml'

const LIBRARY = { Composer, isAlias, isMap, isNode, isScalar, isSeq, Lexer, Parser }

/** Returns the full YAML parser, for texts that the fast reader does not know. */
export function yamlLibrary(): typeof LIBRARY {
  return LIBRARY
}

/** The lexeme before a plain scalar, and before the text of a block scalar. */
const SCALAR = '\u001f'
/** The lexemes that are marks, and no text: before documents, flow errors and scalars. */
const MARKS = ['\u0002', '\u0018', SCALAR]
const BLOCK_HEADER = /^[|>][-+0-9]*$/

export interface PlainScalar {
  readonly text: string
  readonly line: number
  readonly column: number
}

/** Returns the plain scalars of a text of YAML, keys too, each with its place. A quoted or a block scalar is none. */
export function plainScalars(text: string): readonly PlainScalar[] {
  const found: PlainScalar[] = []
  let [line, column, before, header] = [1, 1, '', '']
  for (const lexeme of new Lexer().lex(text)) {
    if (before === SCALAR && !BLOCK_HEADER.test(header)) found.push({ text: lexeme, line, column })
    if (lexeme !== SCALAR && lexeme.trim() !== '') header = lexeme
    const lines = lexeme.split('\n')
    line += lines.length - 1
    const width = MARKS.includes(lexeme) ? 0 : (lines.at(-1)?.length ?? 0)
    column = lines.length > 1 ? width + 1 : column + width
    before = lexeme
  }
  return found
}
