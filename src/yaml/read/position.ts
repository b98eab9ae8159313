import type { Position } from '../../result.ts'

/** Line and column of an offset, both from 1; columns count code points. */
export function positionAt(text: string, offset: number): Position {
  const lineStart = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1
  return { line: countLines(text, lineStart) + 1, column: [...text.slice(lineStart, offset)].length + 1 }
}

/** How many line feeds stand before `end`. */
export function countLines(text: string, end: number = text.length): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) lines++
  return lines
}
