import type { PackageFile } from '../folder/package.ts'
import type { PackageFiles } from '../merge/package-files.ts'
import type { Result } from '../result.ts'

/** An upstream package with all its files, as read from a folder, a list or git. */
export interface SourcePackage {
  /** The place that the package was read from, for messages: `catalog/upf@v2`. */
  readonly place: string
  /** The real path of the package, if it was read from a folder on disk. */
  readonly disk?: string
  readonly files: PackageFiles
  /** The files that hold resources, with the text around the resources; empty for a package of a list. */
  readonly layouts: ReadonlyMap<string, PackageFile>
  /** Permissions by path; empty for a package of a list. */
  readonly modes: ReadonlyMap<string, number>
  /** Findings about files that cannot be read, or that are not carried. */
  readonly results: readonly Result[]
  /** Errors of the tree itself, such as unsafe paths. With one, the package must not be used, not even as the base of a merge. */
  readonly faults: readonly Result[]
}

/** A place that upstream packages are read from. */
export interface PackageSource {
  /** Returns the package in a folder; undefined when there is no such folder. */
  folder(path: string): SourcePackage | undefined
  /** Returns the folders beside a folder, by their whole paths. */
  beside(path: string): readonly string[]
  /** The git repositories; undefined where git cannot be used. */
  readonly git?: GitPackageSource
}

/** The packages in git repositories. Each method throws GitError when git fails. */
export interface GitPackageSource {
  /** Returns the commit that each name resolves to; undefined for an unknown name. */
  commits(repository: string, names: readonly string[]): readonly (string | undefined)[]
  /** Returns the names of all tags, the latest version first. */
  tags(repository: string): readonly string[]
  /** Returns the folders of all packages at a commit, sorted. */
  packages(repository: string, commit: string): readonly string[]
  /** Returns the package in a folder at a commit; undefined when there is no such folder. */
  folder(repository: string, commit: string, folder: string): SourcePackage | undefined
}

/** The permissions of a file in the revision that a package comes to, and in the one that it was at, if that has the file. */
export interface FilePermissions {
  readonly base: number | undefined
  readonly theirs: number
}

/** Returns the permissions of the files of a revision, with those that they had in the revision before. */
export function permissionsOf({ modes: base }: SourcePackage, { modes }: SourcePackage): ReadonlyMap<string, FilePermissions> {
  return new Map(Array.from(modes, ([path, theirs]) => [path, { base: base.get(path), theirs }]))
}
