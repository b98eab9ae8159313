import { posix } from 'node:path'
import type { FleetPlan } from '../../src/fleet/plan-fan-out.ts'
import type { FolderPackage } from '../../src/package/package.ts'
import { diskPackageSource } from '../../src/render/source/disk-package-source.ts'
import { UpstreamLibrary } from '../../src/render/source/upstream-library.ts'
import type { Host } from '../host.ts'
import { requireFolder } from '../read-input.ts'
import { configuredOptions, type FleetRenderRequest, gitPlaces } from '../render/run-render.ts'

/** Returns the upstream packages of the fleet in the folder `dir`, as `render` would find them. */
export function upstreamLibrary(
  { plan, read: { list } }: { readonly plan: Pick<FleetPlan, 'fleet'>; readonly read: Pick<FolderPackage, 'list'> },
  dir: string,
  request: Pick<FleetRenderRequest, 'config' | 'offline' | 'gitTimeout' | 'allowOutside'>,
  host: Host,
): UpstreamLibrary {
  const configured = configuredOptions(list.items, dir, host, request.config)
  const disk = requireFolder(dir, host)
  const git = { ...gitPlaces(request, configured, host), base: disk, allowOutside: request.allowOutside === true }
  const shelves = diskPackageSource({ disk, shown: posix.join(dir, '.') }, git, configured.clone)
  return new UpstreamLibrary(shelves, plan.fleet, configured)
}
