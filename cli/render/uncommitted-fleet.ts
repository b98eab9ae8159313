import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { attempt } from '../../src/attempt.ts'
import { below, type NamedFolder } from '../../src/folder/named-folder.ts'
import { GIT_MODES, listGitFiles, topOf } from '../../src/git/git.ts'
import { convertedIds } from '../../src/git/git-conversion.ts'
import { gitIdOf } from '../../src/git/git-snapshot.ts'
import { GitError, type GitRepository, runGit } from '../../src/git/run-git.ts'
import { printable } from '../../src/printable.ts'
import { folderOf, KPTFILE } from '../../src/resource-list/package-of.ts'
import { insideTest } from '../../src/resource-list/revision-folders.ts'
import { nameFirst } from '../../src/wording.ts'
import { pathIn } from '../print/print-results.ts'
import { UsageError } from '../usage-error.ts'

/** A fleet that was read from a folder, the folder of its packages, and those of its upstreams. */
export interface FleetFiles {
  readonly folder: NamedFolder
  readonly out: NamedFolder
  /** The files that were read, as the findings show them. */
  readonly files: readonly string[]
  /** The folders that the options name for upstream packages. */
  readonly upstreams: readonly NamedFolder[]
}

const NAMED_FILES = 5

/** The files that say which files kpt reads in a folder. */
const IGNORES = /(^|\/)\.krmignore$/

/** The files that kpt reads in a folder, and those that say which files it reads. */
const IS_READ = /(\.(ya?ml|json)|(^|\/)(Kptfile|\.krmignore))$/

/**
 * Refuses a fleet that is not as it is committed, or whose upstream packages in the same repository are not: a draft would hold packages of
 * sets that its branch does not have, and the render after the merge would bring the packages back. A fleet in no repository, and files
 * that git ignores, are not compared.
 *
 * @throws UsageError  with the first files
 */
export function refuseUncommittedFleet({ folder, out, files, upstreams }: FleetFiles, seconds: number | undefined): void {
  const repository: GitRepository = { dir: folder.disk, seconds }
  const committed = committedFiles(repository)
  if (committed === undefined) return
  const read = new Set(files.map((path) => pathIn(folder.shown, path)))
  const sources = packageFolders(read)
  const isInSources = insideTest(sources)
  const isInRendered = insideTest(new Set([...packageFolders(committed.keys())].filter((each) => !sources.has(each))))
  const holdsFleet = join(folder.disk, '/').startsWith(join(out.disk, '/'))
  const isRendered = (path: string): boolean => (holdsFleet ? isInRendered(path) : isBelow(out, join(folder.disk, path)))
  const isUsed = (path: string): boolean => (IGNORES.test(path) || read.has(path) || isInSources(path)) && !isRendered(path)
  const isCompared = (path: string): boolean => isUsed(path) || (IS_READ.test(path) && !isRendered(path))
  const own = filesNotCommitted(folder, { repository, committed, isCompared, isNew: isUsed })
  const beside = upstreamsBeside(repository, upstreams).flatMap((upstream) => {
    const place = { ...repository, dir: upstream.disk }
    const isAny = (path: string): boolean => !isBelow(out, join(upstream.disk, path))
    return filesNotCommitted(upstream, {
      repository: place,
      committed: committedFiles(place) ?? new Map(),
      isCompared: isAny,
      isNew: isAny,
    })
  })
  const found = [...own, ...beside]
  if (found.length === 0) return
  const names = nameFirst([...new Set(found.map(({ shown }) => shown))], NAMED_FILES)
  throw new UsageError(`\`--branch\` must find the fleet as it is committed; commit or stash first: ${printable(names)}`)
}

function isBelow({ disk }: NamedFolder, path: string): boolean {
  return path.startsWith(join(disk, '/'))
}

interface Comparison {
  readonly repository: GitRepository
  readonly committed: ReadonlyMap<string, string>
  /** Returns true for a committed file that a render reads. */
  readonly isCompared: (path: string) => boolean
  /** Returns true for a file without a commit that a render reads. */
  readonly isNew: (path: string) => boolean
}

/** Returns the files of a folder that are not as HEAD has them. */
function filesNotCommitted(folder: NamedFolder, { repository, committed, isCompared, isNew }: Comparison): readonly NamedFolder[] {
  const changed = [...committed].filter(([path, id]) => isCompared(path) && idOnDisk(join(folder.disk, path), id) !== id)
  const untracked = [...notIgnored(repository)].filter((path) => path !== '' && !committed.has(path) && isNew(path))
  return [...notConverted(folder, repository, changed), ...untracked].map((path) => below(folder, path))
}

/** Returns the changed files without those that git would commit as they are in HEAD: it converted them for the checkout. */
function notConverted(
  { disk }: NamedFolder,
  repository: GitRepository,
  changed: readonly (readonly [path: string, id: string])[],
): readonly string[] {
  const present = changed.filter(([path]) => existsSync(join(disk, path)))
  const paths = present.map(([path]) => path)
  const ids = convertedIds(repository, paths)
  const same = new Set(present.flatMap(([path, id], index) => (ids?.[index] === id ? [path] : [])))
  return changed.flatMap(([path]) => (same.has(path) ? [] : [path]))
}

/** Returns the folders below the top that have a Kptfile: a package takes all files of its upstream, not only the resources. */
function packageFolders(paths: Iterable<string>): ReadonlySet<string> {
  return new Set([...paths].filter((path) => path.endsWith(`/${KPTFILE}`)).map(folderOf))
}

/** Returns the folders for upstream packages that are in the same checkout. */
function upstreamsBeside(repository: GitRepository, upstreams: readonly NamedFolder[]): readonly NamedFolder[] {
  if (upstreams.length === 0) return []
  const top = topOf(repository)
  return upstreams.filter(({ disk }) => existsSync(disk) && attempt(() => topOf({ ...repository, dir: disk }), GitError) === top)
}

/** Returns the ids of the files that HEAD has below a folder; undefined outside of a repository and before the first commit. */
function committedFiles(repository: GitRepository): ReadonlyMap<string, string> | undefined {
  const listed = attempt(() => listGitFiles(repository, 'HEAD'), GitError)
  return listed && new Map(listed.files.flatMap(({ path, mode, id }) => (mode === GIT_MODES.link ? [] : [[path, id] as const])))
}

function idOnDisk(path: string, like: string): string {
  return existsSync(path) ? gitIdOf(readFileSync(path), like) : ''
}

/** Returns the files below a folder that git neither has nor ignores, and those that are to be added. */
function notIgnored(repository: GitRepository): ReadonlySet<string> {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  return new Set(runGit(repository, list).toString('utf8').split('\0'))
}
