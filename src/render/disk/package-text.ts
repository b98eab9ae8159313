import { isBytes } from '../../merge/package-files.ts'
import { type LaidOut, layOutFile } from '../../package/lay-out-file.ts'
import type { PackageFile } from '../../package/package.ts'
import type { RenderedContent } from '../rendered-package.ts'

/**
 * The bytes of a file that holds some content.
 *
 * @param layouts  the files that its objects are from, of this path; the first that holds one of them says how the file is laid out
 */
export function contentBytes(content: RenderedContent, layouts: readonly (PackageFile | undefined)[]): Uint8Array {
  if (isBytes(content)) return content
  const documents = content.map(({ source, object }): LaidOut => ({ source, text: object.toText() }))
  const sources = new Set(documents.map(({ source }) => source))
  const layout = layouts.find((file) => file?.documents.some(({ object }) => object !== undefined && sources.has(object)))
  return Buffer.from(layOutFile(documents, layout))
}
