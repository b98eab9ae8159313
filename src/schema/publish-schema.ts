import type { JsonRecord, JsonValue } from '../json.ts'
import type { Schema } from './schema.ts'

/**
 * Returns a schema as JSON Schema draft-07, for editors. A titled part that occurs more than once becomes a definition with
 * the title as its name.
 */
export function publishSchema(schema: Schema): JsonRecord {
  const shared = sharedParts(schema)
  const definitions = Object.fromEntries(shared.map((part) => [part.title ?? '', writePart(part, shared, part)]))
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...writePart(schema, shared, schema),
    ...(shared.length > 0 && { definitions }),
  }
}

/** Returns the titled parts that occur more than once, sorted by title. */
function sharedParts(schema: Schema): Schema[] {
  const uses = new Map<Schema, number>()
  const count = (part: Schema): void => {
    uses.set(part, (uses.get(part) ?? 0) + 1)
    // The parts of a definition are written once; the parts of a schema without title are written as often as that schema.
    if (uses.get(part) === 1 || part.title === undefined) for (const child of childrenOf(part)) count(child)
  }
  count(schema)
  const shared = [...uses].filter(([part, times]) => times > 1 && part.title !== undefined).map(([part]) => part)
  return shared.sort((a, b) => (String(a.title) < String(b.title) ? -1 : 1))
}

function childrenOf({ properties = {}, additionalProperties, items }: Schema): Schema[] {
  return [...Object.values(properties), ...(additionalProperties ? [additionalProperties] : []), ...(items ? [items] : [])]
}

function writePart(part: Schema, shared: readonly Schema[], written: Schema): JsonRecord {
  if (part !== written && shared.includes(part)) return { $ref: `#/definitions/${part.title}` }
  const write = (child: Schema): JsonRecord => writePart(child, shared, written)
  const { properties, additionalProperties, items, ...rest } = part
  return {
    ...plainFields(rest),
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(([key, child]) => [key, write(child)])) }),
    ...(additionalProperties !== undefined && { additionalProperties: additionalProperties && write(additionalProperties) }),
    ...(items && { items: write(items) }),
  }
}

function plainFields(fields: Omit<Schema, 'properties' | 'additionalProperties' | 'items'>): Record<string, JsonValue> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
