import { isRecord } from '../../src/json.ts'
import { resultToJson } from '../../src/result.ts'
import { printJson } from '../print/print-value.ts'
import type { CheckView } from './check-view.ts'

/** Of schemas/output/check.json. */
const FORMAT_VERSION = 1

/** What a check found, for other programs: one JSON document. */
export function checkJson({ counts, findings }: CheckView): string {
  const shown = findings.map(({ result, fix }) => {
    const json = resultToJson(result)
    const { proposedKey } = result
    return { ...(isRecord(json) && json), ...(fix !== undefined && { fix }), ...(proposedKey !== undefined && { proposedKey }) }
  })
  return `${printJson({ formatVersion: FORMAT_VERSION, counts, findings: shown }, 2)}\n`
}
