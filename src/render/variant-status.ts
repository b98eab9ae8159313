import { mergeConditions } from '../fleet/conditions.ts'
import type { FleetVariant } from '../fleet/fleet-variants.ts'
import { equalJson, type JsonValue } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'

/** The state of a variant's package after a run: as the variant asks, left to another owner, or without the result of failed functions. */
export type VariantState = 'ready' | 'left' | 'failed'

const NOT_ADOPTED = 'a package that this variant did not make is at its downstream, and adoptionPolicy is not adoptExisting'
const FUNCTIONS_FAILED = 'the functions of the package failed, or the package cannot be made'

/** The conditions of Porch v1.5 (PackageVariant controller). After `left` and `failed` a person has to decide. */
const CONDITIONS = {
  ready: [
    { type: 'Stalled', status: 'False', reason: 'Valid', message: 'all validation checks passed' },
    { type: 'Ready', status: 'True', reason: 'NoErrors', message: 'successfully ensured downstream package variant' },
  ],
  left: [
    { type: 'Stalled', status: 'True', reason: 'NotAdopted', message: NOT_ADOPTED },
    { type: 'Ready', status: 'False', reason: 'NotAdopted', message: NOT_ADOPTED },
  ],
  failed: [
    { type: 'Stalled', status: 'True', reason: 'UnexpectedError', message: FUNCTIONS_FAILED },
    { type: 'Ready', status: 'False', reason: 'UnexpectedError', message: FUNCTIONS_FAILED },
  ],
} as const

/**
 * Writes the conditions of a variant and its downstream target (seed 000, PackageVariant Status). A folder represents a draft. After a
 * failure the downstream target stays: the package is as it was.
 */
export function writeVariantStatus({ object, downstream }: Pick<FleetVariant, 'object' | 'downstream'>, state: VariantState): void {
  set(object, 'conditions', mergeConditions(object.get(['status', 'conditions']), CONDITIONS[state]))
  if (state === 'failed') return
  const targets: JsonValue = state === 'left' ? [] : [{ name: `${downstream.repo}/${downstream.package}` }]
  if (state === 'ready' || object.get(['status', 'downstreamTargets']) !== undefined) set(object, 'downstreamTargets', targets)
}

function set(object: KrmObject, field: string, value: JsonValue): void {
  const path = ['status', field]
  if (!equalJson(object.get(path), value)) object.set(path, value)
}
