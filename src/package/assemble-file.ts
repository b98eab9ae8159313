import type { KrmObject } from '../resource-list/krm-object.ts'
import type { PackageDocument, PackageFile } from './package.ts'

/**
 * The text of a file with the current text of its objects; those that are not `kept` are left out with their `---` line. Every other byte
 * stays. A licence header that stood above a first object which goes is kept for the next one.
 */
export function assembleFile({ documents }: PackageFile, kept: ReadonlySet<KrmObject>): string {
  const staying = documents.filter(({ object }) => object === undefined || kept.has(object))
  const [first] = documents
  if (first === undefined || staying[0] === first) return staying.map(documentText).join('')
  const [next, ...rest] = staying
  const head = first.separator + first.before + headerOf(first.text)
  return head + (next === undefined ? '' : bareText(next, head)) + rest.map(documentText).join('')
}

function documentText(document: PackageDocument): string {
  return document.separator + bareText(document, '')
}

/** The document without its `---` line; after a header that ends with a blank line none is wanted. */
function bareText({ before, object, text, after }: PackageDocument, head: string): string {
  const current = object?.changed ? withLineEnds(object.toText(), text) : text
  return (head === '' ? before : '') + current + after
}

/** The comment lines at the top of a document that a blank line parts from it. */
function headerOf(text: string): string {
  return /^(?:#[^\n]*\n)+(?:[ \t]*\r?\n)+/.exec(text)?.[0] ?? ''
}

/** An edit of a file with CRLF throughout is written with CRLF too. */
function withLineEnds(text: string, original: string): string {
  return /\r\n/.test(original) && !/(^|[^\r])\n/.test(original) ? text.replace(/\r?\n/g, '\r\n') : text
}

/** `text` and the objects after it, each a document of its own. */
export function appendDocuments(text: string, objects: readonly KrmObject[]): string {
  return objects.reduce((file, object) => {
    const parted = file === '' || file.endsWith('\n') ? file : `${file}\n`
    return `${parted}${parted === '' ? '' : '---\n'}${object.toText()}`
  }, text)
}
