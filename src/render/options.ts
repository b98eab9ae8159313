import type { UpdateStrategy } from '../kinds/kptfile-upstream.ts'
import type { LifecycleOptions } from '../lifecycle/package-steps.ts'
import type { UpstreamOptions } from '../upstream/repository-options.ts'

export interface RenderOptions extends LifecycleOptions, UpstreamOptions {
  /** The update strategy of all packages; wins over that of a Kptfile. */
  readonly updateStrategy?: UpdateStrategy
  /** If true, `status` of each variant is written. */
  readonly status: boolean
  /** If true, a package follows a published tag that moved to another commit. */
  readonly allowMoved: boolean
}

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
