import { posix, relative } from 'node:path'
import { attempt } from '../attempt.ts'
import { holdsResources } from '../folder/find-package-files.ts'
import { hasKeysOfObject } from '../folder/linked-folder.ts'
import { CHART_FILE } from '../folder/package-folders.ts'
import { folderOf, KPTFILE } from '../resource-list/package-of.ts'
import { GIT_MODES, listGitFiles, readGitContents } from './git.ts'
import { GitError, type GitRepository, runGit } from './run-git.ts'

/**
 * Returns the path of a file with an object that git last had in the place of a symbolic link: in the last commit, or in the commit before
 * the link if the last commit has the link too. The path is relative to the link. Files of packages and charts declare nothing of a fleet.
 *
 * @param link  the real place of the link in the checkout at `top`
 * @returns undefined if there was no such file, or git cannot say so, as in a clone without its history
 */
export function replacedObject(link: string, top: string): string | undefined {
  const repository: GitRepository = { dir: top }
  const path = relative(top, link)
  return attempt(() => {
    let commit = 'HEAD'
    while (isLinkAt(repository, commit, path)) commit = `${lastChange(repository, commit, path)}^`
    return objectBelow(repository, commit, path)
  }, GitError)
}

function isLinkAt(repository: GitRepository, commit: string, path: string): boolean {
  const entry = runGit(repository, ['ls-tree', '-z', '--full-tree', '--end-of-options', commit, path])
  return entry.toString('latin1').startsWith(`${GIT_MODES.link} `)
}

function lastChange(repository: GitRepository, commit: string, path: string): string {
  return runGit(repository, ['log', '-1', '--format=%H', commit, '--', `:(top,literal)${path}`])
    .toString('utf8')
    .trim()
}

function objectBelow(repository: GitRepository, commit: string, folder: string): string | undefined {
  const isTop = (path: string): boolean => [KPTFILE, CHART_FILE].includes(posix.basename(path))
  const { files, gate } = listGitFiles(repository, commit, {
    folder,
    isUsed: (path) => isTop(path) || holdsResources(posix.basename(path)),
  })
  const tops = new Set(files.flatMap(({ path }) => (isTop(path) ? [folderOf(path)] : [])))
  const isWithin = (own: string): boolean => tops.has(own) || (own !== '' && isWithin(folderOf(own)))
  const loose = files.filter(({ path, mode }) => mode !== GIT_MODES.link && !isWithin(folderOf(path)))
  const contents = readGitContents(repository, commit, { files: loose, gate })
  return loose.find(({ path }) => hasKeysOfObject(contents.get(path)?.toString('utf8') ?? ''))?.path
}
