import type { FieldPath } from '../field-path.ts'
import { quoteText } from '../schema/describe-value.ts'
import type { Fault } from '../schema/fault.ts'
import { refusedField } from './rule-fault.ts'

// kpt and Porch set these (seed 000, Package Context Injection).
const RESERVED_KEYS = ['name', 'package-path']

/**
 * The keys of the package context that nobody may set or remove, one fault for each in `data` and in `removeKeys`.
 * The field is the whole map or list, as the controller has it (docs/porch.md 35); the place is that of the key.
 */
export function reservedKeyFaults(
  context: { readonly data?: Readonly<Record<string, string>>; readonly removeKeys?: readonly string[] },
  path: FieldPath,
): Fault[] {
  const { data = {}, removeKeys = [] } = context
  return RESERVED_KEYS.flatMap((key) => [
    ...(Object.hasOwn(data, key) ? [reservedKeyFault([...path, 'data'], key, [...path, 'data', key])] : []),
    ...(removeKeys.includes(key) ? [reservedKeyFault([...path, 'removeKeys'], key, [...path, 'removeKeys', removeKeys.indexOf(key)])] : []),
  ])
}

/** The fault of a reserved key in a map or list. */
function reservedKeyFault(path: FieldPath, key: string, place: FieldPath): Fault {
  return refusedField('reserved-context-key', path, reservedKeyMessage('contain', quoteText(key)), place)
}

/** Whether nobody may set or remove a key of the package context. */
export function isReservedKey(key: string): boolean {
  return RESERVED_KEYS.includes(key)
}

/** The fault of a field that names a key, where it names a reserved one. */
export function reservedNameFaults(key: string | undefined, path: FieldPath): Fault[] {
  return key !== undefined && isReservedKey(key)
    ? [refusedField('reserved-context-key', path, reservedKeyMessage('name', quoteText(key)))]
    : []
}

/** `must not contain the key 'name', which kpt sets`; `keys` are in quotes. */
export function reservedKeyMessage(verb: 'contain' | 'name' | 'give', keys: string): string {
  return `must not ${verb} the key ${keys}, which kpt sets`
}
