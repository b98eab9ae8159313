import type { FieldPath } from '../field-path.ts'
import { groupBy } from '../group-by.ts'
import type { Schema } from './schema.ts'

/** Returns the part of a schema for the value at `path`; undefined if the schema does not describe the value. */
export function schemaAt(schema: Schema, path: FieldPath): Schema | undefined {
  return path.reduce<Schema | undefined>((at, step) => at && schemaOfChild(at, step), schema)
}

function schemaOfChild(schema: Schema, step: string | number): Schema | undefined {
  if (typeof step === 'number') return schema.items
  if (schema.properties && Object.hasOwn(schema.properties, step)) return schema.properties[step]
  return schema.additionalProperties || undefined
}

/** Returns the places of a schema that have a field of a name, nearest to the root first: `spec.targets[].template`. */
export function placesOfField(schema: Schema, name: string): readonly string[] {
  return placesIn(schema).get(name) ?? []
}

/** Cached by schema, since an object with many unknown fields needs the places of many names. */
const known = new WeakMap<Schema, ReadonlyMap<string, readonly string[]>>()

function placesIn(schema: Schema): ReadonlyMap<string, readonly string[]> {
  const there = known.get(schema)
  if (there !== undefined) return there
  const holders = holdersIn(schema).flatMap(([place, { properties = {} }]) => Object.keys(properties).map((name) => ({ name, place })))
  const places = new Map(
    Array.from(
      groupBy(holders, ({ name }) => name),
      ([name, found]) => [name, found.map(({ place }) => place)],
    ),
  )
  known.set(schema, places)
  return places
}

/** Returns every part of a schema with its place, level by level. */
function holdersIn(schema: Schema): readonly (readonly [string, Schema])[] {
  const found: (readonly [string, Schema])[] = []
  for (let level: typeof found = [['', schema]]; level.length > 0; level = level.flatMap(([place, at]) => childPlaces(place, at)))
    found.push(...level)
  return found
}

function childPlaces(place: string, schema: Schema): (readonly [string, Schema])[] {
  const fields = Object.entries(schema.properties ?? {}).map(([key, child]) => [place === '' ? key : `${place}.${key}`, child] as const)
  return schema.items ? [...fields, [`${place}[]`, schema.items]] : fields
}
