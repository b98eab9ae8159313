import type { Change } from '../../src/fleet/change.ts'
import { mergeConditions } from '../../src/fleet/conditions.ts'
import { addMarks, metadataOf } from '../../src/fleet/ownership.ts'
import { type FleetPlan, planFanOutInSteps, type SetPlan } from '../../src/fleet/plan-fan-out.ts'
import { equalJson } from '../../src/json.ts'
import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import { FunctionError, hasErrors } from '../../src/result.ts'
import { finish, type Steps } from '../../src/steps.ts'
import { PACKAGE_VARIANT_API } from '../../src/well-known.ts'
import { decodeOptions } from './function-config.ts'

/**
 * Makes the PackageVariants of every PackageVariantSet of the list (seed 000, Fan Out of Variant Generation; seed 001).
 *
 * @param plan what `planAsConfigured` says of the list, where it was already asked
 * @throws FunctionError when the functionConfig has faults, or the plan errors
 */
export function fanOut(list: ResourceList, plan = planAsConfigured(list)): void {
  const { status } = decodeOptions(list.functionConfig)
  const { sets, results } = plan
  if (hasErrors(results)) throw new FunctionError(results)
  for (const { changes } of sets) for (const change of changes) remove(change, list)
  for (const set of sets) {
    for (const change of set.changes) put(change, set, list)
    if (status && set.isItem) writeConditions(set)
  }
  list.results.push(...results)
}

/**
 * What the function would do with a list, under the options in its functionConfig.
 *
 * @throws FunctionError when the functionConfig has faults
 */
export function planAsConfigured(list: ResourceList): FleetPlan {
  return finish(planInSteps(list))
}

/** The same, variant by variant. */
export function planInSteps(list: ResourceList): Steps<FleetPlan> {
  return planFanOutInSteps(list, decodeOptions(list.functionConfig))
}

/** All removals come first: a new variant may take the name of an old one, of another set even. */
function remove({ op, existing }: Change, list: ResourceList): void {
  if (existing !== undefined && (op === 'remove' || op === 'rename')) list.remove(existing.object)
}

function put({ op, name, existing, after, addsMarks }: Change, set: SetPlan, list: ResourceList): void {
  if (after === undefined || op === 'unchanged') return
  if (op === 'update' && existing !== undefined) {
    existing.object.set(['spec'], after)
    if (addsMarks) addMarks(existing.object, set.owner)
    return
  }
  const variant = {
    apiVersion: PACKAGE_VARIANT_API,
    kind: 'PackageVariant',
    metadata: metadataOf(name, set.object.namespace, set.owner),
    spec: after,
  }
  list.upsert(variant, pathOf(name, set), set.isItem ? set.object : undefined)
}

/** A new variant goes to a file of its own below the folder of the set's file. */
function pathOf(name: string, { object, owner }: SetPlan): string {
  const folder = object.file?.path.replace(/[^/]*$/, '') ?? ''
  return `${folder}variants/${owner.name}/${name}.yaml`
}

function writeConditions({ object, conditions }: SetPlan): void {
  const existing = object.get(['status', 'conditions'])
  const merged = mergeConditions(existing, conditions)
  if (!equalJson(existing, merged)) object.set(['status', 'conditions'], merged)
}
