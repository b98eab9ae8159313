import { posix } from 'node:path'
import { copyOfFile } from '../../src/folder/read-package-file.ts'
import { fleetTreeInside } from '../../src/git/tree-inside.ts'
import { type RunningPackages, refusedResources } from '../../src/pipeline/check-resources.ts'
import { tryRuns, withFoldersAbove } from '../../src/pipeline/check-runs.ts'
import type { AskedPackage } from '../../src/pipeline/run-packages.ts'
import { behindResult } from '../../src/render/edits/functions-behind.ts'
import { guardOfRendered } from '../../src/render/runs/needed-objects.ts'
import { folderOf, isKptfile } from '../../src/resource-list/package-of.ts'
import type { Result } from '../../src/result.ts'
import type { FleetReading } from '../fleet/fleet-reading.ts'
import type { Host } from '../host.ts'
import { runnersFor } from '../run/function-runners.ts'
import { isBelow, NO_HOST } from './check-folder.ts'

/**
 * Returns what the functions of the packages in a folder refuse: resources that kpt cannot hand to them, faults of a trial run, and
 * packages that wait for their functions. Packages with errors among `known` and upstream packages are not run.
 */
export async function packageFindings(
  fleet: FleetReading,
  known: readonly Result[],
  { isRun, cloned }: RunningPackages,
  host: Host,
): Promise<readonly Result[]> {
  const {
    dir,
    read: { files },
  } = fleet
  const read = new Map(dir === '-' ? [] : files.map((file) => [file.path, file]))
  // The objects of the fleet were read from the files of its packages.
  const documents = (_: string, name: string) => {
    const file = read.get(name)
    return file && copyOfFile(file, name)
  }
  const open = (folder: string): AskedPackage => {
    const name = (path: string) => posix.join(folder, path)
    const place = host.locate(folder === '' ? '.' : folder)
    const inside = fleetTreeInside(place, name)
    const tree = { ...inside.tree, documents }
    return { tree, place, name, guard: guardOfRendered(tree) }
  }
  const refused = refusedResources(files, open, { isRun, cloned })
  if (dir === '-') return refused
  const isUpstream = isBelow(cloned)
  const withErrors = [...known, ...refused].flatMap(({ severity, file }) =>
    severity === 'error' && file !== undefined ? [folderOf(file.path)] : [],
  )
  const packages = files.flatMap(({ path }) => (isKptfile(path) ? [folderOf(path)] : []))
  const left = new Set([...withErrors, ...packages.filter(isUpstream)].flatMap(withFoldersAbove))
  const isLeftOut = (folder: string) => left.has(folder) || isUpstream(folder)
  const runners = await runnersFor({}, NO_HOST, () => false)
  const { results, behind } = tryRuns({ files, open, isLeftOut, runners })
  const waiting = behind.length === 0 || fleet.leavesFunctions ? [] : behind.map((folder) => behindResult(folder, 'behind'))
  return [...refused, ...results, ...waiting]
}
