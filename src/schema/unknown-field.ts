import type { FieldPath } from '../field-path.ts'
import { isRecord, type JsonValue, lookup } from '../json.ts'
import { remember } from '../remember.ts'
import { quoteNames, quoteText } from './describe-value.ts'
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
  const former = Object.hasOwn(formerNames, name) ? formerNames[name]?.find((each) => fields.includes(each)) : undefined
  // A field with another name in an earlier version may also have another form, so no key is proposed.
  if (former !== undefined) return { message: `${said}; did you mean '${former}'?` }
  const near = proposeKey(name, fields)
  const hint = near.proposedKey === undefined ? describePlaces(schema, { path, holder, fields }) : `did you mean '${near.proposedKey}'?`
  return { message: `${said}; ${hint}`, ...near }
}

/** Cached by schema, since every unknown field of a map needs the fields of the map. */
const known = new WeakMap<Schema, readonly string[]>()

function fieldsOf(holder: Schema): readonly string[] {
  return remember(known, holder, ({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, field]) => (field.deprecated ? [] : [name])),
  )
}

/**
 * Names the place of a field: below a field that the map has, or in a map around the map. A place elsewhere has the field most likely for
 * another purpose, so the fields of the map are named first.
 */
function describePlaces(
  schema: Schema,
  { path, holder, fields }: Pick<FoundField, 'path' | 'holder'> & { fields: readonly string[] },
): string {
  const name = String(path.at(-1))
  const places = placesOfField(schema, name).filter((found) => found.startsWith('spec'))
  const here = placeOf(path.slice(0, -1))
  const isBeside = (found: string) =>
    isRecord(holder) && found.startsWith(`${here}.`) && Object.hasOwn(holder, found.slice(here.length + 1))
  const near = places.find(isBeside) ?? places.find((found) => found === 'spec' || here.startsWith(found) || found.startsWith(here))
  if (near !== undefined) return `it is a field of ${near}`
  const own = ownKeyHint(schemaAt(schema, path.slice(0, -1)) ?? {}, name, isRecord(holder) ? lookup(holder, name) : undefined)
  const elsewhere = places[0] === undefined || own !== '' ? '' : `; ${quoteText(name)} is a field of ${places[0]}`
  return `its fields are ${quoteNames(fields)}${own}${elsewhere}`
}

/** Returns the place of a value as `placesOfField` writes places: `spec.targets[].template`. */
function placeOf(path: FieldPath): string {
  return path
    .map((step) => (typeof step === 'number' ? '[]' : `.${step}`))
    .join('')
    .slice(1)
}

/**
 * Returns the way to write a key of the user's choice, if one field of the map holds such keys: `region: eu` belongs below `matchLabels`.
 */
function ownKeyHint({ properties = {} }: Schema, name: string, value: JsonValue | undefined): string {
  if (typeof value !== 'string') return ''
  if (properties.key !== undefined && properties.valueExpr !== undefined) return `; an entry is written {key: ${name}, valueExpr: ${value}}`
  const free = Object.entries(properties).flatMap(([field, { additionalProperties }]) => (additionalProperties ? [field] : []))
  return free.length === 1 ? `; keys of your own belong below '${free[0]}'` : ''
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
