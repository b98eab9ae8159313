import { noPlaces } from '../../cli/diff/state-packages.ts'
import { fanOut, planAsConfigured } from '../../functions/fan-out/fan-out.ts'
import type { CommittedPackages, FleetState } from '../../src/diff/fleet-state.ts'
import { readFleet } from '../../src/fleet/fleet.ts'
import { readWholePackage } from '../../src/folder/read-whole-package.ts'
import { placesBelow } from '../../src/render/disk/disk-places.ts'
import { planRender } from '../../src/render/plan-render.ts'
import { packageFunctions } from '../../src/render/runs/package-runners.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { ResourceList } from '../../src/resource-list/resource-list.ts'
import { hasErrors } from '../../src/result.ts'

/** The files of a fleet: their lines by path. */
export type FleetFiles = ReadonlyMap<string, readonly string[]>

const SETTINGS = {
  ...{ programs: new Map(), allowExec: false, anyVersion: false, folder: '.', environment: {}, imagePrefix: undefined, seconds: 60 },
  ...{ containers: undefined, own: [], waysOut: { containers: '', program: () => '', last: '' } },
}

/**
 * Returns a fleet as `diff` reads it; undefined for a fleet that cannot be planned.
 *
 * @param packages  the files of the committed packages by REPOSITORY/PACKAGE/PATH; absent where none are committed
 */
export function fleetState(files: FleetFiles, name: string, packages?: FleetFiles): FleetState | undefined {
  const own = [...files].filter(([path]) => path.startsWith('fleet/'))
  const list = ResourceList.of(own.map(([path, lines]) => KrmObject.fromDocument(textOf(lines), { path, index: 0, line: 1 })))
  const plan = planAsConfigured(list)
  fanOut(list, plan)
  const rendering = planRender({
    items: list.items,
    options: {
      ...{ repositories: new Map(), clone: 'kpt', status: false, followRenames: false },
      ...{ allowMoved: true, discardEdits: true, allowEmpty: true },
    },
    packageSource: { folder: (path) => sourcePackage(files, path), beside: (path) => revisionsOf(files, path) },
    places: () => (packages === undefined ? noPlaces() : placesIn(packages)),
    downstreams: { folder: (path) => wholeFolder(packages ?? new Map(), path), shown: (path) => `out/${path}` },
    functions: packageFunctions(SETTINGS, {}),
  })
  if (hasErrors(rendering.results)) return undefined
  const committed = packages && committedIn(packages)
  return {
    name: { name },
    items: list.items,
    fleet: readFleet(list.items),
    sets: plan.sets,
    plan: rendering,
    ...(committed && { committed }),
  }
}

function placesIn(packages: FleetFiles) {
  const read = (path: string) => textOf(packages.get(path) ?? [])
  return placesBelow(
    { disk: '', shown: 'out' },
    {
      read,
      scan: (visit) => {
        for (const folder of foldersIn(packages)) visit(folder, read(`${folder}/Kptfile`))
        return []
      },
      holdsAnything: (folder) => [...packages.keys()].some((path) => path.startsWith(`${folder}/`)),
      files: () => [],
      linkOnWayTo: () => undefined,
    },
  )
}

function committedIn(packages: FleetFiles): CommittedPackages {
  return {
    folders: foldersIn(packages),
    shown: 'out',
    load: () => {},
    folder: (folder) => wholeFolder(packages, folder),
    digests: (folder) => new Map(Array.from(wholeFolder(packages, folder).files, ([path, file]) => [path, file.read().toString()])),
  }
}

function foldersIn(packages: FleetFiles): readonly string[] {
  return [...packages.keys()].flatMap((path) => /^([^/]+\/[^/]+)\/Kptfile$/.exec(path)?.[1] ?? [])
}

function textOf(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`
}

function wholeFolder(files: FleetFiles, folder: string) {
  const own = [...files].filter(([path]) => path.startsWith(`${folder}/`))
  const entries = own.map(([path, lines]) => {
    const bytes = Buffer.from(textOf(lines))
    const file = { mode: 0o644, size: bytes.length, read: () => bytes, holds: (other: Uint8Array) => Buffer.compare(bytes, other) === 0 }
    return [path.slice(folder.length + 1), file] as const
  })
  return { files: new Map(entries), links: [], gitFolders: [], leftovers: [] }
}

function sourcePackage(files: FleetFiles, folder: string) {
  const whole = wholeFolder(files, folder)
  if (whole.files.size === 0) return undefined
  const { contents, layouts, results } = readWholePackage(whole, { krmignore: false, place: folder })
  return { place: folder, files: contents, layouts, modes: new Map(), results, faults: [] }
}

function revisionsOf(files: FleetFiles, path: string): readonly string[] {
  const folders = [...files.keys()].flatMap((each) => /^(catalog\/tills@\d+)\//.exec(each)?.[1] ?? [])
  return [...new Set(folders)].filter((each) => each.startsWith(path))
}
