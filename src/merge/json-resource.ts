import { attempt } from '../attempt.ts'
import { isJsonText } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { WireError } from '../resource-list/wire-error.ts'
import { FunctionError } from '../result.ts'
import { isBytes, objectsIn, type PackageContent } from './package-files.ts'

/** Returns the value that a function reads; undefined if it cannot be read as a resource, and so is a file like any other. */
export function ifReadable<T>(read: () => T): T | undefined {
  return attempt(read, FunctionError, WireError)
}

/** Returns the resources of a file, also the one of a JSON file: people may have turned YAML into JSON. */
export function objectsAt(path: string, content: PackageContent | undefined): readonly KrmObject[] {
  return [...objectsIn(content), ...jsonResource(path, content)]
}

/** Returns the resource of a JSON file in a list; an empty list for any other file. */
export function jsonResource(path: string, content: PackageContent | undefined): readonly KrmObject[] {
  if (!path.endsWith('.json') || !isBytes(content)) return []
  const text = Buffer.from(content).toString()
  if (!isJsonText(text) || text.startsWith('\uFEFF')) return []
  const object = ifReadable(() => KrmObject.ofWholeDocument(text, { path, index: 0, line: 1 }))
  return object?.apiVersion === undefined || object.kind === undefined || object.name === undefined ? [] : [object]
}
