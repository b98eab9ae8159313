import { attempt } from '../../attempt.ts'
import { isRecord } from '../../json.ts'
import { mergeComment, readMergeComment, type UpstreamName } from '../../merge/clone-marks.ts'
import { TURNS_TEXT } from '../../printable.ts'
import { groupOf } from '../../resource-list/identity.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { FunctionError } from '../../result.ts'
import { UPSTREAM_IDENTIFIER } from '../../well-known.ts'
import { isPrintable } from '../../yaml/emit/quote.ts'

const IDENTIFIER_PATH = ['metadata', 'annotations', UPSTREAM_IDENTIFIER]

/**
 * Writes the upstream name of a resource into the resource, so that updates find the resource under any later name: the comment `#
 * kpt-merge: NAMESPACE/NAME` after `metadata`, if there is none, and the identifier annotation. Leaves alone a resource without name,
 * namespace and labels, and those that kpt cannot mark: flow style, a List, a comment without a slash (kpt addmergecomment.go;
 * docs/porch.md lists them).
 *
 * @param named  the name in upstream, if that is not the name that the resource has now
 */
export function markUpstream(object: KrmObject, named?: UpstreamName): void {
  if (!isMarkable(object)) return
  const { name = '', namespace = '', apiVersion = '', kind = '' } = object
  const upstream = mergeComment(object) ?? named ?? { name, namespace }
  const comment = `# kpt-merge: ${upstream.namespace}/${upstream.name}`
  // Names that the API server refuses can have line breaks, and a comment has no escapes.
  if (object.keyComment(['metadata'])?.includes('kpt-merge:') !== true && isSameIn(comment, upstream))
    object.setKeyComment(['metadata'], comment)
  annotate(object, `${groupOf(apiVersion)}|${kind}|${upstream.namespace || 'default'}|${upstream.name}`)
}

/** Returns true if a comment is one line of printable text that names a namespace and a name. */
function isSameIn(comment: string, { namespace, name }: UpstreamName): boolean {
  const read = isPrintable(comment) && !TURNS_TEXT.test(comment) ? readMergeComment(comment) : undefined
  return read?.namespace === namespace && read.name === name
}

/** Removes the `kpt-merge` comment, which names the upstream of the package that this one was cloned from. */
export function dropMergeComment(object: KrmObject): void {
  if (mergeComment(object) !== undefined) object.setKeyComment(['metadata'], undefined)
}

function isMarkable(object: KrmObject): boolean {
  if (!object.isMap() || object.kind === 'List' || isFlow(object)) return false
  const { name = '', namespace = '', labels } = object
  if (object.toText().includes('*') && object.aliases().some(({ path }) => path.length === 1 && path[0] === 'metadata')) return false
  if (name === '' && namespace === '' && labels.size === 0) return false
  const comment = isRecord(object.get(['metadata'])) ? (object.keyComment(['metadata']) ?? '') : 'kpt-merge:'
  return !comment.includes('kpt-merge:') || mergeComment(object) !== undefined
}

/** Returns true if an object is in flow style, after any comments and the dash of an item. */
function isFlow(object: KrmObject): boolean {
  return /^(?:[ \t]*(?:#[^\n]*)?\r?\n)*[ \t]*(?:- +)?\{/.test(object.toText())
}

/** Writes the identifier: in single quotes where it begins with `|`, as that of the core group. kpt writes them around every identifier. */
function annotate(object: KrmObject, identifier: string): void {
  if (object.annotations.get(UPSTREAM_IDENTIFIER) === identifier || hasSharedAnnotations(object)) return
  object.set(IDENTIFIER_PATH, '|')
  object.set(IDENTIFIER_PATH, identifier)
}

/**
 * Returns true if annotations, or a map that holds them, are shared through a YAML alias: a new annotation would appear in both places,
 * or the alias would have to be written out. kpt and Porch write both.
 */
export function hasSharedAnnotations(object: KrmObject): boolean {
  if (!object.toText().includes('*') || object.aliases().length === 0) return false
  const trial = object.draft()
  const write = (): KrmObject => {
    trial.set(IDENTIFIER_PATH, '')
    trial.settle()
    return trial
  }
  return attempt(write, FunctionError) === undefined
}
