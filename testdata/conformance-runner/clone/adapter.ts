import { equalJson, isRecord, type JsonRecord, type JsonValue } from '../../../src/json.ts'
import { mergeComment } from '../../../src/merge/upstream-identity.ts'
import { objectsOf, readResources } from '../../../src/package/read-whole-package.ts'
import { clonePackage } from '../../../src/render/clone/clone-package.ts'
import { isBytes, type RenderedContent, type RenderedFiles } from '../../../src/render/rendered-package.ts'
import type { KrmObject } from '../../../src/resource-list/krm-object.ts'
import { FunctionError } from '../../../src/result.ts'
import type { Adapter } from '../adapter.ts'
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

function compare({ flavour, upstream, downstream, expected }: CloneVector): readonly string[] {
  const files = attempt(() => clonePackage(packageOf(upstream, flavour), downstream, flavour))
  const { error } = expected
  if (files instanceof FunctionError) return error === undefined ? [`must succeed, fails: ${files.message}`] : []
  if (error !== undefined) return [`must fail (${error}), but succeeds`]
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

function compareFiles(files: RenderedFiles, expected: Texts): readonly string[] {
  const paths = [...new Set([...files.keys(), ...Object.keys(expected)])].sort()
  return paths.flatMap((path) => {
    const content = files.get(path)
    const ours = content && meaningOf(content)
    const theirs = meaningOfText(path, expected[path], content !== undefined && isBytes(content))
    return equalJson(ours, theirs) ? [] : [`${path}: expected ${print(theirs)}, got ${print(ours)}`]
  })
}

/** What a file says: of resources their values, and the comment that updates go by; of all else the bytes. */
function meaningOf(content: RenderedContent): JsonValue {
  return isBytes(content) ? Buffer.from(content).toString('latin1') : content.map(({ object }) => meaningOfObject(object))
}

function meaningOfText(path: string, text: string | undefined, asBytes: boolean): JsonValue | undefined {
  if (text === undefined) return undefined
  const { layout } = asBytes ? {} : readResources(path, Buffer.from(text))
  return layout === undefined ? Buffer.from(text).toString('latin1') : objectsOf(layout).map(meaningOfObject)
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
function lostComments(files: RenderedFiles, upstream: Texts): readonly string[] {
  return [...files].flatMap(([path, content]) => {
    if (isBytes(content) || upstream[path] === undefined) return []
    return content.flatMap(({ from, source, object }) =>
      from === 'upstream' ? lostLines(withoutMark(source), withoutMark(object)).map((line) => `${path} lost ${JSON.stringify(line)}`) : [],
    )
  })
}

/** A line that got a merge comment is still the line it was. */
function withoutMark(object: KrmObject): string {
  return object.toText().replace(/^(metadata:)(?:[ \t]+# kpt-merge: .*?)?[ \t]*(\r?)$/m, '$1$2')
}

function print(value: JsonValue | undefined): string {
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part)) ?? 'nothing'
}
