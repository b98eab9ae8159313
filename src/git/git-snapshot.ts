import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { attempt } from '../attempt.ts'
import { compareText } from '../field-path.ts'
import { type FileTree, folderTree } from '../folder/file-tree.ts'
import { OutsideError } from '../folder/inside-folder.ts'
import type { PathGate } from '../folder/safe-path.ts'
import type { WholeFile, WholeFolder } from '../folder/whole-folder.ts'
import { remember } from '../remember.ts'
import { FunctionError } from '../result.ts'
import { GIT_MODES, type GitFile, listGitFiles, readGitContents } from './git.ts'
import { GitError, type GitRepository, runGit } from './run-git.ts'

/** The most bytes of file contents that a snapshot keeps. Contents that are read again are read from git again. */
const MOST_KEPT = 32 * 1024 * 1024

/**
 * A repository at a commit, read without a checkout. The paths of all files are listed once; contents are read when they are needed, many
 * in one process if they are announced by `load`.
 */
export class GitSnapshot {
  readonly #repository: GitRepository
  readonly #commit: string
  readonly #gate: PathGate
  readonly #files = new Map<string, GitFile>()
  /** The paths of the files below each folder. */
  readonly #below = new Map<string, string[]>()
  readonly #contents = new Map<string, Buffer>()
  #kept = 0

  /** @throws GitError */
  constructor(repository: GitRepository, commit: string) {
    this.#repository = repository
    this.#commit = commit
    const { files, gate } = listGitFiles(repository, commit, { folder: '' })
    this.#gate = gate
    for (const file of files) {
      this.#files.set(file.path, file)
      for (let folder = posix.dirname(file.path); ; folder = posix.dirname(folder)) {
        const name = folder === '.' ? '' : folder
        remember(this.#below, name, () => []).push(file.path)
        if (name === '') break
      }
    }
  }

  /** Returns the paths of the files below a folder, from the top of the repository; '' is the top. */
  pathsBelow(folder: string): readonly string[] {
    return this.#below.get(folder) ?? []
  }

  /** Returns true if the repository has a file below the folder. */
  hasFolder(folder: string): boolean {
    return this.#below.has(folder)
  }

  /**
   * Returns the path of a folder, from the top of the repository.
   *
   * @param base  the folder that `path` is relative to
   * @throws OutsideError  when the folder is outside of the base or of the repository
   */
  locate(base: string, path: string, { allowOutside }: { readonly allowOutside: boolean }): string {
    const place = posix.join(base, path).replace(/\/$/, '')
    const isInside = !place.startsWith('../') && (allowOutside || base === '' || place === base || place.startsWith(`${base}/`))
    if (!isInside || posix.isAbsolute(path)) throw new OutsideError(path, undefined)
    return place === '.' ? '' : place
  }

  /** Returns the folders beside a folder, named like that folder. */
  foldersBeside(base: string, path: string): readonly string[] {
    const above = posix.dirname(path)
    const folder = posix.join(base, above).replace(/^\.$/, '')
    const names = this.pathsBelow(folder).flatMap((each) => {
      const [name = '', ...rest] = pathBelow(folder, each).split('/')
      return rest.length === 0 ? [] : [name]
    })
    return [...new Set(names)].sort(compareText).map((name) => posix.join(above, name))
  }

  /** Returns the ids of the files below a folder by their paths below the folder. */
  idsBelow(folder: string): ReadonlyMap<string, string> {
    return new Map(this.pathsBelow(folder).map((path) => [pathBelow(folder, path), this.#files.get(path)?.id ?? '']))
  }

  /** Reads the contents of files in one process. */
  load(paths: readonly string[]): void {
    const files = paths.flatMap((path) => this.#files.get(path) ?? []).filter(({ id }) => !this.#contents.has(id))
    if (files.length === 0) return
    if (this.#kept > MOST_KEPT) {
      this.#contents.clear()
      this.#kept = 0
    }
    const contents = readGitContents(this.#repository, this.#commit, { files, gate: this.#gate })
    for (const { path, id } of files) {
      const content = contents.get(path)
      if (content === undefined || this.#contents.has(id)) continue
      this.#contents.set(id, content)
      this.#kept += content.length
    }
  }

  /**
   * Returns the content of a file; of a symbolic link, that of the file in the repository that the link leads to.
   *
   * @throws FunctionError  when the repository lacks the content
   */
  read(path: string): Uint8Array {
    const file = this.#files.get(path)
    if (file === undefined) return new Uint8Array()
    const content = this.#contentOf(file)
    if (file.mode !== GIT_MODES.link) return content
    const target = this.#files.get(posix.join(posix.dirname(path), content.toString('utf8')))
    return target === undefined || target.mode === GIT_MODES.link ? new Uint8Array() : this.#contentOf(target)
  }

  #contentOf({ path, id }: GitFile): Buffer {
    if (!this.#contents.has(id)) this.load([path])
    const content = this.#contents.get(id)
    if (content === undefined) throw new FunctionError(this.#gate.results(''))
    return content
  }

  /** Returns a folder as a tree; a broken link is left out. */
  tree(folder: string): FileTree {
    const paths = this.pathsBelow(folder).filter((path) => this.#leadsToFile(path))
    const below = paths.map((path) => pathBelow(folder, path))
    const tree = folderTree(below, (path) => this.read(posix.join(folder, path)))
    return { ...tree, holding: (word) => this.#holding(folder, word) }
  }

  /** Returns the paths of the files below a folder that hold a word, and those of links; undefined if git finds none, or fails. */
  #holding(folder: string, word: string): ReadonlySet<string> | undefined {
    const place = folder === '' ? ':(top)' : `:(top,literal)${folder}`
    const search = ['grep', '-l', '-z', '--full-name', '-F', '-e', word, this.#commit, '--', place]
    const found = attempt(() => runGit(this.#repository, search).toString('utf8').split('\0'), GitError)
    const links = this.pathsBelow(folder).filter((path) => this.#files.get(path)?.mode === GIT_MODES.link)
    const paths = found?.flatMap((line) => (line === '' ? [] : [line.slice(this.#commit.length + 1)]))
    return paths && new Set([...paths, ...links].map((path) => pathBelow(folder, path)))
  }

  #leadsToFile(path: string): boolean {
    const file = this.#files.get(path)
    return file?.mode !== GIT_MODES.link || this.read(path).length > 0
  }

  /** Returns a folder with all its files; empty if the folder is missing. The gate refuses what must not be used. */
  folder(folder: string): WholeFolder {
    const files: [string, WholeFile][] = []
    const links: string[] = []
    for (const path of this.pathsBelow(folder)) {
      const file = this.#files.get(path)
      const name = pathBelow(folder, path)
      if (file?.mode === GIT_MODES.link) links.push(name)
      else if (file !== undefined) files.push([name, this.#wholeFile(file)])
    }
    files.sort(([a], [b]) => compareText(a, b))
    return { files: new Map(files), links, gitFolders: [], leftovers: [] }
  }

  #wholeFile(file: GitFile): WholeFile {
    const read = (): Buffer => this.#contentOf(file)
    return {
      mode: file.mode === GIT_MODES.executable ? 0o755 : 0o644,
      get size() {
        return read().length
      },
      read,
      holds: (other) => Buffer.compare(read(), other) === 0,
    }
  }
}

function pathBelow(folder: string, path: string): string {
  return folder === '' ? path : path.slice(folder.length + 1)
}

const SHA1_DIGITS = 40

/**
 * Returns the id that git gives a folder with these files, in a repository with SHA-1 ids.
 *
 * @param files  by their paths below the folder
 */
export function gitTreeIdOf(files: ReadonlyMap<string, Pick<WholeFile, 'mode' | 'read'>>): string {
  const entries = new Map<string, Map<string, Pick<WholeFile, 'mode' | 'read'>> | Pick<WholeFile, 'mode' | 'read'>>()
  for (const [path, file] of files) {
    const [name = '', ...rest] = path.split('/')
    const inside = entries.get(name)
    if (rest.length === 0) entries.set(name, file)
    else if (inside instanceof Map) inside.set(rest.join('/'), file)
    else entries.set(name, new Map([[rest.join('/'), file]]))
  }
  const lines = Array.from(entries, ([name, entry]) => {
    const isFolder = entry instanceof Map
    const mode = isFolder ? FOLDER_MODE : (entry.mode & ANY_EXECUTE) === 0 ? GIT_MODES.regular : GIT_MODES.executable
    const id = isFolder ? gitTreeIdOf(entry) : gitIdOf(entry.read(), '')
    // Git sorts a folder as if its name ended with a slash.
    return {
      order: Buffer.from(isFolder ? `${name}/` : name),
      line: Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]),
    }
  })
  const tree = Buffer.concat(lines.sort((a, b) => Buffer.compare(a.order, b.order)).map(({ line }) => line))
  return createHash('sha1').update(`tree ${tree.length}\0`).update(tree).digest('hex')
}

const FOLDER_MODE = '40000'
const ANY_EXECUTE = 0o111

/** Returns the id that git gives a file with this content. `like` is another id of the repository: its length names the hash. */
export function gitIdOf(content: Uint8Array, like: string): string {
  const hash = createHash(like.length === SHA1_DIGITS || like === '' ? 'sha1' : 'sha256')
  return hash.update(`blob ${content.length}\0`).update(content).digest('hex')
}
