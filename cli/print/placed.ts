import type { FieldPath } from '../../src/field-path.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { placeFile } from './print-results.ts'

/** `FILE:LINE` of a field; nothing where the object came without a file. `dir` is the folder as the caller named it. */
export function placed(object: KrmObject | undefined, path: FieldPath, dir: string): { readonly place?: string } {
  return object?.file === undefined ? {} : { place: `${placeFile(object.file.path, dir)}:${object.positionOf(path).line}` }
}
