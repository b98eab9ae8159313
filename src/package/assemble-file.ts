import type { KrmObject } from '../resource-list/krm-object.ts'
import { closeBlock } from '../yaml/edit/splice.ts'
import { lineBreakAt } from '../yaml/read/lines.ts'
import type { PackageDocument, PackageFile } from './package.ts'

/**
 * Returns the text of a file with the current texts of its objects. An object without a text is left out, with its `---` line. Every
 * other byte stays. A licence header above a removed first object is kept for the next one.
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

/** Returns the document without its `---` line; after a header, also without its byte order mark. */
function bareText({ document: { before, after }, text }: CurrentDocument, head: string): string {
  return (head === '' ? before : '') + text + after
}

/** Returns the comment lines at the top of a document that a blank line separates from its content. */
function headerOf(text: string): string {
  return /^(?:#[^\n]*\n)+(?:[ \t]*\r?\n)+/.exec(text)?.[0] ?? ''
}

/** Returns a changed text with CRLF if the original has CRLF in every line. */
function withLineEnds(text: string, original: string): string {
  return text !== original && /\r\n/.test(original) && !/(^|[^\r])\n/.test(original) ? text.replace(/\r?\n/g, '\r\n') : text
}

/** Returns a text with objects appended, each as a document of its own. */
export function appendDocuments(text: string, objects: readonly KrmObject[]): string {
  return appendTexts(
    text,
    objects.map((object) => object.toText()),
  )
}

/** Returns a text with documents appended. */
export function appendTexts(text: string, documents: readonly string[]): string {
  return documents.reduce((file, document) => {
    const parted = file === '' || file.endsWith('\n') ? file : closed(file)
    return `${parted}${parted === '' ? '' : '---\n'}${document}`
  }, text)
}

/** Returns a text with a line break at its end that belongs to no value. */
function closed(file: string): string {
  const last = file.lastIndexOf('\n---') + 1
  return `${file.slice(0, last)}${closeBlock(file.slice(last))}${lineBreakAt(file, file.length)}`
}
