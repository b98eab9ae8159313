import type { JsonRecord, JsonValue } from '../json.ts'

export type TypeName = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array'

/** The part of JSON Schema (draft-07) that our kinds use. Written as constants, so that `Infer` can read them. */
export interface Schema {
  /** Where it is published; only the schema of a whole object has one. */
  readonly $id?: string
  /** A name for editors. A part with a title that occurs twice becomes a definition of that name. */
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
  /** `false`: no other keys; a schema: what every other value must be; absent: anything. */
  readonly additionalProperties?: false | Schema
  readonly items?: Schema
  readonly minLength?: number
  readonly minItems?: number
  readonly minimum?: number
  /** With `examples`, which the message shows. */
  readonly pattern?: string
  /** `cel`: an expression, in which no placeholder may be left. */
  readonly format?: 'cel'
}

/** The type of the values that a schema lets through. */
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

/** The types a schema names, as a list; empty: all. */
export function typesOf({ type }: Schema): readonly TypeName[] {
  if (type === undefined) return []
  return typeof type === 'string' ? [type] : type
}
