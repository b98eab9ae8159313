import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { assembleFile } from '../../src/folder/assemble-file.ts'
import { readDocuments } from '../../src/folder/read-package-file.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { FunctionError } from '../../src/result.ts'

/** An object of a fleet, and the file around it. */
export interface ObjectInFile {
  /** The object, to be edited. */
  readonly object: KrmObject
  /** Returns the text of the file with another text of the object. Other documents, and comments around them, keep their bytes. */
  readonly fileWith: (text: string) => string
}

/**
 * Reads the object of a kind with a name in a file of a fleet; if none has the name, the only object of the kind, which people may have
 * renamed.
 * Without a name, the first of the kind counts.
 * Returns undefined for a file that is not there, and for one without such an object.
 *
 * @throws FunctionError for a file that cannot be read
 */
export function objectInFile(
  work: string,
  path: string,
  { kind, name }: { readonly kind: string; readonly name?: string },
): ObjectInFile | undefined {
  const place = join(work, path)
  if (!existsSync(place)) return undefined
  const { documents, results } = readDocuments(path, readFileSync(place, 'utf8'))
  if (results.length > 0) throw new FunctionError(results)
  const ofKind = documents.flatMap(({ object }) => (object?.kind === kind ? [object] : []))
  const found = ofKind.find((object) => object.name === name) ?? (name === undefined || ofKind.length === 1 ? ofKind[0] : undefined)
  if (found === undefined) return undefined
  return { object: found, fileWith: (text) => assembleFile({ path, documents }, (each) => (each === found ? text : each.toText())) }
}

/** Reads the matrix of a package in its file of a fleet, as `objectInFile`. */
export function matrixInFile(work: string, name: string): ObjectInFile | undefined {
  return objectInFile(work, `fleet/${name}.yaml`, { kind: 'PackageVariantMatrix', name })
}
