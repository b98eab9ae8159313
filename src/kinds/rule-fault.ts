import type { FieldPath } from '../field-path.ts'
import type { JsonRecord, JsonValue } from '../json.ts'
import type { Fault } from '../schema/fault.ts'

/** The reason of the condition with which both Porch controllers refuse a spec (seed 001, Condition Management). */
export const VALIDATION_ERROR = 'ValidationError'

/** What the controller refuses too. `place` is the field to point at, where it is not `path`. */
export function refusedField(rule: string, path: FieldPath, message: string, place?: FieldPath): Fault {
  return { severity: 'error', rule, path, message, reason: VALIDATION_ERROR, ...(place !== undefined && { place, atKey: true }) }
}

/** What is taken here, with a warning, and refused or dropped by others. */
export function tolerated(rule: string, path: FieldPath, message: string, proposedValue?: JsonValue): Fault {
  return { severity: 'warning', rule, path, message, ...(proposedValue !== undefined && { proposedValue }) }
}

/** A field that only the seeds have, and how it is taken here. */
export function notInApi(path: FieldPath, taken: string): Fault {
  return tolerated('not-in-api', path, `is not in Porch's API, which drops it; here ${taken}`)
}

/** A map where a list of maps belongs, taken as the list's one entry. */
export function singleEntryFault(path: FieldPath, entry: JsonRecord): Fault {
  return tolerated('single-entry', path, 'must be a list, got a map; the map is taken as the one entry of the list', [entry])
}
