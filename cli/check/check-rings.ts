import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import { attempt } from '../../src/attempt.ts'
import { type FleetPlan, planFanOut } from '../../src/fleet/plan-fan-out.ts'
import { judgeRingsLeft } from '../../src/fleet/releases/ring-left.ts'
import { judgeRingsSince } from '../../src/fleet/releases/rings-since.ts'
import type { FoundSet } from '../../src/fleet/sets.ts'
import type { NamedFolder } from '../../src/folder/named-folder.ts'
import type { FolderPackage } from '../../src/folder/package.ts'
import { readTree } from '../../src/folder/read-package.ts'
import { gitTree, listGitFiles, topOf } from '../../src/git/git.ts'
import { GitError, type GitRepository } from '../../src/git/run-git.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { isKptfile, KPTFILE } from '../../src/resource-list/package-of.ts'
import type { Result } from '../../src/result.ts'
import { quoteText } from '../../src/schema/describe-value.ts'
import { faultToResult } from '../../src/schema/fault.ts'
import type { FleetReading } from '../fleet/fleet-reading.ts'
import type { Host } from '../host.ts'
import { type Revision, readAgainst } from '../plan/compare-with-revision.ts'

/**
 * Returns what the change since a git revision does to the rings of a fleet that `promote` would refuse.
 *
 * @throws UsageError for a revision that git does not know; FunctionError with every fault of the fleet, or of a file of the revision
 */
export function ringFindings(plan: FleetPlan, { dir, out }: FleetReading, revision: Revision, host: Host): readonly Result[] {
  const former = readFormer(plan, dir, revision, host)
  if (former === undefined) return plan.sets.filter(hasRings).map(({ object }) => notCompared(object, dir, revision))
  // With the options of today: wrong options of the revision are no fault of this change.
  const earlier = planFanOut(former.list, plan.options)
  const { items } = former.list
  const judged = plan.sets.some(hasRings)
    ? judgeRingsSince(plan, [...items, ...(out === undefined ? [] : kptfilesAt(revision, out, items))])
    : []
  const places = new Set(judged.filter(({ severity }) => severity === 'error').map(placeOf))
  // A field that is refused already has one finding.
  const left = earlier.sets.some(hasRings) ? judgeRingsLeft(plan, earlier).filter((each) => !places.has(placeOf(each))) : []
  return [...judged, ...left]
}

function hasRings({ set }: Pick<FoundSet, 'set'>): boolean {
  return set !== undefined && set.rings.length > 0
}

function placeOf({ file, resourceRef, field }: Result): string {
  return JSON.stringify([file?.path, file?.index, resourceRef, field?.path])
}

/** Returns the fleet at a revision, also if its folder was moved since; undefined if the revision does not have it. */
function readFormer(plan: Pick<FleetPlan, 'sets'>, dir: string, revision: Revision, host: Host): FolderPackage | undefined {
  const { ref, seconds } = revision
  const here = readAgainst(revision, dir, host)
  const repository = { dir: host.locate(dir), seconds }
  if (here.files.length > 0 || listGitFiles(repository, ref).files.length > 0) return here
  const moved = folderBefore(plan, dir, ref, repository)
  return moved === undefined ? undefined : readAgainst(revision, dir, host, moved)
}

/**
 * Returns the only folder of a revision, relative to the top of the repository, that had a file of a set of the fleet by its path in the
 * folder and does not have it any more. A folder that still has the file was copied.
 */
function folderBefore({ sets }: Pick<FleetPlan, 'sets'>, dir: string, ref: string, repository: GitRepository): string | undefined {
  const inFleet = new Set(sets.flatMap(({ object: { file } }) => (file === undefined ? [] : [posix.relative(dir, file.path)])))
  const top = topOf(repository)
  const { files } = listGitFiles(repository, ref, { folder: '' })
  const gone = files.filter(({ path }) => !existsSync(join(top, path)))
  const folders = gone.flatMap(({ path }) =>
    [...inFleet].flatMap((name) => (`/${path}`.endsWith(`/${name}`) ? [path.slice(0, -name.length).replace(/\/$/, '')] : [])),
  )
  const [only, ...others] = new Set(folders)
  return others.length === 0 ? only : undefined
}

function notCompared(object: KrmObject, dir: string, { ref }: Revision): Result {
  const message = `cannot be compared: ${quoteText(ref)} has no folder ${quoteText(dir)}, and no folder with the fleet that is gone since, so a revision that skips a ring is not seen`
  return faultToResult(object, { severity: 'warning', rule: 'rings-not-compared', path: ['spec', 'rings'], message })
}

/** Returns the Kptfiles that a folder of packages outside of the fleet's folder had at a revision; none outside of a repository. */
function kptfilesAt({ ref, seconds }: Revision, out: NamedFolder, items: readonly KrmObject[]): readonly KrmObject[] {
  const isRead = items.some(({ file }) => file !== undefined && isKptfile(file.path) && file.path.startsWith(`${out.shown}/`))
  if (isRead || !existsSync(out.disk) || (attempt(() => topOf({ dir: out.disk, seconds }), GitError) ?? '') === '') return []
  const name = (path: string): string => posix.join(out.shown, path)
  return readTree(gitTree(ref, { dir: out.disk, seconds }, name), name).list.items.filter(({ kind }) => kind === KPTFILE)
}
