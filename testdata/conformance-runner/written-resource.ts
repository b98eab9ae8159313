import { isAlias, isMap, isScalar, isSeq, type Node, parseDocument, type Scalar, type YAMLMap } from 'yaml'
import { asRecord, type JsonRecord, type JsonScalar, type JsonValue, lookup, scalarText } from '../../src/json.ts'

/*
 * The runner's own reading of YAML, as Go's yaml.v3 reads it: nothing of the product has a hand in it, so that a fault in the product's
 * reading is seen.
 */

/** A resource in a file, as its text has it. */
export interface WrittenResource {
  /** The file, and the number of the document in the file. */
  readonly path: string
  readonly index: number
  readonly text: string
  readonly value: JsonRecord
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly namespace: string
  readonly annotations: JsonRecord
  readonly hasAlias: boolean
  /** The paths of quoted scalars. */
  readonly quoted: readonly (readonly (string | number)[])[]
}

/** Returns the texts of the documents of a file: those that hold nothing but comments are none. */
export function documentTexts(file: string): readonly string[] {
  return splitFile(file).filter((text) => !isEmptyDocument(text))
}

/** Returns the texts between the `---` lines of a file, empty ones included. */
export function splitFile(file: string): readonly string[] {
  const texts = file.replace(/^\uFEFF/, '').split(/^---[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/m)
  const documents = texts[0] === '' ? texts.slice(1) : texts
  return documents.map((text) => text.replace(/^\.\.\.(?=\s|$)[\s\S]*/m, ''))
}

/** Returns true for a text without a value: blank lines, comments, `null`. */
export function isEmptyDocument(text: string): boolean {
  return text.split('\n').every((line) => /^\s*(?:#.*|null|~|---[ \t]*(?:#.*)?)?\s*$/.test(line))
}

/** Returns the resources of a file; undefined for a file without documents, or with a document that is no map or cannot be read. */
export function resourcesIn(path: string, file: string): readonly WrittenResource[] | undefined {
  const found = documentTexts(file).map((text, index) => readResource(text, { path, index }))
  const resources = found.filter((each) => each !== undefined)
  return resources.length < found.length || found.length === 0 ? undefined : resources
}

/** Returns true for a file that is read for resources. */
export function isResourceFile(path: string): boolean {
  return /(^|\/)Kptfile$|\.(?:ya?ml|json)$/.test(path)
}

const known = new Map<string, WrittenResource | undefined>()

/** Reads a document; undefined for one that is no map, or that cannot be read. */
export function readResource(text: string, { path, index }: Pick<WrittenResource, 'path' | 'index'>): WrittenResource | undefined {
  const key = JSON.stringify([path, index, text])
  if (!known.has(key)) known.set(key, parseResource(text, { path, index }))
  return known.get(key)
}

function parseResource(text: string, place: Pick<WrittenResource, 'path' | 'index'>): WrittenResource | undefined {
  // Go breaks lines at U+0085 too.
  const document = parseDocument(text.replaceAll('\u0085', '\n'), { schema: 'failsafe', uniqueKeys: false, logLevel: 'silent' })
  const { contents, errors } = document
  if (errors.length > 0 || !isMap(contents)) return undefined
  const reading: Reading = {
    hasAlias: false,
    hasOddKey: false,
    quoted: [],
    resolve: (node) => (isAlias(node) ? node.resolve(document) : undefined),
  }
  const value = asRecord(readValue(contents, [], reading))
  if (reading.hasOddKey) return undefined
  const metadata = asRecord(lookup(value, 'metadata'))
  const [apiVersion, kind] = [scalarText(lookup(value, 'apiVersion')), scalarText(lookup(value, 'kind'))]
  const [name, namespace] = [scalarText(lookup(metadata, 'name')), scalarText(lookup(metadata, 'namespace'))]
  const annotations = asRecord(lookup(metadata, 'annotations'))
  return { ...place, text, value, apiVersion, kind, name, namespace, annotations, hasAlias: reading.hasAlias, quoted: reading.quoted }
}

interface Reading {
  hasAlias: boolean
  /** True if a key is a map or list. */
  hasOddKey: boolean
  readonly quoted: (readonly (string | number)[])[]
  readonly resolve: (node: unknown) => Node | undefined
}

function readValue(node: unknown, path: readonly (string | number)[], reading: Reading): JsonValue {
  if (isAlias(node)) {
    reading.hasAlias = true
    return readValue(reading.resolve(node), path, reading)
  }
  if (isSeq(node)) return node.items.map((item, index) => readValue(item, [...path, index], reading))
  if (isMap(node)) return recordOf(node, path, reading)
  if (!isScalar(node)) return null
  if (node.type?.startsWith('QUOTE')) reading.quoted.push(path)
  return scalarOf(node)
}

function recordOf(map: YAMLMap, path: readonly (string | number)[], reading: Reading): JsonRecord {
  const record: Record<string, JsonValue> = {}
  for (const { key, value } of map.items) {
    if (!isScalar(key) && !isAlias(key)) reading.hasOddKey = true
    const name = isScalar(key) ? textOf(key) : String(key)
    const child = readValue(value, [...path, name], reading)
    if (name === '<<' && isAlias(value)) Object.assign(record, { ...asRecord(child), ...record })
    else record[name] = child
  }
  return record
}

function textOf({ value }: Scalar): string {
  return typeof value === 'string' ? value : ''
}

function scalarOf(node: Scalar): JsonScalar {
  const { tag = '', type, value } = node
  if (value instanceof Uint8Array) return new TextDecoder().decode(value)
  const text = textOf(node)
  const name = tag.replace(/^(?:!!|tag:yaml\.org,2002:)/, '')
  const isResolved = name === '!' || name === '' ? type === 'PLAIN' : ['int', 'float', 'bool', 'null'].includes(name)
  return isResolved ? resolved(text) : text
}

const WORDS = new Map<string, JsonScalar>([
  ...['', '~', 'null', 'Null', 'NULL'].map((text) => [text, null] as const),
  ...['true', 'True', 'TRUE'].map((text) => [text, true] as const),
  ...['false', 'False', 'FALSE'].map((text) => [text, false] as const),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map((text) => [text, Number.POSITIVE_INFINITY] as const),
  ...['-.inf', '-.Inf', '-.INF'].map((text) => [text, Number.NEGATIVE_INFINITY] as const),
  ...['.nan', '.NaN', '.NAN'].map((text) => [text, Number.NaN] as const),
])

/** Returns the value of a plain scalar (go-yaml v3 resolve.go): `0644` is 420, `1_000` a number, `yes` a text. */
function resolved(text: string): JsonScalar {
  if (WORDS.has(text)) return WORDS.get(text) ?? null
  if (text.startsWith('_')) return text
  const digits = text.replaceAll('_', '')
  const isFloat = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/.test(digits) && Number.isFinite(Number(digits))
  return integerOf(digits) ?? (isFloat ? Number(digits) : text)
}

function integerOf(digits: string): number | bigint | undefined {
  const [, minus, magnitude] = /^([-+]?)(0[xX][\da-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9]\d*)$/.exec(digits) ?? []
  if (magnitude === undefined) return undefined
  const integer = BigInt(magnitude.replace(/^0(?=[0-7])/, '0o').toLowerCase())
  if (integer > 2n ** 64n - 1n) return undefined
  const signed = minus === '-' ? -integer : integer
  return Number.isSafeInteger(Number(signed)) ? Number(signed) : signed
}

/** Returns the namespace and name in the comment behind `metadata:` by which updates know a resource again. */
export function mergeCommentOf({ text }: Pick<WrittenResource, 'text'>): string | undefined {
  const [, comment] = /^metadata:[ \t]+#\s*kpt-merge:[ \t]*([^\n/]*\/[^\n]*?)[ \t]*\r?$/m.exec(text) ?? []
  return comment
}
