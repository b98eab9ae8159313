import type { KrmObject } from '../resource-list/krm-object.ts'
import { closeBlock } from '../yaml/edit/close-block.ts'
import { lineBreakAt } from '../yaml/read/lines.ts'
import type { PackageDocument, PackageFile } from './package.ts'

/**
 * The text of a file with the current texts of its objects; those that have none are left out with their `---` line. Every other byte
 * stays. A licence header that stood above a first object which goes is kept for the next one.
 */
export function assembleFile({ documents }: PackageFile, textOf: (object: KrmObject) => string | undefined): string {
  const staying = documents.flatMap((document): CurrentDocument[] => {
    const text = document.object === undefined ? document.text : textOf(document.object)
    return text === undefined ? [] : [{ document, text: withLineEnds(text, document.text) }]
  })
  const [first] = documents
  if (first === undefined || staying[0]?.document === first) return staying.map(documentText).join('')
  const [next, ...rest] = staying
  const head = first.separator + first.before + headerOf(first.text)
  return head + (next === undefined ? '' : bareText(next, head)) + rest.map(documentText).join('')
}

interface CurrentDocument {
  readonly document: PackageDocument
  readonly text: string
}

function documentText(current: CurrentDocument): string {
  return current.document.separator + bareText(current, '')
}

/** The document without its `---` line; after a header that ends with a blank line none is wanted. */
function bareText({ document: { before, after }, text }: CurrentDocument, head: string): string {
  return (head === '' ? before : '') + text + after
}

/** The comment lines at the top of a document that a blank line parts from it. */
function headerOf(text: string): string {
  return /^(?:#[^\n]*\n)+(?:[ \t]*\r?\n)+/.exec(text)?.[0] ?? ''
}

/** An edit of a file with CRLF throughout is written with CRLF too. */
function withLineEnds(text: string, original: string): string {
  return text !== original && /\r\n/.test(original) && !/(^|[^\r])\n/.test(original) ? text.replace(/\r?\n/g, '\r\n') : text
}

/** `text` and the objects after it, each a document of its own. */
export function appendDocuments(text: string, objects: readonly KrmObject[]): string {
  return appendTexts(
    text,
    objects.map((object) => object.toText()),
  )
}

/** `text` and other documents after it. */
export function appendTexts(text: string, documents: readonly string[]): string {
  return documents.reduce((file, document) => {
    const parted = file === '' || file.endsWith('\n') ? file : closed(file)
    return `${parted}${parted === '' ? '' : '---\n'}${document}`
  }, text)
}

/** With an end of its last line, which then belongs to no value. */
function closed(file: string): string {
  const last = file.lastIndexOf('\n---') + 1
  return `${file.slice(0, last)}${closeBlock(file.slice(last))}${lineBreakAt(file, file.length)}`
}
