import { Composer, isAlias, isMap, isNode, isScalar, isSeq, Lexer, Parser } from 'yaml'

const LIBRARY = { Composer, isAlias, isMap, isNode, isScalar, isSeq, Lexer, Parser }

/** Returns the full YAML parser, for texts that the fast reader does not know. */
export function yamlLibrary(): typeof LIBRARY {
  return LIBRARY
}
