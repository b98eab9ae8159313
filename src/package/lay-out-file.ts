import type { KrmObject } from '../resource-list/krm-object.ts'
import { appendTexts, assembleFile } from './assemble-file.ts'
import type { PackageFile } from './package.ts'

/** A document to be written: its text, and the object that the text is based on. */
export interface LaidOut {
  readonly source: KrmObject
  readonly text: string
}

/**
 * Returns the text of a file with the given documents. Documents that the file held before keep the text around them: separators,
 * comments between documents, a byte order mark. New documents are separated by `---`; if the order changed, all are.
 *
 * @param before  the file until now; undefined for a new file
 */
export function layOutFile(documents: readonly LaidOut[], before: PackageFile | undefined): string {
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
