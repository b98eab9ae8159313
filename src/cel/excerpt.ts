/**
 * The line of an expression with a caret under one place: two lines for people.
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
