import { type LaidOut, layOutFile } from '../../folder/assemble-file.ts'
import type { PackageFile } from '../../folder/package.ts'
import { copyOfFile, type ReadFile, readPackageFile } from '../../folder/read-package-file.ts'
import { isBytes } from '../../merge/package-files.ts'
import { remember } from '../../remember.ts'
import type { Siblings } from '../../resource-list/file-positions.ts'
import { itemDocument } from '../../resource-list/item-document.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { SourcePackage } from '../../upstream/source-package.ts'
import type { PreparedClone } from './clone-package.ts'
import type { RenderedContent } from './rendered-package.ts'

/** The files of a cloned package as bytes, equal for every package that is made from it. */
export interface ClonedFiles {
  readonly bytes: ReadonlyMap<string, Uint8Array>
  /** The text around the objects of the clone, by path. */
  readonly layouts: ReadonlyMap<string, PackageFile>
  /**
   * Returns a file of a new package under a name for findings, as it is read of its bytes. The bytes are read once: the objects are copies
   * that share what was read. Undefined for a file with findings, or in a layout that kpt does not write.
   */
  documents(path: string, name: string): PackageFile | undefined
}

/**
 * Lays out the files of the clone of an upstream package.
 *
 * @param siblings  bounds what the documents of all clones keep of what was read
 */
export function clonedFiles(source: SourcePackage, prepared: PreparedClone, siblings: Siblings): ClonedFiles {
  const bytes = new Map([...prepared.files].map(([path, content]) => [path, contentBytes(path, content, [source.layouts.get(path)])]))
  const layouts = [...source.layouts].map(([path, file]) => [path, withDrafts(path, file, prepared)] as const)
  const read = new Map<string, ReadFile>()
  const documents = (path: string, name: string): PackageFile | undefined => {
    const { file, results } = remember(read, path, () => readJoined(path, bytes.get(path), siblings))
    return file === undefined || results.length > 0 ? undefined : copyOfFile(file, name)
  }
  return { bytes, layouts: new Map(layouts), documents }
}

function readJoined(path: string, bytes: Uint8Array | undefined, siblings: Siblings): ReadFile {
  const read = bytes === undefined ? { results: [] } : readPackageFile(path, bytes)
  for (const { object } of read.file?.documents ?? []) object?.join(siblings)
  return read
}

/** Returns the layout of an upstream file with the objects of the clone instead of the upstream's. */
function withDrafts(path: string, { documents }: PackageFile, { files }: PreparedClone): PackageFile {
  const content = files.get(path)
  const drafts = new Map<KrmObject, KrmObject>()
  if (content !== undefined && !isBytes(content)) for (const { source, object } of content) drafts.set(source, object)
  return {
    path,
    documents: documents.map((document) => {
      const object = document.object && (drafts.get(document.object) ?? document.object)
      return object === undefined ? document : { ...document, object, text: object.toText() }
    }),
  }
}

/** Returns the text that an object has in a file; an item of a list becomes a document. */
function documentText(object: KrmObject): string {
  return object.isDocument ? object.toText() : itemDocument(object).toText()
}

/**
 * Returns the bytes of a file with the given content.
 *
 * @param layouts  files of this path that the objects may be from; the first that holds one of the objects decides how the file is laid
 * out
 */
export function contentBytes(path: string, content: RenderedContent, layouts: readonly (PackageFile | undefined)[]): Uint8Array {
  if (isBytes(content)) return content
  const documents = content.map(({ source, object }): LaidOut => ({ source, text: documentText(object) }))
  const sources = new Set(documents.map(({ source }) => source))
  const layout = layouts.find((file) => file?.documents.some(({ object }) => object !== undefined && sources.has(object)))
  return Buffer.from(layOutFile(documents, { path, before: layout }))
}
