import { posix } from 'node:path'
import type { FileTree } from './file-tree.ts'
import { folderTree } from './folder-tree.ts'
import { listGitFiles, readGitContents } from './git.ts'

const LINK = '120000'

/**
 * The folder `dir` as it stood at the git revision `ref`; empty if it was not there.
 *
 * @throws GitError when git does not know the revision, or `dir` is in no repository
 */
export function gitTree(ref: string, dir: string): FileTree {
  const files = listGitFiles(dir, ref).filter(({ path }) => /(^|\/)(Kptfile|\.krmignore|[^/]*\.(yaml|yml|json))$/.test(path))
  const contents = readGitContents(
    dir,
    files.map(({ id }) => id),
  )
  const texts = new Map(files.map(({ path, id }) => [path, contents.get(id) ?? Buffer.alloc(0)]))
  const ofLink = (path: string) => texts.get(posix.join(posix.dirname(path), String(texts.get(path))))
  const content = new Map(files.map(({ path, mode }) => [path, mode === LINK ? ofLink(path) : texts.get(path)]))
  const paths = [...content].flatMap(([path, text]) => (text === undefined ? [] : [path]))
  return folderTree(paths, (path) => content.get(path) ?? Buffer.alloc(0))
}
