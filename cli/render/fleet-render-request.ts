import type { SelectionTerm, Shard } from '../../src/render/selection.ts'
import type { FleetChoices } from '../fleet/fleet-options.ts'
import type { SavedPlan } from '../plan/saved-plan.ts'
import type { RunnerOptions } from '../run/runner-options.ts'

/** The request of the caller: the packages to render, and their folder. */
export interface FleetRenderRequest extends RunnerOptions, FleetChoices {
  readonly fanOut: boolean
  /** False to leave the functions of packages to kpt or Porch; `known` to run those that have a runner, for a look ahead. */
  readonly run: boolean | 'known'
  /** True to write nothing when the functions of one package fail. */
  readonly failFast?: boolean
  /** True to report the infos of functions too. */
  readonly verbose?: boolean
  readonly followRenames?: boolean
  readonly discardEdits?: boolean
  readonly allowMoved?: boolean
  readonly only?: readonly SelectionTerm[]
  readonly shard?: Shard
  /** True to write nothing. */
  readonly dryRun?: boolean
  /** True to write the status of sets and PackageVariants into the files of the fleet afterwards. */
  readonly status?: boolean
  /** A saved plan and its file. The run makes exactly the changes of the plan, or none. */
  readonly saved?: { readonly file: string; readonly plan: SavedPlan }
  /** A folder with shards of the fleet, of which `shard` is rendered. */
  readonly sharded?: string
}
