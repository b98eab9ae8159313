import { type JsonValue, newRecord } from '../../json.ts'
import { targetOf } from './alias-targets.ts'
import { entriesOf } from './merge-keys.ts'
import type { AliasNode, KeyedNode, Node, Properties, ScalarNode, SequenceItem } from './node.ts'
import { isNullScalar, scalarValue } from './node-value.ts'
import type { Wanted } from './wanted.ts'

/** The offsets, style and properties of a map or list. */
export interface Extent extends Properties {
  readonly flow: boolean
  readonly start: number
  readonly end: number
}

/** Builds the result of a reader from the parts of a text, in their order: nodes with offsets, plain values, or texts. */
export interface Builder<Value, OpenMap, OpenList> {
  scalar(scalar: ScalarNode): Value
  openMap(): OpenMap
  hasKey(map: OpenMap, key: string): boolean
  addEntry(map: OpenMap, key: ScalarNode, value: Value): void
  closeMap(map: OpenMap, extent: Extent): Value
  openList(): OpenList
  addItem(list: OpenList, dash: number, value: Value): void
  closeList(list: OpenList, extent: Extent): Value
  /** Without this method, the reader refuses a text with an alias. */
  alias?(alias: AliasNode): Value
}

/** Builds nodes with offsets, for edits and positions. */
export const NODES: Builder<Node, OpenNodes, SequenceItem[]> = {
  scalar: (scalar) => scalar,
  openMap: () => ({ entries: [], keys: undefined }),
  hasKey: ({ entries, keys }, key) => keys?.has(key) ?? entries.some((entry) => entry.key.text === key),
  addEntry: addNode,
  closeMap: ({ entries }, extent) => ({ type: 'map', entries, ...extent }),
  openList: () => [],
  addItem: (items, dash, value) => items.push({ dash, value }),
  closeList: (items, extent) => ({ type: 'sequence', items, ...extent }),
  alias: (alias) => alias,
}

interface OpenNodes {
  readonly entries: KeyedNode[]
  /** The keys of a large map; undefined for a small map, in which a search is faster than a set. */
  keys: Set<string> | undefined
}

const FEW = 16

function addNode(map: OpenNodes, key: ScalarNode, value: Node): void {
  map.entries.push({ key, value })
  if (map.keys !== undefined) map.keys.add(key.text)
  else if (map.entries.length === FEW) map.keys = new Set(map.entries.map((entry) => entry.key.text))
}

/** Builds nothing but the keys of the open maps: for a reader that looks for a place in a large text. */
export const KEYS: Builder<true, Set<string>, undefined> = {
  scalar: () => true,
  openMap: () => new Set(),
  hasKey: (keys, key) => keys.has(key),
  addEntry: (keys, { text }) => keys.add(text),
  closeMap: () => true,
  openList: () => undefined,
  addItem: () => undefined,
  closeList: () => true,
  alias: () => true,
}

/** Builds plain values, which take a tenth of the memory of nodes. */
export const VALUES: Builder<JsonValue, { [key: string]: JsonValue }, JsonValue[]> = {
  scalar: scalarValue,
  openMap: newRecord,
  // A record inherits nothing, and no value is undefined: this is twice as fast as a test for an own key.
  hasKey: (record, key) => record[key] !== undefined,
  addEntry: (record, { text }, value) => {
    record[text] = value
  },
  closeMap: (record) => record,
  openList: () => [],
  addItem: (list, _, value) => list.push(value),
  // A growing array reserves memory for more items; the copy of a short list does not.
  closeList: (list) => (list.length < FEW ? list.slice() : list),
}

/** The texts of scalars, in the spelling of the file also for numbers and booleans; null for a null scalar. A list is an empty map. */
export type Texts = string | null | TextMap
export type TextMap = ReadonlyMap<string, Texts>

export const NO_TEXTS: TextMap = new Map()

/** Returns true for the texts of a map; false for a scalar and for the empty map that represents a list. */
export function isTextMap(texts: Texts): texts is TextMap {
  return texts instanceof Map && texts !== NO_TEXTS
}

/** The texts of a flow map, whose entries have no lines of their own. */
export class FlowTexts extends Map<string, Texts> {}

const NO_FLOW_TEXTS: TextMap = new FlowTexts()

/** Builds texts for an identity, in the spelling of the file: a name `123` is '123'. */
export const TEXTS: Builder<Texts, Map<string, Texts>, undefined> = {
  scalar: (scalar) => (isNullScalar(scalar) ? null : scalar.text),
  openMap: () => new Map(),
  hasKey: (map, key) => map.has(key),
  addEntry: (map, { text }, value) => map.set(text, joined(map.get(text), value)),
  closeMap: (map, { flow }) => (flow ? flowTexts(map) : map),
  openList: () => undefined,
  addItem: () => undefined,
  closeList: () => NO_TEXTS,
}

/** Returns the texts of a flow map. All empty ones share one object, because a list may have a million `{}`. */
function flowTexts(map: TextMap): TextMap {
  return map.size === 0 ? NO_FLOW_TEXTS : new FlowTexts(map)
}

/**
 * Returns the texts of a node, of the wanted keys or of all. The last of repeated keys counts; two maps of one key are merged. Without the
 * `---` line between two objects, kpt writes their file into the first of two `metadata`, so the keys of both are needed.
 */
export function textsOf(node: Node, wanted?: Wanted): Texts {
  if (node.type === 'scalar') return TEXTS.scalar(node)
  if (node.type === 'alias') return textsOfAlias(node, wanted)
  if (node.type !== 'map') return NO_TEXTS
  const read = entriesOf(node)
  const entries = wanted === undefined ? read : read.filter(({ key }) => wanted.has(key.text))
  const texts = new Map<string, Texts>()
  for (const { key, value } of entries) texts.set(key.text, joined(texts.get(key.text), textsOf(value, wanted?.get(key.text))))
  return TEXTS.closeMap(texts, node)
}

function joined(first: Texts | undefined, second: Texts): Texts {
  if (first === undefined || !isTextMap(first) || !isTextMap(second)) return second
  const both = new Map(first)
  for (const [key, value] of second) both.set(key, joined(both.get(key), value))
  return both
}

function textsOfAlias(alias: AliasNode, wanted: Wanted | undefined): Texts {
  const target = targetOf(alias)
  return target === undefined ? NO_TEXTS : textsOf(target, wanted)
}
