import { mergeConditions } from '../../fleet/conditions.ts'
import { equalJson, type JsonValue } from '../../json.ts'
import type { FleetVariant } from '../fleet-variants.ts'
import type { VariantStep } from '../lifecycle/package-steps.ts'

/** The conditions of a variant whose package was created or is up to date (Porch v1.5, PackageVariant controller). */
const READY = [
  { type: 'Stalled', status: 'False', reason: 'Valid', message: 'all validation checks passed' },
  { type: 'Ready', status: 'True', reason: 'NoErrors', message: 'successfully ensured downstream package variant' },
] as const

const NOT_ADOPTED = 'a package that this variant did not make is at its downstream, and adoptionPolicy is not adoptExisting'

/** The conditions of a variant whose package was left alone: a person has to decide. */
const LEFT = [
  { type: 'Stalled', status: 'True', reason: 'NotAdopted', message: NOT_ADOPTED },
  { type: 'Ready', status: 'False', reason: 'NotAdopted', message: NOT_ADOPTED },
] as const

/** Writes the conditions of a variant and its downstream target (seed 000, PackageVariant Status). A folder represents a draft. */
export function writeStatus({ object, downstream }: FleetVariant, op: VariantStep['op']): void {
  const conditions = mergeConditions(object.get(['status', 'conditions']), op === 'leave' ? LEFT : READY)
  const targets: JsonValue = op === 'leave' ? [] : [{ name: `${downstream.repo}/${downstream.package}` }]
  set(object, 'conditions', conditions)
  if (op !== 'leave' || object.get(['status', 'downstreamTargets']) !== undefined) set(object, 'downstreamTargets', targets)
}

function set(object: FleetVariant['object'], field: string, value: JsonValue): void {
  const path = ['status', field]
  if (!equalJson(object.get(path), value)) object.set(path, value)
}
