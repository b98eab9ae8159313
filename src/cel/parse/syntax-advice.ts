import type { Token } from './tokens.ts'

// What other languages write, and what CEL has instead.
const INSTEAD: Readonly<Record<string, string>> = {
  '=': "'==' compares",
  '&': "'&&' is the operator",
  '|': "'||' is the operator; there are no pipes",
  and: "'&&' is the operator",
  or: "'||' is the operator",
  not: "'!' is the operator",
  $: 'variables stand as they are: target.name, not ${target.name}',
  '{{': 'variables stand as they are: target.name, not {{ target.name }}',
  '“': 'a text stands between \' or "',
  '”': 'a text stands between \' or "',
  '‘': 'a text stands between \' or "',
  '’': 'a text stands between \' or "',
  if: "a choice is written test ? 'a' : 'b'",
  else: "a choice is written test ? 'a' : 'b'",
  package: 'the package that a target gives by default is packageDefault',
}

/** What may be meant where the word at `position` cannot stand. */
export function syntaxAdvice(tokens: readonly Token[], position: number): string | undefined {
  const token = tokens[position]
  if (token === undefined) return undefined
  if (tokens.some((each, i) => each.text === '{' && tokens[i + 1]?.text === '{')) return INSTEAD['{{']
  const previous = tokens[position - 1]
  if (token.kind === 'string' && (previous?.kind === 'string' || previous?.kind === 'identifier')) return 'texts are joined with +'
  return Object.hasOwn(INSTEAD, token.text) && token.fault === undefined ? INSTEAD[token.text] : undefined
}

/** What may be meant by a word that CEL keeps for later. */
export function reservedAdvice(word: string): string {
  return INSTEAD[word] ?? `CEL keeps the word for later; a text needs quotes: '${word}'`
}
