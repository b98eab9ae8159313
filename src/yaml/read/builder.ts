import { type JsonValue, newRecord } from '../../json.ts'
import { targetOf } from './alias-targets.ts'
import type { AliasNode, KeyedNode, Node, Properties, ScalarNode, SequenceItem } from './node.ts'
import { isNullScalar, scalarValue } from './scalar-value.ts'
import type { Wanted } from './wanted.ts'

/** Where a map or list stands, and how it is written. */
export interface Extent extends Properties {
  readonly flow: boolean
  readonly start: number
  readonly end: number
}

/** What a reader makes of the parts it finds, in the order of the text: nodes with their places, or plain values. */
export interface Builder<Value, OpenMap, OpenList> {
  scalar(scalar: ScalarNode): Value
  openMap(): OpenMap
  hasKey(map: OpenMap, key: string): boolean
  addEntry(map: OpenMap, key: ScalarNode, value: Value): void
  closeMap(map: OpenMap, extent: Extent): Value
  openList(): OpenList
  addItem(list: OpenList, dash: number, value: Value): void
  closeList(list: OpenList, extent: Extent): Value
  /** Absent: what an alias stands for is not to be told. */
  alias?(alias: AliasNode): Value
}

/** Nodes, for whoever edits the text or asks where something stands. */
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
  /** Of a large map; of most there are so few that a set would take longer. */
  keys: Set<string> | undefined
}

const FEW = 16

function addNode(map: OpenNodes, key: ScalarNode, value: Node): void {
  map.entries.push({ key, value })
  if (map.keys !== undefined) map.keys.add(key.text)
  else if (map.entries.length === FEW) map.keys = new Set(map.entries.map((entry) => entry.key.text))
}

/** Plain values, for whoever only reads: a tenth of the room that nodes take. */
export const VALUES: Builder<JsonValue, { [key: string]: JsonValue }, JsonValue[]> = {
  scalar: scalarValue,
  openMap: newRecord,
  // A record inherits nothing, and no value is undefined: twice as fast as to ask for an own key.
  hasKey: (record, key) => record[key] !== undefined,
  addEntry: (record, { text }, value) => {
    record[text] = value
  },
  closeMap: (record) => record,
  openList: () => [],
  addItem: (list, _, value) => list.push(value),
  // An array that grows has room for more; most lists are short.
  closeList: (list) => (list.length < FEW ? list.slice() : list),
}

/** The texts of scalars, numbers and booleans as they are written; null of one that means nothing. A list is as good as an empty map. */
export type Texts = string | null | TextMap
export type TextMap = ReadonlyMap<string, Texts>

export const NO_TEXTS: TextMap = new Map()

/** Whether they are those of a map, and not what stands for a list. */
export function isTextMap(texts: Texts): texts is TextMap {
  return texts instanceof Map && texts !== NO_TEXTS
}

/** A map in braces: its entries have no lines of their own. */
export class FlowTexts extends Map<string, Texts> {}

const NO_FLOW_TEXTS: TextMap = new FlowTexts()

/** Texts as written, for an identity: a name `123` is '123'. */
export const TEXTS: Builder<Texts, Map<string, Texts>, undefined> = {
  scalar: (scalar) => (isNullScalar(scalar) ? null : scalar.text),
  openMap: () => new Map(),
  hasKey: (map, key) => map.has(key),
  addEntry: (map, { text }, value) => map.set(text, value),
  closeMap: (map, { flow }) => (flow ? flowTexts(map) : map),
  openList: () => undefined,
  addItem: () => undefined,
  closeList: () => NO_TEXTS,
}

/** A list may have a million of empty braces. */
function flowTexts(map: TextMap): TextMap {
  return map.size === 0 ? NO_FLOW_TEXTS : new FlowTexts(map)
}

/**
 * The same of nodes that were read already. Of a key that stands twice the last counts; of two maps the keys of both, since the first says
 * where an object comes from: kpt notes the file of two objects without the line `---` between them in the first `metadata`.
 */
export function textsOf(node: Node, wanted?: Wanted): Texts {
  if (node.type === 'scalar') return TEXTS.scalar(node)
  if (node.type === 'alias') return textsOfAlias(node, wanted)
  if (node.type !== 'map') return NO_TEXTS
  const entries = wanted === undefined ? node.entries : node.entries.filter(({ key }) => wanted.has(key.text))
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
