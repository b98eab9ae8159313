/** Returns the folded text of a line break with blank lines after it: a space for none, else a line feed each. @see YAML 1.2.2, 6.5 */
export function foldLines(blankLines: number): string {
  return blankLines === 0 ? ' ' : '\n'.repeat(blankLines)
}
