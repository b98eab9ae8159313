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

/** @throws FunctionError  for a path that is no list: JavaScript may pass `'spec.replicas'`, whose characters are no keys */
export function requirePath(path: FieldPath, object: Pick<Refused, 'file' | 'ref'>): void {
  if (Array.isArray(path)) return
  const keys = typeof path === 'string' ? String(path).split('.') : ['spec', 'replicas']
  const message = `the path must be a list of keys and indexes, such as ${JSON.stringify(keys)}, got ${JSON.stringify(path)}`
  // Only here: reading the name of an object writes its pending edits.
  const { file, ref: resourceRef } = object
  throw new FunctionError([{ severity: 'error', message, resourceRef, ...(file && { file }), tags: { rule: 'field-path' } }])
}

/** @throws FunctionError  for the file of a new object that is no text, which JavaScript may leave out */
export function requireFile(path: unknown): void {
  if (typeof path === 'string') return
  throw misuse(`the second argument must be the file of the object, such as 'configmap.yaml', got ${typeof path}`)
}

/** @throws FunctionError  for what is no object of a list, such as a name: it would remove nothing */
export function requireItem(object: unknown): void {
  if (typeof object === 'object' && object !== null && 'toText' in object) return
  throw misuse(`the first argument must be an item of the list, got ${typeof object === 'string' ? JSON.stringify(object) : typeof object}`)
}

function misuse(message: string): FunctionError {
  return new FunctionError([{ severity: 'error', message, tags: { rule: 'field-path' } }])
}

function asResult({ rule, path, message }: EditFault, object: Refused): FunctionError {
  const { file, ref: resourceRef } = object
  const position = object.positionOf(path)
  return new FunctionError([{ severity: 'error', message, resourceRef, field: { path }, ...(file && { file }), position, tags: { rule } }])
}
