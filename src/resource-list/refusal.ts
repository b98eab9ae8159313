import type { FieldPath } from '../field-path.ts'
import { type FileRef, FunctionError, type Position, type ResourceRef, type Result } from '../result.ts'
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

/**
 * Returns a view of the items of a list that refuses every change, as JavaScript may try with `push`, `sort` or an index: a change of the
 * view would not change the list.
 */
export function unchangeableItems<Item>(items: readonly Item[]): readonly Item[] {
  const refuse = () => {
    throw changedItems()
  }
  return new Proxy(items, { set: refuse, defineProperty: refuse, deleteProperty: refuse, setPrototypeOf: refuse })
}

/** Returns the error for a function that changes `items` itself, or replaces it. */
export function changedItems(): FunctionError {
  return misuse(
    "`items` must not be changed itself: `list.upsert(object, 'file.yaml')` adds or updates an object, `list.remove(item)` removes one",
  )
}

/** Returns the result for a thrown value that is no Error, as in `throw 'text'`. */
export function thrownValue(thrown: unknown): Result {
  const found = typeof thrown === 'string' ? `'${thrown}'` : thrown === null ? 'null' : typeof thrown
  const message = `a function must throw a FunctionError with its results, or an Error, got ${found}`
  return { severity: 'error', message, tags: { rule: 'function-misuse' } }
}

function misuse(message: string): FunctionError {
  return new FunctionError([{ severity: 'error', message, tags: { rule: 'function-misuse' } }])
}

function asResult({ rule, path, message }: EditFault, object: Refused): FunctionError {
  const { file, ref: resourceRef } = object
  const position = object.positionOf(path)
  return new FunctionError([{ severity: 'error', message, resourceRef, field: { path }, ...(file && { file }), position, tags: { rule } }])
}
