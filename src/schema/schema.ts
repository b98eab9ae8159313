import type { FieldPath } from '../field-path.ts'
import { groupBy } from '../group-by.ts'
import type { JsonRecord, JsonValue } from '../json.ts'
import { remember } from '../remember.ts'
import { OWN_API } from '../well-known.ts'

export type TypeName = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array'

/** The part of JSON Schema (draft-07) that our kinds use. Schemas are constants, so that `Infer` can read their types. */
export interface Schema {
  /** The published address of the schema; only the schema of a whole object has an address. */
  readonly $id?: string
  /** The name for editors. A titled part that occurs twice becomes a definition with this name. */
  readonly title?: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly examples?: readonly JsonValue[]
  readonly default?: JsonValue
  readonly type?: TypeName | readonly TypeName[]
  readonly const?: string
  readonly enum?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  /** `false`: no other keys are allowed. A schema: every other value must fit the schema. Missing: any key is allowed. */
  readonly additionalProperties?: false | Schema
  readonly items?: Schema
  readonly minLength?: number
  readonly minItems?: number
  readonly minimum?: number
  /** A pattern needs `examples`, which the message shows. */
  readonly pattern?: string
  /** `cel`: an expression, which must not contain placeholders. */
  readonly format?: 'cel'
}

/** The type of the values that fit a schema. */
export type Infer<S> = S extends { readonly const: infer C }
  ? C
  : S extends { readonly enum: readonly (infer E)[] }
    ? E
    : S extends { readonly type: readonly (infer T)[] }
      ? InferType<T, S>
      : S extends { readonly type: infer T }
        ? InferType<T, S>
        : JsonValue

type InferType<T, S> = T extends 'string'
  ? string
  : T extends 'integer' | 'number'
    ? number
    : T extends 'boolean'
      ? boolean
      : T extends 'array'
        ? InferList<S>
        : T extends 'object'
          ? InferMap<S>
          : never

type InferList<S> = S extends { readonly items: infer I } ? readonly Infer<I>[] : readonly JsonValue[]

type InferMap<S> = S extends { readonly properties: infer P }
  ? InferFields<P, S extends { readonly required: readonly (infer R)[] } ? R & keyof P : never>
  : S extends { readonly additionalProperties: infer A extends Schema }
    ? { readonly [key: string]: Infer<A> }
    : JsonRecord

type InferFields<P, R extends keyof P> = { readonly [K in R]: Infer<P[K]> } & { readonly [K in Exclude<keyof P, R>]?: Infer<P[K]> }

type Fields = Readonly<Record<string, Schema>>

/** A text that is not empty, and one that is a CEL expression. */
export const FILLED_TEXT = { type: 'string', minLength: 1 } as const satisfies Schema
export const CEL_TEXT = { type: 'string', format: 'cel', minLength: 1 } as const satisfies Schema

export const FILLED_TEXTS = { type: 'array', items: FILLED_TEXT } as const satisfies Schema

/** A choice that is made by `true`, and one that is taken back by `false`. */
export const OFF_BY_DEFAULT = { type: 'boolean', default: false } as const satisfies Schema
export const ON_BY_DEFAULT = { type: 'boolean', default: true } as const satisfies Schema

/** Returns the schema of a map with these fields and no others. */
export function closedMap<const Properties extends Fields>(properties: Properties) {
  return { type: 'object', properties, additionalProperties: false } as const
}

/** Returns the schema of a map with these fields and no others, of which some must be set. */
export function closedMapWith<const Properties extends Fields, const Name extends keyof Properties & string>(
  required: readonly Name[],
  properties: Properties,
) {
  return { type: 'object', properties, required, additionalProperties: false } as const
}

/** Returns the types of a schema as a list; an empty list if all types are allowed. */
export function typesOf({ type }: Schema): readonly TypeName[] {
  if (type === undefined) return []
  return typeof type === 'string' ? [type] : type
}

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
  return remember(known, schema, () => {
    const holders = holdersIn(schema).flatMap(([place, { properties = {} }]) => Object.keys(properties).map((name) => ({ name, place })))
    const byName = groupBy(holders, ({ name }) => name)
    return new Map(Array.from(byName, ([name, found]) => [name, found.map(({ place }) => place)]))
  })
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

/** Returns the fields `apiVersion`, `kind` and `metadata` of the schema of a kind of functionConfig. */
export function configKind<const Api extends string, const Kind extends string>(api: Api, kind: Kind) {
  return {
    apiVersion: { description: 'The version of the kind.', const: api },
    kind: { description: 'The kind.', const: kind },
    metadata: {
      description: 'Its name, for people and for configPath.',
      type: 'object',
      properties: { name: { description: 'Any name.', type: 'string' } },
    },
  } as const satisfies Readonly<Record<string, Schema>>
}

/** Returns `apiVersion`, `kind` and `metadata` of an example of a kind of functionConfig. */
export function configObject<const Api extends string, const Kind extends string>(api: Api, kind: Kind) {
  return { apiVersion: api, kind, metadata: { name: 'example' } } as const
}

/** Returns the fields of `configKind` for one of our own kinds. */
export function ownKind<const Kind extends string>(kind: Kind) {
  return configKind(OWN_API, kind)
}

/** Returns the fields of `configObject` for one of our own kinds. */
export function ownObject<const Kind extends string>(kind: Kind) {
  return configObject(OWN_API, kind)
}
