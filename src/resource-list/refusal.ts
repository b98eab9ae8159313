import type { FieldPath } from '../field-path.ts'
import { type FileRef, FunctionError, type Position, type ResourceRef } from '../result.ts'
import { aliasFault, EditError, type EditFault } from '../yaml/edit/edit-fault.ts'
import { AliasError } from '../yaml/read/alias-targets.ts'

/** The parts of an object that a result names. */
interface Refused {
  readonly file: FileRef | undefined
  readonly ref: ResourceRef
  positionOf(path: FieldPath): Position
}

/**
 * Returns the error to throw: a FunctionError with a result of the object for a refused edit or alias, every other error unchanged.
 *
 * @param asked  the path that was to be read or written
 */
export function refusalOf(error: unknown, asked: FieldPath, object: Refused): unknown {
  if (error instanceof EditError) return asResult(error.fault, object)
  if (error instanceof AliasError) return asResult(aliasFault(error, asked), object)
  return error
}

function asResult({ rule, path, message }: EditFault, object: Refused): FunctionError {
  const { file, ref: resourceRef } = object
  const position = object.positionOf(path)
  return new FunctionError([{ severity: 'error', message, resourceRef, field: { path }, ...(file && { file }), position, tags: { rule } }])
}
