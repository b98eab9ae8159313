import type { JsonScalar } from '../../json.ts'
import { AliasError, targetOf } from '../read/alias-targets.ts'
import { entriesOf, requireMerged } from '../read/merge-keys.ts'
import { type AliasNode, findEntry, type MapNode, type Node, type ScalarNode, type SequenceNode } from '../read/node.ts'
import { emitString, isPlainText, requote } from './quote.ts'

/** A value of another text, written in the spelling of that text: its digits, quotes and tags. */
export class Copied {
  readonly node: Exclude<Node, AliasNode>

  constructor(node: Exclude<Node, AliasNode>) {
    this.node = node
  }
}

/** A value to write: a plain value, parts of which may be copied from another text. */
export type EmittedValue = JsonScalar | Copied | readonly EmittedValue[] | ContentRecord
export interface ContentRecord {
  readonly [key: string]: EmittedValue
}

export function isContentList(content: EmittedValue): content is readonly EmittedValue[] {
  return Array.isArray(content)
}

export function isContentRecord(content: EmittedValue): content is ContentRecord {
  return typeof content === 'object' && content !== null && !Array.isArray(content) && !(content instanceof Copied)
}

/** Returns the entries of a copied map, the last of repeated keys, and those of its merge key: its anchor may be missing elsewhere. */
export function copiedEntries(map: MapNode): readonly { readonly key: ScalarNode; readonly value: EmittedValue }[] {
  requireMerged(map, [])
  return entriesOf(map)
    .filter((entry) => (findEntry(map, entry.key.text) ?? entry) === entry)
    .map(({ key, value }) => ({ key, value: copied(value) }))
}

export function copiedItems({ items }: SequenceNode): readonly EmittedValue[] {
  return items.map(({ value }) => copied(value))
}

/**
 * Returns the value of a node for writing it elsewhere. An alias is replaced by its value, because its anchor may be missing elsewhere.
 *
 * @throws AliasError  for an alias with an unknown value
 */
export function copied(node: Node): EmittedValue {
  const value = node.type === 'alias' ? targetOf(node) : node
  if (value === undefined) throw new AliasError(node.anchor ?? '', [])
  return new Copied(value)
}

/**
 * Returns a scalar in the spelling of its text: its tag, digits and quotes, and unquoted words such as `yes` that some readers take for
 * another type. A scalar on several lines becomes one line, or a literal block.
 *
 * @param column  as in `emitString`
 */
export function emitCopiedScalar(scalar: ScalarNode, column: number): string {
  const { tag, style, text } = scalar
  if (tag === undefined) return style === 'plain' && text === '' ? 'null' : respelled(scalar, column)
  return style === 'plain' && text === '' ? emitTag(tag) : `${emitTag(tag)} ${respelled(scalar, column)}`
}

/** Returns a key in the spelling of its text, without its colon. */
export function emitCopiedKey(key: ScalarNode): string {
  return key.style === 'plain' && key.text === '' ? '""' : emitCopiedScalar(key, 0)
}

function respelled({ style, text }: ScalarNode, column: number): string {
  if (style === 'plain' && isPlainText(text)) return text
  return (style === 'plain' ? undefined : requote(text, style, column)) ?? emitString(text, column)
}

const CORE = 'tag:yaml.org,2002:'

/** Returns a tag as YAML: `!!str`, `!local`, `!<tag:example.com,2000:a>`. */
export function emitTag(tag: string): string {
  if (tag.startsWith(CORE)) return `!!${tag.slice(CORE.length)}`
  return /^![\w-]*$/.test(tag) ? tag : `!<${tag}>`
}
