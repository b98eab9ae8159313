import { fleetNames } from '../../src/git/fleet-identity.ts'
import { planFolder } from '../../src/render/disk/plan-folder.ts'
import { refusedBeforeRender } from '../../src/render/disk/render-in-memory.ts'
import { FunctionError, type Result } from '../../src/result.ts'
import type { RuleId } from '../../src/rules/rule-id.ts'
import type { FleetChoices } from '../fleet/fleet-options.ts'
import type { Host } from '../host.ts'
import { type FleetRenderRequest, gitPlaces, outFolder, readFleetToRender, searchOf } from '../render/fleet-to-render.ts'
import { functionsFor } from '../render/render-fleet.ts'
import { UsageError } from '../usage-error.ts'

/** The refusals of a render that depend on files alone. Others depend on git repositories, which `check` does not ask. */
const OF_FILES: ReadonlySet<RuleId> = new Set([
  ...(['deletion-guard', 'package-elsewhere', 'discard-edits', 'kptfile', 'downstream-occupied'] as const),
  ...(['functions-gone', 'upstream-no-package', 'unreadable-file'] as const),
])

/**
 * Returns the errors with which `render` would refuse a fleet that has rendered packages: too many removals, packages in another place,
 * edits in packages that go, Kptfiles that lost their content, and the findings about functions that an
 * update would take from packages. Nothing is rendered.
 */
export async function renderRefusals(dir: string, choices: FleetChoices, host: Host): Promise<readonly Result[]> {
  const request: FleetRenderRequest = { ...choices, offline: true, fanOut: true, run: 'known' }
  try {
    const { items, options, configured, folder, packages } = readFleetToRender(dir, request, host)
    if (request.out === undefined && options.out === undefined) return []
    const out = outFolder(folder, request, options, host)
    const plan = planFolder({
      items,
      dir: folder,
      out,
      options,
      names: fleetNames(folder.disk, out.disk, options.fleet),
      allowOutside: choices.allowOutside === true,
      git: gitPlaces(request, options, host),
      terms: { only: [], shard: undefined },
      search: searchOf(packages, { dir: folder, out }, options),
    })
    const { functions } = await functionsFor(request, { options, configured }, host)
    return refusedBeforeRender({ ...plan, ...(functions && { functions }) }).filter(({ tags }) => OF_FILES.has(tags.rule))
  } catch (error) {
    if (error instanceof FunctionError) return error.results.filter(({ tags }) => OF_FILES.has(tags.rule))
    if (error instanceof UsageError) return []
    throw error
  }
}
