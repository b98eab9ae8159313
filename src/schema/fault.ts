import { type FieldPath, formatFieldPath } from '../field-path.ts'
import type { JsonValue } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Position, Result, Severity } from '../result.ts'

/** One finding about a field of an object, before it is placed in the object's file. */
export interface Fault {
  readonly severity: Severity
  /** Stable id, with a row in docs/rules.md. */
  readonly rule: string
  readonly path: FieldPath
  /** What follows the field: `must be set`. */
  readonly message: string
  readonly proposedValue?: JsonValue
  /** The key that was most likely meant instead of the one that ends `path`; where it is there already, nothing is proposed. */
  readonly proposedKey?: string
  /** The reason of the controller's condition, where it refuses this too. */
  readonly reason?: string
  /** The field to point at, where it is not `path`: the second of two that exclude each other. */
  readonly place?: FieldPath
  /** Point at the key, as for a field that must not be there. */
  readonly atKey?: boolean
  /** What to point at, where it was found with the fault: to look for it again would take as long. @internal */
  readonly position?: Position | undefined
}

/** The fault as a result: the object's ref and file, the field with its value, line and column. */
export function faultToResult(object: KrmObject, fault: Fault): Result {
  const { severity, rule, path, message, proposedValue, proposedKey, reason, position } = fault
  const currentValue = object.get(path)
  return {
    severity,
    message: `\`${formatFieldPath(path)}\` ${message}`,
    resourceRef: object.ref,
    field: { path, ...(currentValue !== undefined && { currentValue }), ...(proposedValue !== undefined && { proposedValue }) },
    ...(object.file && { file: object.file }),
    position: position ?? positionOf(object, fault, currentValue),
    ...(proposedKey !== undefined && object.get([...path.slice(0, -1), proposedKey]) === undefined && { proposedKey }),
    tags: { rule, ...(reason !== undefined && { reason }) },
  }
}

/** A field that is there is shown at its value, or at its key; one that is missing at the key of what should hold it. */
function positionOf(object: KrmObject, { path, place = path, atKey = false }: Fault, atPath: JsonValue | undefined): Position {
  const value = place === path ? atPath : object.get(place)
  if (value !== undefined) return atKey ? object.keyPositionOf(place) : object.positionOf(place)
  const holder = place.slice(0, -1)
  return typeof holder.at(-1) === 'string' ? object.keyPositionOf(holder) : object.positionOf(holder)
}
