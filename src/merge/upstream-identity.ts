import { asRecord, isRecord, type JsonRecord, lookup, memberOf } from '../json.ts'
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

/** An object without its upstream identifier. */
export function withoutIdentifier(object: JsonRecord): JsonRecord {
  const metadata = lookup(object, 'metadata')
  const annotations = isRecord(metadata) ? lookup(metadata, 'annotations') : undefined
  if (!isRecord(metadata) || !isRecord(annotations) || !Object.hasOwn(annotations, UPSTREAM_IDENTIFIER)) return object
  const { [UPSTREAM_IDENTIFIER]: _, ...others } = annotations
  const { annotations: __, ...rest } = metadata
  return { ...object, metadata: Object.keys(others).length === 0 ? rest : { ...metadata, annotations: others } }
}

/** An object with the upstream identifier of another. */
export function withIdentifierOf(object: JsonRecord, source: JsonRecord): JsonRecord {
  const identifier = memberOf(memberOf(memberOf(source, 'metadata'), 'annotations'), UPSTREAM_IDENTIFIER)
  if (identifier === undefined) return object
  const metadata = asRecord(lookup(object, 'metadata'))
  return {
    ...object,
    metadata: { ...metadata, annotations: { ...asRecord(lookup(metadata, 'annotations')), [UPSTREAM_IDENTIFIER]: identifier } },
  }
}
