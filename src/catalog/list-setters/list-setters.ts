import { attempt } from '../../attempt.ts'
import { compareText, type FieldPath } from '../../field-path.ts'
import { asRecord, isRecord, scalarText } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { ResourceList } from '../../resource-list/resource-list.ts'
import { FunctionError, type Result } from '../../result.ts'
import { quoteText } from '../../schema/describe-value.ts'
import { faultToResult } from '../../schema/fault.ts'
import { isSecretField, mayHoldSecret, NOT_SHOWN } from '../../secret-values.ts'
import { findChild, type ScalarNode, type SequenceNode } from '../../yaml/read/node.ts'
import { textPairs } from '../catalog-config.ts'
import type { CatalogFunction } from '../catalog-function.ts'
import { mapItems } from '../edit-items.ts'
import { documentOf } from '../plain-scalar.ts'
import { type MarkedField, markedFields } from '../setter-comments.ts'
import { setterNames, settersOfValue } from '../setter-pattern.ts'

/** Lists the setters of the package: those of the Kptfile, and those that comments of fields name. */
export const LIST_SETTERS: CatalogFunction = {
  name: 'list-setters',
  versions: ['v0.1.0'],
  at: () => listSetters,
}

/** A setter; `type` is that of the fields, as YAML reads them. */
interface Setter {
  readonly value: string
  type: string
  count: number
}

function listSetters(list: ResourceList): void {
  const items = mapItems(list)
  const setters = { scalars: new Map<string, Setter>(), lists: new Map<string, Setter>() }
  for (const [name, value] of kptfileSetters(items, list.results)) {
    const entries = listOf(value)
    if (entries === undefined) setters.scalars.set(name, { value, type: 'str', count: 0 })
    else setters.lists.set(name, { value: `[${entries.join(', ')}]`, type: 'array', count: 0 })
  }
  const marked = items.filter((each) => each.mayHold('kpt-set')).map((item) => ({ item, fields: markedFields(item) }))
  for (const { node, pattern } of marked.flatMap(({ fields }) => fields))
    if (node.type === 'sequence') countList(setters.lists, node, pattern)
    else if (node.type === 'scalar') countScalar(setters.scalars, node, pattern)
  const found = [...setters.lists, ...setters.scalars].sort(([a], [b]) => compareText(a, b))
  if (found.length === 0)
    throw new FunctionError([{ severity: 'error', message: 'the package must have a setter, found none', tags: { rule: 'no-setters' } }])
  const secret = new Set(marked.flatMap(({ item, fields }) => secretSetters(item, fields)))
  for (const [name, { value, type, count }] of found)
    list.results.push({
      severity: 'info',
      message: `Name: ${name}, Value: ${secret.has(name) ? NOT_SHOWN : value}, Type: ${type}, Count: ${count}`,
      tags: { rule: 'list-setters' },
    })
}

/** Returns the setters of the secret fields of an item. Such a value is in no message, also where the Kptfile gives it. */
function secretSetters(item: KrmObject, fields: readonly MarkedField[]): readonly string[] {
  if (fields.length === 0 || !mayHoldSecret(item.toText())) return []
  const json = attempt(() => item.toJson(), FunctionError)
  const isSecret = json === undefined ? () => true : isSecretField(json)
  return fields.flatMap(({ path, pattern }) => (isSecret(path) ? [listName(pattern), ...setterNames(pattern)] : []))
}

/**
 * Returns the setters that the root Kptfile gives to apply-setters, by name; of several functions the last value.
 *
 * @param results  gets a warning for each file that the Kptfile names and the package does not have
 * @throws FunctionError  as `textPairs`
 */
function kptfileSetters(items: readonly KrmObject[], results: Result[]): ReadonlyMap<string, string> {
  const kptfile = items.find(isRootKptfile)
  const mutators = kptfile?.get(['pipeline', 'mutators'])
  if (kptfile === undefined || !Array.isArray(mutators)) return new Map()
  const setters = new Map<string, string>()
  for (const [index, mutator] of mutators.entries()) {
    const { image, configMap, configPath } = asRecord(mutator)
    if (!scalarText(image).includes('apply-setters')) continue
    if (!isRecord(configMap) && scalarText(configPath) === '') return new Map()
    const found = settersOfFunction(kptfile, ['pipeline', 'mutators', index], items)
    if (found instanceof Map) for (const [name, value] of found) setters.set(name, value)
    else results.push(found)
  }
  return setters
}

/** Returns the setters of a function, or the warning about its file, which the package does not have. */
function settersOfFunction(kptfile: KrmObject, at: FieldPath, items: readonly KrmObject[]): Map<string, string> | Result {
  if (isRecord(kptfile.get([...at, 'configMap']))) return new Map(textPairs(kptfile, [...at, 'configMap'], true))
  const path = scalarText(kptfile.get([...at, 'configPath']))
  const config = items.find(({ file }) => file?.path === path)
  if (config === undefined) return missingFile(kptfile, [...at, 'configPath'], path)
  return isRecord(config.get(['data'])) ? new Map(textPairs(config, ['data'], true)) : new Map()
}

function isRootKptfile({ file, kind }: KrmObject): boolean {
  return kind === 'Kptfile' && file?.path === 'Kptfile'
}

/** Returns the warning about a file that the package does not have; the setters of its fields are listed, as the original does. */
function missingFile(kptfile: KrmObject, path: FieldPath, configPath: string): Result {
  const message = `must be a file of the package, got ${quoteText(configPath)}; only the setters of fields are listed`
  return faultToResult(kptfile, { severity: 'warning', rule: 'function-config-path', path, message })
}

/** Returns the entries of a text that is a YAML list, as YAML prints them; undefined for another text. */
function listOf(value: string): readonly string[] | undefined {
  const root = value === '' ? undefined : documentOf(value)
  if (root === undefined || !Array.isArray(root.get(['value']))) return undefined
  const { text, node } = root.written()
  const list = findChild(node, 'value')
  return list?.type === 'sequence'
    ? list.items.map((entry) => text.slice(entry.value.start, entry.value.end).replaceAll('\n', ''))
    : undefined
}

function countList(lists: Map<string, Setter>, node: SequenceNode, pattern: string): void {
  const name = listName(pattern)
  const known = lists.get(name)
  const entries = node.items.map(({ value }) => (value.type === 'scalar' ? value.text : '')).sort(compareText)
  if (known === undefined) lists.set(name, { value: `[${entries.join(', ')}]`, type: 'array', count: 1 })
  else known.count++
}

/** Returns the setter of a list with a comment. */
function listName(pattern: string): string {
  return pattern.replace(/^\$\{/, '').replace(/\}$/, '')
}

function countScalar(scalars: Map<string, Setter>, node: ScalarNode, pattern: string): void {
  const type = typeOf(node)
  if (type === 'null') return
  for (const [name, value] of settersOfValue(pattern, node.text)) {
    const known = scalars.get(name)
    if (known === undefined) scalars.set(name, { value, type, count: 1 })
    else {
      known.count++
      // A part of a value and the value in the Kptfile are texts: the type of a whole field says more.
      if (known.type === 'str') known.type = type
    }
  }
}

/** The types of plain scalars in the YAML reader of Go, by the texts that have them. */
const TYPES: readonly (readonly [RegExp, string])[] = [
  [/^(?:~|null|Null|NULL|)$/, 'null'],
  [/^(?:true|True|TRUE|false|False|FALSE)$/, 'bool'],
  [/^[-+]?(?:0x[\da-fA-F_]+|0o?[0-7_]+|0b[01_]+|0|[1-9][\d_]*)$/, 'int'],
  [/^(?:[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/, 'float'],
  [/^\d{4}-\d{1,2}-\d{1,2}(?:(?:[Tt]|\s+)\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?(?:Z|[-+]\d{2}:\d{2})?)?$/, 'timestamp'],
]

function typeOf({ style, tag, text }: ScalarNode): string {
  if (tag !== undefined) return tag.replace(/^(?:!!|tag:yaml\.org,2002:)/, '')
  if (style !== 'plain') return 'str'
  return TYPES.find(([pattern]) => pattern.test(text))?.[1] ?? 'str'
}
