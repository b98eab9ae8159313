import { isRecord, type JsonValue } from '../../json.ts'
import { emitValue } from './emit.ts'
import { requote } from './quote.ts'

/** A text that may stand unquoted between brackets. */
const SAFE = /^[A-Za-z0-9_./-]+$/

/** A value on one line, for what is added to a flow collection that exists. */
export function emitFlow(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(emitFlow).join(', ')}]`
  if (isRecord(value))
    return `{${Object.entries(value)
      .map(([key, member]) => emitFlowEntry(key, member))
      .join(', ')}}`
  return typeof value === 'string' ? emitFlowString(value) : emitValue(value, { column: 0, sequences: 'compact' })
}

/** `key: value` inside a flow map. */
export function emitFlowEntry(key: string, value: JsonValue): string {
  return `${emitFlowString(key)}: ${emitFlow(value)}`
}

function emitFlowString(text: string): string {
  const plain = emitValue(text, { column: 0, sequences: 'compact' })
  return plain === text && SAFE.test(text) ? text : (requote(text, 'double', 0) ?? JSON.stringify(text))
}
