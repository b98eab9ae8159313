import { attempt } from '../attempt.ts'
import { asRecord } from '../json.ts'
import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { FunctionError, type Result } from '../result.ts'
import { faultToResult } from '../schema/fault.ts'

/** The fields whose values are texts, by the kind of the core group. */
const TEXT_FIELDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['ConfigMap', ['data', 'binaryData']],
  ['Secret', ['data', 'stringData']],
])

/**
 * Returns a warning for each number and boolean among the texts of a ConfigMap or Secret: kpt reads it as its text, and the API server
 * refuses the object (`cannot unmarshal number into Go struct field`). The value, which may be a secret, is not named.
 */
export function typedTexts(object: KrmObject): readonly Result[] {
  const fields = groupOf(object.apiVersion ?? '') === '' ? TEXT_FIELDS.get(object.kind ?? '') : undefined
  return (fields ?? []).flatMap((field) =>
    Object.entries(asRecord(attempt(() => object.get([field]), FunctionError))).flatMap(([key, value]) => {
      if (!['number', 'bigint', 'boolean'].includes(typeof value)) return []
      const message = `must be a text in quotes, is a ${typeof value === 'boolean' ? 'boolean' : 'number'}; the API server refuses the object`
      return faultToResult(object, { severity: 'warning', rule: 'wrong-type', path: [field, key], message })
    }),
  )
}
