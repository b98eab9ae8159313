import { FunctionError, type Result } from '../src/result.ts'
import type { Fault } from '../src/schema/fault.ts'
import type { Infer, Schema } from '../src/schema/schema.ts'
import { decode as decodeChecked } from '../src/schema/validate.ts'
import { type KrmObject, objectOfList, type ResourceList } from './objects.ts'

/** Returns the faults that a schema cannot express, such as those between two fields. The value has the schema's type. */
export type Rules<S extends Schema> = (value: Infer<S>) => readonly Fault[]

/** An object as a typed value, and the warnings about it. */
export interface Decoded<S extends Schema> {
  readonly value: Infer<S>
  readonly warnings: readonly Result[]
}

/**
 * Decodes an object strictly: every fault at once, each with its field, line and column, what is allowed, what was found, and the nearest
 * known name. The type of the value is read from the schema.
 *
 * @param object - of the list, or of a document
 * @param schema - JSON Schema, in the keywords that `Schema` has; a constant, for the type
 * @param rules - returns the faults that the schema cannot express
 * @throws FunctionError  with every fault, when one is an error
 *
 * @example
 * ```ts
 * import { decode, FunctionError, KrmObject } from 'krm-variants/sdk'
 *
 * const object = KrmObject.fromDocument('kind: Limit\nspec:\n  replicsa: 3\n')
 * const spec = { type: 'object', properties: { replicas: { type: 'integer' } }, additionalProperties: false } as const
 * try {
 *   decode(object, { type: 'object', properties: { kind: { const: 'Limit' }, spec } })
 * } catch (error) {
 *   console.log(error instanceof FunctionError && error.results[0]?.message)
 *   // `spec.replicsa` is not a field of spec; did you mean 'replicas'?
 * }
 * ```
 */
export function decode<const S extends Schema>(object: KrmObject, schema: S, rules?: Rules<S>): Decoded<S> {
  return decodeChecked<S>(objectOfList(object), { schema, ...(rules && { rules }) })
}

/**
 * Decodes the functionConfig of a list as `decode` does; its warnings become results of the list.
 *
 * @param list - the list of the function
 * @param schema - of the functionConfig
 * @param rules - returns the faults that the schema cannot express
 * @throws FunctionError  with every fault, or when there is no functionConfig
 *
 * @example
 * ```ts
 * import { decodeConfig, ResourceList } from 'krm-variants/sdk'
 *
 * const list = ResourceList.parse(`apiVersion: config.kubernetes.io/v1
 * kind: ResourceList
 * items: []
 * functionConfig:
 *   kind: ConfigMap
 *   data:
 *     team: payments
 * `)
 * const data = { type: 'object', properties: { team: { type: 'string' } }, required: ['team'] } as const
 * const config = decodeConfig(list, { type: 'object', properties: { data }, required: ['data'] })
 * console.log(config.data.team) // payments
 * ```
 */
export function decodeConfig<const S extends Schema>(list: ResourceList, schema: S, rules?: Rules<S>): Infer<S> {
  if (list.functionConfig === undefined) throw new FunctionError([NO_CONFIG])
  const { value, warnings } = decode(list.functionConfig, schema, rules)
  list.results.push(...warnings)
  return value
}

const NO_CONFIG: Result = {
  severity: 'error',
  message: '`functionConfig` must be set: it says what the function is to do',
  tags: { rule: 'required' },
}
