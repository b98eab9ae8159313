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
