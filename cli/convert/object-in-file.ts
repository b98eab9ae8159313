import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { assembleFile } from '../../src/folder/assemble-file.ts'
import { readDocuments } from '../../src/folder/read-package.ts'
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
 * Reads the first object of a kind in a file of a fleet. Returns undefined for a file that is not there, and for one without the kind.
 *
 * @throws FunctionError for a file that cannot be read
 */
export function objectInFile(work: string, path: string, kind: string): ObjectInFile | undefined {
  const place = join(work, path)
  if (!existsSync(place)) return undefined
  const { documents, results } = readDocuments(path, readFileSync(place, 'utf8'))
  if (results.length > 0) throw new FunctionError(results)
  const found = documents.find(({ object }) => object?.kind === kind)?.object
  if (found === undefined) return undefined
  return { object: found, fileWith: (text) => assembleFile({ path, documents }, (each) => (each === found ? text : each.toText())) }
}

/** Reads the matrix in a file of a fleet, as `objectInFile`. */
export function matrixInFile(work: string, path: string): ObjectInFile | undefined {
  return objectInFile(work, path, 'PackageVariantMatrix')
}
