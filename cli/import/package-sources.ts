import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, isAbsolute, join, posix, relative, sep } from 'node:path'
import { linksLeftOut, readWholePackage, withoutLeftOut } from '../../src/folder/read-whole-package.ts'
import { isSafePath } from '../../src/folder/safe-path.ts'
import { gatedDiskFolder, type WholeFolder } from '../../src/folder/whole-folder.ts'
import { findCommits, gitFolder, listGitFiles, listTags } from '../../src/git/git.ts'
import { addressFault, isRefName, isRemote, localPath, printAddress, REF_RULE } from '../../src/git/git-address.ts'
import { cacheFolder, isBare, openRepository, remoteHead } from '../../src/git/git-cache.ts'
import { GitError, type GitRepository } from '../../src/git/run-git.ts'
import { digestOfFiles, type ImportOrigin, type RevisionFiles } from '../../src/intake/next-revision.ts'
import { folderOf, KPTFILE } from '../../src/resource-list/package-of.ts'
import { FunctionError, hasErrors, type Result } from '../../src/result.ts'
import type { Host } from '../host.ts'
import { isFile, isFolder } from '../place-kind.ts'
import { UsageError } from '../usage-error.ts'

/** A package of others, with all its files. */
export interface ImportedPackage {
  readonly files: RevisionFiles
  /** Each file as it is. */
  readonly disk: WholeFolder
  readonly results: readonly Result[]
  readonly origin: Omit<ImportOrigin, 'command'>
}

/**
 * Reads a kpt package: a folder, or a folder of a git repository, written as for `kpt pkg get`.
 *
 * @throws UsageError for what is no package; FunctionError for files that cannot be read
 */
export function readPackageSource(source: string, gitTimeout: number | undefined, host: Host): ImportedPackage {
  const place = host.locate(source)
  if (isFile(join(place, KPTFILE))) return packageIn(gatedDiskFolder(place), { name: basename(place), shown: source })
  if (isGit(source) || isFolderAtRevision(source, host)) return readGitPackage(source, gitTimeout, host)
  if (isFile(place)) throw new UsageError(`\`--package\` must name a folder, '${source}' is a file; --manifest takes files with objects`)
  if (!isFolder(place)) throw new UsageError(`\`--package\` must name a folder, there is no folder '${source}'`)
  throw new UsageError(`\`--package\` must name a kpt package, '${source}' has no Kptfile`)
}

/** Returns true for a URL, an address that names a program, `USER@HOST:PATH`, and a path with a folder NAME.git. */
export function isGit(source: string): boolean {
  return /^[a-z0-9+.-]+:(?:\/\/|:)|^[^/:]+@[^/:]+:|\.git(?:[/@]|$)/i.test(source)
}

/** Returns true for a folder on this machine with a revision behind it, such as `../catalog/web@v1`. */
function isFolderAtRevision(source: string, host: Host): boolean {
  const [, folder] = /^(.+)@[^@]+$/.exec(source) ?? []
  return folder !== undefined && !existsSync(host.locate(source)) && existsSync(host.locate(folder))
}

interface GitPackage {
  readonly repository: string
  /** The folder of the package, '' for the whole repository. */
  readonly folder: string
  readonly ref: string | undefined
}

/** Reads a package of a git repository without a checkout. */
function readGitPackage(source: string, gitTimeout: number | undefined, host: Host): ImportedPackage {
  const { repository: address, folder, ref } = readAddress(source, host)
  const shown = shownRepository(address, source, host)
  if (folder !== '' && !isSafePath(folder))
    throw new UsageError(`the folder of \`--package\` must be a path inside of the repository, got '${folder}'`)
  if (ref !== undefined && !isRefName(ref))
    throw new UsageError(`the revision of \`--package\` must be a tag, branch or commit, ${REF_RULE}, got '${ref}'`)
  try {
    const cache = cacheFolder(host.environment, tmpdir())
    const repository = openRepository(address, { base: host.locate('.'), cache, offline: false, seconds: gitTimeout })
    const commit = commitOf(repository, { repository: address, folder, ref }, shown)
    const found = gitFolder(repository, commit, folder)
    const faults = found.gate?.results(shown) ?? []
    if (hasErrors(faults)) throw new FunctionError(faults)
    const name = basename(
      folder === ''
        ? printAddress(address)
            .replace(/\/+$/, '')
            .replace(/\.git$/, '')
        : folder,
    )
    if (!found.files.has(KPTFILE)) throw new UsageError(noPackage({ shown, folder, ref }, packagesAt(repository, commit)))
    return packageIn(found, { name, shown: `${shown}${folder === '' ? '' : `/${folder}`}`, version: ref ?? commit.slice(0, 12), commit })
  } catch (error) {
    if (error instanceof GitError) throw new UsageError(`\`--package\` cannot be read from git: ${error.message}`)
    throw error
  }
}

/**
 * Splits `ADDRESS.git/FOLDER@REF`. The part behind the last '@' is the revision, as for `kpt pkg get`. A repository on this machine need
 * not end in `.git`: it is the nearest one around the folder.
 *
 * @throws UsageError for an address on another machine without `.git`
 */
function readAddress(source: string, host: Host): GitPackage {
  const [, address, inside = '', ref] = /^(.+?\.git)(?=[/@]|$)(?:\/(.*?))?(?:@([^@]*))?$/.exec(source) ?? []
  const fault = addressFault(address ?? source)
  if (fault !== undefined) throw new UsageError(`the address of \`--package\` ${fault}`)
  const split = (repository: string, folder: string, revision = '') => ({
    repository,
    folder: folder.replace(/^\/+|\/+$/g, ''),
    ref: revision === '' ? undefined : revision,
  })
  if (address !== undefined && (isRemote(address) || existsSync(host.locate(localPath(address))))) return split(address, inside, ref)
  if (isRemote(source))
    throw new UsageError(
      `the address of \`--package\` must have .git between repository and folder, such as https://example.com/org/catalog.git/web@v1, got '${printAddress(source)}'`,
    )
  const [, whole = '', revision] = /^(.*?)(?:@([^@]*))?$/.exec(source) ?? []
  const path = localPath(whole)
  for (let place = host.locate(path), folder = ''; ; folder = posix.join(basename(place), folder), place = dirname(place)) {
    if (existsSync(join(place, '.git')) || isBare(place)) return split(place, folder, revision)
    if (dirname(place) === place) throw new UsageError(`\`--package\` must name a git repository, there is none at '${printAddress(path)}'`)
  }
}

/** Returns the address of a repository for findings and the record. A folder has a relative address if the caller gave a relative one. */
function shownRepository(address: string, source: string, host: Host): string {
  const isFound = isAbsolute(address) && !isAbsolute(source) && !isRemote(source)
  return isFound ? relative(host.locate('.'), address).split(sep).join('/') || '.' : printAddress(address)
}

/** Returns the commit of a package. Of two tags FOLDER/v1 and v1 the first is taken, as kpt does. @throws UsageError */
function commitOf(repository: GitRepository, { repository: address, folder, ref }: GitPackage, shown: string): string {
  if (ref === undefined) return headOf(repository, address)
  const [ofFolder, plain] = findCommits(repository, folder === '' ? ['', ref] : [`${folder}/${ref}`, ref])
  const commit = ofFolder ?? plain
  if (commit !== undefined) return commit
  const isFolder = packagesAt(repository, headOf(repository, address)).includes(`${folder}@${ref}`)
  const tags = listTags(repository).slice(0, MOST_NAMES)
  const hint = isFolder
    ? `; '${folder}@${ref}' is a folder: write a revision behind it, '${folder}@${ref}@BRANCH'`
    : tags.length === 0
      ? ''
      : `; its tags are ${tags.join(', ')}`
  throw new UsageError(`the revision of \`--package\` must be a tag, branch or commit of '${shown}', got '${ref}'${hint}`)
}

/** The most names that a message lists. */
const MOST_NAMES = 10

function headOf(repository: GitRepository, address: string): string {
  const [commit] = findCommits(repository, [isRemote(address) ? remoteHead(repository, address) : 'HEAD'])
  if (commit !== undefined) return commit
  throw new UsageError(`\`--package\` must name a revision behind '@', '${printAddress(address)}' has no commit on its default branch`)
}

function packagesAt(repository: GitRepository, commit: string): readonly string[] {
  const { files } = listGitFiles(repository, commit, { folder: '', isUsed: (path) => /(^|\/)Kptfile$/.test(path) })
  return files.map(({ path }) => folderOf(path) || '.')
}

function noPackage({ shown, folder, ref }: { shown: string; folder: string; ref: string | undefined }, known: readonly string[]): string {
  const at = ref === undefined ? '' : ` at '${ref}'`
  const there = known.length === 0 ? 'there is no package in it' : `its packages are ${known.slice(0, MOST_NAMES).join(', ')}`
  return `\`--package\` must name a folder with a Kptfile, '${folder === '' ? '.' : folder}' of '${shown}'${at} is none; ${there}`
}

interface PackageName {
  readonly name: string
  /** The place of the package in findings. */
  readonly shown: string
  readonly version?: string
  readonly commit?: string
}

function packageIn(folder: WholeFolder, { shown, ...about }: PackageName): ImportedPackage {
  const { contents, results } = readWholePackage(folder, { krmignore: false, place: shown })
  const all = [...(folder.gate?.results(shown) ?? []), ...linksLeftOut(folder, shown), ...withoutLeftOut(results, folder, shown)]
  if (hasErrors(all)) throw new FunctionError(all)
  return { files: contents, disk: folder, results: all, origin: { source: 'package', ...about, sha256: digestOfFiles(folder.files) } }
}
