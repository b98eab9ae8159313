import type { PackageFiles } from '../../merge/package-files.ts'
import type { PackageFile } from '../../package/package.ts'
import type { Result } from '../../result.ts'

/** A package as it was read from somewhere, whole. */
export interface SourcePackage {
  /** Where it was read, for people: `catalog/upf@v2`. */
  readonly place: string
  readonly files: PackageFiles
  /** Files that hold resources, with the text around these; none of a list. */
  readonly layouts: ReadonlyMap<string, PackageFile>
  /** Permissions by path; none of a list. */
  readonly modes: ReadonlyMap<string, number>
  /** What there is to say of files that cannot be read, or are not carried. */
  readonly results: readonly Result[]
  /** Errors of the tree itself: with one, the package must not be used, also not as the base of a merge. */
  readonly faults: readonly Result[]
}

/** Where upstream packages are read from. */
export interface PackageSource {
  /** The package in a folder; undefined when there is no such folder. */
  folder(path: string): SourcePackage | undefined
  /** The folders that stand beside one, by their whole paths. */
  beside(path: string): readonly string[]
  /** Git repositories, where there is a git to ask. */
  readonly git?: GitShelf
}

/** All throw GitError where git cannot do it. */
export interface GitShelf {
  /** The commits that some names stand for; undefined for a name that is not known. */
  commits(repository: string, names: readonly string[]): readonly (string | undefined)[]
  /** The names of all tags, the latest version first. */
  tags(repository: string): readonly string[]
  /** The folders of all packages at a commit, sorted. */
  packages(repository: string, commit: string): readonly string[]
  /** The package in a folder at a commit; undefined when there is no such folder. */
  folder(repository: string, commit: string, folder: string): SourcePackage | undefined
}
