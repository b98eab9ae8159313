import { emitItem } from '../yaml/emit/emit.ts'
import type { KrmObject } from './krm-object.ts'

/** An object as an item of a list whose dashes stand at a column: of a document each line deeper, of an item as it is. */
export function itemText(object: KrmObject, column: number): string {
  const text = object.toText()
  const dash = `${' '.repeat(column)}- `
  if (object.isDocument) return `${dash}${indented(text, column + 2)}\n`
  return text.startsWith(dash) ? ended(text) : emitItem(object.toJson(), { column, sequences: 'compact' })
}

/** Every line but the first as deep as that will stand, and no blank lines at the end. */
function indented(text: string, column: number): string {
  return text
    .replaceAll('\r\n', '\n')
    .trimEnd()
    .replaceAll(/\n(?=[^\n])/g, `\n${' '.repeat(column)}`)
}

function ended(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`
}
