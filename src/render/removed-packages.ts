import { passedOverObjects } from '../fleet/passed-over.ts'
import type { FleetChange } from '../fleet/unseen-declarations.ts'
import { inputsRemoved } from '../lifecycle/conflicts.ts'
import type { DownstreamPlaces } from '../lifecycle/package-steps.ts'
import type { LifecyclePlan } from '../lifecycle/plan-lifecycle.ts'
import type { Result } from '../result.ts'
import type { FleetToRender, RenderPlan } from './plan-render.ts'

/** Returns the errors about packages that would be removed: inputs of this run, and those that an object that is passed over may want. */
export function faultsOfRemovals(
  { items, passedOver = [], setAside = () => [], options }: FleetToRender,
  { steps, leftovers }: Pick<RenderPlan, 'steps' | 'leftovers'>,
  places: DownstreamPlaces,
): readonly Result[] {
  const list = { items, passedOver, setAside, functionConfig: undefined }
  return [...passedOverObjects(list, packageChange({ steps, leftovers, options }, places)), ...inputsRemoved(steps, leftovers, places)]
}

/** Returns the packages that a plan removes and keeps. */
export function packageChange(
  { steps, leftovers, options }: Pick<LifecyclePlan, 'steps' | 'leftovers'> & Pick<FleetChange, 'options'>,
  { objectsOf }: Pick<DownstreamPlaces, 'objectsOf'>,
): FleetChange {
  return {
    what: 'packages',
    removed: new Map(leftovers.flatMap(({ op, place: { folder } }) => (op === 'remove' ? [[folder, folder] as const] : []))),
    kept: steps.flatMap(({ op, folder }) => (op === 'create' ? [] : [folder])),
    options,
    inPackages: objectsOf,
  }
}
