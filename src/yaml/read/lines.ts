/** UTF-16 units between the line start and the offset. */
export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset)
}

export function lineStart(text: string, offset: number): number {
  return offset <= 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1
}

/** The offset of the line feed that ends the line, or of the end of the text. A carriage return before it belongs to the line's end. */
export function lineEnd(text: string, offset: number): number {
  const lineFeed = text.indexOf('\n', offset)
  const end = lineFeed === -1 ? text.length : lineFeed
  return end > offset && text[end - 1] === '\r' ? end - 1 : end
}

/** The start of the line below; the end of the text when there is none. */
export function lineBelow(text: string, offset: number): number {
  const lineFeed = text.indexOf('\n', offset)
  return lineFeed === -1 ? text.length : lineFeed + 1
}

/**
 * Whether some reader ends a line otherwise than with a line feed: at a carriage return alone, or at what YAML 1.1 and go-yaml v3 take for
 * the end of one (U+0085, U+2028, U+2029).
 */
export function hasOddBreak(text: string): boolean {
  const hasOne = text.includes('\x85') || text.includes('\u2028') || text.includes('\u2029')
  return hasOne || (text.includes('\r') && /\r(?!\n)/.test(text))
}

/** How the line at an offset ends, or, where it is the last, the one before it. */
export function lineBreakAt(text: string, offset: number): '\n' | '\r\n' {
  const next = text.indexOf('\n', offset)
  const lineFeed = next === -1 ? text.lastIndexOf('\n') : next
  return text[lineFeed - 1] === '\r' ? '\r\n' : '\n'
}

/** Whether only spaces stand before the offset on its line. */
export function isFirstOnLine(text: string, offset: number): boolean {
  return /^ *$/.test(text.slice(lineStart(text, offset), offset))
}

/**
 * Where a block value ends whose last scalar ends at `offset`: at the end of that line, or of the last of the comment lines
 * below it that are deeper than `column`, which is the column of the key or dash that holds the value.
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

/** The start of the comment lines directly above a line, at its own column; the line's start when there are none. */
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
