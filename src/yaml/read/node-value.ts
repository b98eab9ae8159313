import type { FieldPath } from '../../field-path.ts'
import { type JsonRecord, type JsonScalar, type JsonValue, newRecord } from '../../json.ts'
import { AliasError, targetOf } from './alias-targets.ts'
import { entriesOf, requireMerged } from './merge-keys.ts'
import type { AliasNode, MapNode, Node, ScalarNode, SpelledScalar } from './node.ts'

/**
 * Returns the plain value of a node. The last of repeated keys counts. An alias has the value of its anchor, and a merge key stands for
 * the entries of its aliases.
 *
 * @throws AliasError  for an alias or a merge key with an unknown value
 */
export function nodeValue(node: Node, path: FieldPath = []): JsonValue {
  return valueBelow(node, [...path])
}

/** @param path  of the node; changed while the value is read */
function valueBelow(node: Node, path: (string | number)[]): JsonValue {
  switch (node.type) {
    case 'scalar':
      return scalarValue(node)
    case 'sequence':
      return node.items.map(({ value }, index) => valueAt(value, index, path))
    case 'map':
      return mapValue(node, path)
    case 'alias':
      return aliasValue(node, path)
  }
}

function mapValue(map: MapNode, path: (string | number)[]): JsonRecord {
  const record = newRecord()
  requireMerged(map, path)
  for (const { key, value } of entriesOf(map)) record[key.text] = valueAt(value, key.text, path)
  return record
}

function valueAt(node: Node, step: string | number, path: (string | number)[]): JsonValue {
  path.push(step)
  const value = valueBelow(node, path)
  path.pop()
  return value
}

function aliasValue(alias: AliasNode, path: (string | number)[]): JsonValue {
  const target = targetOf(alias)
  if (target === undefined) throw new AliasError(alias.anchor ?? '', path)
  return valueBelow(target, path)
}

const NULLS = new Set(['', '~', 'null', 'Null', 'NULL'])
const BOOLEANS = new Map([
  ['true', true],
  ['True', true],
  ['TRUE', true],
  ['false', false],
  ['False', false],
  ['FALSE', false],
])

const SPECIAL_FLOATS = new Map([
  ['.inf', Number.POSITIVE_INFINITY],
  ['.Inf', Number.POSITIVE_INFINITY],
  ['.INF', Number.POSITIVE_INFINITY],
  ['+.inf', Number.POSITIVE_INFINITY],
  ['+.Inf', Number.POSITIVE_INFINITY],
  ['+.INF', Number.POSITIVE_INFINITY],
  ['-.inf', Number.NEGATIVE_INFINITY],
  ['-.Inf', Number.NEGATIVE_INFINITY],
  ['-.INF', Number.NEGATIVE_INFINITY],
  ['.nan', Number.NaN],
  ['.NaN', Number.NaN],
  ['.NAN', Number.NaN],
])

const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/
/** Matches the first character of every scalar that is not a string. */
const MEANINGFUL_START = /^[-+.0-9~tTfFnN]/
/** Matches the first character of a number; all other types are in the tables above. */
const NUMBER_START = /^[-+.0-9]/

/**
 * Returns the value of a scalar as go-yaml v3 reads it without a target type: `0644` is 420, `yes` a string, `1_000` a number.
 * Timestamps stay strings, because a Kubernetes field gets a string.
 * @see go-yaml v3 resolve.go
 */
export function scalarValue(node: SpelledScalar): JsonScalar {
  if (node.tag !== undefined && node.tag !== NO_TAG) return taggedValue(node.tag, node.text)
  return node.style === 'plain' ? plainValue(node.text) : node.text
}

/** Returns true for a null scalar: `~`, `null` or an empty one. Faster than computing the value. */
export function isNullScalar(node: ScalarNode): boolean {
  if (node.tag !== undefined) return scalarValue(node) === null
  return node.style === 'plain' && NULLS.has(node.text)
}

/** Returns the value of a plain scalar. */
function plainValue(text: string): JsonScalar {
  if (text !== '' && !MEANINGFUL_START.test(text)) return text
  if (NULLS.has(text)) return null
  if (!NUMBER_START.test(text)) return BOOLEANS.get(text) ?? text
  return SPECIAL_FLOATS.get(text) ?? integerValue(text) ?? floatValue(text) ?? text
}

/** The tag `!` alone: `! 5` is read like 5. @see go-yaml v3 parserc.go */
const NO_TAG = '!'

const RESOLVED_TAGS = new Set(['int', 'float', 'bool', 'null'])

function taggedValue(tag: string, text: string): JsonScalar {
  const name = tag.replace(/^(!!|tag:yaml\.org,2002:)/, '')
  if (name === 'binary') return binaryValue(text)
  return RESOLVED_TAGS.has(name) ? plainValue(text) : text
}

/** Returns the decoded text of base64; the text itself when it is not base64. */
function binaryValue(text: string): string {
  const encoded = text.replace(/\s/g, '')
  if (encoded.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(encoded)) return text
  return new TextDecoder().decode(Uint8Array.from(atob(encoded), (unit) => unit.charCodeAt(0)))
}

const INTEGER = /^([-+]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9][0-9]*)$/

/** Matches nearly all integers; of those with more digits only some are safe. */
const SHORT_INTEGER = /^[1-9][0-9]{0,14}$/

function integerValue(text: string): number | bigint | undefined {
  if (SHORT_INTEGER.test(text)) return Number(text)
  if (text.startsWith('.')) return undefined
  const match = INTEGER.exec(text.replaceAll('_', ''))
  const digits = match?.[2]
  if (digits === undefined || text.startsWith('_')) return undefined
  const magnitude = BigInt(/^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits.toLowerCase())
  return fitInteger(match?.[1] === '-' ? -magnitude : magnitude)
}

/** Returns the integer; undefined beyond 64 bits, where go-yaml makes a float of decimal digits and a text of others. */
function fitInteger(value: bigint): number | bigint | undefined {
  if (value > 18446744073709551615n || value < -9223372036854775808n) return undefined
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value
}

/** Matches a text that begins with a dot and has an underscore that is not between digits: no number for go-yaml, as `1__0` is. */
const LOOSE_UNDERSCORE = /^\..*(?:(?<![0-9])_|_(?![0-9]))/

function floatValue(text: string): number | undefined {
  if (LOOSE_UNDERSCORE.test(text)) return undefined
  const digits = text.replaceAll('_', '')
  const value = FLOAT.test(digits) ? Number(digits) : undefined
  return value !== undefined && Number.isFinite(value) ? value : undefined
}
