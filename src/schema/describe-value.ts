import { isRecord, type JsonValue } from '../json.ts'
import type { TypeName } from './schema.ts'

const TYPE_NAMES: Readonly<Record<TypeName, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  object: 'a map',
  array: 'a list',
}

/** Describes allowed types in a message: `a list or a map`. */
export function describeTypes(types: readonly TypeName[]): string {
  return types.map((type) => TYPE_NAMES[type]).join(' or ')
}

/** Describes a found value in a message: `'text'`, `the number 0644`, `a list`. `source` is the text of a scalar in the file. */
export function describeValue(value: JsonValue, source?: string): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (isRecord(value)) return 'a map'
  if (typeof value === 'string') return quoteText(value)
  return typeof value === 'boolean' ? `the boolean ${source ?? value}` : `the number ${source ?? value}`
}

/** Returns a user's text for a message: in quotes, on one line. */
export function quoteText(text: string): string {
  return `'${text.replaceAll('\n', '\\n')}'`
}

/** Returns names for a message: `'a', 'b'`. */
export function quoteNames(names: readonly string[]): string {
  return names.map(quoteText).join(', ')
}

/** Returns the allowed values for a message, after `must be`: `one of 'a', 'b'`; of one value `'a'` alone. */
export function describeChoice(names: readonly string[]): string {
  return names.length === 1 ? quoteNames(names) : `one of ${quoteNames(names)}`
}
