import type { FieldPath } from '../field-path.ts'
import type { Schema } from './schema.ts'

/** The part of a schema that speaks of the value at `path`; undefined where the schema says nothing. */
export function schemaAt(schema: Schema, path: FieldPath): Schema | undefined {
  return path.reduce<Schema | undefined>((at, step) => at && schemaOfChild(at, step), schema)
}

function schemaOfChild(schema: Schema, step: string | number): Schema | undefined {
  if (typeof step === 'number') return schema.items
  if (schema.properties && Object.hasOwn(schema.properties, step)) return schema.properties[step]
  return schema.additionalProperties || undefined
}

/** Every place of a schema that has a field of this name, nearest to the root first: `spec.targets[].template`. */
export function placesOfField(schema: Schema, name: string): string[] {
  const found: string[] = []
  let level: readonly (readonly [string, Schema])[] = [['', schema]]
  while (level.length > 0) {
    found.push(...level.filter(([, at]) => at.properties && Object.hasOwn(at.properties, name)).map(([place]) => place))
    level = level.flatMap(([place, at]) => childPlaces(place, at))
  }
  return found
}

function childPlaces(place: string, schema: Schema): (readonly [string, Schema])[] {
  const fields = Object.entries(schema.properties ?? {}).map(([key, child]) => [place === '' ? key : `${place}.${key}`, child] as const)
  return schema.items ? [...fields, [`${place}[]`, schema.items]] : fields
}
