import { stripVTControlCharacters } from 'node:util'

/** The further indentation of continued lines. */
const HANGING = 2
/** Lines with less room than this are not wrapped. */
const LEAST_ROOM = 20

/**
 * Returns the text with every line longer than `columns` broken at blanks, its continued lines indented below its beginning. A long word is
 * not broken.
 */
export function wrapLines(text: string, columns: number): string {
  return text
    .split('\n')
    .map((line) => wrapLine(line, columns))
    .join('\n')
}

function wrapLine(line: string, columns: number): string {
  const [indent = ''] = /^ */.exec(line) ?? []
  if (widthOf(line) <= columns || columns - indent.length < LEAST_ROOM) return line
  const lines: string[] = []
  for (const word of line.slice(indent.length).split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && widthOf(`${last} ${word}`) <= columns) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(`${indent}${last === undefined ? '' : ' '.repeat(HANGING)}${word}`)
  }
  return lines.join('\n')
}

/** Styles take no room. */
function widthOf(text: string): number {
  return Array.from(stripVTControlCharacters(text)).length
}
