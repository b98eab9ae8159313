import type { DeletionOptions } from '../fleet/options.ts'
import type { UpdateStrategy } from '../kinds/kptfile-upstream.ts'
import type { CloneFlavour } from './clone/flavour.ts'

/** What the user may choose about rendering a fleet. */
export interface RenderOptions extends DeletionOptions {
  /** What is known of repositories, by the names that variants use. */
  readonly repositories: ReadonlyMap<string, RepositoryOptions>
  readonly clone: CloneFlavour
  /** Wins over what a Kptfile says. */
  readonly updateStrategy?: UpdateStrategy
  /** The folder below which downstream packages are; without it, beside the set. */
  readonly out?: string
  /** Whether to write `status` of each variant. */
  readonly status: boolean
  /** Whether the package of a variant whose downstream is another now moves there, with what people did to it. */
  readonly followRenames: boolean
  /** The name of the fleet, which its packages carry; without it, a run cannot tell them from those of other fleets. */
  readonly fleet?: string
  /** Whether a package follows a published tag that stands for another commit now. */
  readonly allowMoved: boolean
  /** Whether a package may be removed or replaced together with what people made in it. */
  readonly discardEdits: boolean
}

export interface RepositoryOptions {
  /** The folder that holds its packages; without it, the repository's name. */
  readonly path?: string
  /** The git repository, and the folder in it below which its packages are. */
  readonly git?: { readonly repo: string; readonly directory?: string }
  /** Whether the repository is read even where it is part of what the fleet's own git tracks. */
  readonly trusted: boolean
  readonly revisions: ReadonlyMap<string, RevisionOptions>
  /** Floating tags: the revision that each points to (seed 000, Upstream Changes). */
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
