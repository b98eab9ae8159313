import type { FieldPath } from '../field-path.ts'
import { quoteNames } from './describe-value.ts'
import { nearestName } from './nearest-name.ts'
import type { Schema } from './schema.ts'
import { placesOfField, schemaAt } from './schema-at.ts'
import type { Validator } from './validator.ts'

/**
 * Says of a field that it is unknown where it stands, and what was probably meant: a near or former name of a field there,
 * else the place where a field of this name belongs, else the fields that are there.
 */
export function describeUnknownField({ schema, formerNames = {} }: Validator, path: FieldPath, kind: string): string {
  const fields = fieldsOf(schemaAt(schema, path.slice(0, -1)) ?? {})
  const name = String(path.at(-1))
  return `is not a field of ${formatHolder(path.slice(0, -1), kind)}; ${suggest(schema, name, fields, formerNames)}`
}

/** A holder with many unknown fields is asked for its own once for each. */
const known = new WeakMap<Schema, readonly string[]>()

function fieldsOf(holder: Schema): readonly string[] {
  const fields = known.get(holder) ?? Object.entries(holder.properties ?? {}).flatMap(([name, field]) => (field.deprecated ? [] : [name]))
  known.set(holder, fields)
  return fields
}

function suggest(schema: Schema, name: string, fields: readonly string[], formerNames: Readonly<Record<string, string>>): string {
  const former = Object.hasOwn(formerNames, name) ? formerNames[name] : undefined
  const meant = former !== undefined && fields.includes(former) ? former : nearestName(name, fields)
  if (meant !== undefined) return `did you mean '${meant}'?`
  const place = placesOfField(schema, name).find((found) => found.startsWith('spec'))
  return place === undefined ? `its fields are ${quoteNames(fields)}` : `it is a field of ${place}`
}

/** `targets[]`, `upstream`; the kind for the object itself. */
function formatHolder(path: FieldPath, kind: string): string {
  const step = path.at(-1)
  if (step === undefined) return kind
  return typeof step === 'number' ? `${path.at(-2)}[]` : step
}
