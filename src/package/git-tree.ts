import { posix } from 'node:path'
import { FunctionError } from '../result.ts'
import type { FileTree } from './file-tree.ts'
import { folderTree } from './folder-tree.ts'
import { GIT_MODES, listGitFiles, readGitContents } from './git.ts'
import type { GitRepository } from './run-git.ts'

/**
 * Returns a folder of a checkout at the git revision `ref`; empty if the folder is missing there. Files that cannot hold resources are
 * left out.
 *
 * @param name  returns the name of a file in findings, for a caller outside of the folder
 * @throws GitError when git does not know the revision, or the folder is in no repository; FunctionError with every unsafe path and
 * every file whose content the repository lacks
 */
export function gitTree(ref: string, repository: GitRepository, name = (path: string): string => path): FileTree {
  const listing = listGitFiles(repository, ref, { isUsed: (path) => /(^|\/)(Kptfile|\.krmignore|[^/]*\.(yaml|yml|json))$/.test(path) })
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
