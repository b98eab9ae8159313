import { Composer, isAlias, isMap, isNode, isScalar, isSeq, Lexer, Parser } from 'yaml'

const LIBRARY = { Composer, isAlias, isMap, isNode, isScalar, isSeq, Lexer, Parser }

/**
 * Returns the full YAML parser. Loading it takes longer than reading an ordinary list, so the build delays loading to the first call
 * (scripts/at-first-call.mjs): a run without unusual YAML does not load it.
 */
export function yamlLibrary(): typeof LIBRARY {
  return LIBRARY
}
