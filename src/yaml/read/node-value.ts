import type { FieldPath } from '../../field-path.ts'
import { type JsonRecord, type JsonValue, newRecord } from '../../json.ts'
import { targetOf } from './alias-targets.ts'
import type { AliasNode, MapNode, Node } from './node.ts'
import { scalarValue } from './scalar-value.ts'

/** An error for reading a value through an alias with an unknown value, or through a merge key (`<<: *anchor`). */
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
 * Returns the plain value of a node. The last of repeated keys counts. `<<` is an ordinary key, as for Kubernetes, unless its value is an
 * alias. An alias has the value of its anchor.
 *
 * @throws AliasError  for an alias with an unknown value, and for a merge key
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
      return aliasValue(node, path)
  }
}

function mapValue(map: MapNode, path: FieldPath): JsonRecord {
  const record = newRecord()
  for (const { key, value } of map.entries) {
    if (key.text === '<<' && value.type === 'alias') throw new AliasError(value.anchor ?? '', [...path, key.text])
    record[key.text] = nodeValue(value, [...path, key.text])
  }
  return record
}

function aliasValue(alias: AliasNode, path: FieldPath): JsonValue {
  const target = targetOf(alias)
  if (target === undefined) throw new AliasError(alias.anchor ?? '', path)
  return nodeValue(target, path)
}
