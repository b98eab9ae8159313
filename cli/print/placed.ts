import type { FieldPath } from '../../src/field-path.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'

/** `FILE:LINE` of a field; nothing where the object came without a file. */
export function placed(object: KrmObject | undefined, path: FieldPath): { readonly place?: string } {
  return object?.file === undefined ? {} : { place: `${object.file.path}:${object.positionOf(path).line}` }
}
