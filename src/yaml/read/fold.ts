/** What a line break comes to, with so many blank lines behind it. @see YAML 1.2.2, 6.5 */
export function foldLines(blankLines: number): string {
  return blankLines === 0 ? ' ' : '\n'.repeat(blankLines)
}
