import { printable } from '../printable.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { WireError } from '../resource-list/wire-error.ts'
import type { Position, Result } from '../result.ts'
import { withoutQuotedSecrets } from '../secret-values.ts'
import { positionAt } from '../yaml/read/lines.ts'
import { decodeUtf8, otherEncoding } from './file-encoding.ts'
import type { PackageDocument, PackageFile } from './package.ts'
import { type Chunk, splitDocuments } from './split-documents.ts'

/** The documents of a file, or the reasons why the file is left out. */
export interface ReadFile {
  readonly file?: PackageFile
  readonly results: readonly Result[]
}

/** Returns the first line of a document that is no comment. */
export function firstLine({ text, line }: Pick<Chunk, 'text' | 'line'>): { readonly text: string; readonly line: number } {
  const lines = text.split('\n')
  const first = lines.findIndex((each) => /^[ \t]*[^\s#]/.test(each))
  return { text: printable(lines[first]?.trim().slice(0, 40) ?? ''), line: line + Math.max(first, 0) }
}

/**
 * Returns the message about a directive of YAML, which stands before `---`, where files are divided; undefined for any other text. kpt
 * refuses each of them, `%YAML 1.1` too.
 */
export function noDirective(chunk: Pick<Chunk, 'text' | 'line'>): string | undefined {
  const { text } = firstLine(chunk)
  return text.startsWith('%') ? `must not have the directive '${text}', which kpt refuses too; take the line away` : undefined
}

/** Matches the first line of a file that Git LFS keeps elsewhere. */
const LFS_POINTER = /^version https:\/\/git-lfs\.github\.com\/spec\//

/**
 * Reads the documents of one file. Without a `file` in the answer, the file is left out for the reason in the results.
 *
 * @param mayBeTemplate  returns true to leave a file alone that holds `{{` and cannot be read
 */
export function readPackageFile(path: string, bytes: Uint8Array, mayBeTemplate: () => boolean = () => true): ReadFile {
  const text = decodeUtf8(bytes)
  if (text === undefined) return { results: [noText(path, bytes)] }
  if (LFS_POINTER.test(text)) return { results: [unreadable(path, NOT_PULLED, { line: 1, column: 1 })] }
  const { documents, results, unread } = readDocuments(path, text)
  if (results.length === 0) return { file: { path, documents }, results: unread }
  if (HOLDS_VARIANTS.test(text)) return { results }
  if (isTemplate(text) && mayBeTemplate()) return { results: [leftAlone(path)] }
  return { results: mustBeRead(text) ? results : results.map(orIgnored) }
}

/**
 * Returns a file that was read, under another path; the objects are copies that share what was read. Undefined for a file with an edit, or
 * in a layout that kpt does not write: such a file must be read again.
 */
export function copyOfFile({ documents }: PackageFile, path: string): PackageFile | undefined {
  if (documents.some(({ object }) => object?.mayBeEdited || object?.isReadAsUnusual)) return undefined
  return { path, documents: documents.map((one) => (one.object === undefined ? one : { ...one, object: one.object.copyIn(path) })) }
}

/**
 * Reads the documents of a text. `results` has the errors, `unread` the warnings about text that no reader reads. Without errors all is
 * read.
 */
export function readDocuments(path: string, text: string) {
  const { chunks, faults } = splitDocuments(text)
  const results = [
    ...controlCharacters(path, text),
    ...faults.map((fault) => unreadable(path, `'---' must be alone on its line, or before a comment, got '${fault.text}'`, fault)),
  ]
  const documents: PackageDocument[] = []
  const unread: Result[] = []
  let index = 0
  for (const chunk of results.length > 0 ? [] : chunks) {
    if (holdsMore(chunk.after)) unread.push(behindEnd(path, chunk))
    const document = readDocument(path, chunk.isEmpty ? index : index++, chunk)
    if ('severity' in document) results.push(document)
    else documents.push(document)
  }
  return { documents, results, unread }
}

/**
 * Returns a document, or the reason why it cannot be read. The document is parsed to its end, so that later code finds no syntax
 * errors.
 */
function readDocument(path: string, index: number, chunk: Chunk): PackageDocument | Result {
  if (chunk.isEmpty) return chunk
  try {
    const object = KrmObject.ofWholeDocument(chunk.text, { path, index, line: chunk.line })
    const alias = object.isReadAsUnusual ? object.unknownAlias() : undefined
    if (alias !== undefined) return unreadable(path, withoutQuotedSecrets(noAnchor(alias.anchor), chunk.text), alias.position)
    return object.isMap() ? { ...chunk, object } : chunk
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    const result = unreadableDocument(path, error, chunk.line)
    return { ...result, message: withoutQuotedSecrets(result.message, chunk.text) }
  }
}

/** Returns the error for a file that is no text in UTF-8. */
function noText(path: string, bytes: Uint8Array): Result {
  const { text, encoding } = otherEncoding(bytes)
  const zero = encoding === ', is binary' ? text.indexOf('\0') : -1
  const result = unreadable(path, `must be UTF-8${encoding}`, positionAt(text, Math.max(zero, 0)))
  return mustBeRead(text) ? result : orIgnored(result)
}

/**
 * Returns the finding about a document that is no YAML, at its place in the file.
 *
 * @param line  the line at which the document begins
 */
export function unreadableDocument(path: string, error: WireError, line = 1): Result {
  return unreadable(path, reasonOf(error, path), error.position ?? { line, column: 1 })
}

function noAnchor(anchor: string): string {
  const name = printable(anchor)
  return `'*${name}' must have its anchor '&${name}' above it in the same document, found none; a text that begins with '*' needs quotes`
}

/** Matches a character that YAML allows only as an escape (YAML 1.2.2, 5.1 c-printable; the check of go-yaml's reader). */
const CONTROL_CHARACTER = /[^\P{Cc}\t\n\r\x85]|[\ufffe\uffff]/u

/** Returns an error for the first character of a file that no YAML parser takes. */
function controlCharacters(path: string, text: string): readonly Result[] {
  const offset = text.search(CONTROL_CHARACTER)
  if (offset === -1) return []
  const code = text.charCodeAt(offset).toString(16).padStart(4, '0')
  const message = `must not hold the control character U+${code.toUpperCase()}; YAML has it as an escape in double quotes, "\\u${code}"`
  return [unreadable(path, message, positionAt(text, offset))]
}

/** Returns true if a text has a line that is neither blank nor a comment behind its first line, `...`. */
function holdsMore(after: string): boolean {
  return after !== '' && /^[ \t]*[^\s#]/m.test(after.slice(3))
}

/** Returns the warning about text behind the line `...`: kpt reads a document to that line, and looks for the next one behind `---`. */
function behindEnd(path: string, { line, text }: Chunk): Result {
  const message = "what follows the line '...' is not read; begin the next document with '---'"
  const position = { line: line + text.split('\n').length - 1, column: 1 }
  return { severity: 'warning', message, file: { path, index: 0 }, position, tags: { rule: 'unreadable-file' } }
}

/** Returns the message without the place, which the result has in its own field. */
function reasonOf({ message }: WireError, path: string): string {
  return message.replace(`${path}: `, '').replace(/ \(line \d+, column \d+\)$/, '')
}

/** Returns true for a file of a chart: the resources that the template becomes are unknown. */
function isTemplate(text: string): boolean {
  return text.includes('{{')
}

/**
 * Matches a PackageVariant, or a set or matrix of them. A template with one is an error: ignoring a set is worse than naming a chart in
 * .krmignore.
 */
const HOLDS_VARIANTS = /^[ \t-]*["']?kind["']?[ \t]*:[ \t]*["']?PackageVariant(?:Set|Matrix)?["']?[ \t\r]*(?:#.*)?$/m

/**
 * Returns true for a file that must not be named in .krmignore: an object of a fleet would be lost, as would both sides of the conflict of
 * a merge.
 */
function mustBeRead(text: string): boolean {
  return HOLDS_FLEET.test(text) || /^(?:<{7}|>{7})(?:\s|$)/m.test(text)
}

const FLEET_KINDS = [
  'Kptfile',
  'PackageVariant(?:Set|Matrix)?',
  'PackageRevision(?:Set)?',
  'Repository',
  'FleetPolicy',
  'FunctionConfig',
  'FanOut',
  'RenderVariants',
  'GenerateSync',
  'CheckDependencies',
  'ResolveDependencies',
  'Catalog',
]

/** Matches the kind of an object that belongs to a fleet, in block or flow style. */
const HOLDS_FLEET = new RegExp(`(?:^|[\\s{,])["']?kind["']?[ \\t]*:[ \\t]*["']?(?:${FLEET_KINDS.join('|')})\\b`, 'm')

function leftAlone(path: string): Result {
  const message = 'left alone: a template, not YAML; name it in .krmignore to say so'
  return { severity: 'warning', message, file: { path, index: 0 }, tags: { rule: 'template-file' } }
}

const NOT_PULLED = 'must be the file itself, got the pointer that Git LFS puts in its place; `git lfs pull` brings the file'

/** Returns a finding with the advice to name the file in .krmignore. */
export function orIgnored(result: Result): Result {
  return { ...result, message: `${result.message}; a file that is no resource can be named in .krmignore` }
}

/** Returns the error about a file that cannot be read, at its place in the file. */
export function unreadable(path: string, message: string, { line, column }: Position): Result {
  return {
    severity: 'error',
    message,
    file: { path, index: 0 },
    position: { line, column },
    tags: { rule: 'unreadable-file' },
  }
}
