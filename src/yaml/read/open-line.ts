/**
 * Whether the last line of a text that ends inside a block scalar is one of its lines, and not just blanks up to their indentation.
 * go-yaml v3: such a line has no line break to be kept.
 *
 * @param written  the text from the scalar's header to its end
 * @param value    of the scalar
 */
export function isLastLineOpen(written: string, value: string): boolean {
  const last = written.slice(written.lastIndexOf('\n') + 1)
  const blanks = last.length
  if (/[^ ]/.test(last)) return true
  const [, indent] = /\n( *)[^ \r\n]/.exec(written) ?? []
  const [, own = ''] = /(?<![^\n])( *)[^ \r\n]/.exec(value) ?? []
  return indent !== undefined && blanks > indent.length - own.length
}
