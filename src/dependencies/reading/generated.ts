import type { KrmObject } from '../../resource-list/krm-object.ts'

/** On every object that was made to meet a requirement: the version it was made with. */
export const RESOLVED_ANNOTATION = 'krm-variants.dev/resolved'

/**
 * Whether an object was made for somebody, and not edited by a person since: then its version field says something else.
 *
 * @param version.written  what stands in the version field
 * @param version.marked   whether the system has marked it as made for somebody
 */
export function isGenerated(
  { annotations }: KrmObject,
  { written, marked }: { readonly written: string; readonly marked: boolean },
): boolean {
  const resolved = annotations.get(RESOLVED_ANNOTATION)
  return resolved === undefined ? marked : resolved === written
}
