import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { assembleFile } from '../../src/folder/assemble-file.ts'
import type { PackageDocument } from '../../src/folder/package.ts'
import { readDocuments } from '../../src/folder/read-package-file.ts'
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
 * Returns the text of a file of a fleet with objects as they are now: documents of changed objects are written anew, those of new objects
 * come at the end. Everything else keeps its bytes, also comments between documents.
 */
export function withFleetObjects(work: string, path: string, objects: readonly VendorObject[]): string {
  const known = new Set(fleetObjects(work, path).map(({ object }) => identityOfObject(object)))
  const wanted = new Map(objects.map((each) => [identityOfObject(each.object), each]))
  const added = objects.filter(({ object }) => !known.has(identityOfObject(object))).map(documentText)
  return joined(withObjects(path, textIn(work, path), wanted), added)
}

/** Returns the text of a file of a fleet with one more document at its end. */
export function withDocument(work: string, path: string, document: string): string {
  return joined(textIn(work, path), [document])
}

/** Returns a text with documents behind it. */
function joined(before: string, documents: readonly string[]): string {
  return [...(before === '' ? [] : [ended(before)]), ...documents].join('---\n')
}

/**
 * Returns the text of a file with objects as they are now. The document of an object that is undefined is removed, that of a changed object
 * is written anew. Everything else keeps its bytes, also comments between and behind documents.
 *
 * @param wanted  by the identity of the object in the file; an object that it lacks stays
 */
export function withObjects(path: string, before: string, wanted: ReadonlyMap<string, VendorObject | undefined>): string {
  const { documents, results } = readDocuments(path, before)
  if (results.length > 0) throw new FunctionError(results)
  const texts = new Map<KrmObject, string | undefined>()
  const documentsNow = documents.map((document): PackageDocument => {
    if (document.object === undefined) return document
    const text = textWith(document.object, document.text, wanted)
    texts.set(document.object, text)
    // A document may begin on the line of its dashes: `--- {a: 1}`.
    const isInline = document.separator !== '' && !document.separator.endsWith('\n')
    return isInline && text !== document.text ? { ...document, separator: '---\n' } : document
  })
  return assembleFile({ path, documents: documentsNow }, (object) => texts.get(object))
}

/** Returns the text of a document with its objects as they are now; undefined if none of them stays. */
function textWith(document: KrmObject, text: string, wanted: ReadonlyMap<string, VendorObject | undefined>): string | undefined {
  const own = appliedObjects(document)
  const now = own.map((object) => {
    const identity = identityOfObject(object)
    return wanted.has(identity) ? wanted.get(identity) : { object, head: '' }
  })
  if (now.every((each, index) => each !== undefined && equalJson(each.object.toJson(), own[index]?.toJson()))) return text
  // The comments of a document before it stay there; those in a List are with its entries.
  const texts = now.flatMap((each, index) =>
    each === undefined ? [] : [documentText(own[index] === document ? { ...each, head: '' } : each)],
  )
  return texts.length === 0 ? undefined : texts.join('---\n')
}

function ended(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`
}

function textIn(work: string, path: string): string {
  return existsSync(join(work, path)) ? readFileSync(join(work, path), 'utf8') : ''
}
