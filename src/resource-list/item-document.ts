import { equalJson, isRecord, type JsonRecord } from '../json.ts'
import { emitValue } from '../yaml/emit/emit.ts'
import { KrmObject } from './krm-object.ts'
import { isWireAnnotation } from './wire-annotations.ts'
import { WireError } from './wire-error.ts'

/** Returns all annotations of an item, including those of the wire. */
export function allAnnotations(item: KrmObject): ReadonlyMap<string, string> {
  const texts = item.scalars(['metadata', 'annotations']).map(({ path, text }) => [String(path.at(-1)), text] as const)
  return new Map(texts)
}

/** Returns a copy of an item as a document of a file, without the annotations of the wire. */
export function itemDocument(item: KrmObject): KrmObject {
  const text = item.isDocument ? item.toText() : undented(item.toText())
  const document = KrmObject.made(text, 'document')
  try {
    for (const key of allAnnotations(document).keys()) if (isWireAnnotation(key)) document.delete(['metadata', 'annotations', key])
    const left = document.get(['metadata', 'annotations'])
    if (isRecord(left) && Object.keys(left).length === 0) document.delete(['metadata', 'annotations'])
    if (!Object.hasOwn(objectValue(item), 'metadata')) document.delete(['metadata'])
    if (equalJson(document.toJson(), objectValue(item))) return document
  } catch (error) {
    if (!(error instanceof WireError)) throw error
  }
  return KrmObject.made(`${emitValue(objectValue(item), { column: 0, sequences: 'compact' })}\n`, 'document')
}

/** Returns the text of a list item without its dash and indentation. */
function undented(item: string): string {
  const [head = ''] = /^ *- */.exec(item) ?? []
  return item.slice(head.length).replace(new RegExp(`^ {1,${head.length}}`, 'gm'), '')
}

/** Returns the value of an item, without a `metadata` that had annotations of the wire alone. */
export function objectValue(item: KrmObject): JsonRecord {
  const { metadata, ...others } = item.toJson()
  const isEmpty = metadata === undefined || (isRecord(metadata) && Object.keys(metadata).length === 0)
  return isEmpty ? others : item.toJson()
}
