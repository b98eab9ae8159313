import type { DeletionOptions } from '../fleet/options.ts'
import type { UpdateStrategy } from '../kinds/kptfile-upstream.ts'

/** The program whose clone is imitated: `kpt` as `kpt pkg get --for-deployment`, `porch` as Porch for a deployment repository. */
export type CloneFlavour = 'kpt' | 'porch'

export const CLONE_FLAVOURS: readonly CloneFlavour[] = ['kpt', 'porch']

/** The options of rendering a fleet. */
export interface RenderOptions extends DeletionOptions {
  /** The options of repositories, by the names that variants use. */
  readonly repositories: ReadonlyMap<string, RepositoryOptions>
  readonly clone: CloneFlavour
  /** The update strategy of all packages; wins over that of a Kptfile. */
  readonly updateStrategy?: UpdateStrategy
  /** The folder below which downstream packages are; if unset, beside the set. */
  readonly out?: string
  /** If true, `status` of each variant is written. */
  readonly status: boolean
  /** If true, a package whose variant wants another downstream now is moved there with its edits. */
  readonly followRenames: boolean
  /** The name of the fleet, recorded in its packages; if unset, a run cannot distinguish them from packages of other fleets. */
  readonly fleet?: string
  /** If true, a package follows a published tag that moved to another commit. */
  readonly allowMoved: boolean
  /** If true, a package may be removed or replaced together with people's edits. */
  readonly discardEdits: boolean
}

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

export interface RevisionOptions {
  /** The folder of the package at this revision. */
  readonly path?: string
  readonly ref?: string
  readonly resolvedRef?: string
  readonly commit?: string
}

export const NO_REPOSITORY: RepositoryOptions = { trusted: false, revisions: new Map(), tags: new Map() }

/** The options of a fleet for the functions of packages. */
export interface FunctionOptions {
  /** `run` the functions, or `leave` them to kpt or Porch; if unset, the function render-variants leaves and the tool runs them. */
  readonly mode?: PipelineMode
  /** The words of a program, by the image whose functions the program runs. Programs need the consent of the caller. */
  readonly programs: ReadonlyMap<string, readonly string[]>
  /** If true, a built-in function also runs images of other versions. */
  readonly anyVersion: boolean
  /** If true, images that nothing else runs are run in containers. */
  readonly containers: boolean
}

export const PIPELINE_MODES = ['leave', 'run'] as const
export type PipelineMode = (typeof PIPELINE_MODES)[number]

export const NOTHING_CONFIGURED: FunctionOptions = { programs: new Map(), anyVersion: false, containers: false }

/** The longest time of one call of a program or container, in seconds, unless the caller gives another. */
export const CALL_SECONDS = 300
