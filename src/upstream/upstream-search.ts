import type { FleetVariant } from '../fleet/fleet-variants.ts'
import { holdsSecret } from '../git/git-address.ts'
import type { GitRevision } from '../kinds/kptfile-upstream.ts'
import { isBytes, type PackageFiles } from '../merge/package-files.ts'
import { joinPath, KPTFILE } from '../resource-list/package-of.ts'
import type { Fault } from '../schema/fault.ts'
import type { UpstreamOrigin } from './origin.ts'
import type { CloneFlavour } from './repository-options.ts'
import type { PackageSource, SourcePackage } from './source-package.ts'
import { missingUpstream, noPackage, otherCommit, type RevisionContent, secretFault } from './upstream-faults.ts'
import {
  type AskedRevision,
  folderOrigin,
  gitDirectory,
  gitNames,
  isPublishedRef,
  plainFolder,
  publishedNames,
  revisionFolders,
} from './upstream-places.ts'

/** A revision of an upstream package. */
export interface UpstreamRevision {
  readonly origin: UpstreamOrigin
  readonly source: SourcePackage
  /**
   * The variant of the same fleet that makes the package, of which no such revision is published. `source` is the package before the run
   * until the maker's package is rendered.
   */
  readonly maker?: FleetVariant
}

/** The result of a lookup: the revision, or the fault of a variant whose upstream is missing or unreadable. */
export type UpstreamLookup = { readonly revision: UpstreamRevision } | { readonly fault: Fault }

/**
 * Looks for revisions of upstream packages in folders and git repositories. Each folder, at each commit, is read once.
 *
 * A revision is a folder that is named for it (`web@v3`), else what git resolves one of its names to, else the folder of the package
 * without a revision in its name, which holds the newest state. GitError and OutsideError are thrown.
 */
export class UpstreamSearch {
  readonly #packageSource: PackageSource
  readonly #clone: CloneFlavour
  readonly #repositories: readonly string[]
  readonly #sources = new Map<string, SourcePackage | undefined>()

  /** @param repositories  the repositories of the options, which a fault of a missing upstream may suggest */
  constructor(packageSource: PackageSource, clone: CloneFlavour, repositories: readonly string[]) {
    this.#packageSource = packageSource
    this.#clone = clone
    this.#repositories = repositories
  }

  /**
   * Returns the revision that a variant asks for, or the fault of an upstream that is missing, no package, or has a password in its URL.
   */
  wanted(asked: AskedRevision): UpstreamLookup {
    if (holdsSecret(asked.facts.repo)) return { fault: secretFault(asked.facts) }
    const found = this.#inFolders(asked) ?? this.#inGit(asked) ?? this.#inFolder(plainFolder(asked), folderOrigin(asked))
    if (found !== undefined) return this.sound(found)
    return this.missing(asked, [...revisionFolders(asked), plainFolder(asked)])
  }

  /** Returns the revision if it is published: a folder of its own or a tag. A branch is not published. The folder may be no package. */
  published(asked: AskedRevision): UpstreamRevision | undefined {
    return this.#inFolders(asked) ?? this.#inGit(asked, publishedNames(asked))
  }

  /** Returns the revision that a package was last brought to: at the commit of its Kptfile, else at its ref. */
  original(asked: AskedRevision, at: GitRevision & { readonly commit?: string }): UpstreamLookup {
    const found = this.#atCommit(asked, at) ?? this.#inFolders(asked) ?? this.#inGit(asked)
    if (found === undefined) return this.missing(asked, revisionFolders(asked))
    return isOther(found.origin, at) ? { fault: otherCommit(at, found.origin) } : this.sound(found)
  }

  /** Returns the current content of a package's folder, at whichever revision. */
  anyRevision(asked: AskedRevision): UpstreamLookup {
    const found = this.#inFolder(plainFolder(asked), folderOrigin(asked))
    return found === undefined ? this.missing(asked, [...revisionFolders(asked), plainFolder(asked)]) : this.sound(found)
  }

  /** Returns all tags of the git repository, the latest version first; none without a repository. */
  tags({ facts }: AskedRevision): readonly string[] {
    const repo = facts.options.git?.repo
    return repo === undefined ? [] : (this.#packageSource.git?.tags(repo) ?? [])
  }

  /** Returns the fault of a missing upstream. It names the folders that were looked for, and what is there instead. */
  missing(asked: AskedRevision, folders: readonly string[]): UpstreamLookup {
    const { git } = this.#packageSource
    const repo = asked.facts.options.git?.repo
    const [beside, besideRepository] = [plainFolder(asked), asked.facts.path].map((folder) => this.#packageSource.beside(folder))
    const places = {
      folders,
      beside: beside ?? [],
      besideRepository: besideRepository ?? [],
      fleets: this.#foldersAround(asked, folders),
      tags: this.tags(asked),
      hasGit: git !== undefined,
    }
    return {
      fault: missingUpstream(asked, { ...places, repositories: this.#repositories, withoutPackage: this.#withoutPackage(asked, repo) }),
    }
  }

  /** Returns the folders above and below that of the fleet in which a missing upstream would be found: one of them may be meant. */
  #foldersAround({ facts: { path } }: AskedRevision, folders: readonly string[]): readonly string[] {
    const around = ['..', ...this.#packageSource.beside(path)].filter((folder) => folder !== path)
    return around.filter((each) => {
      const wanted = folders.map((folder) => joinPath(each, folder))
      return wanted.some((folder) => this.#packageSource.beside(folder).includes(folder))
    })
  }

  /** Returns the first name that git knows and the packages there; undefined if git knows none. The package itself is not among them. */
  #withoutPackage(asked: AskedRevision, repo: string | undefined): RevisionContent | undefined {
    const { git } = this.#packageSource
    if (repo === undefined || git === undefined) return undefined
    const names = gitNames(asked)
    const commits = git.commits(
      repo,
      names.map(({ name }) => name),
    )
    const [content] = names.flatMap(({ resolvedRef }, index) => {
      const commit = commits[index]
      return commit === undefined ? [] : [{ ref: resolvedRef, packages: git.packages(repo, commit) }]
    })
    return content
  }

  #inFolders(asked: AskedRevision): UpstreamRevision | undefined {
    for (const folder of revisionFolders(asked)) {
      const found = this.#inFolder(folder, folderOrigin(asked))
      if (found !== undefined) return found
    }
    return undefined
  }

  #inFolder(folder: string, origin: UpstreamOrigin): UpstreamRevision | undefined {
    const source = this.#source(['folder', folder], () => this.#packageSource.folder(folder))
    return source && { origin, source }
  }

  /** Returns the package at the first name that git resolves to a commit with the package. */
  #inGit(asked: AskedRevision, names = gitNames(asked)): UpstreamRevision | undefined {
    const { git } = asked.facts.options
    if (git === undefined || this.#packageSource.git === undefined) return undefined
    const commits = this.#packageSource.git.commits(
      git.repo,
      names.map(({ name }) => name),
    )
    for (const [index, { name, ref, resolvedRef }] of names.entries()) {
      const commit = commits[index]
      const found = commit === undefined ? undefined : this.#atCommitOf(asked, git.repo, commit, { ref, resolvedRef })
      if (found !== undefined)
        return this.#isVersionTag(git.repo, { name, ref, commit }) ? { ...found, origin: { ...found.origin, isPublished: true } } : found
    }
    return undefined
  }

  #isVersionTag(
    repo: string,
    { name, ref, commit }: { readonly name: string; readonly ref: string; readonly commit: string | undefined },
  ): boolean {
    if (!isPublishedRef(ref)) return false
    return name.startsWith('refs/tags/') || this.#packageSource.git?.commits(repo, [`refs/tags/${name}`])[0] === commit
  }

  #atCommit(asked: AskedRevision, { ref, commit = '' }: { readonly ref: string; readonly commit?: string }): UpstreamRevision | undefined {
    const { git } = asked.facts.options
    if (git === undefined || commit === '' || this.#packageSource.git?.commits(git.repo, [commit])[0] === undefined) return undefined
    return this.#atCommitOf(asked, git.repo, commit, { ref, resolvedRef: ref })
  }

  #atCommitOf(
    asked: AskedRevision,
    repo: string,
    commit: string,
    refs: Pick<UpstreamOrigin, 'ref' | 'resolvedRef'>,
  ): UpstreamRevision | undefined {
    const directory = gitDirectory(asked)
    const source = this.#source(['git', repo, commit, directory], () => this.#packageSource.git?.folder(repo, commit, directory))
    return source && { origin: { repo, directory, ...refs, commit }, source }
  }

  /**
   * Returns a fault for a folder that is no package. A package has a Kptfile; in kpt's flavour a folder of resources without packages in it
   * is one too, since kpt makes the Kptfile (docs/porch.md C11). A folder with unsafe paths passes: the Kptfile may be among them, and the
   * paths have faults of their own.
   */
  sound(revision: UpstreamRevision): UpstreamLookup {
    const { files, faults, place } = revision.source
    if (faults.length > 0) return { revision }
    const kptfile = files.get(KPTFILE)
    const isPackage = kptfile === undefined ? this.#clone === 'kpt' && holdsOwnResources(files) : !isBytes(kptfile)
    return isPackage ? { revision } : { fault: noPackage(place) }
  }

  #source(key: readonly unknown[], read: () => SourcePackage | undefined): SourcePackage | undefined {
    const text = JSON.stringify(key)
    const source = this.#sources.has(text) ? this.#sources.get(text) : read()
    this.#sources.set(text, source)
    return source
  }
}

/**
 * Returns true if a name resolves to another commit than when the package was made: the tag or branch moved, and its history was
 * rewritten.
 */
function isOther({ commit }: UpstreamOrigin, at: { readonly commit?: string }): boolean {
  return commit !== undefined && at.commit !== undefined && at.commit !== '' && commit !== at.commit
}

/** Returns true for a folder with resources beside its subfolders, and without a Kptfile in any of them. */
function holdsOwnResources(files: PackageFiles): boolean {
  const hasPackage = [...files.keys()].some((path) => path.endsWith(`/${KPTFILE}`))
  return !hasPackage && [...files].some(([path, content]) => !path.includes('/') && !isBytes(content))
}
