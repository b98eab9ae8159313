import type { FieldPath } from '../field-path.ts'
import { isRecord, type JsonValue, lookup } from '../json.ts'
import { FunctionError, type Result } from '../result.ts'
import { aliasFault, EditError, type EditFault } from '../yaml/edit/edit-fault.ts'
import { AliasError } from '../yaml/read/alias-targets.ts'
import { fieldPlace, objectPlace, type PlacedInFile } from './finding-place.ts'

/**
 * Returns the error to throw: a FunctionError with a result of the object for a refused edit or alias, every other error unchanged.
 *
 * @param asked  the path that was to be read or written
 */
export function refusalOf(error: unknown, asked: FieldPath, object: PlacedInFile): unknown {
  if (error instanceof EditError) return asResult(error.fault, object)
  if (error instanceof AliasError) return asResult(aliasFault(error, asked), object)
  return error
}

/**
 * @throws FunctionError  for a path that is no list, or a list with another value than a text or number: JavaScript may pass
 *   `'spec.replicas'`, whose characters are no keys, or an undefined variable, whose key would be `undefined`
 */
export function requirePath(path: FieldPath, object: Pick<PlacedInFile, 'file' | 'ref'>): void {
  if (Array.isArray(path) && path.every(isStep)) return
  const keys = typeof path === 'string' ? String(path).split('.') : ['spec', 'replicas']
  const found = Array.isArray(path) ? `a list with ${String(path.find((step) => !isStep(step)))}` : JSON.stringify(path)
  const message = `the path must be a list of keys and indexes, such as ${JSON.stringify(keys)}, got ${found}`
  // Only here: reading the name of an object writes its pending edits.
  throw new FunctionError([{ severity: 'error', message, ...objectPlace(object), tags: { rule: 'field-path' } }])
}

function isStep(step: unknown): boolean {
  return typeof step === 'string' || typeof step === 'number'
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

/** The paths of the members of an object that are read, and written with `set`. */
const READ_ONLY = {
  apiVersion: ['apiVersion'],
  kind: ['kind'],
  name: ['metadata', 'name'],
  namespace: ['metadata', 'namespace'],
  labels: ['metadata', 'labels'],
  annotations: ['metadata', 'annotations'],
} as const

/** The fields of objects that JavaScript may take for members. */
const NO_MEMBERS = ['metadata', 'spec', 'status', 'data', 'stringData'] as const

/**
 * Makes the objects of a class refuse, in words, what JavaScript may try with them: to assign to a member that is read, as in `item.kind =
 * 'x'`, and to take a field for a member, as in `item.spec.replicas = 3`. The class calls it once, when it is defined.
 */
export function refuseFieldsAsMembers(prototype: object): void {
  for (const [name, path] of Object.entries(READ_ONLY)) {
    const known = Object.getOwnPropertyDescriptor(prototype, name)
    const set = () => {
      throw misuse(`\`${name}\` must not be assigned to: \`item.set(${JSON.stringify(path)}, value)\` writes the field`)
    }
    if (known?.get !== undefined) Object.defineProperty(prototype, name, { ...known, set })
  }
  for (const name of NO_MEMBERS) {
    const refuse = () => {
      const path = JSON.stringify([name, 'KEY'])
      throw misuse(
        `\`${name}\` is no member of an item: \`item.get(${path})\` reads a field of it, \`item.set(${path}, value)\` writes one`,
      )
    }
    Object.defineProperty(prototype, name, { get: refuse, set: refuse, configurable: true })
  }
}

/**
 * Requires what every object has, which JavaScript may leave out. A name is not required: a Kustomization has none, nor a Job with
 * `generateName`.
 *
 * @throws FunctionError  for a new object without apiVersion or kind; the message has no values, which may be those of a Secret
 */
export function requireObject(value: JsonValue | undefined): void {
  const missing = ['apiVersion', 'kind'].filter(
    (key) => !isRecord(value) || typeof lookup(value, key) !== 'string' || lookup(value, key) === '',
  )
  if (missing.length === 0) return
  const found = isRecord(value) ? `an object without ${missing.join(' and ')}` : typeof value
  throw misuse(`the first argument must be an object with apiVersion and kind, got ${found}`)
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

function asResult({ rule, path, message }: EditFault, object: PlacedInFile): FunctionError {
  return new FunctionError([{ severity: 'error', message, ...fieldPlace(object, path), tags: { rule } }])
}
