import type { Position } from '../../result.ts'
import { lineStart } from './lines.ts'

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
