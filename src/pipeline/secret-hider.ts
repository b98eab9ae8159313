import { attempt } from '../attempt.ts'
import { asRecord, isRecord, type JsonRecord, type JsonValue, newRecord } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { WireError } from '../resource-list/wire-error.ts'
import { FunctionError } from '../result.ts'
import { hideTexts, mayHoldSecret, secretsIn } from '../secret-values.ts'
import type { PipelineItem } from './package-tree.ts'

/**
 * Returns a function that hides in a text the values of the Secrets that a program or a container got and printed: it may repeat them on
 * stderr and in its results, which people and logs of CI see. The Secrets are read at the first text.
 */
export function secretHider(received: readonly PipelineItem[], stdout: string): (text: string) => string {
  let known: readonly string[] | undefined
  const secrets = () => {
    const got = received.flatMap(({ object }) => (mayHoldSecret(object.toText()) ? readSecrets(() => object) : []))
    const printed = mayHoldSecret(stdout) ? readSecrets(() => KrmObject.fromDocument(stdout)) : []
    return [...new Set([...got, ...printed])].sort((a, b) => b.length - a.length)
  }
  return (text) => {
    if (text === '') return text
    known ??= secrets()
    return hideTexts(text, known)
  }
}

/** Returns the secret texts of an object, or of the items of a list; none for one that cannot be read. */
function readSecrets(read: () => KrmObject): readonly string[] {
  const secrets = (object: KrmObject): readonly string[] => (object.isMap() ? secretsIn(object.toJson()) : [])
  return attempt(() => secrets(read()), WireError, FunctionError) ?? []
}

/** Returns a record with each text in it replaced. */
export function withTexts(record: JsonRecord, replace: (text: string) => string): JsonRecord {
  const replaced = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return replace(value)
    if (Array.isArray(value)) return value.map(replaced)
    if (!isRecord(value)) return value
    return Object.assign(newRecord(), Object.fromEntries(Object.entries(value).map(([key, member]) => [key, replaced(member)] as const)))
  }
  return asRecord(replaced(record))
}
