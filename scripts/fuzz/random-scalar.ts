import type { Random } from './random.ts'

/**
 * Words that every reader takes for text, and the characters with a meaning. No number, boolean or null: what a text means is not compared
 * here.
 */
const WORDS = ['a', 'bc', 'd e', 'é', '漢', 'x:y', 'a#b', '-q', '?w', ':v', '\u{1f600}', '-', '?', 'z-', 'r/s', '=k', 'l...', 'm---']
const INDICATORS = [
  ': ',
  ' #',
  '#',
  ':',
  '- ',
  '? ',
  ',',
  '[',
  ']',
  '{',
  '}',
  '&a ',
  '!t ',
  '|',
  '>',
  '%',
  '@',
  '`',
  '---',
  '...',
  "'",
  '"',
  '\\',
]
const ESCAPES = [
  '\\n',
  '\\\\',
  '\\"',
  '\\t',
  '\\ ',
  '\\/',
  '\\x41',
  '\\u00e9',
  '\\U0001F600',
  '\\0',
  '\\N',
  '\\L',
  '\\_',
  '\\e',
  '\\',
  '\\\t',
  '\\q',
  '\\x4',
]

/**
 * A text that holds one scalar, or nearly: in a map, a list or a flow collection, with other members and comments around it. Not every text
 * is YAML.
 */
export function scalarText(random: Random): string {
  const text = random.oneIn(6) ? flowText(random) : blockText(random)
  const whole = random.oneIn(12) ? text.replaceAll('\n', '\r\n') : text
  return random.oneIn(10) ? whole.replace(/\r?\n$/, '') : whole
}

function blockText(random: Random): string {
  const outer = random.pick(['', '', '', 'o:\n', '- ', '-\n', 'o:\n  p:\n', 'o:\n- '])
  const column =
    outer === '' ? 0 : outer.endsWith('- ') ? outer.lastIndexOf('-') - outer.lastIndexOf('\n') + 1 : outer.lastIndexOf('\n') > 4 ? 4 : 2
  const indent = ' '.repeat(column)
  const holder = random.pick(['k:', 'k:', 'k:', '-', '"k":', "'k':", 'k :', '? k\n:'])
  const first = outer.endsWith('- ') ? '' : indent
  const behind = random.oneIn(3) ? '' : `${indent}${holder === '-' ? '- z' : 'z: y'}\n`
  const before = random.oneIn(4) && !outer.endsWith('- ') ? `${indent}${holder === '-' ? '- w' : 'w: v'}\n` : ''
  const held = holder.replace('\n', `\n${indent}`)
  return `${outer}${before}${first}${held}${heldValue(random, column)}${behind}`
}

/** Returns what follows a colon or dash, on its line or on lines below it. */
function heldValue(random: Random, column: number): string {
  const properties = random.oneIn(12) ? random.pick([' &a', ' !t', ' !!str', ' &a !t']) : ''
  const isBelow = random.oneIn(3)
  if (!isBelow) return `${properties}${random.oneIn(8) ? random.pick(['  ', '\t', ' \t']) : ' '}${scalar(random, column)}`
  const comments = Array.from(
    { length: random.below(3) },
    () => `${' '.repeat(random.below(column + 5))}#${random.pick(['', ' c', 'k: v'])}\n`,
  )
  const behindKey = random.oneIn(3) ? ' # d' : ''
  const indent = ' '.repeat(column + random.below(4))
  return `${properties}${behindKey}\n${comments.join('')}${indent}${scalar(random, column)}`
}

function scalar(random: Random, column: number): string {
  const comment = random.oneIn(8) ? random.pick([' # c', ' #', '  ', '\t# c']) : ''
  switch (random.below(5)) {
    case 0:
      return `${lines(random, column, plainPiece)}${comment}\n`
    case 1:
      return `'${lines(random, column, singlePiece)}'${comment}\n`
    case 2:
      return `"${lines(random, column, doublePiece)}"${comment}\n`
    default:
      return blockScalar(random, column, comment)
  }
}

/** Lines of a plain or quoted scalar: mostly one, with blank lines between some, and blanks at their ends. */
function lines(random: Random, column: number, piece: (random: Random) => string): string {
  const count = random.oneIn(2) ? 1 : 1 + random.below(4)
  const parts = Array.from({ length: count }, (_, index) => {
    const content = Array.from({ length: random.below(3) + (random.oneIn(9) ? 0 : 1) }, () => piece(random)).join(
      random.oneIn(3) ? ' ' : '',
    )
    return index === 0 ? content : `${lineBreak(random, column)}${content}`
  })
  return parts.join('')
}

function lineBreak(random: Random, column: number): string {
  const blanks = Array.from(
    { length: random.oneIn(3) ? 1 + random.below(2) : 0 },
    () => `${' '.repeat(random.below(column + 4))}${random.oneIn(12) ? '\t' : ''}\n`,
  )
  const before = random.oneIn(5) ? random.pick([' ', '  ', '\\', ' \\', '\\ ', '\\\\', '\t']) : ''
  const comment = random.oneIn(25) ? ' # c' : ''
  return `${before}${comment}\n${blanks.join('')}${' '.repeat(Math.max(0, column - 1 + random.below(5)))}${random.oneIn(25) ? '\t' : ''}`
}

const plainPiece = (random: Random): string => (random.oneIn(6) ? random.pick(INDICATORS) : random.pick(WORDS))
const singlePiece = (random: Random): string => (random.oneIn(5) ? "''" : plainPiece(random))
const doublePiece = (random: Random): string => (random.oneIn(3) ? random.pick(ESCAPES) : plainPiece(random))

function blockScalar(random: Random, column: number, comment: string): string {
  const indentation = random.oneIn(4) ? String(1 + random.below(4)) : ''
  const chomping = random.pick(['', '', '-', '+'])
  const header = random.oneIn(2) ? `${indentation}${chomping}` : `${chomping}${indentation}`
  const content = Array.from({ length: random.below(5) }, () => blockLine(random, column))
  return `${random.pick(['|', '>'])}${header}${comment}\n${content.join('')}`
}

function blockLine(random: Random, column: number): string {
  if (random.oneIn(4)) return `${' '.repeat(random.below(column + 6))}\n`
  const extra = random.oneIn(4) ? random.below(4) : 2
  const blank = random.oneIn(10) ? random.pick(['\t', ' ', '  ']) : ''
  const end = random.oneIn(8) ? random.pick([' ', '  ', '\t', ' # c']) : ''
  return `${' '.repeat(column + extra)}${blank}${plainPiece(random)}${random.oneIn(2) ? ` ${plainPiece(random)}` : ''}${end}\n`
}

function flowText(random: Random): string {
  const members = Array.from({ length: 1 + random.below(3) }, (_, index) => flowMember(random, index))
  const [open, close] = random.pick([
    ['[', ']'],
    ['{', '}'],
  ])
  const inside = members
    .map((member, index) => (open === '{' ? `k${index}: ${member}` : member))
    .join(random.pick([', ', ',', ',\n    ', ' , ']))
  const key = random.pick(['k: ', '- ', '', 'o:\n  k: ', 'k:\n  '])
  return `${key}${open}${random.oneIn(4) ? ' ' : ''}${inside}${random.oneIn(6) ? ',' : ''}${random.oneIn(8) ? '\n  ' : ''}${close}\n${random.oneIn(2) ? '' : key.startsWith('- ') ? '- z\n' : 'z: y\n'}`
}

function flowMember(random: Random, index: number): string {
  if (random.oneIn(8)) return random.pick(['[]', '{}', `[a${index}]`, `{b: c}`])
  const style = random.below(3)
  if (style === 0) return lines(random, 4, plainPiece)
  return style === 1 ? `'${lines(random, 4, singlePiece)}'` : `"${lines(random, 4, doublePiece)}"`
}
