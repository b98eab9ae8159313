import type { FieldPath } from '../field-path.ts'
import { quoteText } from '../schema/describe-value.ts'
import type { Fault } from '../schema/fault.ts'
import { refusedField } from './rule-fault.ts'

// kpt and Porch set these keys (seed 000, Package Context Injection).
const RESERVED_KEYS = ['name', 'package-path']

/**
 * Returns a fault for each reserved key of the package context in `data` and in `removeKeys`. The field of the fault is the whole map or
 * list, as in Porch's controller (docs/porch.md 35); its place is the key.
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

/** Returns the fault of a reserved key in the map or list at `path`. */
function reservedKeyFault(path: FieldPath, key: string, place: FieldPath): Fault {
  return refusedField('reserved-context-key', path, reservedKeyMessage('contain', quoteText(key)), place)
}

/** Returns true if kpt sets a key of the package context, so that users must not set or remove the key. */
export function isReservedKey(key: string): boolean {
  return RESERVED_KEYS.includes(key)
}

/** Returns a fault if a field names a reserved key, else an empty list. */
export function reservedNameFaults(key: string | undefined, path: FieldPath): Fault[] {
  return key !== undefined && isReservedKey(key)
    ? [refusedField('reserved-context-key', path, reservedKeyMessage('name', quoteText(key)))]
    : []
}

/** Returns the message about reserved keys, which the caller has quoted: `must not contain the key 'name', which kpt sets`. */
export function reservedKeyMessage(verb: 'contain' | 'name' | 'give', keys: string): string {
  return `must not ${verb} the key ${keys}, which kpt sets`
}
