import { spawnSync } from 'node:child_process'

/** Git could not do what it was asked to, in its own words. */
export class GitError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'GitError'
  }
}

/**
 * What the user's own git prints. It asks nobody for a password: whatever it needs must be in the user's configuration.
 *
 * @param dir  the repository, or a folder in it
 * @throws GitError
 */
export function runGit(dir: string, args: readonly string[], input = ''): Buffer {
  const { status, stdout, stderr, error } = spawnSync('git', ['-C', dir, ...args], {
    input,
    maxBuffer: MOST_BYTES,
    env: { ...process.env, GIT_TERMINAL_PROMPT: '0' },
  })
  if (error !== undefined) throw new GitError(`git cannot be run: ${error.message}`)
  if (status !== 0) throw new GitError(`git ${args[0]}: ${stderr.toString('utf8').trim().split('\n')[0]}`)
  return stdout
}

/** The most that a Buffer can hold. */
const MOST_BYTES = 2 ** 31 - 1

/** A file of a tree: its mode and the id of its content, in git's digits. The path is relative to the folder that was listed. */
export interface GitFile {
  readonly path: string
  readonly mode: string
  readonly id: string
}

/**
 * Every file below a folder at a revision; none when the folder is not there.
 *
 * @param dir     a folder of the repository
 * @param folder  from the top of the repository, '' for all of it; without one it is `dir` itself
 * @throws GitError  when git does not know the revision, or `dir` is in no repository
 */
export function listGitFiles(dir: string, revision: string, folder?: string): readonly GitFile[] {
  const prefix = folder === undefined || folder === '' ? '' : `${folder}/`
  const options = ['-r', '-z', ...(folder === undefined ? [] : ['--full-tree']), '--end-of-options']
  const output = runGit(dir, ['ls-tree', ...options, revision, ...(prefix === '' ? [] : [prefix])]).toString('utf8')
  const files = output.matchAll(/(\d+) blob ([0-9a-f]+)\t([^\0]+)\0/g)
  return Array.from(files, ([, mode = '', id = '', path = '']) => ({ mode, id, path: path.slice(prefix.length) }))
}

/** The contents of many objects by id, in one process: `ID blob SIZE`, a line feed, the bytes, a line feed, for one after the other. */
export function readGitContents(dir: string, ids: readonly string[]): ReadonlyMap<string, Buffer> {
  const output = runGit(dir, ['cat-file', '--batch'], [...new Set(ids)].map((id) => `${id}\n`).join(''))
  const contents = new Map<string, Buffer>()
  for (let at = 0; at < output.length; ) {
    const lineEnd = output.indexOf('\n', at)
    const [id = '', , size = '0'] = output.toString('latin1', at, lineEnd).split(' ')
    const end = lineEnd + 1 + Number(size)
    contents.set(id, output.subarray(lineEnd + 1, end))
    at = end + 1
  }
  return contents
}

/** The commits that some names stand for, in one process; undefined for a name that git does not know. */
export function findCommits(dir: string, names: readonly string[]): readonly (string | undefined)[] {
  const lines = runGit(dir, ['cat-file', '--batch-check'], names.map((name) => `${name}^{commit}\n`).join(''))
    .toString('utf8')
    .split('\n')
  return names.map((_, index) => /^([0-9a-f]+) commit \d+$/.exec(lines[index] ?? '')?.[1])
}

/** The names of all tags, the latest version first. */
export function listTags(dir: string): readonly string[] {
  const output = runGit(dir, ['for-each-ref', '--sort=-v:refname', '--format=%(refname:lstrip=2)', 'refs/tags']).toString('utf8')
  return output.split('\n').filter((tag) => tag !== '')
}
