import { type JsonValue, newRecord } from '../../src/json.ts'
import type { Node } from '../../src/yaml/read/node.ts'
import { scalarValue } from '../../src/yaml/read/node-value.ts'

/** The value of a node in which each alias is what it stands for, as other readers see it. */
export function resolvedValue(node: Node, anchors = new Map<string, JsonValue>()): JsonValue {
  const value = valueBelow(node, anchors)
  if (node.type !== 'alias' && node.anchor !== undefined) anchors.set(node.anchor, value)
  return value
}

function valueBelow(node: Node, anchors: Map<string, JsonValue>): JsonValue {
  if (node.type === 'scalar') return scalarValue(node)
  if (node.type === 'alias') {
    const value = anchors.get(node.anchor ?? '')
    return value === undefined ? { unresolved: node.anchor ?? '' } : value
  }
  if (node.type === 'sequence') return node.items.map((item) => resolvedValue(item.value, anchors))
  const record = newRecord()
  for (const { key, value } of node.entries) {
    resolvedValue(key, anchors)
    record[key.text] = resolvedValue(value, anchors)
  }
  return record
}
