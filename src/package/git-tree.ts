import { posix } from 'node:path'
import { FunctionError } from '../result.ts'
import type { FileTree } from './file-tree.ts'
import { folderTree } from './folder-tree.ts'
import { GIT_MODES, listGitFiles, readGitContents } from './git.ts'
import type { GitRepository } from './run-git.ts'

/**
 * A folder of a checkout as it stood at the git revision `ref`; empty if it was not there. Files that can hold no resources are left out.
 *
 * @param name  what each file is called in findings, for a caller who is not in the folder
 * @throws GitError when git does not know the revision, or the folder is in no repository; FunctionError with every path that must not be used, and
 *   every file whose content the repository lacks
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
