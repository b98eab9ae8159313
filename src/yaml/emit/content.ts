import type { JsonScalar } from '../../json.ts'
import type { AliasNode, Node } from '../read/node.ts'

/** A value of another text, to be written as it is spelled there: its digits, its quotes, its tags. */
export class Copied {
  readonly node: Exclude<Node, AliasNode>

  constructor(node: Exclude<Node, AliasNode>) {
    this.node = node
  }
}

/** What is to be written: a plain value, parts of which may be copied. */
export type Content = JsonScalar | Copied | readonly Content[] | ContentRecord
export interface ContentRecord {
  readonly [key: string]: Content
}

export function isContentList(content: Content): content is readonly Content[] {
  return Array.isArray(content)
}

export function isContentRecord(content: Content): content is ContentRecord {
  return typeof content === 'object' && content !== null && !Array.isArray(content) && !(content instanceof Copied)
}
