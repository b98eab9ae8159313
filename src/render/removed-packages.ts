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

/** Returns the packages that a plan removes or leaves to themselves, without their owner, and those that it keeps. */
export function packageChange(
  { steps, leftovers, options }: Pick<LifecyclePlan, 'steps' | 'leftovers'> & Pick<FleetChange, 'options'>,
  { objectsOf }: Pick<DownstreamPlaces, 'objectsOf'>,
): FleetChange {
  const [removes, leaves] = (['remove', 'orphan'] as const).map((each) => leftovers.some(({ op }) => op === each))
  return {
    what: 'packages',
    removed: new Map(leftovers.map(({ place: { folder } }) => [folder, folder])),
    fate: leaves !== true ? 'removed' : removes === true ? 'removed or left to themselves' : 'left to themselves',
    kept: steps.flatMap(({ op, folder }) => (op === 'create' ? [] : [folder])),
    options,
    inPackages: objectsOf,
  }
}
