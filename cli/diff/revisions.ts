import { attempt } from '../../src/attempt.ts'
import { findCommits, historyHint, unknownRevision } from '../../src/git/git.ts'
import { isRevision } from '../../src/git/git-address.ts'
import { GitError, type GitRepository, runGit } from '../../src/git/run-git.ts'
import type { Host } from '../host.ts'
import { isFolder } from '../place-kind.ts'
import { UsageError } from '../usage-error.ts'

/** A state as the caller named it. Without a commit it is the working tree. */
export interface StateRevision {
  readonly name: string
  readonly commit?: string
  /** The commit of the rendered packages, if they are not those of `commit`. */
  readonly packagesAt?: string
}

/** The states that the caller named, and their repository. */
export interface ComparedStates {
  readonly from: StateRevision
  readonly to: StateRevision
  readonly repository: GitRepository
}

/** The name of the state without a commit. */
export const WORKING_TREE: StateRevision = { name: 'working tree' }

/** The arguments of diff: the revisions and the folder. */
export interface DiffArguments {
  readonly range: string
  readonly dir: string
}

/**
 * Decides which argument is the range and which the folder: with one argument, a folder that is no revision is the folder, and FROM is
 * HEAD.
 *
 * @throws UsageError when the argument is both or neither
 */
export function readArguments(args: readonly string[], host: Host): DiffArguments {
  const [first, second] = args
  if (first === undefined) return { range: 'HEAD', dir: '.' }
  if (second !== undefined) return { range: first, dir: second }
  if (!isFolder(host.locate(first))) return { range: first, dir: '.' }
  if (!isKnown(first, { dir: host.locate('.') })) return { range: 'HEAD', dir: first }
  throw new UsageError(`'${first}' is a folder and a git revision: write './${first}' for the folder, or '${first} .' for the revision`)
}

function isKnown(name: string, repository: GitRepository): boolean {
  return isRevision(name) && attempt(() => findCommits(repository, [name])[0], GitError) !== undefined
}

/**
 * Returns the states of a range, as git reads ranges: `FROM`, `FROM..TO`, `FROM...TO`, where an empty side is HEAD. `FROM...TO` starts at
 * the merge base.
 *
 * @throws UsageError for a revision that git does not know, or a folder outside of a repository
 */
export function readRevisions(
  range: string,
  dir: string,
  { host, seconds }: { readonly host: Host; readonly seconds?: number | undefined },
): ComparedStates {
  const repository: GitRepository = { dir: host.locate(dir), seconds }
  const [, before, dots, after] = /^(.*?)(\.{2,3})(.*)$/.exec(range) ?? [undefined, range, undefined, undefined]
  const [first, last] = [before || 'HEAD', after || 'HEAD']
  const commitOf = commitsOf(dots === undefined ? [first] : [first, last], dir, repository)
  const from = { name: first, commit: commitOf(first) }
  if (dots === undefined) return { from, to: WORKING_TREE, repository }
  const to = { name: last, commit: commitOf(last) }
  if (dots === '..') return { from, to, repository }
  return { from: { name: range, commit: mergeBase(from.commit, to.commit, range, repository) }, to, repository }
}

/** Asks git for the commits of names, all in one process. Returns a function that returns the commit of a name, or throws a UsageError. */
function commitsOf(names: readonly string[], dir: string, repository: GitRepository): (name: string) => string {
  try {
    const commits = findCommits(repository, names)
    return (name) => {
      const commit = commits[names.indexOf(name)]
      if (commit === undefined) throw new UsageError(`'${name}': ${unknownRevision(name, repository)}`)
      return commit
    }
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    if (error.message.includes('safe.bareRepository'))
      throw new UsageError(`'${dir}' is in a bare git repository, which has no files to compare: clone it, and run diff in the clone`)
    if (!error.message.includes('not a git repository')) throw error
    throw new UsageError(`'${names[0]}': '${dir}' must be in a git repository, found none around it`)
  }
}

function mergeBase(from: string, to: string, range: string, repository: GitRepository): string {
  try {
    return runGit(repository, ['merge-base', from, to]).toString('utf8').trim()
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    throw new UsageError(`'${range}': the two revisions have no commit in common${historyHint(repository)}`)
  }
}
