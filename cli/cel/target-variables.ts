import type { Variables } from '../../src/cel/variables.ts'
import { type FieldPath, formatFieldPath } from '../../src/field-path.ts'
import { DEFAULT_OPTIONS } from '../../src/fleet/options.ts'
import { planFanOut } from '../../src/fleet/plan-fan-out.ts'
import { variablesFor } from '../../src/fleet/render-variant.ts'
import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import { formatResourceRef } from '../../src/result.ts'

/** A place that a target asks for, by what the variables repoDefault and packageDefault are there, and all variables. */
export interface TargetPlace {
  readonly repo: string
  readonly package: string
  /** The set and the field that gives it. */
  readonly description: string
  readonly variables: Variables
}

/** Every place of every set of the list, in their order. Sets with faults of their own have none. */
export function targetPlaces(list: ResourceList): readonly TargetPlace[] {
  return planFanOut(list, DEFAULT_OPTIONS).sets.flatMap(({ object, draft }) => {
    if (draft === undefined) return []
    return draft.rendered.map((variant) => ({
      repo: variant.place.repoDefault,
      package: variant.place.packageDefault,
      description: describe(formatResourceRef(object.ref), variant.place.path),
      variables: variablesFor(variant, draft.context),
    }))
  })
}

function describe(set: string, path: FieldPath): string {
  return `${set}, ${formatFieldPath(path)}`
}
