import type { FieldPath } from '../../field-path.ts'
import { type JsonRecord, type JsonValue, newRecord } from '../../json.ts'
import type { MapNode, Node } from './node.ts'
import { scalarValue } from './scalar-value.ts'

/** A value was asked for that an alias stands for. Aliases are never expanded: nesting them makes gigabytes of a few lines. */
export class AliasError extends Error {
  readonly anchor: string
  readonly path: FieldPath

  constructor(anchor: string, path: FieldPath) {
    super(`*${anchor} is an alias`)
    this.name = 'AliasError'
    this.anchor = anchor
    this.path = path
  }
}

/**
 * The plain value of a node. Of a key that stands twice the last counts. `<<` is an ordinary key, as for Kubernetes.
 *
 * @throws AliasError  when the node is or holds an alias
 */
export function nodeValue(node: Node, path: FieldPath = []): JsonValue {
  switch (node.type) {
    case 'scalar':
      return scalarValue(node)
    case 'sequence':
      return node.items.map((item, index) => nodeValue(item.value, [...path, index]))
    case 'map':
      return mapValue(node, path)
    case 'alias':
      throw new AliasError(node.anchor ?? '', path)
  }
}

function mapValue(map: MapNode, path: FieldPath): JsonRecord {
  const record = newRecord()
  for (const { key, value } of map.entries) record[key.text] = nodeValue(value, [...path, key.text])
  return record
}
