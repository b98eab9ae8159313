import type { SetPlan } from '../../src/fleet/plan-fan-out.ts'
import { fleetItemsIn } from '../../src/render/list/fleet-items.ts'
import { diskPackageSource } from '../../src/upstream/disk-package-source.ts'
import { countOf, nameFirst } from '../../src/wording.ts'
import type { FleetReading } from '../fleet/fleet-reading.ts'
import type { Host } from '../host.ts'
import type { FleetRenderRequest } from '../render/fleet-render-request.ts'
import { gitPlaces } from '../render/fleet-to-render.ts'
import { packagesFolder } from '../render/packages-folder.ts'
import { boundChanges, inputsOf } from './bound-inputs.ts'
import { isBelowCaller, requirePlanFile, type SavedPlan, writeSavedPlan } from './saved-plan.ts'

/** A plan that `render --plan` carries out without further questions. */
export interface PlanToSave {
  readonly file: string
  readonly reading: FleetReading
  readonly sets: readonly SetPlan[]
  readonly request: Omit<FleetRenderRequest, 'fanOut' | 'run' | 'only' | 'shard' | 'saved'>
}

const NAMED = 3

/**
 * Saves a plan with everything that rendering it will read: the folders, the options, the digest of each file, the commit of each upstream.
 *
 * @returns notes on what the plan holds, and on what it cannot hold
 * @throws UsageError for a place that must not be taken; FunctionError with the faults of the options; StagingError as `writeFiles`
 */
export function savePlan({ file, reading, sets, request: asked }: PlanToSave, host: Host): readonly string[] {
  const planFile = requirePlanFile(file, host)
  const request: FleetRenderRequest = { ...asked, fanOut: true, run: false }
  const { folder, items, options } = reading.withoutPackages().toRender(request)
  const packages = packagesFolder(folder, request, options, host)
  const places = { ...gitPlaces(request, options, host), base: folder.disk, allowOutside: request.allowOutside === true }
  const inputs = inputsOf({
    folder,
    packages,
    config: request.config === undefined ? undefined : host.locate(request.config),
    planFile,
    items: fleetItemsIn(folder, items, options),
    options,
    packageSource: diskPackageSource(folder, places, options.clone),
  })
  const plan: SavedPlan = {
    ...inputs,
    version: host.version,
    folder: reading.dir,
    ...(request.out !== undefined && { packages: request.out }),
    options: {
      ...(request.config !== undefined && { config: request.config }),
      followRenames: request.followRenames === true,
      discardEdits: request.discardEdits === true,
      allowOutside: request.allowOutside === true,
    },
    changes: boundChanges(sets),
  }
  writeSavedPlan(file, plan, host)
  return notesOn(plan, packages !== undefined, host)
}

function notesOn({ files, upstreams, folder, packages, options }: SavedPlan, hasPackages: boolean, host: Host): readonly string[] {
  const missing = upstreams.filter(({ from }) => from === 'missing').map(({ name }) => name)
  const outside = [folder, packages, options.config].flatMap((path) =>
    path === undefined || isBelowCaller(path, host) ? [] : [`'${path}'`],
  )
  return [
    `saved with ${countOf(files.size, 'file')} and ${countOf(upstreams.length - missing.length, 'upstream')}`,
    ...(missing.length > 0 ? [`${nameFirst(missing, NAMED)} cannot be read, render refuses the plan once it can`] : []),
    ...(hasPackages ? [] : ['the plan does not contain the existing packages: --packages names their folder, else render needs --out']),
    ...(outside.length > 0 ? [`render must be given ${outside.join(', ')} again, outside of this folder`] : []),
  ]
}
