import { Composer, isAlias, isMap, isNode, isScalar, isSeq, Lexer, Parser } from 'yaml'

const LIBRARY = { Composer, isAlias, isMap, isNode, isScalar, isSeq, Lexer, Parser }

/**
 * The full YAML parser. Loading it takes longer than reading an ordinary list, so the build makes this call load it
 * (scripts/at-first-call.mjs): a run that never meets unusual YAML does not pay for it.
 */
export function yamlLibrary(): typeof LIBRARY {
  return LIBRARY
}
