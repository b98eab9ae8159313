import { realpathSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { ChangedMeanwhile } from '../../src/folder/as-read.ts'
import { writeFiles } from '../../src/folder/write-files.ts'
import { packageTreeInside } from '../../src/git/tree-inside.ts'
import type { Runners } from '../../src/pipeline/match.ts'
import {
  type AskedPackage,
  type PackageRun,
  type ReadPackage,
  readPackages,
  runPackages,
  runPackagesAtOnce,
} from '../../src/pipeline/run-packages.ts'
import { AT_ONCE, endPrograms } from '../../src/pipeline/runners/program.ts'
import { guardOfRendered } from '../../src/render/runs/needed-objects.ts'
import type { Result } from '../../src/result.ts'
import { ProgressMeter } from '../advance.ts'
import { requireFolder } from '../fleet/read-fleet.ts'
import type { FileInView } from '../folder-view.ts'
import { changedFiles } from '../hold-folders.ts'
import type { Host } from '../host.ts'
import { unifiedChange } from '../print/file-diff.ts'
import { placeFile } from '../print/print-results.ts'
import { refuseUnwritable } from '../refuse-unwritable.ts'
import { UsageError } from '../usage-error.ts'

/** The packages that the caller named, read from their folders. */
export interface ReadFolders {
  readonly packages: readonly ReadPackage[]
  /** Warnings about links that are not followed. */
  readonly links: readonly Result[]
}

/** The outcome of running the pipelines of some folders. */
export interface FoldersRun {
  readonly files: readonly Omit<FileInView, 'objects'>[]
  readonly results: readonly Result[]
  readonly packages: number
  readonly failed: number
  readonly functionsRun: number
  /** The number of functions whose condition was false. */
  readonly skipped: number
}

/**
 * Reads the packages in folders.
 *
 * @throws UsageError  for what is no folder, and for a folder inside another one that is named
 */
export function readFolders(dirs: readonly string[], host: Pick<Host, 'locate'>): ReadFolders {
  const places = dirs.map((dir) => ({ dir, place: realpathSync(requireFolder(dir, host)) }))
  for (const [at, { dir, place }] of places.entries()) {
    const outer = places.find((other, index) => index !== at && (place === other.place || place.startsWith(`${other.place}${sep}`)))
    if (outer !== undefined) throw new UsageError(`'${dir}' must not be named beside '${outer.dir}', whose run includes it`)
  }
  const asked = places.map(({ dir, place }) => {
    const name = (path: string) => placeFile(path, dir)
    return { place, name, inside: packageTreeInside(place, name) }
  })
  const packages = readPackages(
    asked.map(({ place, name, inside: { tree } }): AskedPackage => ({ place, name, tree, guard: guardOfRendered(tree) })),
  )
  return { packages, links: asked.flatMap(({ inside }) => inside.links) }
}

/** The options of writing and showing. */
interface WriteOptions {
  readonly dryRun: boolean
  readonly diff: boolean
  /** True to write what kpt writes about a run into the Kptfile of each package. */
  readonly status: boolean
}

/**
 * Runs the pipelines of packages and writes what changes, each package as a whole. A package with a place that cannot be written fails
 * alone.
 *
 * @throws FunctionError  with one error for each image or program that nothing can run; then nothing was run
 */
export function runFolders({ packages, links }: ReadFolders, runners: Runners, options: WriteOptions): FoldersRun {
  return writeRuns(runPackages(packages, runners, options), links, options)
}

/** Runs the pipelines of packages as `runFolders` does, several packages at once, and shows the progress. Ctrl-C ends their programs. */
export async function runFoldersAtOnce(
  { packages, links }: ReadFolders,
  runners: Runners,
  options: WriteOptions,
  host: Host,
): Promise<FoldersRun> {
  const meter = new ProgressMeter(host, 'package')
  host.onInterrupt(endPrograms)
  try {
    const note = (done: number) => meter.show(done, packages.length)
    return writeRuns(await runPackagesAtOnce(packages, runners, { atOnce: AT_ONCE, note, status: options.status }), links, options)
  } finally {
    meter.end()
  }
}

function writeRuns(ran: readonly PackageRun[], links: readonly Result[], { dryRun, diff }: WriteOptions): FoldersRun {
  const files: Omit<FileInView, 'objects'>[] = []
  const results: Result[] = [...links]
  const runs = ran.map((run) => {
    const { place, name } = run.asked
    const unwritable = refuseUnwritable(place, run.changes, name)
    const changed = dryRun || unwritable.length > 0 ? [] : writeUnlessChanged(run)
    const faults = [...unwritable, ...changed]
    results.push(...run.results, ...faults)
    const changes = faults.length > 0 ? [] : run.changes
    files.push(
      ...changes.map((change) => ({
        op: change.op,
        path: name(change.path),
        ...(diff && { diff: unifiedChange(change, name(change.path)) }),
      })),
    )
    return { ...run, failed: run.failed || faults.length > 0 }
  })
  return {
    files,
    results,
    packages: runs.length,
    failed: runs.filter(({ failed }) => failed).length,
    functionsRun: runs.reduce((sum, { functionsRun }) => sum + functionsRun, 0),
    skipped: runs.flatMap(({ steps }) => steps.filter(({ isSkipped }) => isSkipped)).length,
  }
}

/** Writes the changes of a package, and returns an error for each file that was changed since it was read. */
function writeUnlessChanged({ asked: { place, name }, changes }: PackageRun): readonly Result[] {
  try {
    writeFiles(place, changes)
    return []
  } catch (error) {
    if (error instanceof ChangedMeanwhile) return changedFiles(error, (file) => name(relative(place, file)))
    throw error
  }
}
