import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { GIT_MODES, listGitFiles } from '../../src/package/git.ts'
import { gitIdOf } from '../../src/package/git-snapshot.ts'
import type { NamedFolder } from '../../src/package/named-folder.ts'
import { GitError, type GitRepository, runGit } from '../../src/package/run-git.ts'
import { printable } from '../../src/printable.ts'
import { nameFirst } from '../../src/wording.ts'
import { pathIn } from '../print/print-results.ts'
import { UsageError } from '../usage-error.ts'

/** A fleet that was read from a folder, and the folder of its packages. */
export interface FleetFiles {
  readonly folder: NamedFolder
  readonly out: NamedFolder
  /** The files that were read, as the findings show them. */
  readonly files: readonly string[]
}

const NAMED_FILES = 5

/** The files that kpt reads in a folder, and those that say which files it reads. */
const IS_READ = /(\.(ya?ml|json)|(^|\/)(Kptfile|\.krmignore))$/

/**
 * Refuses a fleet that is not as it is committed: a draft would hold packages of sets that its branch does not have, and the render after
 * the merge would bring the packages back. A fleet in no repository, and files that git ignores, are not compared.
 *
 * @throws UsageError  with the first files
 */
export function refuseUncommittedFleet({ folder, out, files }: FleetFiles, seconds: number | undefined): void {
  const repository: GitRepository = { dir: folder.disk, seconds }
  const committed = committedFiles(repository)
  if (committed === undefined) return
  const isPackage = (path: string): boolean => join(folder.disk, path).startsWith(join(out.disk, '/'))
  const changed = [...committed].filter(
    ([path, id]) => IS_READ.test(path) && !isPackage(path) && idOnDisk(join(folder.disk, path), id) !== id,
  )
  const untracked = files.map((path) => pathIn(folder.shown, path)).filter((path) => !committed.has(path) && !isPackage(path))
  const kept = untracked.length === 0 ? new Set<string>() : notIgnored(repository)
  const found = [...changed.map(([path]) => path), ...new Set(untracked.filter((path) => kept.has(path)))]
  if (found.length === 0) return
  const names = nameFirst(found, NAMED_FILES, (path) => join(folder.shown, path))
  throw new UsageError(`\`--branch\` must find the fleet as it is committed; commit or stash first: ${printable(names)}`)
}

/** Returns the ids of the files that HEAD has below a folder; undefined outside of a repository and before the first commit. */
function committedFiles(repository: GitRepository): ReadonlyMap<string, string> | undefined {
  try {
    const { files } = listGitFiles(repository, 'HEAD')
    return new Map(files.flatMap(({ path, mode, id }) => (mode === GIT_MODES.link ? [] : [[path, id] as const])))
  } catch (error) {
    if (error instanceof GitError) return undefined
    throw error
  }
}

function idOnDisk(path: string, like: string): string {
  return existsSync(path) ? gitIdOf(readFileSync(path), like) : ''
}

/** Returns the files below a folder that git neither has nor ignores, and those that are to be added. */
function notIgnored(repository: GitRepository): ReadonlySet<string> {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  return new Set(runGit(repository, list).toString('utf8').split('\0'))
}
