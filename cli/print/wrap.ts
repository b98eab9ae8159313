import { stripVTControlCharacters } from 'node:util'

/** Further lines stand so much further in than the first. */
const HANGING = 2
/** Narrower than this nothing is gained. */
const LEAST_ROOM = 20

/** The text with every line that is longer than `columns` broken at blanks, its further lines below its beginning. A long word stays whole. */
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
