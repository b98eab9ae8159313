import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { GitError, runGit } from './git.ts'

/** Where git repositories are, and whether the network may be asked for them. */
export interface GitPlaces {
  /** The folder that relative paths begin at. */
  readonly base: string
  /** Where clones are kept from one run to the next. */
  readonly cache: string
  readonly offline: boolean
}

/** The user's folder for caches (XDG Base Directory Specification), without a home the one for temporary files. */
export function cacheFolder({ XDG_CACHE_HOME, HOME }: Readonly<Record<string, string | undefined>>, temporary: string): string {
  return join(XDG_CACHE_HOME || (HOME ? join(HOME, '.cache') : temporary), 'krm-variants', 'git')
}

/**
 * A folder with the objects of a repository: a path, or a file URL, is read where it stands; of anything else a clone is kept, and brought up
 * to date with all branches and tags once for each call.
 *
 * @throws GitError  when git cannot reach it, or must not, and there is no clone
 */
export function openRepository(repository: string, { base, cache, offline }: GitPlaces): string {
  if (!isRemote(repository)) return localRepository(resolve(base, repository.replace(/^file:\/\//, '')), repository)
  const clone = join(cache, `${createHash('sha256').update(repository).digest('hex').slice(0, 32)}.git`)
  if (offline) return cached(clone, repository)
  if (existsSync(clone)) runGit(clone, ['fetch', '--quiet', '--prune', '--force', 'origin', ...EVERYTHING])
  else makeClone(clone, repository)
  return clone
}

/** All branches and tags, under their own names. */
const EVERYTHING = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*']

/** `SCHEME://…` but files, and `USER@HOST:PATH`, as git tells them from paths. */
function isRemote(repository: string): boolean {
  return /^(?!file:)[a-z][a-z0-9+.-]*:\/\//.test(repository) || /^[^/:]+@?[^/:]*:(?!\/\/)/.test(repository)
}

function localRepository(place: string, repository: string): string {
  if (!existsSync(place)) throw new GitError(`no git repository at '${repository}'`)
  runGit(place, ['rev-parse', '--git-dir'])
  return place
}

function cached(clone: string, repository: string): string {
  if (existsSync(clone)) return clone
  throw new GitError(`no clone of '${repository}' is kept yet, and the network must not be asked; run once without --offline`)
}

/** Beside its place, so that one that is interrupted is not taken for whole. */
function makeClone(clone: string, repository: string): void {
  const beside = `${clone}.new-${process.pid}`
  mkdirSync(dirname(clone), { recursive: true })
  rmSync(beside, { recursive: true, force: true })
  try {
    runGit(dirname(clone), ['clone', '--quiet', '--bare', '--', repository, beside])
    runGit(beside, ['fetch', '--quiet', '--force', 'origin', ...EVERYTHING])
    putThere(beside, clone)
  } finally {
    rmSync(beside, { recursive: true, force: true })
  }
}

/** Another run may have been first; its clone is as good. */
function putThere(beside: string, clone: string): void {
  try {
    renameSync(beside, clone)
  } catch (error) {
    if (!existsSync(clone)) throw error
  }
}
