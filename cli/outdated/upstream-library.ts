import { posix } from 'node:path'
import type { FleetPlan } from '../../src/fleet/plan-fan-out.ts'
import type { FolderPackage } from '../../src/folder/package.ts'
import { diskPackageSource } from '../../src/render/source/disk-package-source.ts'
import { TaggedRevisions } from '../../src/render/source/tagged-revisions.ts'
import { UpstreamLibrary } from '../../src/render/source/upstream-library.ts'
import { requireFolder } from '../fleet/read-fleet.ts'
import type { Host } from '../host.ts'
import { configuredOptions, type FleetRenderRequest, gitPlaces } from '../render/fleet-to-render.ts'

interface ReadFleet {
  readonly plan: Pick<FleetPlan, 'fleet'>
  readonly read: Pick<FolderPackage, 'list'>
}

type LibraryRequest = Pick<FleetRenderRequest, 'config' | 'offline' | 'gitTimeout' | 'allowOutside'>

/** Returns the upstream packages of the fleet in the folder `dir`, as `render` would find them. */
export function upstreamLibrary(fleet: ReadFleet, dir: string, request: LibraryRequest, host: Host): UpstreamLibrary {
  return openLibrary(fleet, dir, request, host).library
}

/** Returns the revisions of upstream packages that a floating tag names. */
export function taggedRevisions(tag: string, fleet: ReadFleet, dir: string, request: LibraryRequest, host: Host): TaggedRevisions {
  return new TaggedRevisions(tag, openLibrary(fleet, dir, request, host))
}

function openLibrary({ plan: { fleet }, read: { list } }: ReadFleet, dir: string, request: LibraryRequest, host: Host) {
  const configured = configuredOptions(list.items, dir, host, request.config)
  const disk = requireFolder(dir, host)
  const git = { ...gitPlaces(request, configured, host), base: disk, allowOutside: request.allowOutside === true }
  const packageSource = diskPackageSource({ disk, shown: posix.join(dir, '.') }, git, configured.clone)
  return { library: new UpstreamLibrary(packageSource, fleet, configured), packageSource, fleet, options: configured }
}
