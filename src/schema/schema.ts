import type { JsonRecord, JsonValue } from '../json.ts'

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

/** Returns the types of a schema as a list; an empty list if all types are allowed. */
export function typesOf({ type }: Schema): readonly TypeName[] {
  if (type === undefined) return []
  return typeof type === 'string' ? [type] : type
}
