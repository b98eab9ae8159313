import type { JsonScalar } from '../../json.ts'
import type { AliasNode, Node } from '../read/node.ts'

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
