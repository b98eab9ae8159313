import { type FieldPath, pathKey } from '../field-path.ts'
import { groupBy } from '../group-by.ts'
import { type JsonRecord, type JsonValue, memberOf } from '../json.ts'
import { describeChoice, describeValue, quoteText } from './describe-value.ts'
import type { Fault } from './fault.ts'
import { didYouMean, nearestName } from './nearest-name.ts'
import { type Schema, schemaAt } from './schema.ts'
import { type SchemaError, schemaErrors } from './schema-errors.ts'
import { unknownField } from './unknown-field.ts'
import type { Validator } from './validator.ts'
import { wrongTypeFault } from './wrong-type.ts'

/** An error of a value, with the value and the schema at the place of the error. */
interface Located {
  readonly error: SchemaError
  readonly path: FieldPath
  readonly value: JsonValue
  readonly schema: Schema
  readonly validator: Validator
  readonly kind: string
  readonly sourceOf: (path: FieldPath) => string | undefined
}

/**
 * Returns the faults that the schema of a kind finds in an object, one for each field.
 *
 * @param root      the object as read (`asRead`)
 * @param sourceOf  returns the text of the scalar at a path
 */
export function schemaFaults(root: JsonRecord, validator: Validator, kind: string, sourceOf: Located['sourceOf']): Fault[] {
  const errors = schemaErrors(root, validator.schema).toSorted((a, b) => Number(b.keyword === 'type') - Number(a.keyword === 'type'))
  const faults = errors.map((error) => {
    const { path } = error
    const value = path.reduce<JsonValue | undefined>(memberOf, root) ?? null
    const schema = schemaAt(validator.schema, path) ?? {}
    return faultOf({ error, path, value, schema, validator, kind, sourceOf })
  })
  return Array.from(groupBy(faults, ({ path }) => pathKey(path)).values(), ([first]) => first)
}

function faultOf(located: Located): Fault {
  const { error, path, value, schema, validator } = located
  const make = FAULTS[error.keyword]
  if (make === undefined) throw new Error(`no message for the schema keyword ${error.keyword}`)
  const part = make(located, schema, value)
  const reason = CONTROLLER_RULES.includes(part.rule) ? validator.reasonAt?.(path) : undefined
  return { severity: 'error', path, ...part, ...(reason !== undefined && { reason }) }
}

// The rules that Porch's controller also checks. The API server refuses or prunes all other faults before the controller reads the
// object.
const CONTROLLER_RULES: readonly string[] = ['required', 'empty', 'allowed-values']

type Part = Pick<Fault, 'rule' | 'message'> & Partial<Fault>

// A row for each keyword of `Schema`; a keyword without a row would be a bug of a schema.
const FAULTS: Readonly<Record<string, (located: Located, schema: Schema, value: JsonValue) => Part>> = {
  type: ({ path, sourceOf }, schema, value) => wrongTypeFault(schema, value, sourceOf(path)),
  required: ({ path, error }, { properties = {} }) => {
    const missing = error.key ?? ''
    const only = properties[missing]?.const
    return {
      rule: 'required',
      path: [...path, missing],
      message: only === undefined ? 'must be set' : `must be set, to ${quoteText(only)}`,
    }
  },
  additionalProperties: ({ path, error, validator, kind }, _, holder) => {
    const unknown = [...path, error.key ?? '']
    return { rule: 'unknown-field', path: unknown, ...unknownField(validator, { path: unknown, kind, holder }), atKey: true }
  },
  enum: ({ path, validator }, schema, value) =>
    otherValue(validator, path, schema.enum ?? [], value) ?? allowedValues(schema.enum ?? [], value),
  const: (_, schema, value) => allowedValues(schema.const === undefined ? [] : [schema.const], value),
  minLength: () => ({ rule: 'empty', message: 'must not be empty' }),
  minItems: () => ({ rule: 'empty', message: 'must not be an empty list' }),
  minimum: (_, schema, value) => ({ rule: 'minimum', message: `must be at least ${schema.minimum}, got ${describeValue(value)}` }),
  pattern: (_, schema, value) => ({
    rule: 'pattern',
    message: `must look like ${(schema.examples ?? []).map((example) => describeExample(example)).join(' or ')}, got ${describeValue(value)}`,
  }),
}

/** Returns the fault of a value of another tool, such as the operator `=`; undefined for other values. */
function otherValue({ otherValues = {} }: Validator, path: FieldPath, allowed: readonly string[], value: JsonValue): Part | undefined {
  const values = otherValues[String(path.at(-1))] ?? {}
  const meant = typeof value === 'string' && Object.hasOwn(values, value) ? values[value] : undefined
  if (meant === undefined) return undefined
  return {
    rule: 'allowed-values',
    message: `must be ${describeChoice(allowed)}, got ${describeValue(value)}; ${meant.hint}`,
    ...(meant.value !== undefined && { proposedValue: meant.value }),
  }
}

function describeExample(example: JsonValue): string {
  return typeof example === 'string' ? quoteText(example) : String(example)
}

function allowedValues(allowed: readonly string[], value: JsonValue): Part {
  const [only] = allowed
  const nearest = typeof value === 'string' ? nearestName(value, allowed) : undefined
  const proposedValue = allowed.length === 1 ? only : nearest
  return {
    rule: 'allowed-values',
    message: `must be ${describeChoice(allowed)}, got ${describeValue(value)}${allowed.length > 1 && typeof value === 'string' ? didYouMean(value, allowed) : ''}`,
    ...(proposedValue !== undefined && { proposedValue }),
  }
}
