import type { Position } from '../../result.ts'

/** Returns the number of UTF-16 units between the line start and the offset. */
export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset)
}

/** Returns the offset of the first character of the line that an offset is in. */
export function lineStart(text: string, offset: number): number {
  return offset <= 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1
}

/** Returns the offset of the line feed, or of the carriage return before it, that ends the line; at the last line the end of the text. */
export function lineEnd(text: string, offset: number): number {
  const lineFeed = text.indexOf('\n', offset)
  const end = lineFeed === -1 ? text.length : lineFeed
  return end > offset && text[end - 1] === '\r' ? end - 1 : end
}

/** Returns the start of the line below; the end of the text when there is none. */
export function lineBelow(text: string, offset: number): number {
  const lineFeed = text.indexOf('\n', offset)
  return lineFeed === -1 ? text.length : lineFeed + 1
}

/**
 * Returns true if some reader ends a line at something else than a line feed: at a lone carriage return, or at U+0085, U+2028 or U+2029,
 * the line breaks of YAML 1.1 and go-yaml v3.
 */
export function hasOddBreak(text: string): boolean {
  const hasOne = text.includes('\x85') || text.includes('\u2028') || text.includes('\u2029')
  return hasOne || (text.includes('\r') && /\r(?!\n)/.test(text))
}

/** Returns the line break of the line at an offset; of the last line, the line break before it. */
export function lineBreakAt(text: string, offset: number): '\n' | '\r\n' {
  const next = text.indexOf('\n', offset)
  const lineFeed = next === -1 ? text.lastIndexOf('\n') : next
  return text[lineFeed - 1] === '\r' ? '\r\n' : '\n'
}

/** Returns true if only spaces are before the offset on its line. */
export function isFirstOnLine(text: string, offset: number): boolean {
  return /^ *$/.test(text.slice(lineStart(text, offset), offset))
}

/**
 * Returns the end of a block value whose last scalar ends at `offset`: the end of that line, or of the last comment line below it that is
 * deeper than `column`.
 *
 * @param column  of the key or dash of the value
 */
export function blockEnd(text: string, offset: number, column: number): number {
  let end = lineEnd(text, offset)
  for (let next = lineBelow(text, end); next < text.length; next = lineBelow(text, next)) {
    const line = text.slice(next, lineEnd(text, next))
    const indent = line.search(/[^ \t]/)
    if (indent === -1) continue
    if (line[indent] !== '#' || indent <= column) break
    end = next + line.length
  }
  return end
}

/** Returns the start of the comment lines directly above a line and in its column; the line's start when there are none. */
export function ownCommentStart(text: string, offset: number): number {
  const column = columnOf(text, offset)
  let start = lineStart(text, offset)
  while (start > 0) {
    const above = lineStart(text, start - 1)
    if (text.slice(above, above + column).trim() !== '' || text[above + column] !== '#') break
    start = above
  }
  return start
}

/** Returns line and column of an offset, both from 1; columns count code points. */
export function positionAt(text: string, offset: number): Position {
  const start = lineStart(text, offset)
  return { line: countLines(text, start) + 1, column: countPoints(text, start, offset) + 1 }
}

/** Returns the number of code points between two offsets: a surrogate pair counts once. */
export function countPoints(text: string, from: number, to: number): number {
  let points = to - from
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    if (code >= 0xdc00 && code < 0xe000 && at > from && isHigh(text.charCodeAt(at - 1))) points--
  }
  return points
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00
}

/** Returns the number of line feeds before `end`. */
export function countLines(text: string, end: number = text.length): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) lines++
  return lines
}
