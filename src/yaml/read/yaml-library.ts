import { Composer, isAlias, isMap, isNode, isScalar, isSeq, Lexer, Parser } from 'yaml'

const LIBRARY = { Composer, isAlias, isMap, isNode, isScalar, isSeq, Lexer, Parser }

/** Returns the full YAML parser, for texts that the fast reader does not know. */
export function yamlLibrary(): typeof LIBRARY {
  return LIBRARY
}

/** The lexeme before a plain scalar, and before the text of a block scalar. */
const SCALAR = '\u001f'
const BLOCK_HEADER = /^[|>][-+0-9]*$/

/** Returns the plain scalars of a text of YAML, keys too, each with its line. A quoted or a block scalar is none. */
export function plainScalars(text: string): readonly { readonly text: string; readonly line: number }[] {
  const found: { readonly text: string; readonly line: number }[] = []
  let [line, before, header] = [1, '', '']
  for (const lexeme of new Lexer().lex(text)) {
    if (before === SCALAR && !BLOCK_HEADER.test(header)) found.push({ text: lexeme, line })
    if (lexeme !== SCALAR && lexeme.trim() !== '') header = lexeme
    line += lexeme.split('\n').length - 1
    before = lexeme
  }
  return found
}
