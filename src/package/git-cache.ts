import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { addressFault, forGit, isRemote, localPath, printAddress } from './git-address.ts'
import { GitError, type GitRepository, runGit } from './run-git.ts'

/** Where git repositories are, and whether the network may be asked for them. */
export interface GitPlaces {
  /** The folder that relative paths begin at: that of the fleet. */
  readonly base: string
  /** Where clones are kept from one run to the next. */
  readonly cache: string
  readonly offline: boolean
  /** How long git may do nothing. */
  readonly seconds?: number | undefined
  /** The addresses that may be read although the fleet's own git tracks what is there. */
  readonly trusted?: ReadonlySet<string>
}

/** The user's folder for caches (XDG Base Directory Specification), without a home the one for temporary files. */
export function cacheFolder({ XDG_CACHE_HOME, HOME }: Readonly<Record<string, string | undefined>>, temporary: string): string {
  return join(XDG_CACHE_HOME || (HOME ? join(HOME, '.cache') : temporary), 'krm-variants', 'git')
}

/**
 * Opens a repository: a path, or a file URL, is read where it is; of anything else a clone is kept, and brought up
 * to date with all branches and tags once for each call.
 *
 * @param address  a path, `HOST:PATH` or a URL
 * @throws GitError  when git cannot reach the repository, or must not, and there is no clone, or when the clone is another user's
 */
export function openRepository(address: string, places: GitPlaces): GitRepository {
  const fault = addressFault(address)
  if (fault !== undefined) throw new GitError(`the address of a git repository ${fault}`)
  if (!isRemote(address)) return openLocal(address, places)
  const clone = join(places.cache, `${createHash('sha256').update(address).digest('hex').slice(0, 32)}.git`)
  const repository: GitRepository = { dir: clone, kind: 'clone', seconds: places.seconds }
  if (!existsSync(clone)) {
    if (places.offline) throw notCloned(address)
    makeClone(repository, address)
  } else {
    requireOwn(clone, address)
    if (!places.offline) fetchAll(repository, address)
  }
  return repository
}

/** Git runs what the configuration of a clone says, and another user may have put one where clones are kept: below /tmp, say, without a home. */
function requireOwn(clone: string, address: string): void {
  const user = process.getuid?.()
  if (user !== undefined && lstatSync(clone).uid !== user)
    throw new GitError(
      `the clone of '${printAddress(address)}' at '${clone}' must be the user's own, it belongs to another user: remove it`,
    )
}

function notCloned(address: string): GitError {
  return new GitError(`no clone of '${printAddress(address)}' is kept yet, and the network must not be asked; run once without --offline`)
}

/** Fetches all branches and tags, under their own names. Progress is what shows that the other side is alive. */
function fetchAll(clone: GitRepository, address: string): void {
  const options = ['--progress', '--prune', '--force', '--no-recurse-submodules']
  const refs = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*']
  runGit(clone, ['fetch', ...options, '--', forGit(address), ...refs], { remote: address })
}

/** Makes a clone beside its place, so that one that is interrupted is not mistaken for whole. No template brings hooks along. */
function makeClone(clone: GitRepository, address: string): void {
  const beside: GitRepository = { ...clone, dir: `${clone.dir}.new-${process.pid}` }
  mkdirSync(dirname(clone.dir), { recursive: true })
  rmSync(beside.dir, { recursive: true, force: true })
  try {
    runGit(beside, ['init', '--quiet', '--bare', '--template='])
    fetchAll(beside, address)
    moveClone(beside.dir, clone.dir)
  } finally {
    rmSync(beside.dir, { recursive: true, force: true })
  }
}

/** Another run may have been first; its clone is as good. */
function moveClone(beside: string, clone: string): void {
  try {
    renameSync(beside, clone)
  } catch (error) {
    if (!existsSync(clone)) throw error
  }
}

/**
 * Opens a repository on disk. One that the git around it tracks was cloned with the fleet, with whatever configuration its author gave it:
 * it is read only when the options trust it.
 */
function openLocal(address: string, { base, seconds, trusted }: GitPlaces): GitRepository {
  const dir = resolve(base, localPath(address))
  if (!existsSync(dir)) throw new GitError(`no git repository at '${address}'`)
  const repository: GitRepository = { dir, kind: isBare(dir) ? 'bare' : 'checkout', seconds }
  if (trusted?.has(address) === true) return repository
  // A worktree has its configuration and objects in a common folder.
  for (const place of ['--absolute-git-dir', '--git-common-dir']) {
    const gitDir = runGit(repository, ['rev-parse', place]).toString('utf8').replace(/\n$/, '')
    if (isTracked(realpathSync(resolve(dir, gitDir)), seconds)) throw notTrusted(address)
  }
  return repository
}

function notTrusted(address: string): GitError {
  return new GitError(
    `the git repository at '${address}' must not be part of what the git around it tracks, since its configuration came with a clone; \`trusted: true\` of the repository reads it nevertheless`,
  )
}

/** Returns true for a folder that git takes for a repository without a checkout. */
function isBare(dir: string): boolean {
  return !existsSync(join(dir, '.git')) && ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(dir, name)))
}

/** Returns true when a checkout holds a repository as files of its own. Git tracks nothing in a folder `.git`. */
function isTracked(gitDir: string, seconds: number | undefined): boolean {
  const top = gitDir.split('/').includes('.git') ? undefined : checkoutAround(dirname(gitDir))
  if (top === undefined) return false
  const files = ['HEAD', 'config'].map((name) => join(gitDir, name))
  return runGit({ dir: top, seconds }, ['--literal-pathspecs', 'ls-files', '-z', '--', ...files]).length > 0
}

function checkoutAround(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder
  return dirname(folder) === folder ? undefined : checkoutAround(dirname(folder))
}
