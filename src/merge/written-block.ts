import { equalJson } from '../json.ts'
import { type Block, blockAt, bodyText, commentsAbove, linesAbove } from '../yaml/edit/block.ts'
import type { Node } from '../yaml/read/node.ts'
import { nodeValue } from '../yaml/read/node-value.ts'

/** A YAML node and the text that the node was read from. */
export interface NodeInText {
  readonly text: string
  readonly node: Node
}

/** An entry of a block map or list, and the text that the entry was read from. */
export interface WrittenBlock {
  readonly text: string
  readonly block: Block
}

export function writtenAt(parent: NodeInText | undefined, step: string | number | undefined): WrittenBlock | undefined {
  const block = parent === undefined || step === undefined ? undefined : blockAt(parent.text, parent.node, step)
  return parent && block && { text: parent.text, block }
}

export function isSameValue(a: WrittenBlock, b: WrittenBlock): boolean {
  return equalJson(nodeValue(a.block.value), nodeValue(b.block.value))
}

/** Returns the comment lines above an entry, without indentation. */
export function commentsOf({ text, block }: WrittenBlock): string {
  return commentsAbove(text, block)
}

/** Returns the comment lines and blank lines between an entry and the one before, without indentation. */
export function linesOf({ text, block }: WrittenBlock): string {
  return linesAbove(text, block)
}

/** Returns the text of an entry from its key or dash on, without the indentation of the block. */
export function textOfBlock({ text, block }: WrittenBlock): string {
  return bodyText(text, block)
}
