import { type FieldPath, formatFieldPath } from '../field-path.ts'
import type { JsonValue } from '../json.ts'
import { objectPlace } from '../resource-list/finding-place.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Position, Result, Severity } from '../result.ts'
import type { RuleId } from '../rules/rule-id.ts'

/** A finding about a field of an object, before the finding is placed in the object's file. */
export interface Fault {
  readonly severity: Severity
  /** The stable id of the rule, with a record in src/rules. */
  readonly rule: RuleId
  readonly path: FieldPath
  /** The text after the field: `must be set`. */
  readonly message: string
  readonly proposedValue?: JsonValue
  /** The key that was most likely meant instead of the last key of `path`. Not proposed if the map already has that key. */
  readonly proposedKey?: string
  /** The reason of the controller's condition, if Porch's controller reports the fault too. */
  readonly reason?: string
  /** The field to point at, if not `path`: the second of two fields that exclude each other. */
  readonly place?: FieldPath
  /** True if the result points at the key, as for a field that must not be set. */
  readonly atKey?: boolean
  /** The position to point at, if the search for the fault found the position: a second search would take as long. @internal */
  readonly position?: Position | undefined
}

/** Returns a fault as a result, with the object's reference and file, the value of the field, its line and its column. */
export function faultToResult(object: KrmObject, fault: Fault): Result {
  const { severity, rule, path, message, proposedValue, proposedKey, reason, position } = fault
  const currentValue = object.get(path)
  return {
    severity,
    message: `\`${formatFieldPath(path)}\` ${message}`,
    ...objectPlace(object),
    field: { path, ...(currentValue !== undefined && { currentValue }), ...(proposedValue !== undefined && { proposedValue }) },
    position: position ?? positionOf(object, fault, currentValue),
    ...(proposedKey !== undefined && object.get([...path.slice(0, -1), proposedKey]) === undefined && { proposedKey }),
    tags: { rule, ...(reason !== undefined && { reason }) },
  }
}

/**
 * Returns the position of a field: its value, or its key if `atKey` is set. The position of a missing field is the key of the map or list
 * that should have the field.
 */
function positionOf(object: KrmObject, { path, place = path, atKey = false }: Fault, atPath: JsonValue | undefined): Position {
  const value = place === path ? atPath : object.get(place)
  if (value !== undefined) return atKey ? object.keyPositionOf(place) : object.positionOf(place)
  const holder = place.slice(0, -1)
  return typeof holder.at(-1) === 'string' ? object.keyPositionOf(holder) : object.positionOf(holder)
}
