import { type FieldPath, isAtOrBelow } from '../../field-path.ts'
import { isRecord } from '../../json.ts'
import { objectPlace } from '../../resource-list/finding-place.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { ResourceList } from '../../resource-list/resource-list.ts'
import { FunctionError, findingsOf, type Result } from '../../result.ts'
import type { KrmFunction } from '../../run.ts'
import { quoteNames, quoteText } from '../../schema/describe-value.ts'
import { checkConfigSize, fieldError, textPairs } from '../catalog-config.ts'
import type { CatalogFunction } from '../catalog-function.ts'
import { editItems, type Growth, lacksMetadata, mapItems } from '../edit-items.ts'
import { documentOf, writeScalar } from '../plain-scalar.ts'
import { type MarkedField, markedFields, markedUnknownAliases } from '../setter-comments.ts'
import { fillPattern, setterNames } from '../setter-pattern.ts'

/** Writes values into the fields that have a comment `# kpt-set: ${name}`. */
export const APPLY_SETTERS: CatalogFunction = {
  name: 'apply-setters',
  versions: ['v0.2.1', 'v0.2.0', 'v0.1.1'],
  at: (version) => applySetters(version === 'v0.1.1' ? 'error' : 'info'),
}

/**
 * Returns the function.
 *
 * @param unmatched  the severity of the result of a run that finds no field
 */
function applySetters(unmatched: 'error' | 'info'): KrmFunction {
  return (list) => {
    const setters = settersOf(list)
    const results: Result[] = []
    editItems(mapItems(list), (item, growth) => {
      if (lacksMetadata(item)) throw fieldError(item, { rule: 'required', path: ['metadata'], message: 'must be set' })
      if (setters.size > 0 && item.mayHold('kpt-set')) results.push(...setFields(item, setters, growth))
    })
    if (results.length > 0) list.results.push(...results)
    else list.results.push({ severity: unmatched, message: 'no matches for input setter(s)', tags: { rule: 'apply-setters' } })
  }
}

/**
 * Returns the setters by name: `data` of any functionConfig, each value as spelled there.
 *
 * @throws FunctionError  as `textPairs`
 */
function settersOf({ functionConfig: config }: ResourceList): ReadonlyMap<string, string> {
  if (config !== undefined) checkConfigSize(config)
  const data = config?.isMap() === true ? config.get(['data']) : undefined
  return config === undefined || !isRecord(data) ? new Map() : textPairs(config, ['data'], true)
}

/**
 * Writes the fields of an object and returns a result for each.
 *
 * @throws FunctionError  with every field without a valid value; then no field is written
 */
function setFields(item: KrmObject, setters: ReadonlyMap<string, string>, growth: Growth): readonly Result[] {
  const isSet = (pattern: string) => setterNames(pattern).some((name) => setters.has(name))
  const unknown = markedUnknownAliases(item).filter(({ pattern }) => isSet(pattern))
  const unread = unknown.flatMap(({ path }) =>
    findingsOf(() => {
      item.get(path)
      return []
    }),
  )
  const faults: FunctionError[] = unread.length === 0 ? [] : [new FunctionError(unread)]
  const writes: { readonly path: FieldPath; readonly value: string; readonly write: () => void }[] = []
  for (const { path, node, pattern } of outermost(markedFields(item).filter((field) => isSet(field.pattern)))) {
    try {
      const value = valueFor(item, { path, node, pattern }, setters, growth)
      const write = node.type === 'scalar' ? () => writeScalar(item, path, node, value) : writeList(item, path, value)
      writes.push({ path, value, write })
    } catch (error) {
      if (!(error instanceof FunctionError)) throw error
      faults.push(error)
    }
  }
  if (faults.length > 0) throw new FunctionError(faults.flatMap(({ results }) => results))
  // The name in the file: a setter may give another one.
  const place = objectPlace(item)
  for (const { write } of writes) write()
  return writes.map(({ path, value }) => ({
    severity: 'info',
    message: `set field value to ${JSON.stringify(value)}`,
    ...place,
    field: { path },
    tags: { rule: 'apply-setters' },
  }))
}

/** Returns the fields without those in a list of the fields, which is written whole. */
function outermost(fields: readonly MarkedField[]): readonly MarkedField[] {
  let list: FieldPath | undefined
  return fields.filter(({ path, node }) => {
    if (list !== undefined && isAtOrBelow(path, list)) return false
    if (node.type === 'sequence') list = path
    return true
  })
}

function valueFor(item: KrmObject, field: MarkedField, setters: ReadonlyMap<string, string>, growth: Growth): string {
  if (field.node.type === 'scalar') return scalarValue(item, field, setters, growth)
  const value = listValue(item, field.path, field.pattern, setters)
  growth.take(value.length)
  return value
}

function scalarValue(item: KrmObject, { path, node, pattern }: MarkedField, setters: ReadonlyMap<string, string>, growth: Growth): string {
  const { text, missing } = fillPattern(pattern, setters, node.type === 'scalar' ? node.text : '', growth)
  if (missing.length === 0) return text
  const message = `must be set by the setters ${quoteNames(setterNames(pattern))}; the functionConfig has no value for ${quoteNames(missing)}`
  throw fieldError(item, { rule: 'setter-missing', path, message })
}

function listValue(item: KrmObject, path: FieldPath, pattern: string, setters: ReadonlyMap<string, string>): string {
  const [name = '', second] = setterNames(pattern)
  if (second === undefined && pattern === `\${${name}}`) return setters.get(name) ?? ''
  throw fieldError(item, {
    rule: 'setter-list',
    path,
    message: `must be set by one setter alone, since it is a list, got ${quoteText(pattern)}`,
  })
}

/**
 * Returns a function that writes the list.
 *
 * @throws FunctionError  when the value is no list
 */
function writeList(item: KrmObject, path: FieldPath, value: string): () => void {
  if (value === '') return () => item.set(path, [])
  const source = documentOf(value)
  if (source !== undefined && Array.isArray(source.get(['value']))) return () => item.copy(path, source, ['value'])
  throw fieldError(item, { rule: 'setter-list', path, message: `must be set to a list, got ${quoteText(value)}` })
}
