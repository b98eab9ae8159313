import type { FieldPath } from '../field-path.ts'
import { isRecord, type JsonValue } from '../json.ts'
import { quoteNames } from './describe-value.ts'
import type { Fault } from './fault.ts'
import { nearestName } from './nearest-name.ts'
import { placesOfField, type Schema, schemaAt } from './schema.ts'
import type { Validator } from './validator.ts'

/** An unknown field of an object of a kind, with the map that holds the field. */
interface FoundField {
  readonly path: FieldPath
  readonly kind: string
  readonly holder: JsonValue
}

type UnknownField = Pick<Fault, 'message' | 'proposedKey'>

/**
 * Returns the message about an unknown field. The message proposes a near or former name of a field of the same map; else it names the
 * place in which a field of this name belongs; else it lists the fields of the map.
 */
export function unknownField({ schema, formerNames = {} }: Validator, { path, kind, holder }: FoundField): UnknownField {
  const fields = fieldsOf(schemaAt(schema, path.slice(0, -1)) ?? {})
  const name = String(path.at(-1))
  const said = `is not a field of ${formatHolder(path.slice(0, -1), kind)}`
  const former = Object.hasOwn(formerNames, name) ? formerNames[name] : undefined
  // A field with another name in an earlier version may also have another form, so no key is proposed.
  if (former !== undefined && fields.includes(former)) return { message: `${said}; did you mean '${former}'?` }
  const near = proposeKey(name, fields)
  const hint = near.proposedKey === undefined ? describePlaces(schema, { path, holder, fields }) : `did you mean '${near.proposedKey}'?`
  return { message: `${said}; ${hint}`, ...near }
}

/** Cached by schema, since every unknown field of a map needs the fields of the map. */
const known = new WeakMap<Schema, readonly string[]>()

function fieldsOf(holder: Schema): readonly string[] {
  const fields = known.get(holder) ?? Object.entries(holder.properties ?? {}).flatMap(([name, field]) => (field.deprecated ? [] : [name]))
  known.set(holder, fields)
  return fields
}

/** Names the place of a field: below a field that the map has, if the field belongs there, else the place nearest to the root. */
function describePlaces(
  schema: Schema,
  { path, holder, fields }: Pick<FoundField, 'path' | 'holder'> & { fields: readonly string[] },
): string {
  const places = placesOfField(schema, String(path.at(-1))).filter((found) => found.startsWith('spec'))
  const here = path.slice(0, -1).map((step) => (typeof step === 'number' ? '[]' : `.${step}`))
  const beside = isRecord(holder) ? Object.keys(holder).map((key) => `${here.join('').slice(1)}.${key}`) : []
  const place = places.find((found) => beside.includes(found)) ?? places[0]
  return place === undefined ? `its fields are ${quoteNames(fields)}` : `it is a field of ${place}`
}

/** Returns the name of a map for a message: `targets[]`, `upstream`; for the object itself its kind. */
function formatHolder(path: FieldPath, kind: string): string {
  const step = path.at(-1)
  if (step === undefined) return kind
  return typeof step === 'number' ? `${path.at(-2)}[]` : step
}

/** Returns the name that was most likely meant, if one of the names is near. */
export function proposeKey(name: string, names: readonly string[]): Pick<Fault, 'proposedKey'> {
  const meant = nearestName(name, names)
  return meant === undefined ? {} : { proposedKey: meant }
}
