import type { KrmObject } from '../resource-list/krm-object.ts'
import { closeBlock } from '../yaml/edit/apply-splices.ts'
import { lineBreakAt } from '../yaml/read/lines.ts'
import { type WrittenFile, withJsonKept } from './json-file.ts'
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
  // A comment behind the separator of the next document stays with its line; a bare separator would stand at the top of the file.
  const separator = next?.document.separator.includes('#') === true ? next.document.separator : ''
  const top = separator !== '' && !head.includes('#') ? (head.startsWith('\uFEFF') ? '\uFEFF' : '') : head
  return top + separator + (next === undefined ? '' : bareText(next, top + separator)) + rest.map(documentText).join('')
}

/** Returns the text of a file as it was read, without the edits of its objects. */
export function textAsRead({ documents }: PackageFile): string {
  return documents.map(({ separator, before, text, after }) => separator + before + text + after).join('')
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
function appendTexts(text: string, documents: readonly string[]): string {
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

/** A document to be written: its text, and the object that the text is based on. */
export interface LaidOut {
  readonly source: KrmObject
  readonly text: string
}

/**
 * Returns the text of a file with the given documents. Documents that the file held before keep the text around them: separators,
 * comments between documents, a byte order mark. New documents are separated by `---`; if the order changed, all are.
 *
 * @param file  its path, and the file until now; undefined for a new file
 */
export function layOutFile(documents: readonly LaidOut[], file: WrittenFile): string {
  const texts = documents.map(({ text }) => text)
  return withJsonKept(file, texts, layOutDocuments(documents, file.before))
}

function layOutDocuments(documents: readonly LaidOut[], before: PackageFile | undefined): string {
  const places = new Map(before?.documents.map(({ object }, index) => [object, index]))
  const known = documents.filter(({ source }) => places.has(source))
  const isInOrder = known.every(({ source }, i) => i === 0 || Number(places.get(source)) > Number(places.get(known[i - 1]?.source)))
  if (before === undefined || known.length === 0 || !isInOrder)
    return appendTexts(
      '',
      documents.map(({ text }) => text),
    )
  const texts = withNewOnes(documents, new Set(known))
  return assembleFile(before, (object) => texts.get(object))
}

/** Returns the texts of known documents, each with the new documents that follow it; the first also with those before it. */
function withNewOnes(documents: readonly LaidOut[], known: ReadonlySet<LaidOut>): ReadonlyMap<KrmObject, string> {
  const texts = new Map<KrmObject, string>()
  let [last, pending]: [KrmObject | undefined, readonly string[]] = [undefined, []]
  for (const document of documents) {
    if (known.has(document)) {
      last = document.source
      texts.set(last, appendTexts('', [...pending, document.text]))
      pending = []
    } else if (last === undefined) pending = [...pending, document.text]
    else texts.set(last, appendTexts(texts.get(last) ?? '', [document.text]))
  }
  return texts
}
