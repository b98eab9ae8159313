import type { Token } from './tokens.ts'

// Operators of other languages, with what CEL has instead.
const INSTEAD: Readonly<Record<string, string>> = {
  '=': "'==' compares",
  '&': "'&&' is the operator",
  '|': "'||' is the operator; there are no pipes",
  and: "'&&' is the operator",
  or: "'||' is the operator",
  not: "'!' is the operator",
  $: 'write variables as they are: target.name, not ${target.name}',
  '{{': 'write variables as they are: target.name, not {{ target.name }}',
  '“': 'write a text between \' or "',
  '”': 'write a text between \' or "',
  '‘': 'write a text between \' or "',
  '’': 'write a text between \' or "',
  if: "a choice is written test ? 'a' : 'b'",
  else: "a choice is written test ? 'a' : 'b'",
  package: 'the package that a target gives by default is packageDefault',
}

/** Returns what may have been meant by the word at `position`, which the grammar does not allow there; undefined without a suggestion. */
export function syntaxAdvice(tokens: readonly Token[], position: number): string | undefined {
  const token = tokens[position]
  if (token === undefined) return undefined
  if (tokens.some((each, i) => each.text === '{' && tokens[i + 1]?.text === '{')) return INSTEAD['{{']
  const missing = missingAdvice(tokens)
  if (missing !== undefined) return missing
  const previous = tokens[position - 1]
  if (token.kind === 'string' && (previous?.kind === 'string' || previous?.kind === 'identifier')) return 'texts are joined with +'
  return Object.hasOwn(INSTEAD, token.text) && token.fault === undefined ? INSTEAD[token.text] : undefined
}

/** Returns the advice for `a.b ?? 'c'` and `a?.b` of other languages: the choice that CEL has for a value that may be missing. */
function missingAdvice(tokens: readonly Token[]): string | undefined {
  const at = tokens.findIndex((each, i) => each.text === '?' && isNextTo(each, tokens[i + 1]) && /^[?.]$/.test(tokens[i + 1]?.text ?? ''))
  if (at === -1) return undefined
  const before = pathBefore(tokens, at)
  const follower = tokens[at + 2]
  const isField = tokens[at + 1]?.text === '.'
  const path = isField ? `${before}.${follower?.kind === 'identifier' ? follower.text : 'b'}` : before
  const value = !isField && follower?.kind === 'string' ? follower.text : "'none'"
  return `where it may be missing: ${/^\w+(?:\.\w+)+$/.test(path) ? `has(${path}) ? ${path} : ${value}` : `has(a.b) ? a.b : ${value}`}`
}

function isNextTo(token: Token, next: Token | undefined): boolean {
  return next?.offset === token.offset + token.text.length
}

/** Returns the path of names that ends before the token at `end`: `target.labels.region`. */
function pathBefore(tokens: readonly Token[], end: number): string {
  let start = end
  while (start > 0 && (tokens[start - 1]?.kind === 'identifier' || tokens[start - 1]?.text === '.')) start -= 1
  return tokens
    .slice(start, end)
    .map(({ text }) => text)
    .join('')
}

/** Returns what may have been meant by a word that CEL reserves. */
export function reservedAdvice(word: string): string {
  return INSTEAD[word] ?? `CEL keeps the word for later; a text needs quotes: '${word}'`
}
