import { isRecord, type JsonValue, memberOf } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { WireError } from '../resource-list/wire-error.ts'
import { FunctionError } from '../result.ts'
import { looksLikeSecret, mayHoldSecret, NOT_SHOWN, OTHER_NOT_SHOWN, withoutSecretValues } from '../secret-values.ts'
import type { Node, ScalarNode } from '../yaml/read/node.ts'
import { splitDocuments } from './split-documents.ts'

/**
 * Returns the text of a YAML or JSON file without the values of its Secrets. Every line keeps its number.
 *
 * @param earlier  the file before a change: a secret value that another value had there says so
 */
export function maskedText(text: string, earlier = ''): string {
  if (!mayHoldSecret(text)) return text
  const known = objectsByName(earlier)
  const { chunks } = splitDocuments(text)
  return chunks.map(({ separator, before, text: own, after }) => `${separator}${before}${maskedDocument(own, known)}${after}`).join('')
}

/** Returns the objects of a file by their kinds and names. */
function objectsByName(text: string): ReadonlyMap<string, KrmObject> {
  if (!mayHoldSecret(text)) return new Map()
  const objects = splitDocuments(text).chunks.flatMap((chunk) => (chunk.isEmpty ? [] : (readable(chunk.text) ?? [])))
  return new Map(objects.map((object) => [nameOf(object), object]))
}

function nameOf({ kind = '', namespace = '', name = '' }: KrmObject): string {
  return JSON.stringify([kind, namespace, name])
}

/** Returns the object of a text; undefined for a text that is no YAML, or no map of known values. */
function readable(text: string): KrmObject | undefined {
  try {
    const object = KrmObject.ofWholeDocument(text, { path: '', index: 0, line: 1 })
    return object.isMap() && isRecord(object.toJson()) ? object : undefined
  } catch (error) {
    if (error instanceof WireError || error instanceof FunctionError) return undefined
    throw error
  }
}

function maskedDocument(text: string, known: ReadonlyMap<string, KrmObject>): string {
  if (!mayHoldSecret(text)) return text
  const object = readable(text)
  if (object === undefined) return looksLikeSecret(text) ? text.split('\n').map(maskedLine).join('\n') : text
  const value = object.toJson()
  const shown = withoutSecretValues(value, known.get(nameOf(object))?.toJson())
  let [masked, end] = ['', 0]
  for (const { node, mask } of secretNodes(object.written().node, value, shown)) {
    masked += `${text.slice(end, node.start)}${mask}${text.slice(node.start, node.end).replaceAll(/[^\n]+/g, '')}`
    end = node.end
  }
  return masked + text.slice(end)
}

/** Returns a line without what follows its key; a line without a key is hidden as a whole. */
function maskedLine(line: string): string {
  const [, head] = /^(\s*(?:- +)*(?:"[^"]*"|'[^']*'|[^\s:"'{[#-][^:]*?)\s*:)(?:\s|$)/.exec(line) ?? []
  if (/^\s*(?:#|$)/.test(line) || /^\s*(?:- +)?(?:apiVersion|kind)\s*:/.test(line)) return line
  if (head !== undefined) return line.trim() === head.trim() ? line : `${head} ${NOT_SHOWN}`
  return `${/^\s*/.exec(line)?.[0] ?? ''}${NOT_SHOWN}`
}

interface SecretNode {
  readonly node: Pick<ScalarNode, 'start' | 'end'>
  readonly mask: string
}

/** Yields the parts of a text whose values are not shown, in their order. Of a repeated key, all values are hidden. */
function* secretNodes(node: Node, value: JsonValue | undefined, shown: JsonValue | undefined): Generator<SecretNode> {
  if (value !== shown && (shown === NOT_SHOWN || shown === OTHER_NOT_SHOWN)) yield { node, mask: shown }
  else if (node.type === 'map')
    for (const entry of node.entries) yield* secretNodes(entry.value, memberOf(value, entry.key.text), memberOf(shown, entry.key.text))
  else if (node.type === 'sequence')
    for (const [i, item] of node.items.entries()) yield* secretNodes(item.value, memberOf(value, i), memberOf(shown, i))
}
