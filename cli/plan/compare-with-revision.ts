import type { Earlier } from '../../src/fleet/change-reason.ts'
import { readFleet } from '../../src/fleet/fleet.ts'
import type { FleetPlan } from '../../src/fleet/plan-fan-out.ts'
import type { FolderPackage } from '../../src/folder/package.ts'
import { readTree } from '../../src/folder/read-package.ts'
import { findCommits, gitTree, listGitFiles, unknownRevision } from '../../src/git/git.ts'
import { GitError, type GitRepository } from '../../src/git/run-git.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { declaringItems } from '../../src/resource-list/revision-folders.ts'
import { readAtRevision } from '../fleet/read-at-revision.ts'
import type { Host } from '../host.ts'
import { placeFile } from '../print/print-results.ts'
import { UsageError } from '../usage-error.ts'
import { type ComparedVariants, compareVariants } from './compare-variants.ts'

/** The changes since a revision. */
export interface Comparison extends ComparedVariants {
  readonly earlier?: Earlier
  /** The objects that the revision has, and the repository. */
  readonly before: { readonly items: readonly KrmObject[]; readonly repository: GitRepository }
  /** True when the revision does not have the folder, so that everything is new. */
  readonly isNewFolder: boolean
}

/** A git revision to compare with. */
export interface Revision {
  readonly ref: string
  /** The seconds after which a call of git fails. */
  readonly seconds?: number | undefined
}

/**
 * Compares the variants of the folder `dir` after fan-out with those that the folder had at a git revision: the changes of a pull request,
 * even if its variants are not updated yet.
 *
 * @throws UsageError for a revision that git does not know; GitError as `gitTree`; FunctionError with every file of the revision that
 * cannot be read
 */
export function compareWithRevision({ sets, fleet }: FleetPlan, revision: Revision, dir: string, host: Host): Comparison {
  const { ref, seconds } = revision
  const folder: GitRepository = { dir: host.locate(dir), seconds }
  const old = readAgainst(revision, dir, host)
  const earlier = { ref, fleet: readFleet(declaringItems(old.list.items)) }
  return {
    ...compareVariants({ sets, fleet }, earlier.fleet),
    isNewFolder: old.files.length === 0 && listGitFiles(folder, ref).files.length === 0,
    earlier,
    before: { items: old.list.items, repository: folder },
  }
}

/**
 * Reads the folder `dir` at a git revision. Throws as `compareWithRevision`.
 *
 * @param former  the folder at the revision, relative to the top of the repository, if it was moved since
 */
export function readAgainst({ ref, seconds }: Revision, dir: string, host: Host, former?: string): FolderPackage {
  const folder: GitRepository = { dir: host.locate(dir), seconds }
  if (findCommit(ref, dir, folder) === undefined) throw new UsageError(`--against '${ref}': ${unknownRevision(ref, folder)}`)
  return readRevision(ref, dir, folder, former)
}

function findCommit(ref: string, dir: string, folder: GitRepository): string | undefined {
  try {
    return findCommits(folder, [ref])[0]
  } catch (error) {
    if (!(error instanceof GitError && error.message.includes('not a git repository'))) throw error
    throw new UsageError(`--against '${ref}': '${dir}' must be in a git repository, found none around it`)
  }
}

/** Reads the folder at a revision, with file paths as the caller sees them. Results of files that cannot be read name the revision. */
function readRevision(ref: string, dir: string, folder: GitRepository, former?: string): FolderPackage {
  const name = (path: string): string => placeFile(path, dir)
  return readAtRevision(ref, () => readTree(gitTree(ref, folder, name, former), name, { isFleet: true }))
}
