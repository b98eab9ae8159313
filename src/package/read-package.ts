import { isUtf8 } from 'node:buffer'
import { finish, type Steps } from '../progress.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { MAX_INPUT_BYTES } from '../resource-list/limits.ts'
import { ResourceList } from '../resource-list/resource-list.ts'
import { WireError } from '../resource-list/wire-error.ts'
import { FunctionError, hasErrors, type Position, type Result } from '../result.ts'
import { duplicateKeyResults } from '../schema/document-faults.ts'
import { diskTree, type FileTree } from './file-tree.ts'
import { findPackageFiles } from './find-package-files.ts'
import type { FolderPackage, PackageDocument, PackageFile } from './package.ts'
import { type Chunk, splitDocuments } from './split-documents.ts'

/**
 * Reads the folder `dir` and its subpackages: the resources that `kpt fn source` would send, with path and index of each.
 *
 * A document that is YAML but no map (kpt wraps lists and refuses texts) is left alone, though it counts for the index.
 *
 * @throws FunctionError with every file that cannot be read; the error of node:fs when `dir` is no folder
 */
export function readPackage(dir: string): FolderPackage {
  return readTree(diskTree(dir))
}

/**
 * `readPackage` for any tree of files.
 *
 * @param name  what each file is called, for a caller who is not in the folder
 */
export function readTree(tree: FileTree, name: (path: string) => string = (path) => path): FolderPackage {
  return finish(readTreeInSteps(tree, name))
}

/** The same, file by file. */
export function* readTreeInSteps(tree: FileTree, name: (path: string) => string): Steps<FolderPackage> {
  const paths = findPackageFiles(tree)
  const read: Read[] = []
  for (const path of paths) {
    read.push(readPackageFile(name(path), tree.read(path)))
    yield { done: read.length, total: paths.length }
  }
  const results = read.flatMap((file) => file.results)
  if (hasErrors(results)) throw new FunctionError(results)
  const files = read.flatMap(({ file }) => (file === undefined ? [] : [file]))
  const objects = files.flatMap(({ documents }) => documents.flatMap(({ object }) => (object === undefined ? [] : [object])))
  return { files, list: ResourceList.of(objects), results: [...results, ...duplicateKeyResults(objects.filter(isOddResource))] }
}

/** Only what is read in an unusual layout is kept open, and what is no resource is nobody's to read. */
function isOddResource({ mayBeEdited, kind }: KrmObject): boolean {
  return mayBeEdited && kind !== undefined
}

interface Read {
  readonly file?: PackageFile
  readonly results: readonly Result[]
}

/** Reads the documents of one file; without a file it is left alone, for the reason in the results. */
export function readPackageFile(path: string, bytes: Uint8Array): Read {
  if (bytes.length > MAX_INPUT_BYTES)
    return { results: [unreadable(path, `must have at most ${MAX_INPUT_BYTES} bytes, has ${bytes.length}`, { line: 1, column: 1 })] }
  const text = decodeUtf8(bytes)
  if (text === undefined) return { results: [unreadable(path, 'must be UTF-8', { line: 1, column: 1 })] }
  const { chunks, faults } = splitDocuments(text)
  const results = faults.map((fault) =>
    unreadable(path, `'---' must stand alone on its line, or before a comment, got '${fault.text}'`, fault),
  )
  const documents: PackageDocument[] = []
  let index = 0
  for (const chunk of results.length > 0 ? [] : chunks) {
    const document = readDocument(path, chunk.isEmpty ? index : index++, chunk)
    if ('severity' in document) results.push(document)
    else documents.push(document)
  }
  if (results.length === 0) return { file: { path, documents }, results }
  if (HOLDS_VARIANTS.test(text)) return { results }
  return { results: isTemplate(text) ? [leftAlone(path)] : results.map(orIgnored) }
}

/** The document, or why it cannot be read. It is read to its end here, so that nothing later stumbles over it. */
function readDocument(path: string, index: number, chunk: Chunk): PackageDocument | Result {
  if (chunk.isEmpty) return chunk
  try {
    const object = KrmObject.ofWholeDocument(chunk.text, { path, index, line: chunk.line })
    return object.isMap() ? { ...chunk, object } : chunk
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    return unreadableDocument(path, error, chunk.line)
  }
}

/** A document that is no YAML, or not one, as a finding at its place in a file; `line` is where it begins. */
export function unreadableDocument(path: string, error: WireError, line = 1): Result {
  return unreadable(path, reasonOf(error, path), error.position ?? { line, column: 1 })
}

/** The message without the place, which a result has beside it. */
function reasonOf({ message }: WireError, path: string): string {
  return message.replace(`${path}: `, '').replace(/ \(line \d+, column \d+\)$/, '')
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  return isUtf8(bytes) ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8') : undefined
}

/** Charts hold files like these: what they become is not known here, so they are no resources. */
function isTemplate(text: string): boolean {
  return text.includes('{{')
}

/** A set that nobody reads is worse than a chart that has to be named in .krmignore. */
const HOLDS_VARIANTS = /^[ \t-]*["']?kind["']?[ \t]*:[ \t]*["']?PackageVariant(Set)?["']?[ \t\r]*(#.*)?$/m

function leftAlone(path: string): Result {
  const message = 'left alone: a template, not YAML; name it in .krmignore to say so'
  return { severity: 'warning', message, file: { path, index: 0 }, tags: { rule: 'template-file' } }
}

function orIgnored(result: Result): Result {
  return { ...result, message: `${result.message}; a file that is no resource can be named in .krmignore` }
}

function unreadable(path: string, message: string, { line, column }: Position): Result {
  return {
    severity: 'error',
    message,
    file: { path, index: 0 },
    position: { line, column },
    tags: { rule: 'unreadable-file' },
  }
}
