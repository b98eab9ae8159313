import type { KrmObject } from '../resource-list/krm-object.ts'
import { appendTexts, assembleFile } from './assemble-file.ts'
import type { PackageFile } from './package.ts'

/** One document of a file that is to be written: the object that its text begins with, and the text. */
export interface LaidOut {
  readonly source: KrmObject
  readonly text: string
}

/**
 * The text of a file that is to hold some documents. Those that the file held before stand with what stood around them: separators, comments
 * between documents, a byte order mark. New ones are parted by `---`; in another order than before, all are.
 *
 * @param before  the file as it was; undefined for a new one
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

/** The texts of known documents, each with the new ones that come behind it; the first also with those before it. */
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
