import { setFlagsFromString } from 'node:v8'
import type { FolderReport } from '../../src/render/render-summary.ts'
import type { Host } from '../host.ts'
import type { FleetRenderRequest } from './fleet-render-request.ts'
import { openLastRender } from './open-last-render.ts'
import { type RenderLook, renderFleet } from './render-fleet.ts'

/**
 * Renders the fleet in the folder `dir`.
 *
 * @param shown  the callbacks of the caller, and the fleet if the caller read it
 * @throws FunctionError with every fault of the fleet; UsageError for folders and files that are not as they must be
 */
export async function runRender(
  dir: string,
  request: FleetRenderRequest,
  host: Host,
  shown: Omit<RenderLook, 'opened' | 'started'> = {},
): Promise<FolderReport> {
  for (const flag of SHORT_LIVED) setFlagsFromString(flag)
  const started = Date.now()
  const opened = openLastRender(dir, request.out, started, request, host, shown.reading?.git.name)
  return renderFleet(dir, request, host, { opened, started, ...shown })
}

/**
 * The plan of a fleet lives to the end, the packages that are rendered after it for a moment. V8 would learn from the first that all they
 * are made of lives long, put it where it rarely looks for garbage, and let that grow to four times the plan: measured in
 * src/render/README.md.
 */
export const SHORT_LIVED = ['--no-allocation-site-pretenuring', '--heap-growing-percent=25']
