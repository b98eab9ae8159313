import { decodeUtf8 } from '../folder/file-encoding.ts'
import { readDocuments } from '../folder/read-package-file.ts'
import type { Chunk } from '../folder/split-documents.ts'
import { equalJson } from '../json.ts'
import { printable } from '../printable.ts'
import { appliedObjects, type ListPlace, placeInList } from '../resource-list/applied-objects.ts'
import { objectPlace } from '../resource-list/finding-place.ts'
import { identityOfObject } from '../resource-list/identity.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { formatResourceRef, type Result } from '../result.ts'
import { duplicateKeyResults } from '../schema/document-faults.ts'
import { emitValue } from '../yaml/emit/emit.ts'
import { columnOf } from '../yaml/read/lines.ts'
import { nodesAlong } from '../yaml/read/node.ts'

/** A text that a vendor publishes, or that a program prints. */
export interface VendorText {
  /** The name of the file or program, for findings. */
  readonly name: string
  readonly bytes: Uint8Array
}

/** An object of a vendor: one document of a package to be. */
export interface VendorObject {
  /** The object, at its place in the vendor's text. Edits of the object are written. */
  readonly object: KrmObject
  /** The comment lines before the document, '' or with a final line break: those of documents that hold nothing else. */
  readonly head: string
}

/** The objects of texts, and an error for each part that is no object or cannot be read. With an error, the objects are not complete. */
export interface VendorObjects {
  readonly objects: readonly VendorObject[]
  readonly results: readonly Result[]
}

/**
 * Reads the objects of YAML or JSON texts, with their comments. Entries of Lists are objects of their own. An object that occurs twice with
 * one content counts once.
 */
export function readVendorObjects(texts: readonly VendorText[]): VendorObjects {
  const read = texts.map(readText)
  const results = read.flatMap((each) => each.results)
  const { objects, faults } = eachOnce(read.flatMap((each) => each.objects))
  return { objects, results: [...results, ...faults] }
}

/** Returns the document of an object, with its comments and a final line break. */
export function documentText({ object, head }: VendorObject): string {
  const text = `${head}${object.toText()}`
  return text.endsWith('\n') ? text : `${text}\n`
}

function readText({ name, bytes }: VendorText): VendorObjects {
  const text = decodeUtf8(bytes)
  if (text === undefined) return { objects: [], results: [fault(name, 1, 'must be YAML in UTF-8, is binary or has another encoding')] }
  const { documents, results, unread } = readDocuments(name, text)
  const found: Result[] = [...results, ...unread.map((result): Result => ({ ...result, severity: 'error' }))]
  const objects: VendorObject[] = []
  // A template that begins with `---` has its line `# Source:` in a document of its own; so has a template that made no object.
  let [source, head] = ['', '']
  for (const { object, ...chunk } of documents) {
    const comment = commentOf(chunk)
    if (chunk.isEmpty && comment.startsWith(SOURCE)) source = comment
    else if (chunk.isEmpty) head += comment
    else if (object === undefined || ![object.apiVersion, object.kind, object.name].some(Boolean)) found.push(noObject(name, chunk))
    else {
      const above = `${chunk.text.includes(SOURCE) ? '' : source}${head}${separatorComment(chunk)}`
      const own = objectsOfDocument(object, above)
      found.push(...faultsOf(object, own))
      objects.push(...own)
      source = ''
      head = ''
    }
  }
  return { objects, results: found }
}

/**
 * Returns the object of a document, or the entries of a List. The first one has the comments above the document, and each one the line
 * that names the template.
 */
function objectsOfDocument(object: KrmObject, above: string): readonly VendorObject[] {
  const entries = appliedObjects(object)
  const isList = entries.some((each) => placeInList(each) !== undefined)
  const whole = `${above}${isList ? commentsAbove(object) : ''}`
  const [origin = ''] = isList ? (/^# Source: .*\n/m.exec(whole) ?? []) : []
  return entries.map(asDocument).map((each, i) => ({ ...each, head: `${i === 0 ? whole : origin}${each.head}` }))
}

/** Returns the comment lines of a document that holds nothing else, with that of its separator. */
function commentOf(chunk: Chunk): string {
  const lines = chunk.text.split('\n').filter((line) => line.trim().startsWith('#'))
  return `${separatorComment(chunk)}${lines.map((line) => `${line.trim()}\n`).join('')}`
}

/** Returns the comment lines above the first field of an object. */
function commentsAbove(object: KrmObject): string {
  const [above = ''] = /^(?:[ \t]*(?:#.*)?\n)*/.exec(object.toText()) ?? []
  const lines = above.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line) => `${line.trim()}\n`).join('')
}

/** Returns the comment behind `---` as a line. */
function separatorComment({ separator }: Chunk): string {
  const at = separator.indexOf('#')
  return at === -1 ? '' : `${separator.slice(at).trim()}\n`
}

/** The comment with which `helm template` names the template of a document. */
const SOURCE = '# Source: '

/** Returns an object as a block-style document that begins in the first column: an entry of a List and a JSON object are written anew. */
function asDocument(object: KrmObject): VendorObject {
  const text = object.toText()
  const place = placeInList(object)
  const isFlow = /^\s*\{/.test(text)
  // The final line break stays: a block scalar at the end has it as a part of its value.
  if (place === undefined && !isFlow) return { object, head: '' }
  const margin = place === undefined ? '' : (/^ */.exec(text)?.[0] ?? '')
  const own = margin === '' ? text : text.replaceAll(new RegExp(`^${margin}`, 'gm'), '')
  const { head, tail } = place === undefined ? { head: '', tail: '' } : commentsAround(place)
  const written = isFlow ? `${emitValue(object.toJson(), { column: 0, sequences: 'compact' })}\n` : own.replace(/\n?$/, tail)
  if (written === text) return { object, head }
  return { object: KrmObject.of(written, 'document', object.file && { ...object.file, line: object.positionOf([]).line }), head }
}

/**
 * Returns the comment lines above an entry of a List, and the end of its last line with a comment, with the comment lines below that stand
 * deeper than its dash. Lists in Lists have none.
 */
function commentsAround({ list, path }: ListPlace): VendorComments {
  const { text, node } = list.written()
  const [, items, entry] = nodesAlong(node, path)
  const at = Number(path[1])
  if (path.length !== 2 || items?.type !== 'sequence' || entry === undefined) return { head: '', tail: '\n' }
  const { dash = entry.start } = items.items[at] ?? {}
  const column = columnOf(text, dash)
  const above = commentLines(text.slice(items.items[at - 1]?.value.end ?? text.lastIndexOf('items:', dash), dash))
  const own = at === 0 ? above : above.filter((line) => line.search('#') <= column)
  const head = [...own, ...commentLines(text.slice(dash, entry.start))].map((line) => `${line.trim()}\n`)
  const [behind = ''] = /^[^\n]*(?:\n[ \t]*(?:#[^\n]*)?(?=\n|$))*/.exec(text.slice(entry.end)) ?? []
  const [comment = ''] = /^[ \t]*#[^\n]*/.exec(behind) ?? []
  const below = commentLines(behind).filter((line) => line.search('#') > column)
  const margin = ' '.repeat(columnOf(text, entry.start))
  const tail = [
    comment && ` ${comment.trim()}`,
    ...below.map((line) => (line.startsWith(margin) ? line.slice(margin.length) : line.trim())),
  ]
  return { head: head.join(''), tail: `${tail.join('\n')}\n` }
}

/** Returns the lines behind the first one that are comments. */
function commentLines(text: string): readonly string[] {
  return text
    .split('\n')
    .slice(1)
    .filter((line) => line.trim().startsWith('#'))
}

interface VendorComments {
  readonly head: string
  readonly tail: string
}

/** Returns an error for each field without which an object has no place in a package, and for each duplicate key. */
function faultsOf(document: KrmObject, objects: readonly VendorObject[]): readonly Result[] {
  const nameless = objects.flatMap(({ object }): Result[] => {
    const missing = (['apiVersion', 'kind', 'metadata.name'] as const).filter((field) => !textOf(object, field))
    return missing.slice(0, 1).map((field) => ({
      severity: 'error',
      message: `\`${field}\` must be set, so that the object can be found again in the next revision`,
      ...objectPlace(object),
      position: object.positionOf(field.split('.')),
      tags: { rule: 'import-source' },
    }))
  })
  return [...nameless, ...duplicateKeyResults([document])]
}

function textOf({ apiVersion, kind, name }: KrmObject, field: 'apiVersion' | 'kind' | 'metadata.name'): string | undefined {
  return { apiVersion, kind, 'metadata.name': name }[field]
}

/** Returns objects without those that repeat an earlier one, and an error for each that repeats it with another content. */
function eachOnce(objects: readonly VendorObject[]): { readonly objects: readonly VendorObject[]; readonly faults: readonly Result[] } {
  const known = new Map<string, VendorObject>()
  const faults: Result[] = []
  for (const each of objects) {
    const identity = identityOfObject(each.object)
    const first = known.get(identity)
    if (first === undefined) known.set(identity, each)
    else if (!isSame(first.object, each.object)) faults.push(twice(each.object, first.object))
  }
  return { objects: [...known.values()], faults }
}

function isSame(one: KrmObject, other: KrmObject): boolean {
  return one.toText() === other.toText() || equalJson(one.toJson(), other.toJson())
}

function twice(object: KrmObject, first: KrmObject): Result {
  const place = `${printable(first.file?.path ?? '')}:${first.positionOf([]).line}`
  return {
    severity: 'error',
    message: `must occur once: ${formatResourceRef(first.ref)} is also at ${place}, with other fields`,
    ...objectPlace(object),
    position: object.positionOf([]),
    tags: { rule: 'import-source' },
  }
}

/** Returns the error for a document that is no map, such as the message of a program between its objects. */
function noObject(name: string, { text, line }: Chunk): Result {
  const lines = text.split('\n')
  const at = lines.findIndex((each) => /^\s*[^\s#]/.test(each))
  return fault(name, line + Math.max(at, 0), `must hold objects alone, got '${printable(lines[at]?.trim().slice(0, 40) ?? '')}'`)
}

function fault(name: string, line: number, message: string): Result {
  return { severity: 'error', message, file: { path: name, index: 0 }, position: { line, column: 1 }, tags: { rule: 'import-source' } }
}
