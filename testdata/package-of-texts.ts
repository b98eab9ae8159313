import { splitDocuments } from '../src/folder/split-documents.ts'
import { isBytes, type MergedContent, type PackageContent, type PackageFiles } from '../src/merge/package-files.ts'
import { KrmObject } from '../src/resource-list/krm-object.ts'
import { WireError } from '../src/resource-list/wire-error.ts'

export type Texts = Readonly<Record<string, string>>

/** A package of files that are given as texts; for tests. */
export function packageOfTexts(texts: Texts): PackageFiles {
  return new Map(Object.entries(texts).map(([path, text]) => [path, contentOf(path, text)]))
}

function contentOf(path: string, text: string): PackageContent {
  const objects = /(^|\/)Kptfile$|\.ya?ml$/.test(path) ? readObjects(path, text) : []
  return objects.length === 0 ? new TextEncoder().encode(text) : objects
}

/** None when one of them is no map, or cannot be read. */
function readObjects(path: string, text: string): readonly KrmObject[] {
  try {
    const chunks = splitDocuments(text).chunks.filter(({ isEmpty }) => !isEmpty)
    const objects = chunks.map((chunk, index) => KrmObject.fromDocument(chunk.text, { path, index, line: chunk.line }))
    for (const object of objects) object.readAll()
    return objects.every((object) => object.isMap()) ? objects : []
  } catch (error) {
    if (error instanceof WireError) return []
    throw error
  }
}

/** The files of a result as texts, documents parted by a bare `---`. */
export function textsOf(files: ReadonlyMap<string, MergedContent>): Texts {
  return Object.fromEntries([...files].map(([path, content]) => [path, textOf(content)]))
}

function textOf(content: MergedContent): string {
  if (isBytes(content)) return new TextDecoder().decode(content)
  return content.map(({ object }) => object.toText().replace(/\n?$/, '\n')).join('---\n')
}
