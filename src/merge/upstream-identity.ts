import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'

/** The annotation of a clone's resources with their upstream identity. The merge does not read it (kpt resource_matcher.go). */
export const UPSTREAM_IDENTIFIER = 'internal.kpt.dev/upstream-identifier'

const MERGE_COMMENT = /^#\s*kpt-merge:\s*([^/]*)\/(.*?)\s*$/

/**
 * Returns the upstream namespace and name of a resource by its comment `metadata: # kpt-merge: NAMESPACE/NAME`, which stays when people
 * rename the resource; undefined without the comment.
 */
export function mergeComment(object: KrmObject): { readonly namespace: string; readonly name: string } | undefined {
  if (!object.mayHold('kpt-merge:')) return undefined
  const [, namespace, name] = MERGE_COMMENT.exec(object.keyComment(['metadata']) ?? '') ?? []
  return namespace === undefined || name === undefined ? undefined : { namespace, name }
}

/**
 * Returns the identity by which resources of two sides are paired, beside their file: group, kind, namespace and name, the last two
 * from the merge comment if there is one. The version is no part of it: a new version is merged (kpt pkg/lib/update/merge3
 * resource_matcher.go).
 */
export function identityIn(object: KrmObject): string {
  const { namespace, name } = mergeComment(object) ?? object
  return JSON.stringify([groupOf(object.apiVersion ?? ''), object.kind ?? '', namespace ?? '', name ?? ''])
}
