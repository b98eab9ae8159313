import { type FieldPath, pathKey } from '../field-path.ts'
import type { JsonRecord } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { compareResults, FunctionError, hasErrors, type Result } from '../result.ts'
import { asRead, blankOf, withValuesAt } from './as-read.ts'
import { aliasResults, duplicateKeyFaults } from './document-faults.ts'
import { type Fault, faultToResult } from './fault.ts'
import { type Infer, type Schema, schemaAt } from './schema.ts'
import { schemaFaults } from './schema-faults.ts'
import { stringFaults } from './string-faults.ts'
import type { Validator } from './validator.ts'

/** Returns every fault of an object, errors first: those of its text, of its schema, and of the rules of its kind. */
export function validate<S extends Schema>(object: KrmObject, validator: Validator<S>): Result[] {
  return examine(object, validator).results
}

/**
 * Decodes an object of a kind. Returns the typed value, in which null fields are missing, and the warnings about the object.
 *
 * @throws FunctionError  with every fault, warnings included, if one of the faults is an error
 */
export function decode<S extends Schema>(object: KrmObject, validator: Validator<S>): { value: Infer<S>; warnings: Result[] } {
  const { value, results } = examine(object, validator)
  if (value === undefined || hasErrors(results)) throw new FunctionError(results)
  return { value, warnings: results }
}

function examine<S extends Schema>(object: KrmObject, validator: Validator<S>): { value?: Infer<S>; results: Result[] } {
  const refused = refusal(object, validator)
  if (refused.length > 0) return { results: refused }
  const root = asRead(object.toJson(), validator.schema)
  const faulty = schemaFaults(root, validator, object.kind ?? 'object', (path) => sourceOf(object, path))
  const value = typedValue<S>(root, validator.schema, faulty)
  const ruled = ruleFaults(validator, value, faulty)
  const faults = [...duplicateKeyFaults(object), ...faulty, ...stringFaults(object, validator.schema, root), ...ruled]
  return { value, results: faults.map((fault) => faultToResult(object, fault)).sort(compareResults) }
}

/** Returns the errors that prevent reading an object: unreadable aliases, or the fault of `refuse`. */
function refusal(object: KrmObject, { refuse }: Pick<Validator, 'refuse'>): Result[] {
  const aliases = aliasResults(object)
  const refused = aliases.length > 0 ? undefined : refuse?.(object)
  return refused === undefined ? aliases : [faultToResult(object, refused)]
}

/**
 * Returns the value with the schema's type. This function is the boundary of decoding: the check accepted each part, or a faulty part is
 * replaced here.
 */
function typedValue<S extends Schema>(root: JsonRecord, schema: S, faulty: readonly Fault[]): Infer<S> {
  const replaced = faulty.filter(isReplaced).map(({ path }) => ({ path, value: blankOf(schemaAt(schema, path) ?? {}) }))
  return withValuesAt(root, replaced) as Infer<S>
}

/** Returns the faults that the rules find, without faults about values that replace faulty ones. */
function ruleFaults<S extends Schema>({ rules }: Validator<S>, value: Infer<S>, faulty: readonly Fault[]): Fault[] {
  const replaced = new Set(faulty.filter(isReplaced).map(({ path }) => pathKey(path)))
  const aboutReplaced = (path: FieldPath) => [...path, ''].some((_, length) => replaced.has(pathKey(path.slice(0, length))))
  return (rules?.(value) ?? []).filter(({ path, place = path }) => !aboutReplaced(path) && !aboutReplaced(place))
}

function isReplaced({ rule }: Fault): boolean {
  return rule === 'wrong-type' || rule === 'required'
}

function sourceOf(object: KrmObject, path: FieldPath): string | undefined {
  for (const scalar of object.scalars(path)) if (scalar.path.length === path.length) return scalar.text
  return undefined
}
