import { attempt } from '../attempt.ts'
import { isRecord, type JsonRecord, type JsonValue, memberOf } from '../json.ts'
import { hideKnownSecrets } from '../known-secrets.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { placedComments } from '../resource-list/lost-comments.ts'
import { WireError } from '../resource-list/wire-error.ts'
import { FunctionError } from '../result.ts'
import {
  COMMENT_NOT_SHOWN,
  isOrListsSecret,
  looksLikeSecret,
  mayHoldSecret,
  NOT_SHOWN,
  OTHER_NOT_SHOWN,
  withoutSecretsInComment,
  withoutSecretValues,
} from '../secret-values.ts'
import { targetOf } from '../yaml/read/alias-targets.ts'
import type { Node, ScalarNode } from '../yaml/read/node.ts'
import { splitDocuments } from './split-documents.ts'

/**
 * Returns the text of a YAML or JSON file without the values of its Secrets. Every line keeps its number.
 *
 * @param earlier  the file before a change: a secret value that another value had there says so
 */
export function maskedText(text: string, earlier = ''): string {
  if (!mayHoldSecret(text)) return hideKnownSecrets(text, earlier === '' ? undefined : earlier)
  const known = objectsByName(earlier)
  const { chunks } = splitDocuments(text)
  const masked = chunks.map(({ separator, before, text: own, after }) => {
    const document = maskedDocument(own, known)
    const around = (part: string) => (document === own ? part : part.replaceAll(COMMENT, COMMENT_NOT_SHOWN))
    return `${around(separator)}${before}${document}${around(after)}`
  })
  return hideKnownSecrets(masked.join(''), earlier === '' ? undefined : earlier)
}

/** Matches a comment in the text around a document. */
const COMMENT = /(?<=^|\s)#.*/gm

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
  const read = (): KrmObject | undefined => {
    const object = KrmObject.ofWholeDocument(text, { path: '', index: 0, line: 1 })
    return object.isMap() && isRecord(object.toJson()) ? object : undefined
  }
  return attempt(read, WireError, FunctionError)
}

function maskedDocument(text: string, known: ReadonlyMap<string, KrmObject>): string {
  if (!mayHoldSecret(text)) return text
  const object = readable(text)
  if (object === undefined) return looksLikeSecret(text) ? maskedLines(text.split('\n')).join('\n') : text
  const value = object.toJson()
  const shown = withoutSecretValues(value, known.get(nameOf(object))?.toJson())
  const written = object.written()
  const parts = [...secretNodes(written.node, value, shown), ...secretComments(written, value)]
  let [masked, end] = ['', 0]
  for (const { node, mask } of parts.toSorted((a, b) => a.node.start - b.node.start)) {
    if (node.start < end) continue
    masked += `${text.slice(end, node.start)}${mask}${text.slice(node.start, node.end).replaceAll(/[^\n]+/g, '')}`
    end = node.end
  }
  return masked + text.slice(end)
}

/** Returns the comments of a text that are not shown, if the text is a Secret or a List with one. */
function secretComments(written: ReturnType<KrmObject['written']>, value: JsonRecord): readonly SecretNode[] {
  if (!isOrListsSecret(value)) return []
  return placedComments(written).flatMap(({ comment, start }) => {
    const mask = withoutSecretsInComment(comment, value)
    return mask === comment ? [] : [{ node: { start, end: start + comment.length }, mask }]
  })
}

/** Returns lines without what follows their keys; a line without a key, or of a text of several lines, is hidden as a whole. */
function maskedLines(lines: readonly string[]): readonly string[] {
  let within = Number.POSITIVE_INFINITY
  return lines.map((line) => {
    const indent = /^\s*/.exec(line)?.[0].length ?? 0
    if (line.trim() === '') return line
    if (indent > within) return `${' '.repeat(indent)}${NOT_SHOWN}`
    within = /[|>][-+\d]*\s*(?:\s#.*)?$/.test(line) ? indent : Number.POSITIVE_INFINITY
    return maskedLine(line)
  })
}

function maskedLine(line: string): string {
  const [, head] = /^(\s*(?:- +)*(?:"[^"]*"|'[^']*'|[^\s:"'{[#-][^:]*?)\s*:)(?:\s|$)/.exec(line) ?? []
  if (/^\s*#/.test(line)) return line.replace(/#.*/, COMMENT_NOT_SHOWN)
  if (/^\s*(?:- +)?(?:apiVersion|kind)\s*:/.test(line)) return line.replace(/\s#.*/, '')
  if (head !== undefined) return line.trim() === head.trim() ? line : `${head} ${NOT_SHOWN}`
  return `${/^\s*/.exec(line)?.[0] ?? ''}${NOT_SHOWN}`
}

interface SecretNode {
  readonly node: Pick<ScalarNode, 'start' | 'end'>
  readonly mask: string
}

/**
 * Yields the parts of a text whose values are not shown. Of a repeated key, all values are hidden; of an alias, the value that it names.
 */
function* secretNodes(node: Node, value: JsonValue | undefined, shown: JsonValue | undefined): Generator<SecretNode> {
  if (node.type === 'alias') {
    const target = targetOf(node)
    if (value !== shown && target !== undefined) yield* secretNodes(target, value, shown)
  } else if (value !== shown && (shown === NOT_SHOWN || shown === OTHER_NOT_SHOWN)) yield { node, mask: shown }
  else if (node.type === 'map')
    for (const entry of node.entries) yield* secretNodes(entry.value, memberOf(value, entry.key.text), memberOf(shown, entry.key.text))
  else if (node.type === 'sequence')
    for (const [i, item] of node.items.entries()) yield* secretNodes(item.value, memberOf(value, i), memberOf(shown, i))
}
