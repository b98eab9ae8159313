import { foldLines } from './fold.ts'
import { LongText } from './long-text.ts'
import { refuse } from './text-cursor.ts'

/**
 * Returns a quoted text of several lines as one line: folds the line breaks, and leaves other escapes unresolved.
 *
 * @param column  of the key or dash of the scalar: further lines must be deeper
 * @see YAML 1.2.2, 7.3.1 and 6.5
 */
export function joinQuotedLines(source: string, style: 'double' | 'single', column: number): string {
  const firstEnd = source.indexOf('\n')
  const content = new LongText()
  let line = endOf(lineTo(source, 0, firstEnd), style)
  let blankLines = 0
  content.add(line.text)
  for (const { written, isLast } of linesBehind(source, firstEnd)) {
    const text = withoutBlanksBefore(written)
    if (text === '' && !isLast) blankLines++
    else {
      if (written.length - text.length <= column) refuse()
      content.add(line.isBreakEscaped ? '\n'.repeat(blankLines) : foldLines(blankLines))
      line = isLast ? { text, isBreakEscaped: false } : endOf(text, style)
      content.add(line.text)
      blankLines = 0
    }
  }
  return content.text()
}

function* linesBehind(source: string, lineFeed: number): Generator<{ readonly written: string; readonly isLast: boolean }> {
  let start = lineFeed + 1
  for (let end = source.indexOf('\n', start); end !== -1; end = source.indexOf('\n', start)) {
    yield { written: lineTo(source, start, end), isLast: false }
    start = end + 1
  }
  yield { written: source.slice(start), isLast: true }
}

/** Returns a line without its line break, `\n` or `\r\n`. */
function lineTo(source: string, start: number, lineFeed: number): string {
  return source.slice(start, source[lineFeed - 1] === '\r' && lineFeed > start ? lineFeed - 1 : lineFeed)
}

/** Returns a line without the blanks at its end, except an escaped one, and reports an escaped line break. */
function endOf(line: string, style: 'double' | 'single'): { readonly text: string; readonly isBreakEscaped: boolean } {
  const text = withoutBlanksBehind(line)
  const backslashes = style === 'double' ? (/\\*$/.exec(text)?.[0].length ?? 0) : 0
  if (backslashes % 2 === 0) return { text, isBreakEscaped: false }
  return text.length < line.length
    ? { text: line.slice(0, text.length + 1), isBreakEscaped: false }
    : { text: text.slice(0, -1), isBreakEscaped: true }
}

// Not `trim`: other white space is content.
function withoutBlanksBefore(line: string): string {
  let at = 0
  while (line[at] === ' ' || line[at] === '\t') at++
  return line.slice(at)
}

function withoutBlanksBehind(line: string): string {
  let end = line.length
  while (line[end - 1] === ' ' || line[end - 1] === '\t') end--
  return line.slice(0, end)
}
