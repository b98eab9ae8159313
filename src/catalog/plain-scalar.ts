import { attempt } from '../attempt.ts'
import type { FieldPath } from '../field-path.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { WireError } from '../resource-list/wire-error.ts'
import type { ScalarStyle, SpelledScalar } from '../yaml/read/node.ts'
import { scalarValue } from '../yaml/read/node-value.ts'

/**
 * Writes a scalar as go-yaml does when its type is open: a plain value is written as spelled if YAML reads the text as one plain value,
 * so that `5` becomes a number; a value in quotes or with the tag of a text stays a text. The tag goes, since the new value may not fit it.
 *
 * @param old  undefined for a new field
 */
export function writeScalar(item: KrmObject, path: FieldPath, old: SpelledScalar | undefined, value: string): void {
  const isOpen = old?.tag === undefined ? (old?.style ?? 'plain') === 'plain' : typeof scalarValue(old) !== 'string'
  const source = isOpen ? plainSource(value) : undefined
  if (source === undefined) item.set(path, value)
  else item.copy(path, source, ['value'])
}

/** The document of the value that was written last: a function writes one value into many objects. */
let last: { readonly value: string; readonly source: KrmObject | undefined } | undefined

/** Returns a document with the text as its plain value; undefined if YAML reads the text as something else. */
function plainSource(value: string): KrmObject | undefined {
  if (last?.value === value) return last.source
  const source = documentOf(value)
  const [scalar] = source?.scalars(['value']) ?? []
  const isPlainValue = scalar?.path.length === 1 && scalar.style === 'plain' && scalar.text === value && value !== ''
  last = { value, source: isPlainValue ? source : undefined }
  return last.source
}

/** Returns a document with the text as its value; undefined if that is no YAML. */
export function documentOf(value: string): KrmObject | undefined {
  const text = `value:\n${value.replace(/^(?=.)/gm, '  ')}\n`
  return attempt(() => KrmObject.ofWholeDocument(text, { path: '', index: 0, line: 1 }), WireError)
}

/**
 * Returns a scalar as go-yaml prints it alone, with its line comment. Results of functions show values in this form.
 *
 * @example plain, `a: b`, `# note` → `'a: b' # note`
 * @param comment  with its `#`; '' for none
 */
export function printedScalar(style: ScalarStyle, text: string, comment: string): string {
  const behind = comment === '' ? '' : ` ${comment}`
  const written = style === 'plain' && !isPlain(text) ? (text.includes('\n') ? 'literal' : 'single') : style
  if (written === 'plain') return `${text}${behind}`.trim()
  if (written === 'single') return `'${text.replaceAll("'", "''")}'${behind}`
  if (written === 'double') return `${JSON.stringify(text)}${behind}`
  const chomp = text.endsWith('\n\n') ? '+' : text.endsWith('\n') ? '' : '-'
  const lines = text.replace(/\n+$/, '').replace(/^(?=.)/gm, '  ')
  return `${written === 'literal' ? '|' : '>'}${chomp}${behind}\n${lines}`.trim()
}

function isPlain(text: string): boolean {
  const [scalar] = text === '' ? [] : (documentOf(text)?.scalars(['value']) ?? [])
  return text === '' || (scalar?.path.length === 1 && scalar.style === 'plain' && scalar.text === text)
}
