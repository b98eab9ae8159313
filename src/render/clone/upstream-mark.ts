import { isRecord } from '../../json.ts'
import { mergeComment, UPSTREAM_IDENTIFIER } from '../../merge/upstream-identity.ts'
import { groupOf } from '../../resource-list/identity.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { FunctionError } from '../../result.ts'

const IDENTIFIER_PATH = ['metadata', 'annotations', UPSTREAM_IDENTIFIER]

/**
 * Says on a resource what it is called upstream, so that later updates find it under whatever name people give it: a comment behind
 * `metadata`, if none is there, and an annotation. What has no metadata to tell it by is left alone, and so is what kpt stumbles over: flow
 * style, a List, a comment without a slash (kpt addmergecomment.go; docs/porch.md has the rows).
 */
export function markUpstream(object: KrmObject): void {
  if (!isMarkable(object)) return
  const { name = '', namespace = '', apiVersion = '', kind = '' } = object
  const upstream = mergeComment(object) ?? { name, namespace }
  if (object.keyComment(['metadata'])?.includes('kpt-merge:') !== true)
    object.setKeyComment(['metadata'], `# kpt-merge: ${upstream.namespace}/${upstream.name}`)
  annotate(object, `${groupOf(apiVersion)}|${kind}|${upstream.namespace || 'default'}|${upstream.name}`)
}

/** Takes the comment away again: what it says was true of the package that this one was cloned from. */
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

/** Behind the comments above it, and the dash of an item. */
function isFlow(object: KrmObject): boolean {
  return /^(?:[ \t]*(?:#[^\n]*)?\r?\n)*[ \t]*(?:- +)?\{/.test(object.toText())
}

/** In single quotes, as kpt writes it whatever it holds: so that an update by kpt changes no line for it. */
function annotate(object: KrmObject, identifier: string): void {
  if (object.annotations.get(UPSTREAM_IDENTIFIER) === identifier || hasSharedAnnotations(object)) return
  object.set(IDENTIFIER_PATH, '|')
  object.set(IDENTIFIER_PATH, identifier)
}

/**
 * Returns true where annotations, or what holds them, stand behind an alias, or an alias elsewhere in the object stands for them: an
 * annotation more would be one more there, or the alias would have to be written out. kpt and Porch write both.
 */
export function hasSharedAnnotations(object: KrmObject): boolean {
  if (!object.toText().includes('*') || object.aliases().length === 0) return false
  const trial = object.draft()
  try {
    trial.set(IDENTIFIER_PATH, '')
    trial.settle()
    return false
  } catch (error) {
    if (error instanceof FunctionError) return true
    throw error
  }
}
