import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { attempt } from '../attempt.ts'
import { type FileTree, folderTree } from '../folder/file-tree.ts'
import { PathGate } from '../folder/safe-path.ts'
import { fileInMemory, type WholeFile, type WholeFolder } from '../folder/whole-folder.ts'
import { printablePath } from '../printable.ts'
import { MAX_INPUT_BYTES } from '../resource-list/limits.ts'
import { FunctionError } from '../result.ts'
import { quoteText } from '../schema/describe-value.ts'
import { nearestName } from '../schema/nearest-name.ts'
import { isRevision } from './git-address.ts'
import { GitError, type GitRepository, runGit } from './run-git.ts'

/** A file of a git tree: its mode and the id of its content in hexadecimal. The path is relative to the listed folder. */
export interface GitFile {
  readonly path: string
  readonly mode: string
  readonly id: string
}

/** The usable files of a folder at a revision; the gate has the faults of the others. */
export interface GitListing {
  readonly files: readonly GitFile[]
  readonly gate: PathGate
}

/** The modes of files, as git canonicalizes them, with their names. */
export const GIT_MODES = { regular: '100644', executable: '100755', link: '120000' } as const
const KNOWN_MODES: ReadonlySet<string> = new Set(Object.values(GIT_MODES))

/**
 * Lists every file below a folder at a revision; none if the folder is missing. Every path is checked by the gate, since a tree can be
 * crafted: git checks paths only at checkout.
 *
 * @param repository  a folder of the repository
 * @param options     `folder`: relative to the top of the repository, '' for the whole repository; if unset, the repository's `dir`
 * itself. `isUsed`: paths for which it returns false are neither listed nor checked
 * @throws GitError  when git does not know the revision, or the folder is in no repository
 */
export function listGitFiles(
  repository: GitRepository,
  revision: string,
  { folder, isUsed = () => true }: { readonly folder?: string; readonly isUsed?: (path: string) => boolean } = {},
): GitListing {
  const prefix = folder === undefined || folder === '' ? '' : `${folder}/`
  const options = ['-r', '-z', ...(folder === undefined ? [] : ['--full-tree']), '--end-of-options']
  const args = ['ls-tree', ...options, revision, ...(prefix === '' ? [] : [prefix])]
  const output = runGit(repository, args, { most: MAX_INPUT_BYTES }).toString('latin1')
  const gate = new PathGate()
  const files = output.split('\0').flatMap((record) => (record === '' ? [] : readRecord(record, prefix, { gate, isUsed })))
  return { files, gate }
}

/** Returns the file of a record `MODE TYPE ID<tab>PATH`; none for a refused or unused entry. The path may hold any byte except NUL. */
function readRecord(
  record: string,
  prefix: string,
  { gate, isUsed }: { readonly gate: PathGate; readonly isUsed: (path: string) => boolean },
): readonly GitFile[] {
  const tab = record.indexOf('\t')
  const [mode = '', type = '', id = ''] = record.slice(0, tab).split(' ')
  const bytes = Buffer.from(record.slice(tab + 1), 'latin1')
  const whole = bytes.toString('utf8')
  // A submodule in the place of the folder itself is listed without the slash at its end.
  const isBelow = whole.startsWith(prefix)
  const path = isBelow ? whole.slice(prefix.length) : whole
  if (!isUsed(path)) return []
  if (!isUtf8(bytes)) gate.refuse(path, 'unsafe-path', 'must be UTF-8', printedBytes(bytes.subarray(Buffer.byteLength(prefix))))
  else if (type === 'commit') gate.refuse(path, 'tree-entry', `must be a file or a symbolic link, got ${SUBMODULE}`)
  else if (!KNOWN_MODES.has(mode) || type !== 'blob') gate.refuse(path, 'tree-entry', `must be ${ENTRIES}, got mode ${mode} of git`)
  else if (!isBelow) gate.refuse(path, 'unsafe-path', `must be below '${printablePath(prefix)}'`)
  else if (gate.admits(path)) return [{ path, mode, id }]
  return []
}

/** The mode that git prints for a submodule, and for every mode that it does not know. */
const SUBMODULE = 'mode 160000 of git: a submodule, whose files are in another repository, or a mode that git does not know'
const ENTRIES = 'a regular file (100644), an executable file (100755) or a symbolic link (120000)'

function printedBytes(bytes: Buffer): string {
  return bytes.toString('latin1').replace(/[^ -[\]-~]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

/**
 * Reads the contents of files in one process, by path. Git prints `ID blob SIZE`, a line feed, the bytes and a line feed for each
 * object. The listing's gate refuses a file whose object is missing, is no file content, or does not match its id; such a file has no
 * content.
 *
 * @param files     the wanted files of the listing
 * @param revision  the listed revision, for messages
 * @throws GitError  when git cannot read an object that it has
 */
export function readGitContents(repository: GitRepository, revision: string, { files, gate }: GitListing): ReadonlyMap<string, Buffer> {
  const objects = readObjects(repository, new Set(files.map(({ id }) => id)))
  const contents = new Map<string, Buffer>()
  for (const { path, id } of files) {
    const found = objects.get(id) ?? 'missing'
    if (typeof found === 'string')
      gate.refuse(path, 'tree-entry', `must have its content in the repository, object ${id} of ${revision} is ${found}`)
    else contents.set(path, found)
  }
  return contents
}

/** Returns the bytes of objects by id. For an object without usable content, returns the reason: `missing`, `damaged`, `a tree`. */
function readObjects(repository: GitRepository, ids: ReadonlySet<string>): ReadonlyMap<string, Buffer | string> {
  if (ids.size === 0) return new Map()
  const output = runGit(repository, ['cat-file', '--batch'], { input: [...ids].map((id) => `${id}\n`).join('') })
  const objects = new Map<string, Buffer | string>()
  for (let at = 0; at < output.length; ) {
    const lineEnd = output.indexOf('\n', at)
    const [, id = '', type = '', size] = /^([0-9a-f]+) ([a-z]+)(?: (\d+))?$/.exec(output.toString('latin1', at, lineEnd)) ?? []
    const end = size === undefined ? lineEnd : lineEnd + 1 + Number(size)
    if (id === '' || lineEnd === -1 || end > output.length) throw new GitError('git cat-file: its output cannot be read')
    objects.set(id, type === 'blob' ? intact(id, output.subarray(lineEnd + 1, end)) : size === undefined ? type : `a ${type}`)
    at = end + 1
  }
  return objects
}

/** Returns the bytes of a file, or `damaged` if their hash is not the object's id: git does not check the hash when it reads an object. */
function intact(id: string, bytes: Buffer): Buffer | string {
  const hash = createHash(id.length === SHA1_DIGITS ? 'sha1' : 'sha256')
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex') === id ? bytes : 'damaged'
}

const SHA1_DIGITS = 40

/**
 * Returns the commits that names resolve to, in one process; undefined for a name that git does not know, or that cannot be a revision.
 * Git answers each name with one line, `ID commit SIZE` or `NAME^{commit} missing`, so a name without a line feed cannot imitate an
 * answer.
 *
 * @throws GitError
 */
export function findCommits(repository: GitRepository, names: readonly string[]): readonly (string | undefined)[] {
  const asked = names.filter(isRevision)
  const output = runGit(repository, ['cat-file', '--batch-check'], { input: asked.map((name) => `${name}^{commit}\n`).join('') })
  const lines = output.toString('utf8').split('\n').slice(0, -1)
  if (lines.length !== asked.length) throw new GitError(`git cat-file: ${lines.length} answers for ${asked.length} names`)
  const commits = new Map(asked.map((name, index) => [name, /^([0-9a-f]{40,64}) commit \d+$/.exec(lines[index] ?? '')?.[1]]))
  return names.map((name) => commits.get(name))
}

/** Returns the end of a message about a revision that is missing: what to do in a clone without its history, else nothing. */
export function historyHint(repository: GitRepository): string {
  const answer = attempt(() => runGit(repository, ['rev-parse', '--is-shallow-repository']).toString('utf8'), GitError)
  if (answer?.trim() !== 'true') return ''
  return '; this clone is shallow, without the earlier commits: `git fetch --unshallow` brings them (in CI a depth of 0: `fetch-depth: 0` of actions/checkout, `GIT_DEPTH: 0` of GitLab)'
}

/**
 * Returns what is wrong with a revision that git does not know: that there is no commit at all, else the nearest name of a branch or tag.
 */
export function unknownRevision(name: string, repository: GitRepository): string {
  const listed = attempt(() => runGit(repository, ['for-each-ref', '--format=%(refname:lstrip=2)']).toString('utf8'), GitError) ?? ''
  const names = listed.split('\n').filter((each) => each !== '')
  const near = nearestName(name, names)
  const isBorn = attempt(() => findCommits(repository, ['HEAD'])[0], GitError) !== undefined
  const hint = near === undefined ? '' : `; did you mean ${quoteText(near)}?`
  return `git knows no such revision${isBorn ? hint : '; the current branch has no commit yet'}${historyHint(repository)}`
}

/** Returns the names of all tags, the latest version first. */
export function listTags(repository: GitRepository): readonly string[] {
  const output = runGit(repository, ['for-each-ref', '--sort=-v:refname', '--format=%(refname:lstrip=2)', 'refs/tags']).toString('utf8')
  return output.split('\n').filter((tag) => tag !== '')
}

/** Returns the top folder of the checkout that a folder is in. */
export function topOf(repository: GitRepository): string {
  return runGit(repository, ['rev-parse', '--show-toplevel']).toString('utf8').replace(/\n$/, '')
}

/**
 * Returns a folder of a checkout at the git revision `ref`; empty if the folder is missing there. Files that cannot hold resources are
 * left out.
 *
 * @param name    returns the name of a file in findings, for a caller outside of the folder
 * @param folder  relative to the top of the repository; if unset, the repository's `dir` itself
 * @throws GitError when git does not know the revision, or the folder is in no repository; FunctionError with every unsafe path and
 * every file whose content the repository lacks
 */
export function gitTree(ref: string, repository: GitRepository, name = (path: string): string => path, folder?: string): FileTree {
  const isUsed = (path: string): boolean => /(^|\/)(Kptfile|\.krmignore|[^/]*\.(yaml|yml|json))$/.test(path)
  const listing = listGitFiles(repository, ref, { ...(folder !== undefined && { folder }), isUsed })
  const texts = readGitContents(repository, ref, listing)
  const faults = listing.gate
    .results('')
    .map(({ file, ...fault }) => ({ ...fault, ...(file && { file: { ...file, path: name(file.path) } }) }))
  if (faults.length > 0) throw new FunctionError(faults)
  const ofLink = (path: string) => texts.get(posix.join(posix.dirname(path), String(texts.get(path))))
  const content = new Map(listing.files.map(({ path, mode }) => [path, mode === GIT_MODES.link ? ofLink(path) : texts.get(path)]))
  const paths = [...content].flatMap(([path, text]) => (text === undefined ? [] : [path]))
  return folderTree(paths, (path) => content.get(path) ?? Buffer.alloc(0))
}

/**
 * Returns a folder of a repository at a commit, without a checkout; empty if the folder is missing.
 *
 * @param repository  a folder in the repository
 * @param folder      relative to the top of the repository
 * @throws GitError
 */
export function gitFolder(repository: GitRepository, commit: string, folder: string): WholeFolder {
  const { files: listed, gate } = listGitFiles(repository, commit, { folder })
  const files = listed.filter(({ mode }) => mode !== GIT_MODES.link)
  const contents = readGitContents(repository, commit, { files, gate })
  const whole = files.flatMap(({ path, mode }): [string, WholeFile][] => {
    const bytes = contents.get(path)
    return bytes === undefined ? [] : [[path, fileInMemory(bytes, mode === GIT_MODES.executable ? 0o755 : 0o644)]]
  })
  const links = listed.filter(({ mode }) => mode === GIT_MODES.link).map(({ path }) => path)
  return { files: new Map(whole), links, gitFolders: [], leftovers: [], gate }
}

/**
 * Returns the files of a git tree; undefined if the repository that holds a folder does not have the tree, or the folder is in none.
 *
 * @param dir  a folder of a checkout
 * @param id   the id of the tree, which may be any text
 */
export function gitTreeFolder(dir: string, id: string): WholeFolder | undefined {
  if (!/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(id)) return undefined
  return attempt(() => gitFolder({ dir }, id, ''), GitError)
}
