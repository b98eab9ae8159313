import { createHash } from 'node:crypto'
import { basename, relative } from 'node:path'
import { isRemote, printAddress } from './git-address.ts'
import { realPlace } from './inside-folder.ts'
import { GitError, type GitRepository, runGit } from './run-git.ts'

const DIGITS = 12
const COMMIT = 'commit:'

/** The name of a fleet, which its packages record so that no other fleet removes them. */
export interface FleetNames {
  readonly name: string
  /** Returns true for a name that the fleet had earlier, where it is now: packages with this name are its own. */
  hadName(name: string): boolean
}

/**
 * Returns the names of the fleet in a folder: the chosen one, else its identity. Packages of the identity that the folder had before the
 * first commit of its repository, or before the repository had a remote, are the fleet's own too.
 *
 * @param dir     the folder of the fleet
 * @param out     the folder of its packages, which need not exist
 * @param chosen  the option `fleet`; it has no earlier name
 */
export function fleetNames(dir: string, out: string, chosen?: string): FleetNames {
  if (chosen !== undefined) return { name: chosen, hadName: () => false }
  const earlier = new Map<string, boolean>()
  return {
    name: fleetIdentity(dir, out),
    hadName(name) {
      // The first commit is looked for only if a package names one: the search reads the whole history.
      const isEarlier =
        earlier.get(name) ?? (name === folderIdentity(dir, out) || (name.startsWith(COMMIT) && name === commitIdentity(dir)))
      earlier.set(name, isEarlier)
      return isEarlier
    },
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
 * A fleet that moves, or whose remote moves, gets another identity: it is refused until the option `fleet` names the old one.
 *
 * @param dir  the folder of the fleet
 * @param out  the folder of its packages, which need not exist
 */
export function fleetIdentity(dir: string, out: string): string {
  try {
    const repository = { dir }
    return `${remoteName(repository) ?? firstCommit(repository)}//${folderIn(repository)}`
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    return folderIdentity(dir, out)
  }
}

function folderIdentity(dir: string, out: string): string {
  const place = realPlace(dir)
  const digest = createHash('sha256')
    .update(relative(realPlace(out), place))
    .digest('hex')
    .slice(0, DIGITS)
  return `folder:${basename(place)}:${digest}`
}

/** Returns the identity without the remote; undefined outside of git and before the first commit. */
function commitIdentity(dir: string): string | undefined {
  try {
    return `${firstCommit({ dir })}//${folderIn({ dir })}`
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    return undefined
  }
}

/** Returns the path of a folder from the top of its checkout. */
function folderIn(repository: GitRepository): string {
  return print(repository, ['rev-parse', '--show-prefix']).replace(/\/$/, '')
}

/** Returns `HOST/PATH` of `origin`, else of the only remote; undefined if there is none or the remote is a path. */
function remoteName(repository: GitRepository): string | undefined {
  const remotes = remotesOf(repository)
  const [only, ...others] = remotes.values()
  const address = remotes.get('origin') ?? (others.length === 0 ? only : undefined)
  if (address === undefined || !isRemote(address)) return undefined
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
