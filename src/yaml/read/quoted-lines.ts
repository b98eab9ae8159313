import { fold } from './fold.ts'
import { refuse } from './text-cursor.ts'

/**
 * What stands between quotes on several lines as it would stand on one: line breaks folded, escapes as they are written. Tabs are refused.
 *
 * @param column  of the key or dash that holds it, than which its further lines are deeper
 * @see YAML 1.2.2, 7.3.1 and 6.5
 */
export function joinQuotedLines(source: string, style: 'double' | 'single', column: number): string {
  if (source.includes('\t')) refuse()
  const [first = '', ...further] = source.split(/\r?\n/)
  let line = endOf(first, style)
  let blankLines = 0
  const parts = [line.text]
  for (const [index, written] of further.entries()) {
    const isLast = index === further.length - 1
    const content = withoutSpacesBefore(written)
    if (content === '' && !isLast) blankLines++
    else {
      if (written.length - content.length <= column) refuse()
      parts.push(line.isBreakEscaped ? '\n'.repeat(blankLines) : fold(blankLines))
      line = isLast ? { text: content, isBreakEscaped: false } : endOf(content, style)
      parts.push(line.text)
      blankLines = 0
    }
  }
  return parts.join('')
}

/** A line without the spaces at its end, but for an escaped one. */
function endOf(line: string, style: 'double' | 'single'): { readonly text: string; readonly isBreakEscaped: boolean } {
  const text = withoutSpacesBehind(line)
  const backslashes = style === 'double' ? (/\\*$/.exec(text)?.[0].length ?? 0) : 0
  if (backslashes % 2 === 0) return { text, isBreakEscaped: false }
  return text.length < line.length ? { text: `${text} `, isBreakEscaped: false } : { text: text.slice(0, -1), isBreakEscaped: true }
}

// Other blanks, which the methods of strings trim, are content.
function withoutSpacesBefore(line: string): string {
  let at = 0
  while (line[at] === ' ') at++
  return line.slice(at)
}

function withoutSpacesBehind(line: string): string {
  let end = line.length
  while (line[end - 1] === ' ') end--
  return line.slice(0, end)
}
