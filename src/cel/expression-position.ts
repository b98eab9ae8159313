/** A place in an expression; both count from 1, columns in code points. */
export interface ExpressionPosition {
  readonly line: number
  readonly column: number
}

/** Returns the place of an offset, which counts UTF-16 units from 0. Only `\n` ends a line, as in cel-go. */
export function positionInExpression(expression: string, offset: number): ExpressionPosition {
  const before = expression.slice(0, offset)
  const start = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: countCodePoints(before.slice(start)) + 1 }
}

/** Returns the length of a text in code points, without a copy of it. */
export function countCodePoints(text: string): number {
  let count = text.length
  for (let i = 1; i < text.length; i++) {
    if (isLowSurrogate(text.charCodeAt(i)) && isHighSurrogate(text.charCodeAt(i - 1))) count -= 1
  }
  return count
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000
}

/**
 * Returns the line of an expression with a caret under one place: two lines for people.
 *
 * @param line   from 1
 * @param column from 1, in code points; a place behind the end of the line is shown behind it
 */
export function formatExcerpt(expression: string, line: number, column: number): string {
  const text = [...(expression.split('\n')[line - 1] ?? '')]
  const before = text.slice(0, column - 1).map((character) => (character === '\t' ? '\t' : ' '))
  const gap = ' '.repeat(Math.max(0, column - 1 - before.length))
  return `${text.join('')}\n${before.join('')}${gap}^`
}
