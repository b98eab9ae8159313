import { withJsonKept } from '../folder/json-file.ts'
import { isJsonText } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { WireError } from '../resource-list/wire-error.ts'
import { FunctionError } from '../result.ts'
import { mergeDocuments } from './merge-documents.ts'
import { isBytes, type PackageContent, type ThreeWay } from './package-files.ts'

/**
 * Returns a file of one resource in JSON with the changes of both sides, as JSON; undefined if the file is something else, or if both sides
 * changed a field in different ways: then the file is merged as a whole. kpt merges such files as a whole always.
 */
export function mergeJson(path: string, { base, theirs, ours }: ThreeWay<PackageContent>): Uint8Array | undefined {
  if (!path.endsWith('.json')) return undefined
  try {
    const sides = { base: jsonResource(path, base), theirs: jsonResource(path, theirs), ours: jsonResource(path, ours) }
    if (Object.values(sides).some((side) => side.length === 0)) return undefined
    const { content, outcomes, results } = mergeDocuments(path, sides)
    if (content === undefined || isBytes(content) || results.length > 0 || outcomes.some(({ contested }) => contested)) return undefined
    const [merged, ...others] = content
    if (merged === undefined || others.length > 0) return undefined
    const text = merged.object.toText()
    return Buffer.from(withJsonKept({ path, before: undefined }, [text], text))
  } catch (error) {
    // What cannot be read as a resource is a file like any other.
    if (error instanceof FunctionError || error instanceof WireError) return undefined
    throw error
  }
}

/** Returns the resource of a JSON file in a list; an empty list for any other file. */
function jsonResource(path: string, content: PackageContent | undefined): readonly KrmObject[] {
  const text = isBytes(content) ? Buffer.from(content).toString() : ''
  if (!isJsonText(text) || text.startsWith('\uFEFF')) return []
  const object = KrmObject.ofWholeDocument(text, { path, index: 0, line: 1 })
  return object.apiVersion === undefined || object.kind === undefined || object.name === undefined ? [] : [object]
}
