import { spawnSync } from 'node:child_process'
import { posix } from 'node:path'
import { compareNames, type FileTree, type TreeEntry } from '../src/package/file-tree.ts'
import { UsageError } from './usage-error.ts'

const LINK = '120000'

/** A file of a revision: its mode and the id of its content, in git's digits. */
interface GitFile {
  readonly path: string
  readonly mode: string
  readonly id: string
}

/**
 * The folder `dir` as it stood at the git revision `ref`; empty if it was not there.
 *
 * @throws UsageError when git does not know the revision, or `dir` is in no repository
 */
export function gitTree(ref: string, dir: string): FileTree {
  const files = listFiles(ref, dir).filter(({ path }) => /(^|\/)(Kptfile|\.krmignore|[^/]*\.(yaml|yml|json))$/.test(path))
  const contents = readContents(files, dir)
  const texts = new Map(files.map(({ path, id }) => [path, contents.get(id) ?? Buffer.alloc(0)]))
  const ofLink = (path: string) => texts.get(posix.join(posix.dirname(path), String(texts.get(path))))
  const content = new Map(files.map(({ path, mode }) => [path, mode === LINK ? ofLink(path) : texts.get(path)]))
  const folders = groupByFolder([...content].flatMap(([path, text]) => (text === undefined ? [] : [path])))
  return { list: (folder) => folders.get(folder) ?? [], read: (path) => content.get(path) ?? Buffer.alloc(0) }
}

function listFiles(ref: string, dir: string): readonly GitFile[] {
  const output = git(dir, ['ls-tree', '-r', '-z', '--end-of-options', ref]).toString('utf8')
  return Array.from(output.matchAll(/(\d+) blob ([0-9a-f]+)\t([^\0]+)\0/g), ([, mode = '', id = '', path = '']) => ({ mode, id, path }))
}

/** The contents by id: `ID blob SIZE`, a line feed, the bytes, a line feed, for one after the other. */
function readContents(files: readonly GitFile[], dir: string): ReadonlyMap<string, Buffer> {
  const output = git(dir, ['cat-file', '--batch'], files.map(({ id }) => `${id}\n`).join(''))
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

function git(dir: string, args: readonly string[], input = ''): Buffer {
  const { status, stdout, stderr, error } = spawnSync('git', ['-C', dir, ...args], { input, maxBuffer: 2 ** 31 - 1 })
  if (error !== undefined) throw new UsageError(`git cannot be run: ${error.message}`)
  if (status !== 0) throw new UsageError(`git ${args[0]}: ${stderr.toString('utf8').trim().split('\n')[0]}`)
  return stdout
}

/** What stands in each folder, down to every path. */
function groupByFolder(paths: readonly string[]): ReadonlyMap<string, readonly TreeEntry[]> {
  const folders = new Map<string, Map<string, TreeEntry>>([['', new Map()]])
  for (const path of paths) {
    const steps = path.split('/')
    for (const [depth, name] of steps.entries()) {
      const folder = steps.slice(0, depth).join('/')
      const entries = folders.get(folder) ?? new Map<string, TreeEntry>()
      folders.set(folder, entries.set(name, { name, type: depth === steps.length - 1 ? 'file' : 'folder' }))
    }
  }
  return new Map(Array.from(folders, ([folder, entries]) => [folder, [...entries.values()].sort(compareNames)]))
}
