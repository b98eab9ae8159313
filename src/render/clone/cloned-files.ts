import { type LaidOut, layOutFile } from '../../folder/assemble-file.ts'
import type { PackageFile } from '../../folder/package.ts'
import { isBytes } from '../../merge/package-files.ts'
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
}

/** Lays out the files of the clone of an upstream package. */
export function clonedFiles(source: SourcePackage, prepared: PreparedClone): ClonedFiles {
  const entries = [...prepared.files].map(([path, content]) => [path, contentBytes(path, content, [source.layouts.get(path)])] as const)
  const layouts = [...source.layouts].map(([path, file]) => [path, withDrafts(path, file, prepared)] as const)
  return { bytes: new Map(entries), layouts: new Map(layouts) }
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
