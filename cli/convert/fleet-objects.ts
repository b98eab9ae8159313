import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PackageDocument } from '../../src/folder/package.ts'
import { readDocuments } from '../../src/folder/read-package.ts'
import { documentText, readVendorObjects, type VendorObject } from '../../src/intake/vendor-objects.ts'
import { equalJson } from '../../src/json.ts'
import { appliedObjects } from '../../src/resource-list/applied-objects.ts'
import { identityOfObject } from '../../src/resource-list/identity.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { FunctionError } from '../../src/result.ts'

/** Returns the objects of a file of a fleet; none for a file that is not there. */
export function fleetObjects(work: string, path: string): readonly VendorObject[] {
  return readVendorObjects([{ name: path, bytes: Buffer.from(textIn(work, path)) }]).objects
}

/**
 * Returns the text of a file of a fleet with objects as they are now: documents of changed objects are written anew, those of new objects come
 * at the end. Everything else keeps its bytes, also comments between documents.
 */
export function withFleetObjects(work: string, path: string, objects: readonly VendorObject[]): string {
  const before = textIn(work, path)
  const wanted = new Map(objects.map((each) => [identityOfObject(each.object), each]))
  const known = new Set<string>()
  const { documents, results } = readDocuments(path, before)
  if (results.length > 0) throw new FunctionError(results)
  const texts = documents.map((document) => {
    const own = document.object === undefined ? [] : appliedObjects(document.object)
    for (const each of own) known.add(identityOfObject(each))
    return documentWith(document, own, wanted)
  })
  const added = objects.filter(({ object }) => !known.has(identityOfObject(object))).map(documentText)
  return [...(before === '' ? [] : [ended(texts.join(''))]), ...added].join('---\n')
}

function documentWith(document: PackageDocument, own: readonly KrmObject[], wanted: ReadonlyMap<string, VendorObject>): string {
  const now = own.map((object) => wanted.get(identityOfObject(object)) ?? { object, head: '' })
  const isAsBefore = now.every(({ object }, index) => equalJson(object.toJson(), own[index]?.toJson()))
  const separator = isAsBefore || document.separator === '' || document.separator.endsWith('\n') ? document.separator : '---\n'
  // The comments of a document before it stay there; those in a List are with its entries.
  const texts = now.map((each, index) => documentText(own[index] === document.object ? { ...each, head: '' } : each))
  return `${separator}${document.before}${isAsBefore ? document.text : texts.join('---\n')}${document.after}`
}

function ended(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`
}

function textIn(work: string, path: string): string {
  return existsSync(join(work, path)) ? readFileSync(join(work, path), 'utf8') : ''
}
