import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'

/** Written on every resource of a clone; the merge does not read it (kpt resource_matcher.go). */
export const UPSTREAM_IDENTIFIER = 'internal.kpt.dev/upstream-identifier'

const MERGE_COMMENT = /^#\s*kpt-merge:\s*([^/]*)\/(.*?)\s*$/

/** What a resource was called upstream, whatever people call it now: `metadata: # kpt-merge: NAMESPACE/NAME`. */
export function mergeComment(object: KrmObject): { readonly namespace: string; readonly name: string } | undefined {
  if (!object.mayHold('kpt-merge:')) return undefined
  const [, namespace, name] = MERGE_COMMENT.exec(object.keyComment(['metadata']) ?? '') ?? []
  return namespace === undefined || name === undefined ? undefined : { namespace, name }
}

/**
 * What makes a resource the same on two sides, beside its file: group, kind, and namespace and name as its merge comment says them, else as
 * it has them. No version: a new one is merged (kpt pkg/lib/update/merge3 resource_matcher.go).
 */
export function identityIn(object: KrmObject): string {
  const { namespace, name } = mergeComment(object) ?? object
  return JSON.stringify([groupOf(object.apiVersion ?? ''), object.kind ?? '', namespace ?? '', name ?? ''])
}
