import { closeBlock } from '../yaml/edit/close-block.ts'
import { keepsBlankLines } from '../yaml/edit/members.ts'
import { emitItem } from '../yaml/emit/emit.ts'
import type { KrmObject } from './krm-object.ts'

/** An object as an item of a list whose dashes stand at a column: of a document each line deeper, of an item as it is. */
export function itemText(object: KrmObject, column: number): string {
  const text = object.toText()
  const dash = `${' '.repeat(column)}- `
  if (object.isDocument) return `${dash}${indented(text, column + 2)}\n`
  return text.startsWith(dash) ? ended(text) : emitItem(object.toJson(), { column, sequences: 'compact' })
}

/** Every line but the first as deep as that will stand, and no blank lines at the end that no block scalar keeps. */
function indented(text: string, column: number): string {
  const lines = ended(text.replaceAll('\r\n', '\n'))
  const written = keepsBlankLines(lines, { start: 0, end: lines.length }) ? lines.slice(0, -1) : withoutBlankLines(lines)
  return written.replaceAll(/\n(?=[^\n])/g, `\n${' '.repeat(column)}`)
}

function withoutBlankLines(lines: string): string {
  let end = lines.length
  while (lines[end - 1] === '\n') end--
  return lines.slice(0, end)
}

function ended(text: string): string {
  return text.endsWith('\n') ? text : `${closeBlock(text)}\n`
}
