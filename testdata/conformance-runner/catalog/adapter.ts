import { parse, parseDocument, type ScalarTag } from 'yaml'
import { CATALOG, evaluateCatalogFunction } from '../../../src/catalog/catalog.ts'
import { asRecord, isRecord, type JsonRecord, type JsonValue } from '../../../src/json.ts'
import { ResourceList } from '../../../src/resource-list/resource-list.ts'
import type { Adapter, Difference } from '../adapter.ts'
import { differ, differByField, differInAnyOrder } from '../difference.ts'
import { lostLines } from '../mutations/kept-lines.ts'
import { KNOWN_DIFFERENCES } from './known-differences.ts'

/**
 * Answers of the functions of the KRM functions catalog. Compared are the exit code, and of a success the objects, in any order, by field,
 * and the results, in any order: message, severity, field and file as far as they are recorded. Of a failure our words are our own
 * (docs/catalog.md).
 * Beside the answer, no line that the function leaves alone may change, and a second run must change nothing.
 */
export const CATALOG_FUNCTIONS: Adapter = {
  folder: 'catalog',
  cases: casesOfFile,
  known: KNOWN_DIFFERENCES,
  run: compare,
}

/** The cases of a file, each with the function and version that the file names. */
function casesOfFile(file: JsonValue): readonly JsonValue[] {
  const { function: name, version, cases } = asRecord(file)
  if (!Array.isArray(cases)) throw new Error('a file of the catalog must have a list `cases`')
  const isBuiltIn = CATALOG.some((fn) => fn.name === name && fn.versions.includes(String(version)))
  return isBuiltIn ? cases.map((each: JsonValue) => ({ ...asRecord(each), function: name ?? null, version: version ?? null })) : []
}

function compare(vector: JsonRecord): readonly Difference[] {
  const input = String(vector.input)
  const fn = CATALOG.find(({ name }) => name === vector.function)
  if (fn === undefined) throw new Error(`no function ${vector.function}`)
  const evaluated = (list: string) => evaluateCatalogFunction(fn, String(vector.version), list)
  const { stdout, stderr, exitCode } = evaluated(input)
  const failed = differ('exit code', exitCode, vector.exitCode === 0 ? 0 : 1)
  if (failed.length > 0 || exitCode !== 0) return failed.map((each) => ({ ...each, actual: `${exitCode}: ${stderr}` }))
  const ignored = vector.function === 'search-replace' ? withoutPlace : (item: JsonRecord) => item
  return [
    ...compareItems(itemsOf(stdout).map(ignored), itemsOf(String(vector.output)).map(ignored)),
    ...compareResults(resultsOf(stdout), recordedResults(vector)),
    ...keptLines(input, stdout, COMMENTING.includes(String(vector.function))),
    ...(changesAgain(vector) || evaluated(withoutResults(stdout)).stdout.startsWith(withoutResults(stdout))
      ? []
      : [{ what: 'a second run must change nothing' }]),
  ]
}

/**
 * A replacement with a part beyond the ends of a text adds the part in every run, and a new value with groups of the old one may match the
 * expression again: the originals too.
 */
function changesAgain({ function: name, input }: JsonRecord): boolean {
  const text = String(input)
  return name === 'apply-replacements'
    ? /^ +delimiter:/m.test(text)
    : name === 'search-replace' && text.includes('by-value-regex: ') && /put-value: .*\$\{\d/.test(text)
}

/** A number such as 0644, which go-yaml reads as YAML 1.1 has it. */
const OCTAL: ScalarTag = {
  tag: 'tag:yaml.org,2002:int',
  default: true,
  test: /^0[0-7]+$/,
  resolve: (text) => Number.parseInt(text, 8),
}

/** Objects of a list as go-yaml reads them; one that stands behind an alias is read through it. */
function itemsOf(text: string): readonly JsonRecord[] {
  const { items }: { items?: readonly JsonValue[] | null } =
    parseDocument(text, { uniqueKeys: false, intAsBigInt: false, customTags: (tags) => [OCTAL, ...tags] }).toJS() ?? {}
  return (items ?? []).filter(isRecord)
}

/** search-replace writes into the annotations that say where an item is, and adds some: docs/catalog.md 33. */
function withoutPlace(item: JsonRecord): JsonRecord {
  const { metadata } = item
  const { annotations, ...rest } = asRecord(metadata)
  if (!isRecord(annotations)) return item
  const kept = Object.entries(annotations).filter(([key]) => !/^(internal\.)?config\.kubernetes\.io\/(path|index)$/.test(key))
  return { ...item, metadata: { ...rest, annotations: Object.fromEntries(kept) } }
}

/** Functions that write comments: a line of theirs may get another comment. */
const COMMENTING = ['search-replace', 'create-setters']

/** Pairs objects by identity and, of several, by order. */
function compareItems(ours: readonly JsonRecord[], theirs: readonly JsonRecord[]): readonly Difference[] {
  const left = new Map<string, JsonRecord[]>()
  for (const item of ours) left.set(identityOf(item), [...(left.get(identityOf(item)) ?? []), item])
  const found = theirs.flatMap((item) => {
    const key = identityOf(item)
    const same = left.get(key)?.shift()
    return same === undefined ? [{ what: `object ${key}`, expected: item }] : differByField(`object ${key}`, same, item)
  })
  return [...found, ...[...left].flatMap(([key, items]) => items.map((item) => ({ what: `object ${key}`, actual: item })))]
}

function identityOf({ apiVersion = '', kind = '', metadata }: JsonRecord): string {
  const { name = '', namespace = '', annotations } = asRecord(metadata)
  const { 'config.kubernetes.io/path': path = '', 'config.kubernetes.io/index': index = '' } = asRecord(annotations)
  return [apiVersion, kind, namespace, name, path, index].join(' ')
}

/** The recorded results, without those about annotations that the original itself adds to its input and that hosts remove. */
function recordedResults({ input, results }: JsonRecord): readonly JsonRecord[] {
  const recorded = Array.isArray(results) ? results.filter(isRecord) : []
  const adds = !String(input).includes('internal.config.kubernetes.io/')
  return adds ? recorded.filter(({ field }) => !pathOf(field).startsWith('metadata.annotations.internal.config.kubernetes.io/')) : recorded
}

function compareResults(ours: readonly JsonRecord[], theirs: readonly JsonRecord[]): readonly Difference[] {
  const known = (result: JsonRecord): string => {
    const { message, severity = 'info', field, file } = result
    return JSON.stringify([message, severity, pathOf(field), asRecord(file).path ?? ''])
  }
  return differInAnyOrder('results', ours.map(known), theirs.map(known))
}

/** A path as the catalog prints it: a key with dots in it without brackets. */
function pathOf(field: JsonValue | undefined): string {
  return String(asRecord(field).path ?? '').replace(/\["([^"]*)"\]/g, '.$1')
}

function resultsOf(text: string): readonly JsonRecord[] {
  const { results = [] }: { results?: readonly JsonRecord[] } = parse(text.slice(Math.max(0, text.search(/^results:/m)))) ?? {}
  return results
}

/** An orchestrator keeps results to itself: the next function does not see them. */
function withoutResults(text: string): string {
  return text.replace(/^results:\n[\s\S]*/m, '')
}

/** Every comment and every untouched line of every item must stay; `comments`: a line may get another comment. */
function keptLines(before: string, after: string, comments: boolean): readonly Difference[] {
  const items = ResourceList.parse(after, 'any').items
  const given = ResourceList.parse(before, 'any').items
  if (given.length !== items.length) return []
  return given.flatMap((item, index) => {
    const written = items[index]?.toText() ?? ''
    const lost = lostLines(item.toText(), written)
    const isCommented = (line: string) => comments && written.split('\n').some((each) => each.startsWith(line.replace(/ +#.*$/, '')))
    return lost.filter((line) => !isCommented(line)).map((line) => ({ what: `a line of item ${index}`, expected: line }))
  })
}
