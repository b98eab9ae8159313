import type { FieldPath } from '../field-path.ts'
import type { JsonRecord, JsonValue } from '../json.ts'
import type { RuleId } from '../rules/rule-id.ts'
import type { Fault } from '../schema/fault.ts'

/** The reason of the condition with which both Porch controllers reject a spec (seed 001, Condition Management). */
export const VALIDATION_ERROR = 'ValidationError'

/** The reason of the condition with which the set controller fails when it selects with a bad label selector (docs/porch.md 12). */
export const SELECTION_ERROR = 'UnexpectedError'

/** Returns an error that Porch's controller reports too. `place` is the field to point at if that field is not `path`. */
export function refusedField(rule: RuleId, path: FieldPath, message: string, place?: FieldPath): Fault {
  return { severity: 'error', rule, path, message, reason: VALIDATION_ERROR, ...(place !== undefined && { place, atKey: true }) }
}

/** Returns a warning about a value that this tool accepts and other programs refuse or drop. */
export function tolerated(rule: RuleId, path: FieldPath, message: string, proposedValue?: JsonValue): Fault {
  return { severity: 'warning', rule, path, message, ...(proposedValue !== undefined && { proposedValue }) }
}

/** Returns a warning about a field that only the seeds have. `taken` says how this tool reads the field. */
export function notInApi(path: FieldPath, taken: string): Fault {
  return tolerated('not-in-api', path, `is not in Porch's API, which refuses or drops it; here ${taken}`)
}

/** Returns a warning about a map that is read as the only entry of the list that belongs there. */
export function singleEntryFault(path: FieldPath, entry: JsonRecord): Fault {
  return tolerated('single-entry', path, 'must be a list, got a map; the map is taken as the one entry of the list', [entry])
}
