import { createHash } from 'node:crypto'
import { basename, relative } from 'node:path'
import { realPlace } from '../folder/inside-folder.ts'
import { nearestExisting } from '../folder/staging.ts'
import { printable } from '../printable.ts'
import { remember } from '../remember.ts'
import { isRemote, printAddress } from './git-address.ts'
import { GitError, type GitRepository, runGit } from './run-git.ts'

const DIGITS = 12
const COMMIT = 'commit:'

/** The name of a fleet, which its packages record so that no other fleet removes them. */
export interface FleetNames {
  readonly name: string
  /**
   * Returns true for a name that the fleet had earlier, where it is now, or has by another address: packages with this name are its own.
   *
   * @throws GitError  when a shallow clone cannot say what the first commit is
   */
  hadName(name: string): boolean
  /**
   * Returns true for the name of the folder in its repository, which the fleet had before the first commit, and for that of another address
   * of the same repository. Packages keep such a name: else each would change after the first commit, and two clones would take turns.
   */
  keepsName(name: string): boolean
}

/**
 * Returns the names of the fleet in a folder: the chosen one, else its identity. Packages of the identity that the folder had before the
 * first commit of its repository, or before the repository had a remote, are the fleet's own too.
 *
 * @param dir     the folder of the fleet
 * @param out     the folder of its packages, which need not exist
 * @param chosen  the option `fleet`; it has no earlier name
 * @param byGit   returns what `nameByGit` returns for the folder, for a caller who asks git once for several names
 */
export function fleetNames(dir: string, out: string, chosen?: string, byGit = () => nameByGit(dir)): FleetNames {
  if (chosen !== undefined) return { name: chosen, hadName: () => false, keepsName: () => false }
  const earlier = new Map<string, boolean>()
  const kept = new Map<string, boolean>()
  const keepsName = (name: string): boolean =>
    remember(kept, name, () => isFolderInClones(name, dir, out) || isOtherAddress(name, dir, out))
  return {
    name: fleetIdentity(dir, out, byGit),
    hadName(name) {
      const isEarlier =
        earlier.get(name) ??
        (name === folderIdentity(dir, out) || isTopFolder(name, dir, out) || isFirstCommit(name, dir) || keepsName(name))
      earlier.set(name, isEarlier)
      return isEarlier
    },
    keepsName,
  }
}

/**
 * Returns true for the name by the folder, if every clone has it: the fleet is below the top of its repository, whose name is that of the
 * clone, and the packages are in the same repository.
 */
function isFolderInClones(name: string, dir: string, out: string): boolean {
  return name === folderIdentity(dir, out) && (inGit(() => folderIn({ dir })) ?? '') !== '' && isOneRepository(dir, out)
}

/**
 * Returns true for the name by the folder that a fleet at the top of its repository had in another clone, such as that of a CI server: the
 * folder has the name of the clone. The packages must be in the same repository, at the same place.
 */
function isTopFolder(name: string, dir: string, out: string): boolean {
  const isSamePlace = name.startsWith('folder:') && name.endsWith(`:${placeDigest(dir, out)}`)
  return isSamePlace && inGit(() => folderIn({ dir })) === '' && isOneRepository(dir, out)
}

/** Returns true if a fleet and its packages are in one repository. */
function isOneRepository(dir: string, out: string): boolean {
  const topOf = (folder: string) => inGit(() => print({ dir: folder }, ['rev-parse', '--show-toplevel']))
  const top = topOf(dir)
  return top !== undefined && top === topOf(nearestExisting(out))
}

/** Returns true for the name by the first commit, which is looked for only if a name has one: the search reads the whole history. */
function isFirstCommit(name: string, dir: string): boolean {
  if (!name.startsWith(COMMIT)) return false
  if (name === commitIdentity(dir)) return true
  if (inGit(() => print({ dir }, ['rev-parse', '--is-shallow-repository'])) !== 'true') return false
  throw new GitError(
    `a package is of the fleet '${printable(name)}', named by its first commit, and this shallow clone does not have the first commit: fetch the history with git fetch --unshallow`,
  )
}

/**
 * Returns true for a name with another address of the fleet's repository and the same folder: an address of one of its remotes in another
 * form; or, where the packages are in the repository of the fleet, an address with the same last part, as a fork and a host alias have.
 */
function isOtherAddress(name: string, dir: string, out: string): boolean {
  const [, address = '', folder = ''] = /^([^/]+\/.*?)\/\/(.*)$/s.exec(name) ?? []
  if (address === '' || name.startsWith(COMMIT) || inGit(() => folderIn({ dir })) !== folder) return false
  const addresses = (inGit(() => [...remotesOf({ dir }).values()]) ?? []).flatMap((each) => addressName(each) ?? [])
  if (addresses.some((each) => canonicalName(each) === canonicalName(address))) return true
  return isOneRepository(dir, out) && addresses.some((each) => lastPart(each) === lastPart(address))
}

function lastPart(address: string): string {
  return basename(address).toLowerCase()
}

/** Names of hosts for SSH through the port of HTTPS, and of Azure DevOps for SSH. */
const OTHER_HOSTS: Readonly<Record<string, string>> = {
  'ssh.github.com': 'github.com',
  'altssh.gitlab.com': 'gitlab.com',
  'altssh.bitbucket.org': 'bitbucket.org',
  'ssh.dev.azure.com': 'dev.azure.com',
}

/** Hosts that do not distinguish capitals in paths. */
const WITHOUT_CASE: ReadonlySet<string> = new Set(['github.com', 'gitlab.com', 'bitbucket.org', 'dev.azure.com'])

/**
 * Returns the name of an address without the default ports, and by the usual name of the host: `ssh.github.com:443/me/fleet` is
 * `github.com/me/fleet`.
 */
function canonicalName(address: string): string {
  const [, written = '', path = ''] = /^([^/]*)\/(.*)$/s.exec(address) ?? []
  const plain = written.toLowerCase().replace(/:(?:22|443|9418)$/, '')
  const host = OTHER_HOSTS[plain] ?? plain
  const inHost = host === 'dev.azure.com' ? path.replace(/^v3\//, '').replace('/_git/', '/') : path
  return `${host}/${WITHOUT_CASE.has(host) ? inHost.toLowerCase() : inHost}`
}

/**
 * Returns what an action returns; undefined outside of git.
 *
 * @throws GitError  when there is a repository that git does not read, since another user owns it (safe.directory): the fleet would get
 * another name
 */
function inGit<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    if (!/dubious ownership/.test(error.message)) return undefined
    throw new GitError(`the name of the fleet is not known, since git refuses its repository, which another user owns: ${error.message}`)
  }
}

/**
 * Returns the identity of the fleet in a folder. The identity contains no path of the machine:
 *
 * * in a git repository with a remote: the remote's address and the folder in the repository, `git.example.com/team/fleet//sets`, equal
 * for every transport, user and clone, and different for a fork;
 * * in a repository without a remote, or with a path as remote: the first commit instead of the address;
 * * elsewhere, and before the first commit: the folder's name and a digest of the path from the packages' folder to it.
 *
 * A fleet that moves, or whose remote moves, gets another identity: it is refused until the option `fleet` names the old one, unless
 * `fleetNames` knows that the two are one.
 *
 * @param dir    the folder of the fleet
 * @param out    the folder of its packages, which need not exist
 * @param byGit  as for `fleetNames`
 * @throws GitError  when git refuses the repository, since another user owns it
 */
export function fleetIdentity(dir: string, out: string, byGit = () => nameByGit(dir)): string {
  return byGit() ?? folderIdentity(dir, out)
}

/**
 * Returns the identity of the fleet in a folder of a git repository; undefined outside of git and before the first commit.
 *
 * @throws GitError  as `fleetIdentity`
 */
export function nameByGit(dir: string): string | undefined {
  const repository = { dir }
  return inGit(() => {
    // Outside of git this question fails, and no other is asked.
    const folder = folderIn(repository)
    return `${remoteName(repository) ?? firstCommit(repository)}//${folder}`
  })
}

function folderIdentity(dir: string, out: string): string {
  return `folder:${basename(realPlace(dir))}:${placeDigest(dir, out)}`
}

/** Returns the digest of the path from the folder of the packages to that of the fleet. */
function placeDigest(dir: string, out: string): string {
  const path = relative(realPlace(out), realPlace(dir))
  return createHash('sha256').update(path).digest('hex').slice(0, DIGITS)
}

/** Returns the identity without the remote; undefined outside of git and before the first commit. */
function commitIdentity(dir: string): string | undefined {
  return inGit(() => `${firstCommit({ dir })}//${folderIn({ dir })}`)
}

/** Returns the path of a folder from the top of its checkout. */
function folderIn(repository: GitRepository): string {
  return print(repository, ['rev-parse', '--show-prefix']).replace(/\/$/, '')
}

/** Returns `HOST/PATH` of the remote; undefined if there is none or the remote is a path. */
function remoteName(repository: GitRepository): string | undefined {
  const address = remoteAddress(repository)
  return address === undefined ? undefined : addressName(address)
}

/** Returns the address of `origin`, else of the only remote, as written; undefined if there is none. @throws GitError */
export function remoteAddress(repository: GitRepository): string | undefined {
  const remotes = remotesOf(repository)
  const [only, ...others] = remotes.values()
  return remotes.get('origin') ?? (others.length === 0 ? only : undefined)
}

/** Returns `HOST/PATH` of an address; undefined for a path. */
function addressName(address: string): string | undefined {
  if (!isRemote(address)) return undefined
  const [host = '', ...path] = printAddress(address)
    .replace(/^[a-z0-9+.-]+:\/\//i, '')
    .replace(/^([^/:]+):(?!\d+\/)/, '$1/')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .split('/')
  return [host.toLowerCase(), ...path.filter((part) => part !== '')].join('/')
}

/** Returns the addresses of remotes as written: rewrites by a machine's own configuration would differ between machines. */
function remotesOf(repository: GitRepository): ReadonlyMap<string, string> {
  const listed = runGit(repository, ['config', '--list', '--null']).toString('utf8').split('\0')
  return new Map(
    listed.flatMap((entry) => {
      const [, name, address] = /^remote\.(.+)\.url\n(.*)$/s.exec(entry) ?? []
      return name === undefined || address === undefined ? [] : [[name, address] as const]
    }),
  )
}

/**
 * Returns the beginning of the first commit's id.
 *
 * @throws GitError  when there is no commit
 */
function firstCommit(repository: GitRepository): string {
  const roots = print(repository, ['rev-list', '--max-parents=0', 'HEAD']).split('\n')
  return `${COMMIT}${(roots.at(-1) ?? '').slice(0, DIGITS)}`
}

function print(repository: GitRepository, args: readonly string[]): string {
  return runGit(repository, args).toString('utf8').replace(/\n$/, '')
}
