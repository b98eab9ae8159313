import { createHash } from 'node:crypto'
import { existsSync, lstatSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { makeFolder } from '../folder/make-folder.ts'
import { addressFault, forGit, isRemote, localPath, printAddress } from './git-address.ts'
import { GitError, type GitRepository, runGit } from './run-git.ts'

/** The places of git repositories and their clones, and if the network may be used. */
export interface GitPlaces {
  /** The folder at which relative paths begin: that of the fleet. */
  readonly base: string
  /** The folder in which clones are kept between runs. */
  readonly cache: string
  readonly offline: boolean
  /** The seconds after which a git without output is ended. */
  readonly seconds?: number | undefined
  /** The addresses that may be read even if the fleet's own git tracks them. */
  readonly trusted?: ReadonlySet<string>
}

/**
 * Returns a folder of the user's cache (XDG Base Directory Specification), or one below the temporary folder if there is no home.
 *
 * @param content  `git` for clones, `functions` for the answers of functions, `locks` for the locks of folders, `renders` for the records
 *   of renders
 */
export function cacheFolder(
  { XDG_CACHE_HOME, HOME }: Readonly<Record<string, string | undefined>>,
  temporary: string,
  content: 'git' | 'functions' | 'locks' | 'renders' = 'git',
): string {
  return join(XDG_CACHE_HOME || (HOME ? join(HOME, '.cache') : temporary), 'krm-variants', content)
}

/**
 * Opens a repository. A path or file URL is read in place. Of any other address a clone is kept, and each call fetches all branches and
 * tags once.
 *
 * @param address  a path, `HOST:PATH` or a URL
 * @throws GitError  when git cannot reach the repository, when there is no clone and the network must not be used, or when the clone
 * belongs to another user
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

/**
 * Throws if the clone belongs to another user: git runs programs that a clone's configuration names, and another user may have put the
 * clone there, for example below /tmp.
 */
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

/** Fetches all branches and tags under their own names. `--progress` shows that the server is alive. */
function fetchAll(clone: GitRepository, address: string): void {
  const options = ['--progress', '--prune', '--force', '--no-recurse-submodules']
  const refs = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*']
  runGit(clone, ['fetch', ...options, '--', forGit(address), ...refs], { remote: address })
}

/** Returns the commit of the default branch of a repository on another machine; '' if it has none. @throws GitError */
export function remoteHead(clone: GitRepository, address: string): string {
  const lines = runGit(clone, ['ls-remote', '--', forGit(address), 'HEAD'], { remote: address }).toString('utf8')
  return /^([0-9a-f]{40,64})\tHEAD$/m.exec(lines)?.[1] ?? ''
}

/**
 * Clones into a folder beside the place and renames it, so that an interrupted clone is not mistaken for a whole one. The empty
 * template adds no hooks.
 */
function makeClone(clone: GitRepository, address: string): void {
  const beside: GitRepository = { ...clone, dir: `${clone.dir}.new-${process.pid}` }
  makeFolder(dirname(clone.dir))
  rmSync(beside.dir, { recursive: true, force: true })
  try {
    runGit(beside, ['init', '--quiet', '--bare', '--template='])
    fetchAll(beside, address)
    moveClone(beside.dir, clone.dir)
  } finally {
    rmSync(beside.dir, { recursive: true, force: true })
  }
}

/** Renames a clone to its place, unless another run has put its own there, which is equally good. */
function moveClone(beside: string, clone: string): void {
  try {
    renameSync(beside, clone)
  } catch (error) {
    if (!existsSync(clone)) throw error
  }
}

/**
 * Opens a repository on disk. A repository that the git around it tracks was cloned with the fleet, including a configuration by an
 * unknown author: it is read only if the options trust it.
 */
function openLocal(address: string, { base, seconds, trusted }: GitPlaces): GitRepository {
  const dir = resolve(base, localPath(address))
  if (!existsSync(dir)) throw new GitError(`no git repository at '${address}'`)
  const repository: GitRepository = { dir, kind: isBare(dir) ? 'bare' : 'checkout', seconds }
  if (trusted?.has(address) === true) return repository
  // A worktree has its configuration and objects in a common folder.
  const gitDirs = placesOf(repository, ['--absolute-git-dir', '--git-common-dir'])
  const real = new Set(gitDirs.map((gitDir) => realpathSync(resolve(dir, gitDir))))
  if ([...real].some((gitDir) => isTracked(gitDir, seconds))) throw notTrusted(address)
  return repository
}

/**
 * Returns the paths that options of `git rev-parse` print: from one process, or from one for each option where a path holds a line feed.
 */
function placesOf(repository: GitRepository, options: readonly string[]): readonly string[] {
  const print = (asked: readonly string[]) =>
    runGit(repository, ['rev-parse', ...asked])
      .toString('utf8')
      .replace(/\n$/, '')
  const lines = print(options).split('\n')
  return lines.length === options.length ? lines : options.map((option) => print([option]))
}

function notTrusted(address: string): GitError {
  return new GitError(
    `the git repository at '${address}' must not be part of what the git around it tracks, since its configuration came with a clone; \`trusted: true\` of the repository reads it nevertheless`,
  )
}

/** Returns true for a folder that git treats as a bare repository. */
export function isBare(dir: string): boolean {
  return !existsSync(join(dir, '.git')) && ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(dir, name)))
}

/** Returns true if a checkout tracks a repository as files. Git tracks nothing in a folder `.git`. */
function isTracked(gitDir: string, seconds: number | undefined): boolean {
  const top = gitDir.split('/').includes('.git') ? undefined : checkoutAround(dirname(gitDir))
  if (top === undefined) return false
  const files = ['HEAD', 'config'].map((name) => join(gitDir, name))
  return runGit({ dir: top, seconds }, ['--literal-pathspecs', 'ls-files', '-z', '--', ...files]).length > 0
}

/** Returns the folder or the nearest one above it that git calls a checkout; undefined if there is none. Git is not run. */
export function checkoutAround(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder
  return dirname(folder) === folder ? undefined : checkoutAround(dirname(folder))
}
