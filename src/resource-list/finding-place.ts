import type { FieldPath } from '../field-path.ts'
import type { FileRef, Position, ResourceRef, Result } from '../result.ts'

/** The parts of an object that results name. */
export interface PlacedInFile {
  readonly file: FileRef | undefined
  readonly ref: ResourceRef
  positionOf(path: FieldPath): Position
}

/** Returns the parts of a result that name an object and its file. */
export function objectPlace({ ref, file }: Pick<PlacedInFile, 'ref' | 'file'>): Pick<Result, 'resourceRef' | 'file'> {
  return { resourceRef: ref, ...(file && { file }) }
}

/** Returns the parts of a result that say where a field is: the object, its file, the field, and the field's line and column. */
export function fieldPlace(
  object: PlacedInFile,
  path: FieldPath,
  position = object.positionOf(path),
): Pick<Result, 'resourceRef' | 'field' | 'file' | 'position'> {
  return { ...objectPlace(object), field: { path }, position }
}
