import { fleetNames } from '../../src/git/fleet-identity.ts'
import { OPTIONS_OF_RUN } from '../../src/pipeline/match.ts'
import type { FolderRequest } from '../../src/render/disk/folder-request.ts'
import type { LastRender } from '../../src/render/disk/last-render.ts'
import { planFolder } from '../../src/render/disk/plan-folder.ts'
import { packageFunctions } from '../../src/render/runs/package-runners.ts'
import { clusterTest } from '../fleet/cluster-option.ts'
import type { Host } from '../host.ts'
import { runnerSettings } from '../run/function-runners.ts'
import type { FleetRenderRequest } from './fleet-render-request.ts'
import { gitPlaces, type ReadFleet } from './fleet-to-render.ts'
import { searchOf } from './packages-folder.ts'
import { runsFunctions } from './render-options.ts'

/** The choices of the caller for the render of a fleet that is read. */
export interface AskedRender extends Pick<FolderRequest, 'out' | 'look' | 'beforeWrite'> {
  readonly last?: LastRender
  readonly request: FleetRenderRequest
}

/** Returns what to render of a fleet that was read. Every command that renders, or says what a render would refuse, plans here. */
export function planRead(
  { folder, items, options, packages, elsewhere, passedOver, setAside, fleetGit }: ReadFleet,
  { request, out, last }: Omit<AskedRender, 'look' | 'beforeWrite'>,
  host: Host,
): ReturnType<typeof planFolder> {
  return planFolder({
    items,
    dir: folder,
    out,
    options,
    passedOver,
    setAside,
    names: fleetNames(folder.disk, out.disk, options.fleet, fleetGit?.name),
    allowOutside: request.allowOutside === true,
    git: gitPlaces(request, options, host),
    terms: { only: request.only ?? [], shard: request.shard, inCluster: clusterTest(items, request) },
    search: searchOf(packages, { dir: folder, out }, options, fleetGit),
    ...(elsewhere && { elsewhere }),
    ...(last && { isPackage: (place) => last.isPackage(place) }),
  })
}

/** Returns what runs the functions of packages, with the functions of this project; nothing to leave them to kpt. */
export async function functionsFor(
  request: FleetRenderRequest,
  { options, configured }: Pick<ReadFleet, 'options' | 'configured'>,
  host: Host,
): Promise<Pick<FolderRequest, 'functions'>> {
  if (!runsFunctions(request, configured)) return {}
  const settings = await runnerSettings(request, host, () => true, configured)
  const waysOut = { ...OPTIONS_OF_RUN, last: 'leave the functions of all packages to kpt with --no-run' }
  const withoutRunner = request.run === 'known' ? 'leave' : 'refuse'
  return {
    functions: packageFunctions({ ...settings, waysOut }, { withoutRunner, status: options.status, infos: request.verbose === true }),
  }
}
