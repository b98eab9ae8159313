import { isBytes } from '../../merge/package-files.ts'
import { type LaidOut, layOutFile } from '../../package/lay-out-file.ts'
import type { PackageFile } from '../../package/package.ts'
import type { RenderedContent } from '../rendered-package.ts'

/**
 * Returns the bytes of a file with the given content.
 *
 * @param layouts  files of this path that the objects may be from; the first that holds one of the objects decides how the file is laid
 * out
 */
export function contentBytes(content: RenderedContent, layouts: readonly (PackageFile | undefined)[]): Uint8Array {
  if (isBytes(content)) return content
  const documents = content.map(({ source, object }): LaidOut => ({ source, text: object.toText() }))
  const sources = new Set(documents.map(({ source }) => source))
  const layout = layouts.find((file) => file?.documents.some(({ object }) => object !== undefined && sources.has(object)))
  return Buffer.from(layOutFile(documents, layout))
}
