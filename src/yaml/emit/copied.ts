import { targetOf } from '../read/alias-targets.ts'
import { findEntry, type MapNode, type Node, type ScalarNode, type SequenceNode } from '../read/node.ts'
import { AliasError } from '../read/node-value.ts'
import { Copied, type EmittedValue } from './content.ts'
import { emitString, isPlainText, requote } from './quote.ts'

/** The entries of a map that is copied; of a key that stands twice the last. */
export function copiedEntries(map: MapNode): readonly { readonly key: ScalarNode; readonly value: EmittedValue }[] {
  return map.entries.filter((entry) => findEntry(map, entry.key.text) === entry).map(({ key, value }) => ({ key, value: copied(value) }))
}

export function copiedItems({ items }: SequenceNode): readonly EmittedValue[] {
  return items.map(({ value }) => copied(value))
}

/**
 * The value of a node, to be written elsewhere: an alias is written out, since elsewhere it stands for something else or nothing.
 *
 * @throws AliasError  for an alias of which it is not known what it stands for
 */
export function copied(node: Node): EmittedValue {
  const value = node.type === 'alias' ? targetOf(node) : node
  if (value === undefined) throw new AliasError(node.anchor ?? '', [])
  return new Copied(value)
}

/**
 * A scalar of another text, spelled as it is there: its tag, digits, quotes, and unquoted words that some readers take for
 * something else. What stood on several lines comes on one, or as a literal block.
 *
 * @param column  as in `emitString`
 */
export function emitCopiedScalar(scalar: ScalarNode, column: number): string {
  const { tag, style, text } = scalar
  if (tag === undefined) return style === 'plain' && text === '' ? 'null' : respelled(scalar, column)
  return style === 'plain' && text === '' ? emitTag(tag) : `${emitTag(tag)} ${respelled(scalar, column)}`
}

/** A key of another text, without its colon. */
export function emitCopiedKey(key: ScalarNode): string {
  return key.style === 'plain' && key.text === '' ? '""' : emitCopiedScalar(key, 0)
}

function respelled({ style, text }: ScalarNode, column: number): string {
  if (style === 'plain' && isPlainText(text)) return text
  return (style === 'plain' ? undefined : requote(text, style, column)) ?? emitString(text, column)
}

const CORE = 'tag:yaml.org,2002:'

/** A tag as it is written: `!!str`, `!local`, `!<tag:example.com,2000:a>`. */
export function emitTag(tag: string): string {
  if (tag.startsWith(CORE)) return `!!${tag.slice(CORE.length)}`
  return /^![\w-]*$/.test(tag) ? tag : `!<${tag}>`
}
