import type { KrmObject } from '../../resource-list/krm-object.ts'

/** The annotation of each object that was made to meet a requirement: the version that the object was made with. */
export const RESOLVED_ANNOTATION = 'krm-variants.dev/resolved'

/**
 * Returns true if an object was made to meet a requirement and no person has edited its version since. An edit makes the version field
 * differ from the annotation.
 *
 * @param version.written  the text of the version field
 * @param version.marked   true if the package manager itself marked the object; counts for an object without the annotation
 */
export function isGenerated(
  { annotations }: KrmObject,
  { written, marked }: { readonly written: string; readonly marked: boolean },
): boolean {
  const resolved = annotations.get(RESOLVED_ANNOTATION)
  return resolved === undefined ? marked : resolved === written
}
