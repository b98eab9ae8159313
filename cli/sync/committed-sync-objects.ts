import { existsSync, lstatSync } from 'node:fs'
import { join, relative } from 'node:path'
import { attempt } from '../../src/attempt.ts'
import { folderTree } from '../../src/folder/file-tree.ts'
import type { PackageFile } from '../../src/folder/package.ts'
import { readTree } from '../../src/folder/read-package.ts'
import { findCommits, GIT_MODES, listGitFiles, readGitContents } from '../../src/git/git.ts'
import { GitError, type GitRepository, runGit } from '../../src/git/run-git.ts'
import { once } from '../../src/remember.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { FunctionError } from '../../src/result.ts'
import type { OtherFiles } from '../../src/sync/deployed-packages.ts'
import { SYNC_ANNOTATION } from '../../src/well-known.ts'
import type { FleetReading } from '../fleet/fleet-reading.ts'
import { readAtRevision } from '../fleet/read-at-revision.ts'
import type { Host } from '../host.ts'

/**
 * Returns the generated sync objects of the last commit, those of a folder first: a folder beside it may have objects of the same names for
 * another cluster. Objects elsewhere are among them, since a folder may be moved. Returns undefined outside of a repository.
 *
 * @param dir  the path of a folder on disk
 * @throws GitError when git fails; FunctionError with every file that cannot be read
 */
export function committedSyncObjects(dir: string): readonly KrmObject[] | undefined {
  const repository: GitRepository = { dir }
  const commit = lastCommit(repository)
  if (commit === undefined) return undefined
  if (commit === '') return []
  const prefix = runGit(repository, ['rev-parse', '--show-prefix']).toString('utf8').trimEnd()
  const isUsed = (path: string): boolean => /\.(yaml|yml|json)$/.test(path)
  const { files, gate } = listGitFiles(repository, commit, { folder: '', isUsed })
  const listing = { files: files.filter(({ mode }) => mode !== GIT_MODES.link), gate }
  const contents = readGitContents(repository, commit, listing)
  const generated = new Map([...contents].filter(([, bytes]) => bytes.includes(SYNC_ANNOTATION)))
  return readAtRevision('HEAD', () => {
    const missing = gate.results('')
    if (missing.length > 0) throw new FunctionError(missing)
    const { items } = readTree(folderTree([...generated.keys()], (path) => generated.get(path) ?? new Uint8Array())).list
    const isHere = ({ file }: KrmObject): boolean => file?.path.startsWith(prefix) === true
    return [...items.filter(isHere), ...items.filter((object) => !isHere(object))]
  })
}

/** Returns the last commit; '' in a repository without one, undefined outside of a repository. */
function lastCommit(repository: GitRepository): string | undefined {
  try {
    return findCommits(repository, ['HEAD'])[0] ?? ''
  } catch (error) {
    if (error instanceof GitError && error.message.includes('not a git repository')) return undefined
    throw error
  }
}

/** Returns what a reading knows of the files beside the objects of a folder: what exists, what holds no object, and where git has it. */
export function filesBeside({ read: { results, files }, dir, out }: FleetReading, host: Host): OtherFiles {
  const isStrange = ({ documents }: PackageFile): boolean => documents.some(({ object, isEmpty }) => object === undefined && !isEmpty)
  return {
    templates: [
      ...results.flatMap(({ tags, file }) => (tags.rule === 'template-file' && file !== undefined ? [file.path] : [])),
      ...files.filter(isStrange).map(({ path }) => path),
    ],
    exists: (path) => existsSync(host.locate(path)),
    isLink: (path) => lstatSync(host.locate(path), { throwIfNoEntry: false })?.isSymbolicLink() === true,
    inGit: pathsInGit(dir, host),
    out: out?.shown,
  }
}

/**
 * Returns a function that returns the path of a file of a folder, or of one beside the folder, from the top of the git repository;
 * undefined for a file outside of the repository. Outside of a repository the working directory counts as the top.
 */
function pathsInGit(dir: string, host: Host): (path: string) => string | undefined {
  const folder = host.locate(dir)
  const prefixInGit = once(() => attempt(() => runGit({ dir: folder }, ['rev-parse', '--show-prefix']).toString('utf8'), GitError))
  return (path) => {
    const prefix = prefixInGit()?.replace(/\n$/, '')
    if (prefix === undefined) return /^(\/|\.\.(\/|$))/.test(path) ? undefined : path
    const inGit = join(prefix, relative(folder, host.locate(path))).replace(/\/$|^\.$/, '')
    return /^\.\.(\/|$)/.test(inGit) ? undefined : inGit
  }
}
