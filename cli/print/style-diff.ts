import { printableText } from '../../src/printable.ts'
import type { Style, Styles } from './styles.ts'

/** A unified diff with what is added, what is removed and the heads of its hunks in their styles. */
export function styleDiff(diff: string, { added, removed, faint }: Styles): string {
  const styles: Readonly<Record<string, Style>> = { '+': added, '-': removed, '@': faint }
  const lines = printableText(diff).replace(/\n$/, '').split('\n')
  return lines.map((line) => `${(styles[line.charAt(0)] ?? String)(line)}\n`).join('')
}
