import { type FieldPath, pathKey } from '../field-path.ts'
import { groupBy } from '../group-by.ts'
import { asList, isRecord, type JsonRecord, type JsonValue } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { compareResults, FunctionError, hasErrors, type Result } from '../result.ts'
import { aliasResults, duplicateKeyFaults } from './document-faults.ts'
import { type Fault, faultToResult } from './fault.ts'
import { mayHoldPlaceholder, placeholderFaults, placeholderKeyFaults } from './placeholders.ts'
import { type Infer, type Schema, schemaAt, typesOf } from './schema.ts'
import { schemaFaults } from './schema-faults.ts'
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

/**
 * Returns an object as the API server and Go read the object: fields of the schema that are null are left out, and missing `metadata` and
 * `spec` are added as empty maps. Values in maps with keys of the user's choice are unchanged, null included.
 */
function asRead(root: JsonRecord, schema: Schema): JsonRecord {
  const read = fieldsWithoutNulls(root, schema)
  const parts = ['metadata', 'spec'].filter((key) => schema.properties?.[key] && !Object.hasOwn(read, key))
  return parts.reduce<JsonRecord>((value, key) => recordOf([...Object.entries(value), [key, recordOf([])]]), read)
}

/** Returns a value without null fields. A value without null fields, as nearly all are, is returned itself and not copied. */
function withoutNulls(value: JsonValue, schema: Schema | undefined): JsonValue {
  if (schema === undefined || typeof value !== 'object' || value === null) return value
  if (isRecord(value)) return fieldsWithoutNulls(value, schema)
  const items = value.map((item) => withoutNulls(item, schema.items))
  return items.every((item, index) => item === value[index]) ? value : items
}

function fieldsWithoutNulls(record: JsonRecord, { properties }: Schema): JsonRecord {
  if (properties === undefined || !holdsNull(record)) return record
  const entries: [string, JsonValue][] = []
  for (const [key, child] of Object.entries(record)) {
    const isField = Object.hasOwn(properties, key)
    if (!isField || child !== null) entries.push([key, isField ? withoutNulls(child, properties[key]) : child])
  }
  return recordOf(entries)
}

/** Returns true if a value is null or holds a null, at any depth. */
function holdsNull(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return value.some(holdsNull)
  return value === null || (isRecord(value) && Object.keys(value).some((key) => holdsNull(value[key])))
}

/** A value and the path at which `withValuesAt` puts the value. */
interface Placed {
  readonly path: FieldPath
  readonly value: JsonValue
}

/**
 * Returns a copy of `root` with values put at their paths; a later value replaces an earlier one. Missing maps on the way are added,
 * missing items of lists are not.
 *
 * @param depth  the number of steps from the start of the paths to `root`
 */
function withValuesAt(root: JsonValue | undefined, placed: readonly Placed[], depth = 0): JsonValue {
  const whole = placed.findLastIndex(({ path }) => path.length === depth)
  const value = placed[whole]?.value ?? root
  if (whole === placed.length - 1) return value ?? null
  const parts = groupBy(placed.slice(whole + 1), ({ path }) => path[depth] ?? '')
  return [...parts.keys()].every((step) => typeof step === 'number')
    ? withItems(value, parts, depth + 1)
    : withEntries(value, parts, depth + 1)
}

type Parts = ReadonlyMap<string | number, readonly Placed[]>

function withItems(list: JsonValue | undefined, parts: Parts, depth: number): JsonValue {
  const items = asList(list)
  return items.map((item, index) => withValuesAt(item, parts.get(index) ?? [], depth))
}

function withEntries(record: JsonValue | undefined, parts: Parts, depth: number): JsonValue {
  const entries = new Map(isRecord(record) ? Object.entries(record) : [])
  for (const [step, placed] of parts) {
    const key = String(step)
    const value = withValuesAt(entries.get(key), placed, depth)
    entries.delete(key)
    entries.set(key, value)
  }
  return recordOf([...entries])
}

/**
 * Returns the empty value of a schema's type, with the fields that the schema requires. Such a value replaces a missing one or one of
 * another type while the rules run.
 */
function blankOf(schema: Schema): JsonValue {
  if (schema.const !== undefined) return schema.const
  if (schema.enum?.[0] !== undefined) return schema.enum[0]
  switch (typesOf(schema)[0]) {
    case 'string':
      return ''
    case 'integer':
    case 'number':
      return 0
    case 'boolean':
      return false
    case 'array':
      return []
    case 'object':
      return recordOf((schema.required ?? []).map((key) => [key, blankOf(schema.properties?.[key] ?? {})]))
    default:
      return null
  }
}

function recordOf(entries: readonly (readonly [string, JsonValue])[]): JsonRecord {
  return Object.setPrototypeOf(Object.fromEntries(entries), null)
}

// YAML 1.1, which older Go readers and kubectl follow, reads these words as true and false.
const AMBIGUOUS = /^(y|n|yes|no|on|off)$/i
const LONGEST_AMBIGUOUS = 3

/** Returns true for a plain text that YAML 1.1 reads as a boolean. */
export function isAmbiguous(text: string): boolean {
  return text.length <= LONGEST_AMBIGUOUS && AMBIGUOUS.test(text)
}

/**
 * Returns faults that only the text of a scalar shows: a string that other readers read as a boolean, and a placeholder that no program
 * replaced. `root` is the object's value: in most objects no string is suspicious, and their text is not searched.
 */
function stringFaults(object: KrmObject, schema: Schema, root: JsonValue): Fault[] {
  if (!hasSuspect(root)) return []
  return object
    .scalars()
    .flatMap(({ path, style, text }) => [
      ...(style === 'plain' && isAmbiguous(text) && wantsString(schema, path) ? [ambiguousFault(path, text)] : []),
      ...(mayHoldPlaceholder(text) ? placeholderFaults({ object, schema, root }, path, text) : []),
      ...placeholderKeyFaults(path),
    ])
}

function hasSuspect(value: JsonValue): boolean {
  if (typeof value === 'string') return mayHoldPlaceholder(value) || isAmbiguous(value)
  if (Array.isArray(value)) return value.some(hasSuspect)
  return isRecord(value) && Object.entries(value).some(([key, child]) => mayHoldPlaceholder(key) || hasSuspect(child))
}

function wantsString(schema: Schema, path: FieldPath): boolean {
  return typesOf(schemaAt(schema, path) ?? {}).includes('string')
}

function ambiguousFault(path: FieldPath, text: string): Fault {
  return {
    severity: 'warning',
    rule: 'ambiguous-string',
    path,
    message: `must be in quotes: a plain ${text} is a boolean for YAML 1.1 readers, and is the string "${text}" here`,
    proposedValue: text,
  }
}
