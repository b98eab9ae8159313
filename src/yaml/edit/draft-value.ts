import type { FieldPath } from '../../field-path.ts'
import { type JsonValue, newRecord } from '../../json.ts'
import { type Content, Copied, isContentList, isContentRecord } from '../emit/content.ts'
import { nodeValue } from '../read/node-value.ts'
import type { Draft } from './draft.ts'

/**
 * The plain value of a draft.
 *
 * @throws AliasError  when it is or holds an alias
 */
export function draftValue(draft: Draft, path: FieldPath): JsonValue {
  switch (draft.type) {
    case 'written':
      return contentValue(draft.content)
    case 'edited-list':
      return draft.items.map((item, index) => draftValue(item, [...path, index]))
    case 'edited-map':
      return record([...draft.entries()].map(([key, value]) => [key, draftValue(value, [...path, key])]))
    default:
      return nodeValue(draft, path)
  }
}

function contentValue(content: Content): JsonValue {
  if (content instanceof Copied) return nodeValue(content.node)
  if (isContentList(content)) return content.map(contentValue)
  return isContentRecord(content) ? record(Object.entries(content).map(([key, value]) => [key, contentValue(value)])) : content
}

function record(entries: readonly (readonly [string, JsonValue])[]): JsonValue {
  const made = newRecord()
  for (const [key, value] of entries) made[key] = value
  return made
}
