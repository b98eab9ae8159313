import { realpathSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { ChangedMeanwhile } from '../../src/folder/as-read.ts'
import { StagingError } from '../../src/folder/staging.ts'
import { writeFiles } from '../../src/folder/write-files.ts'
import { packageTreeInside } from '../../src/git/tree-inside.ts'
import type { Runners } from '../../src/pipeline/match.ts'
import { type AskedPackage, type PackageRun, type ReadPackage, readPackages, runPackages } from '../../src/pipeline/run-packages.ts'
import type { Steps } from '../../src/progress.ts'
import { guardOfRendered } from '../../src/render/runs/needed-objects.ts'
import type { Result } from '../../src/result.ts'
import { requireFolder } from '../fleet/read-fleet.ts'
import type { FileInView } from '../folder-view.ts'
import { changedFiles } from '../hold-folders.ts'
import type { Host } from '../host.ts'
import { unifiedChange } from '../print/file-diff.ts'
import { placeFile } from '../print/print-results.ts'
import { refuseUnwritable } from '../refuse-unwritable.ts'
import { systemFault, UsageError } from '../usage-error.ts'

/** The packages that the caller named, read from their folders. */
export interface ReadFolders {
  readonly packages: readonly ReadPackage[]
  /** Warnings about links that are not followed. */
  readonly links: readonly Result[]
}

/** The pipelines of packages that ran in memory. */
interface RanFolders {
  readonly runs: readonly PackageRun[]
  /** The findings, also those about places that cannot be written. */
  readonly results: readonly Result[]
  /** The packages with such a place. */
  readonly unwritable: ReadonlySet<PackageRun>
}

/** The outcome of running the pipelines of some folders, and of writing what changes. */
export interface WrittenFolders {
  readonly files: readonly Omit<FileInView, 'objects'>[]
  /** An error for each file that was changed since it was read, or that the operating system refuses. */
  readonly faults: readonly Result[]
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
}

/** The options of running. */
interface StatusOptions {
  /** True to write what kpt writes about a run into the Kptfile of each package. */
  readonly status: boolean
}

/**
 * Runs the pipelines of packages in memory, several packages at one time, and yields the progress.
 *
 * @throws FunctionError  with one error for each image or program that nothing can run; then nothing was run
 */
export function* runFolders({ packages, links }: ReadFolders, runners: Runners, options: StatusOptions): Steps<RanFolders> {
  const runs = yield* runPackages(packages, runners, options)
  const found = runs.map((run) => ({ run, faults: refuseUnwritable(run.asked.place, run.changes, run.asked.name) }))
  return {
    runs,
    results: [...links, ...found.flatMap(({ run, faults }) => [...run.results, ...faults])],
    unwritable: new Set(found.flatMap(({ run, faults }) => (faults.length > 0 ? [run] : []))),
  }
}

/** Writes what changes, each package as a whole. A package with a place that cannot be written fails alone. */
export function writeRuns({ runs, unwritable }: RanFolders, { dryRun, diff }: WriteOptions): WrittenFolders {
  const written = runs.map((run) => {
    const { name } = run.asked
    const faults = dryRun || unwritable.has(run) ? [] : writePackage(run)
    const failed = unwritable.has(run) || faults.length > 0
    const files = (failed ? [] : run.changes).map((change) => ({
      op: change.op,
      path: name(change.path),
      ...(diff && { diff: unifiedChange(change, name(change.path)) }),
    }))
    return { files, faults, failed: run.failed || failed }
  })
  return {
    files: written.flatMap(({ files }) => files),
    faults: written.flatMap(({ faults }) => faults),
    packages: runs.length,
    failed: written.filter(({ failed }) => failed).length,
    functionsRun: runs.reduce((sum, { functionsRun }) => sum + functionsRun, 0),
    skipped: runs.flatMap(({ steps }) => steps.filter(({ isSkipped }) => isSkipped)).length,
  }
}

/** Writes the changes of a package. Returns an error for each file that was changed since it was read, or that cannot be written. */
function writePackage({ asked: { place, name }, changes }: PackageRun): readonly Result[] {
  const shown = (file: string) => name(relative(place, file))
  try {
    writeFiles(place, changes)
    return []
  } catch (error) {
    if (error instanceof ChangedMeanwhile) return changedFiles(error, shown)
    if (error instanceof StagingError) return [refusedFile(error, shown)]
    throw error
  }
}

function refusedFile({ place, cause, isPartial }: StagingError, shown: (file: string) => string): Result {
  const fate = isPartial
    ? 'part of the package is written, and every file whole; the next run writes the rest'
    : 'the package is left as it is'
  return {
    severity: 'error',
    message: `cannot be written: ${systemFault(cause) ?? String(cause)}; ${fate}`,
    file: { path: shown(place), index: 0 },
    tags: { rule: 'file-unwritable' },
  }
}
