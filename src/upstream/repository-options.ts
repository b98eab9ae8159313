/** The program whose clone is imitated: `kpt` as `kpt pkg get --for-deployment`, `porch` as Porch for a deployment repository. */
export type CloneFlavour = 'kpt' | 'porch'

export const CLONE_FLAVOURS: readonly CloneFlavour[] = ['kpt', 'porch']

/** The options of a fleet that say where its upstream packages are. */
export interface UpstreamOptions {
  /** The options of repositories, by the names that variants use. */
  readonly repositories: ReadonlyMap<string, RepositoryOptions>
  readonly clone: CloneFlavour
  /**
   * The folder below which downstream packages are; if unset, beside the set. Set, it says that `render` writes the fleet from folders: an
   * upstream that no folder has is then an error, else it may be in Porch.
   */
  readonly out?: string
}

/** Where the packages of a repository are, and what its revisions and tags mean. */
export interface RepositoryOptions {
  /** The folder that holds the repository's packages; if unset, the repository's name. */
  readonly path?: string
  /** The git repository, and the folder in it below which the packages are. */
  readonly git?: { readonly repo: string; readonly directory?: string }
  /** If true, the repository is read even if the fleet's own git tracks it. */
  readonly trusted: boolean
  readonly revisions: ReadonlyMap<string, RevisionOptions>
  /** Floating tags, and the revision that each points to (seed 000, Upstream Changes). */
  readonly tags: ReadonlyMap<string, string>
}

/** Where one revision of a package is, and what its Kptfile names as its origin. */
export interface RevisionOptions {
  /** The folder of the package at this revision. */
  readonly path?: string
  readonly ref?: string
  readonly resolvedRef?: string
  readonly commit?: string
}

/** The options of a repository that the fleet does not mention. */
export const NO_REPOSITORY: RepositoryOptions = { trusted: false, revisions: new Map(), tags: new Map() }
