import { refusedBeforeRender } from '../../src/render/disk/render-in-memory.ts'
import { KPTFILE } from '../../src/resource-list/package-of.ts'
import { FunctionError, type Result } from '../../src/result.ts'
import type { FleetChoices } from '../fleet/fleet-options.ts'
import type { FleetReading } from '../fleet/fleet-reading.ts'
import type { Host } from '../host.ts'
import { subpackagesAmong } from '../outdated/subpackages-behind.ts'
import type { FleetRenderRequest } from '../render/fleet-render-request.ts'
import type { ReadFleet } from '../render/fleet-to-render.ts'
import { packagesFolder } from '../render/packages-folder.ts'
import { functionsFor, planRead } from '../render/plan-read-fleet.ts'
import { isRefusalOfFiles } from '../render/refusals-of-files.ts'
import { atSources } from '../render/sources-of-findings.ts'
import { UsageError } from '../usage-error.ts'

/**
 * Returns the errors with which `render` would refuse a fleet that has rendered packages: too many removals, packages in another place,
 * edits in packages that go, Kptfiles that lost their content, and the findings about functions that an
 * update would take from packages. Nothing is rendered.
 */
export async function renderRefusals(
  reading: FleetReading,
  { cluster: _, ...choices }: FleetChoices,
  host: Host,
): Promise<readonly Result[]> {
  // A render of one cluster may be refused for what it finds on another, and a pattern of `clusters` names no Repository.
  const request: FleetRenderRequest = { ...choices, offline: true, fanOut: true, run: 'known' }
  let fleet: ReadFleet | undefined
  const found = (results: readonly Result[]) => {
    const ofFiles = results.filter(isRefusalOfFiles)
    return fleet === undefined ? ofFiles : atSources(ofFiles, fleet)
  }
  try {
    fleet = reading.withoutPackages().toRender(request)
    const out = packagesFolder(fleet.folder, request, fleet.options, host)
    if (out === undefined) return []
    const plan = planRead(fleet, { request, out }, host)
    const { functions } = await functionsFor(request, fleet, host)
    const kptfiles = reading.withPackagesOutside().read.list.items.filter(({ kind, file }) => kind === KPTFILE && file !== undefined)
    return found(refusedBeforeRender({ ...plan, ...(functions && { functions }) }, subpackagesAmong(kptfiles)))
  } catch (error) {
    if (error instanceof FunctionError) return found(error.results)
    if (error instanceof UsageError) return []
    throw error
  }
}
