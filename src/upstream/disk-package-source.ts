import { compareText } from '../field-path.ts'
import { placeInside, realPlace } from '../folder/inside-folder.ts'
import { below, type NamedFolder } from '../folder/named-folder.ts'
import { linksLeftOut, readWholePackage } from '../folder/read-whole-package.ts'
import { foldersBeside, gatedDiskFolder, locateFolder, type WholeFolder } from '../folder/whole-folder.ts'
import { CheckoutGaps } from '../git/checkout-gaps.ts'
import { gapFinding } from '../git/gap-findings.ts'
import { findCommits, gitFolder, listGitFiles, listTags } from '../git/git.ts'
import { printAddress } from '../git/git-address.ts'
import { type GitPlaces, openRepository } from '../git/git-cache.ts'
import type { GitSnapshot } from '../git/git-snapshot.ts'
import type { GitRepository } from '../git/run-git.ts'
import { remember } from '../remember.ts'
import { folderOf } from '../resource-list/package-of.ts'
import type { CloneFlavour } from './repository-options.ts'
import type { GitPackageSource, PackageSource, SourcePackage } from './source-package.ts'
import { shortCommit } from './upstream-faults.ts'

/** The places of git repositories, and if upstream packages may be outside of the fleet's folder. */
interface DiskRequest extends GitPlaces {
  readonly allowOutside: boolean
}

/**
 * Returns the source of upstream packages in folders, relative to that of the fleet, and in git repositories.
 *
 * @param base  the folder of the fleet
 */
export function diskPackageSource(base: NamedFolder, { allowOutside, ...git }: DiskRequest, flavour: CloneFlavour): PackageSource {
  const locate = allowOutside ? locateFolder : placeInside
  const checkouts = new CheckoutGaps()
  return {
    folder: (path) => {
      const place = locate(base.disk, path)
      const folder = gatedDiskFolder(place)
      const { shown } = below(base, path)
      const gaps = checkouts.below(place)
      if (isEmpty(folder) && gaps.length === 0) return undefined
      const source = sourcePackageOf(folder, shown, flavour)
      return { ...source, disk: realPlace(place), faults: [...source.faults, ...gapFinding(gaps, (file) => `${shown}/${file}`)] }
    },
    beside: (path) => foldersBeside(base.disk, path),
    git: gitPackageSource(git, flavour),
  }
}

/** A folder of a fleet at a git revision: `prefix` is its path in the repository. */
export interface SnapshotFolder {
  readonly snapshot: GitSnapshot
  readonly prefix: string
  readonly shown: string
  readonly allowOutside: boolean
}

/** Returns the source of upstream packages in folders of a repository at a commit, relative to the folder of the fleet, and in git. */
export function snapshotPackageSource(
  { snapshot, prefix, shown, allowOutside }: SnapshotFolder,
  git: GitPackageSource,
  flavour: CloneFlavour,
): PackageSource {
  return {
    folder: (path) => {
      const folder = snapshot.folder(snapshot.locate(prefix, path, { allowOutside }))
      return isEmpty(folder) ? undefined : sourcePackageOf(folder, below({ disk: '', shown }, path).shown, flavour)
    },
    beside: (path) => snapshot.foldersBeside(prefix, path),
    git,
  }
}

/** Returns the git repositories as package sources. Each repository is opened once and its tags are listed once, when first needed. */
export function gitPackageSource(places: GitPlaces, flavour: CloneFlavour): GitPackageSource {
  const opened = new Map<string, GitRepository>()
  const open = (address: string): GitRepository => remember(opened, address, () => openRepository(address, places))
  const listed = new Map<string, readonly string[]>()
  const tags = (repository: string): readonly string[] => remember(listed, repository, () => listTags(open(repository)))
  return {
    commits: (repository, names) => findCommits(open(repository), names),
    tags,
    packages: (repository, commit) => listPackages(open(repository), commit),
    folder: (repository, commit, path) => {
      const folder = gitFolder(open(repository), commit, path)
      return isEmpty(folder) ? undefined : sourcePackageOf(folder, `${printAddress(repository)}@${shortCommit(commit)}:${path}`, flavour)
    },
  }
}

/** Returns the folders with a Kptfile at a commit, from the top of the repository; the top itself is '.'. */
function listPackages(repository: GitRepository, commit: string): readonly string[] {
  const { files } = listGitFiles(repository, commit, { folder: '', isUsed: (path) => /(^|\/)Kptfile$/.test(path) })
  return files.map(({ path }) => folderOf(path) || '.').sort(compareText)
}

/** Returns true for a folder without files. A folder with unsafe paths alone is not empty. */
function isEmpty({ files, gate }: WholeFolder): boolean {
  return files.size === 0 && (gate?.faults.length ?? 0) === 0
}

/**
 * Returns a folder as an upstream package. In kpt's flavour, files that a `.krmignore` excludes are carried as bytes; Porch ignores
 * `.krmignore`.
 */
export function sourcePackageOf(folder: WholeFolder, place: string, flavour: CloneFlavour): SourcePackage {
  const { contents, layouts, results } = readWholePackage(folder, { krmignore: flavour === 'kpt', place })
  return {
    place,
    files: contents,
    layouts,
    modes: new Map([...folder.files].map(([path, file]) => [path, file.mode])),
    results: [...results, ...linksLeftOut(folder, place)],
    faults: folder.gate?.results(place) ?? [],
  }
}
