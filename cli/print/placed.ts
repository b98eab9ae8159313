import type { FieldPath } from '../../src/field-path.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'

/** Returns `FILE:LINE` of a field; empty if the object has no file. */
export function placed(object: KrmObject | undefined, path: FieldPath): { readonly place?: string } {
  return object?.file === undefined ? {} : { place: `${object.file.path}:${object.positionOf(path).line}` }
}
