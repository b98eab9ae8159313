import { refusedBeforeRender } from '../../src/render/disk/render-in-memory.ts'
import { isKptfile, KPTFILE } from '../../src/resource-list/package-of.ts'
import { FunctionError, type Result } from '../../src/result.ts'
import type { RuleId } from '../../src/rules/rule-id.ts'
import type { FleetChoices } from '../fleet/fleet-options.ts'
import type { FleetReading } from '../fleet/fleet-reading.ts'
import type { Host } from '../host.ts'
import { subpackagesAmong } from '../outdated/subpackages-behind.ts'
import { type FleetRenderRequest, packagesFolder, type ReadFleet } from '../render/fleet-to-render.ts'
import { functionsFor, planRead } from '../render/render-fleet.ts'
import { atSources } from '../render/sources-of-findings.ts'
import { UsageError } from '../usage-error.ts'

/**
 * The refusals of a render that depend on files alone. Others depend on git repositories, which `check` does not ask; `other-fleet` is a
 * finding of the fleet's places, which are judged without them.
 */
const OF_FILES: ReadonlySet<RuleId> = new Set([
  ...(['deletion-guard', 'package-elsewhere', 'discard-edits', 'kptfile', 'downstream-occupied'] as const),
  ...(['functions-gone', 'upstream-no-package', 'unreadable-file', 'kptfile-documents'] as const),
])

/** The refusals of a subpackage whose revisions of an upstream of its own are not there. */
const OF_SUBPACKAGES: ReadonlySet<RuleId> = new Set(['upstream-missing', 'original-missing'])

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
    const isOfSubpackage = ({ tags, file }: Result) => OF_SUBPACKAGES.has(tags.rule) && isKptfile(file?.path ?? '')
    const ofFiles = results.filter((result) => OF_FILES.has(result.tags.rule) || isOfSubpackage(result))
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
