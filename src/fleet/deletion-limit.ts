import type { TextOption } from '../schema/read-text-options.ts'
import type { Schema } from '../schema/schema.ts'

/** A number of removals, or a percentage of the existing variants. */
export type DeletionLimit = { readonly count: number } | { readonly percent: number }

/** The schema of the option `maxDeletions` of a functionConfig. */
export const DELETION_LIMIT = {
  type: ['integer', 'string'],
  minimum: 0,
  pattern: '^[0-9]+%$',
  examples: [10, '30%'],
} as const satisfies Schema

/** The option `maxDeletions` of a ConfigMap. */
export const DELETION_LIMIT_TEXT: TextOption<number | string> = {
  allowed: "a number or a percentage such as '30%'",
  read: (text) => (/^[0-9]+%$/.test(text) ? text : /^[0-9]+$/.test(text) ? Number(text) : undefined),
}

/** Returns the limit for a value that fits the schema: `10`, `'30%'`. */
export function readDeletionLimit(written: number | string): DeletionLimit {
  return typeof written === 'number' ? { count: written } : { percent: Number(written.slice(0, -1)) }
}
