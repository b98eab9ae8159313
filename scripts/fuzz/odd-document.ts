import type { Random } from './random.ts'

/**
 * Returns a document that is rarely written but YAML allows: tabs between tokens, keys behind `? ` that may be empty, tags, anchors and
 * aliases, odd blank lines.
 */
export function oddDocument(random: Random): string {
  const start = random.oneIn(8) ? random.pick(['---\n', '---\t', '--- ', '\t\n', '# c\n', ' \t# c\n']) : ''
  const content = random.oneIn(6) ? `${flow(random, 2)}${lineEnd(random)}` : block(random, 3, '')
  return `${start}${content}${random.oneIn(8) ? random.pick(['...\n', '# c\n', '\t\n', '\n']) : ''}`
}

function block(random: Random, depth: number, indent: string): string {
  const member = random.oneIn(3) ? item : entry
  const members = Array.from({ length: 1 + random.below(3) }, () => blankLines(random) + member(random, depth, indent))
  return members.join('')
}

function item(random: Random, depth: number, indent: string): string {
  if (depth > 0 && random.oneIn(3)) return `${indent}- ${block(random, depth - 1, `${indent}  `).trimStart()}`
  return `${indent}-${value(random, depth, indent)}`
}

function entry(random: Random, depth: number, indent: string): string {
  const isExplicit = random.oneIn(6)
  const key = `${properties(random)}${random.pick([...(isExplicit ? [''] : []), 'a', 'b', 'c', '"d"', "''"])}`
  if (!isExplicit) return `${indent}${key}${random.oneIn(6) ? gap(random) : ''}:${value(random, depth, indent)}`
  return `${indent}?${gap(random)}${key}${lineEnd(random)}${random.oneIn(3) ? '' : `${indent}:${value(random, depth, indent)}`}`
}

/** Returns what stands behind a colon or dash, with its line feed. */
function value(random: Random, depth: number, indent: string): string {
  const before = `${gap(random)}${properties(random)}`
  if (depth > 0 && random.oneIn(3)) return `${before}${lineEnd(random)}${block(random, depth - 1, `${indent}  `)}`
  if (random.oneIn(10)) return `${before}|${lineEnd(random)}${indent}  text\n`
  return `${before}${random.oneIn(3) ? '' : flow(random, 2)}${lineEnd(random)}`
}

function flow(random: Random, depth: number): string {
  if (depth === 0 || random.oneIn(2)) return random.pick(['1', 'x', '"y"', "'z'", '{}', '[]', 'x y', '*x', '*y'])
  const isList = random.oneIn(2)
  const members = Array.from(
    { length: random.below(3) },
    () => `${blank(random)}${isList && !random.oneIn(6) ? flow(random, depth - 1) : flowEntry(random, depth)}${blank(random)}`,
  )
  return isList ? `[${members.join(',')}${blank(random)}]` : `{${members.join(',')}${blank(random)}}`
}

function flowEntry(random: Random, depth: number): string {
  const key = random.oneIn(8) ? `? ${random.pick(['', 'a'])}` : random.pick(['a', 'b', '"d"'])
  return random.oneIn(6) ? key : `${key}${blank(random)}:${gap(random)}${flow(random, depth - 1)}`
}

function gap(random: Random): string {
  return random.oneIn(3) ? random.pick(['\t', ' \t', '\t ', '  ']) : ' '
}

function blank(random: Random): string {
  return random.oneIn(3) ? gap(random) : ''
}

function properties(random: Random): string {
  return random.oneIn(10) ? random.pick(['&x ', '!!str ', '!t ', '&y\t']) : ''
}

function lineEnd(random: Random): string {
  return random.oneIn(4) ? random.pick([' # c\n', '\t# c\n', '\t\n', ' \n', '\n\n', '\n\t\n', '\n# c\n']) : '\n'
}

function blankLines(random: Random): string {
  return random.oneIn(12) ? random.pick(['\n', '# c\n', '\t\n', '  \t# c\n']) : ''
}
