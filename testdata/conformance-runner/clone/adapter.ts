import { isRecord, type JsonRecord, type JsonValue } from '../../../src/json.ts'
import { isBytes } from '../../../src/merge/package-files.ts'
import { mergeComment } from '../../../src/merge/upstream-identity.ts'
import { objectsOf, readResources } from '../../../src/package/read-whole-package.ts'
import { clonePackage } from '../../../src/render/package/clone-package.ts'
import type { RenderedContent, RenderedFiles } from '../../../src/render/package/rendered-package.ts'
import type { KrmObject } from '../../../src/resource-list/krm-object.ts'
import { FunctionError } from '../../../src/result.ts'
import type { Adapter, Difference } from '../adapter.ts'
import { differ, differByField } from '../difference.ts'
import { lostLines } from '../mutations/kept-lines.ts'
import { KNOWN_DIFFERENCES } from './known-differences.ts'
import { type CloneVector, packageOf, readClone, readClones, type Texts } from './vector.ts'

/** Clones that kpt and Porch made of the same packages. */
export const PORCH_CLONE: Adapter = {
  folder: 'porch/clone',
  cases: readClones,
  known: KNOWN_DIFFERENCES,
  run: (vector) => compare(readClone(vector)),
}

function compare({ flavour, upstream, downstream, expected }: CloneVector): readonly Difference[] {
  const files = attempt(() => clonePackage(packageOf(upstream, flavour), downstream, flavour))
  const { error } = expected
  if (files instanceof FunctionError) return error === undefined ? [{ what: 'fault', actual: files.message }] : []
  if (error !== undefined) return [{ what: 'fault', expected: error }]
  return [...compareFiles(files, expected), ...lostComments(files, upstream)]
}

function attempt(act: () => RenderedFiles): RenderedFiles | FunctionError {
  try {
    return act()
  } catch (error) {
    if (error instanceof FunctionError) return error
    throw error
  }
}

function compareFiles(files: RenderedFiles, expected: Texts): readonly Difference[] {
  const paths = [...new Set([...files.keys(), ...Object.keys(expected)])].sort()
  return paths.flatMap((path) => {
    const content = files.get(path)
    const theirs = content !== undefined && isBytes(content) ? bytesOfText(expected[path]) : meaningOfText(path, expected[path])
    const isBoth = content !== undefined && Array.isArray(theirs)
    return isBoth ? differByField(path, meaningOf(content), theirs) : differ(path, content && meaningOf(content), theirs)
  })
}

/** What a file says: of resources their values, and the comment that updates go by; of all else the bytes. */
function meaningOf(content: RenderedContent): JsonValue {
  return isBytes(content) ? Buffer.from(content).toString('latin1') : content.map(({ object }) => meaningOfObject(object))
}

function meaningOfText(path: string, text: string | undefined): JsonValue | undefined {
  if (text === undefined) return undefined
  const { layout } = readResources(path, Buffer.from(text))
  return layout === undefined ? bytesOfText(text) : objectsOf(layout).map(meaningOfObject)
}

function bytesOfText(text: string | undefined): string | undefined {
  return text === undefined ? undefined : Buffer.from(text).toString('latin1')
}

function meaningOfObject(object: KrmObject): JsonRecord {
  const comment = mergeComment(object)
  const value = object.kind === 'Kptfile' ? withoutEmptyLists(object.toJson()) : object.toJson()
  return { value, ...(comment !== undefined && { comment: `${comment.namespace}/${comment.name}` }) }
}

/** kpt writes its own type of a Kptfile, which has no place for them. */
function withoutEmptyLists(record: JsonRecord): JsonRecord {
  const entries = Object.entries(record).filter(([, value]) => !(Array.isArray(value) && value.length === 0))
  return Object.fromEntries(entries.map(([key, value]) => [key, isRecord(value) ? withoutEmptyLists(value) : value]))
}

/** Lines and comments of upstream that did not have to go. */
function lostComments(files: RenderedFiles, upstream: Texts): readonly Difference[] {
  return [...files].flatMap(([path, content]) => {
    if (isBytes(content) || upstream[path] === undefined) return []
    return content.flatMap(({ from, source, object }) =>
      from === 'theirs'
        ? lostLines(withoutMark(source), withoutMark(object)).map((line) => ({ what: `${path}: line`, expected: line }))
        : [],
    )
  })
}

/** A line that got a merge comment is still the line it was. */
function withoutMark(object: KrmObject): string {
  return object.toText().replace(/^(metadata:)(?:[ \t]+# kpt-merge: .*?)?[ \t]*(\r?)$/m, '$1$2')
}
