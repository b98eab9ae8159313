import { posix, relative } from 'node:path'
import { attempt } from '../attempt.ts'
import { holdsResources } from '../folder/find-package-files.ts'
import { hasKeysOfObject } from '../folder/linked-folder.ts'
import { CHART_FILE } from '../folder/package-folders.ts'
import { once } from '../remember.ts'
import { folderOf, KPTFILE } from '../resource-list/package-of.ts'
import { GIT_MODES, listGitFiles, readGitContents } from './git.ts'
import { GitError, type GitRepository, runGit } from './run-git.ts'

/**
 * Returns a function that returns the path of a file with an object that git last had in the place of a symbolic link: in the last commit,
 * or in the commit before the link if the last commit has the link too. The path is relative to the link. Files of packages and charts
 * declare nothing of a fleet. The history is walked once for all links.
 *
 * @param dir  the real place of the folder of the links, in the checkout at `top`
 * @returns undefined if there was no such file, or git cannot say so, as in a clone without its history
 */
export function replacedObjects(dir: string, top: string): (link: string) => string | undefined {
  const repository: GitRepository = { dir: top }
  const committed = once(() => attempt(() => committedLinks(repository, relative(top, dir)), GitError))
  return (link) => {
    const path = relative(top, link)
    const links = committed()
    const commit = links?.has(path) === true ? links.get(path) : 'HEAD'
    return links === undefined || commit === undefined ? undefined : attempt(() => objectBelow(repository, commit, path), GitError)
  }
}

/** Returns the links of the last commit in a folder, each with the commit before it if that had a folder in the place. */
function committedLinks(repository: GitRepository, dir: string): ReadonlyMap<string, string | undefined> {
  const links = new Map<string, string | undefined>(linksIn(repository, dir).map((link) => [link, undefined]))
  const open = new Set(links.keys())
  for (const { commit, came, gone } of links.size === 0 ? [] : changesOf(repository, [...links.keys()])) {
    for (const link of came.filter((path) => open.delete(path))) {
      if (gone.some((path) => path.startsWith(`${link}/`))) links.set(link, `${commit}^`)
    }
  }
  return links
}

function linksIn(repository: GitRepository, dir: string): readonly string[] {
  const place = dir === '' ? [] : [dir]
  const listed = runGit(repository, ['ls-tree', '-r', '-z', '--full-tree', '--end-of-options', 'HEAD', ...place]).toString('utf8')
  return listed.split('\0').flatMap((entry) => (entry.startsWith(`${GIT_MODES.link} `) ? [entry.slice(entry.indexOf('\t') + 1)] : []))
}

/** A commit with the links that it made, and the files that it removed. */
interface LinkChange {
  readonly commit: string
  readonly came: readonly string[]
  readonly gone: readonly string[]
}

/** Returns the commits that changed links, or files in their places, from the last one. */
function changesOf(repository: GitRepository, links: readonly string[]): readonly LinkChange[] {
  // No newline in a path: the paths are given in lines.
  const paths = links.filter((link) => !link.includes('\n')).map((link) => `:(top,literal)${link}\n`)
  const log = runGit(repository, ['log', '-z', '--raw', '--no-renames', '--format=%H', '--stdin'], { input: `HEAD\n--\n${paths.join('')}` })
  const changes: { commit: string; came: string[]; gone: string[] }[] = []
  const parts = log.toString('utf8').split('\0').values()
  for (const part of parts) {
    const [, old, mode, status] = /^\n?:(\d+) (\d+) \S+ \S+ (\w)/.exec(part) ?? []
    if (status === undefined) {
      if (part !== '') changes.push({ commit: part, came: [], gone: [] })
      continue
    }
    const path = parts.next().value ?? ''
    if (status === 'D') changes.at(-1)?.gone.push(path)
    else if (mode === GIT_MODES.link && old !== GIT_MODES.link) changes.at(-1)?.came.push(path)
  }
  return changes
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
