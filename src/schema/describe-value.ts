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

/** The types as a message names what is allowed: `a list or a map`. */
export function describeTypes(types: readonly TypeName[]): string {
  return types.map((type) => TYPE_NAMES[type]).join(' or ')
}

/** A value as a message names what was found: `'text'`, `the number 0644`, `a list`. `source` is how a scalar is written. */
export function describeValue(value: JsonValue, source?: string): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (isRecord(value)) return 'a map'
  if (typeof value === 'string') return quoteText(value)
  return typeof value === 'boolean' ? `the boolean ${source ?? value}` : `the number ${source ?? value}`
}

/** User text for a message: one line, in quotes. */
export function quoteText(text: string): string {
  return `'${text.replaceAll('\n', '\\n')}'`
}

/** `'a', 'b'`: names for a message. */
export function quoteNames(names: readonly string[]): string {
  return names.map(quoteText).join(', ')
}
