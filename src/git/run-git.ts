import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { constants } from 'node:os'
import { errorCode } from '../error-code.ts'
import { hideSecrets, printAddress, TRANSPORTS } from './git-address.ts'
import { WATCH, WATCH_SCRIPT } from './git-watch.ts'

/** A failure of git, in git's own words, without passwords. */
export class GitError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'GitError'
  }
}

/** Thrown when the user ended git with Ctrl-C: the whole run ends. */
export class Interruption extends Error {
  constructor() {
    super('interrupted')
    this.name = 'Interruption'
  }
}

/** A repository, and how it may be read. */
export interface GitRepository {
  /** A folder of its checkout, or the repository itself. */
  readonly dir: string
  /** The kind of `dir`: a folder in a checkout, a bare repository that the user named, or a clone of ours. Without it, the first. */
  readonly kind?: 'checkout' | 'bare' | 'clone'
  /** The seconds after which an idle git is ended; default: DEFAULT_SECONDS. */
  readonly seconds?: number | undefined
}

export const DEFAULT_SECONDS = 60

/** The settings of a call of git, without its arguments. */
export interface GitCall {
  readonly input?: string | Uint8Array
  /** The address that git may ask over the network; no other call of git may use any transport. */
  readonly remote?: string
  /** The number of bytes that git may print; default: MOST_BYTES. */
  readonly most?: number
}

/**
 * Returns what git prints. Git is run here and nowhere else; the only other programs are those that the user allows (src/pipeline/runners).
 * The user's own configuration of git counts (credential helpers, ssh, proxies), but nothing that a repository says about itself runs a
 * program: see `SETTINGS` and `gitEnvironment`.
 *
 * A call that reads a repository on disk may take as long as the limit in all. One that asks the network may take longer as long as
 * something arrives, and is ended with the programs that it started: ssh, say, or a helper.
 *
 * @throws GitError, or Interruption
 */
export function runGit(
  { dir, kind = 'checkout', seconds = DEFAULT_SECONDS }: GitRepository,
  args: readonly string[],
  call: GitCall = {},
): Buffer {
  const { input = '', remote, most = MOST_BYTES } = call
  const place = kind === 'clone' ? [`--git-dir=${dir}`] : ['-C', dir, '-c', `safe.bareRepository=${kind === 'bare' ? 'all' : 'explicit'}`]
  const command = ['--no-pager', '--no-replace-objects', ...SETTINGS.flatMap((setting) => ['-c', setting]), ...place, ...args]
  const options = { input, maxBuffer: most, env: gitEnvironment(process.env, remote === undefined ? [] : TRANSPORTS) }
  const ended =
    remote === undefined
      ? spawnSync('git', command, { ...options, timeout: seconds * 1000, killSignal: 'SIGKILL' })
      : spawnSync(process.execPath, [...watcher(), WATCH, String(seconds), ...command], {
          ...options,
          stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
        })
  // A git that ended before it could be stopped is no failure by its own word, and its output is cut.
  if (ended.status === 0 && errorCode(ended.error) !== 'ENOBUFS') return ended.stdout
  throw failureOf(ended, args, { remote, most, seconds })
}

/** Returns why git printed nothing that can be used. */
function failureOf(
  { status, signal, stderr, error }: Omit<SpawnSyncReturns<Buffer>, 'output' | 'pid'>,
  args: readonly string[],
  { remote, most, seconds }: { readonly remote: string | undefined; readonly most: number; readonly seconds: number },
): GitError | Interruption {
  const code = errorCode(error)
  if (code === 'ETIMEDOUT' || status === TIMED_OUT) return tooLong(args, remote, seconds)
  if (signal === 'SIGINT' || status === INTERRUPTED) return new Interruption()
  if (code === 'ENOBUFS') return new GitError(`git ${args[0]}: its output must have at most ${most} bytes, has more`)
  if (code === 'ENOENT' || status === NOT_FOUND) return new GitError(NO_PROGRAM)
  // Git that fails at once does not read its input; its words say why.
  if (error !== undefined && code !== 'EPIPE') return new GitError(`git cannot be run: ${error.message}`)
  const words = signal === null ? reasonIn(stderr.toString('utf8')) : `ended by ${signal}`
  const advice = /dubious ownership/.test(words) ? `; ${OTHER_OWNER}` : ''
  return new GitError(`git ${args[0]}: ${hideSecrets(words, remote)}${advice}`)
}

const NO_PROGRAM = "the program 'git' must be in a folder of PATH, found none; git repositories are read with it"
/** The advice about a repository that another user owns, as in containers of CI. */
const OTHER_OWNER = 'git config --global --add safe.directory PATH allows it, with the path of the repository'
/** The most that a Buffer can hold. */
const MOST_BYTES = 2 ** 31 - 1
/** The exit code of the watcher after it ended git. */
const TIMED_OUT = 124
/** The exit code of the watcher where no git is. */
const NOT_FOUND = 127
/** The exit code of the watcher after Ctrl-C. */
const INTERRUPTED = 128 + constants.signals.SIGINT

/**
 * Options that keep git from running programs of a repository's configuration: hooks, a monitor of files, maintenance, which goes on after
 * git ended, and the judge of signatures. Names are printed without colours, which people may have switched on for pipes, too. A
 * repository must not show one object in the place of another (refs/replace): the commit that a package notes is the commit that it is
 * made of. All else that runs a program (ssh, helpers, proxies, filters, external diffs) is reached by transports and commands that are
 * not used. A repository in the tree of another one, where a clone of the other brings it along, is not taken for the user's own
 * (safe.bareRepository).
 */
const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'protocol.ext.allow=never',
  'protocol.fd.allow=never',
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
  'log.showSignature=false',
  'color.ui=false',
  'color.grep=false',
]

/**
 * Returns the environment of git: that of the caller without `GIT_…`, which hooks of git set for other repositories and which names
 * programs too.
 * GIT_ALLOW_PROTOCOL wins over every configuration, also for what a server redirects to. Objects that are missing are not fetched:
 * git before 2.45 (2.39.4) does not know GIT_NO_LAZY_FETCH, and has no transport to fetch them by.
 *
 * @param transports  those that may be used
 */
export function gitEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  transports: readonly string[],
): Record<string, string | undefined> {
  const own = Object.entries(environment).filter(([name]) => !/^GIT_/i.test(name) || name === 'GIT_CONFIG_NOSYSTEM')
  return {
    ...Object.fromEntries(own),
    GIT_ALLOW_PROTOCOL: transports.length === 0 ? 'none' : transports.join(':'),
    GIT_NO_LAZY_FETCH: '1',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  }
}

/** Returns the arguments that make this process's own program the watcher: Node runs a text, the single executable knows a word. */
function watcher(): readonly string[] {
  return process.getBuiltinModule('node:sea').isSea() ? [] : ['-e', WATCH_SCRIPT, '--']
}

function tooLong(args: readonly string[], remote: string | undefined, seconds: number): GitError {
  const silence = remote === undefined ? `took longer than ${seconds} s` : `'${printAddress(remote)}' sent nothing for ${seconds} s`
  return new GitError(`git ${args[0]}: ${silence} and was ended; --git-timeout gives it longer`)
}

/** Returns the line of git's words with the reason: the first that is neither progress nor a warning. */
function reasonIn(words: string): string {
  const lines = words.split(/[\r\n]+/).map((line) => line.trimEnd())
  return (lines.find((line) => line !== '' && !NO_REASON.test(line)) ?? lines.find((line) => line !== '') ?? 'failed').trim()
}

const NO_REASON = /^(remote: )?[A-Z][a-z ]+:? +\d+[%,/ ]|^(remote: )?[A-Z][a-z ]+: \d+|^From |^ |^warning: |^Warning: |^Cloning into /
