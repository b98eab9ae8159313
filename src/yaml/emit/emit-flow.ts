import type { ScalarNode } from '../read/node.ts'
import { Copied, type EmittedValue, isContentList, isContentRecord } from './content.ts'
import { copiedEntries, copiedItems, emitCopiedKey, emitCopiedScalar, emitTag } from './copied.ts'
import { emitValue } from './emit.ts'
import { requote } from './quote.ts'

/** Matches a text that needs no quotes between brackets. */
const SAFE = /^[A-Za-z0-9_./-]+$/

/** Returns a value on one line, for an addition to an existing flow collection. */
export function emitFlow(value: EmittedValue): string {
  if (value instanceof Copied) return emitCopied(value.node)
  if (isContentList(value)) return `[${value.map(emitFlow).join(', ')}]`
  if (isContentRecord(value)) {
    const entries = Object.entries(value).map(([key, member]) => emitFlowEntry(key, member))
    return `{${entries.join(', ')}}`
  }
  return typeof value === 'string' ? emitFlowString(value) : emitValue(value, { column: 0, sequences: 'compact' })
}

/** Returns an entry of a flow map: `key: value`. */
export function emitFlowEntry(key: string | ScalarNode, value: EmittedValue): string {
  return `${typeof key === 'string' ? emitFlowString(key) : emitCopiedKey(inFlow(key))}: ${emitFlow(value)}`
}

function emitFlowString(text: string): string {
  const plain = emitValue(text, { column: 0, sequences: 'compact' })
  return plain === text && SAFE.test(text) ? text : (requote(text, 'double', 0) ?? JSON.stringify(text))
}

function emitCopied(node: Copied['node']): string {
  if (node.type === 'scalar') return emitCopiedScalar(inFlow(node), 0)
  const tag = node.tag === undefined ? '' : `${emitTag(node.tag)} `
  if (node.type === 'sequence') return `${tag}[${copiedItems(node).map(emitFlow).join(', ')}]`
  const entries = copiedEntries(node).map(({ key, value }) => emitFlowEntry(key, value))
  return `${tag}{${entries.join(', ')}}`
}

/** Returns the scalar in double quotes if it is a block scalar, or if a bracket, comma or final colon would end it. */
function inFlow(scalar: ScalarNode): ScalarNode {
  const isQuoted = scalar.style === 'single' || scalar.style === 'double'
  return isQuoted || (scalar.style === 'plain' && !/[[\]{},]|:$/.test(scalar.text)) ? scalar : { ...scalar, style: 'double' }
}
