import { type FieldPath, formatFieldPath } from '../../field-path.ts'
import { equalJson, isRecord, type JsonValue, lookup } from '../../json.ts'
import type { Result } from '../../result.ts'
import { quoteText } from '../../schema/describe-value.ts'
import { faultToResult } from '../../schema/fault.ts'
import { type InjectionPoint, injectedName } from './injection-point.ts'
import type { SettledPoint } from './injection-status.ts'

/** How many fields a message names. */
const NAMED = 10

/** What the next run would change in a point: its source is another than before, or differs now. Nothing for a point up to date. */
export function staleResults({ point, selection }: SettledPoint): readonly Result[] {
  if (!selection.met) return []
  const { source, value } = selection
  const before = injectedName(point)
  const fields = differingFields(point.object.get([point.field]), value, [point.field])
  if (fields.length === 0 && before === source.name) return []
  const was = before === undefined ? 'was not injected yet' : `was injected from ${quoteText(before)}`
  const now = before === source.name ? 'which has changed since' : `would now be from ${quoteText(source.name)}`
  return [staleResult(point, `is stale: it ${was}, ${now} (${source.place()})${describeFields(fields)}`)]
}

/** Without the content: newer kpt keeps results in the Kptfile. */
function staleResult({ object, field }: InjectionPoint, message: string): Result {
  const result = faultToResult(object, { severity: 'warning', rule: 'injection-stale', path: [field], message, atKey: true })
  return { ...result, field: { path: [field] } }
}

function describeFields(fields: readonly FieldPath[]): string {
  const names = fields.slice(0, NAMED).map((path) => `\`${formatFieldPath(path)}\``)
  const more = fields.length - names.length
  return fields.length === 0 ? '' : `; differs in ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** The deepest fields in which two values differ; of lists of different length the list. */
function differingFields(a: JsonValue | undefined, b: JsonValue | undefined, path: FieldPath): readonly FieldPath[] {
  if (equalJson(a, b)) return []
  if (isRecord(a) && isRecord(b)) {
    const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])]
    return keys.flatMap((key) => differingFields(lookup(a, key), lookup(b, key), [...path, key]))
  }
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) {
    return a.flatMap((item, index) => differingFields(item, b[index], [...path, index]))
  }
  return [path]
}
