import type { FieldPath } from '../field-path.ts'
import type { VariantChange } from '../fleet/change.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { SetPlan } from '../fleet/plan-fan-out.ts'
import { type ExplainedExpression, explainForTarget, type FieldSource, sourceFinder } from '../fleet/templates/field-sources.ts'
import { below } from '../folder/named-folder.ts'
import { EMPTY_FOLDER, type WholeFolder } from '../folder/whole-folder.ts'
import type { JsonValue } from '../json.ts'
import type { PackageFiles } from '../merge/package-files.ts'
import { answered, type Calls } from '../pipeline/calls.ts'
import { type FolderRenderContext, renderStep } from '../render/disk/render-step.ts'
import { ofUnmade, withoutFunctions } from '../render/disk/upstream-positions.ts'
import type { RenderedStep } from '../render/made-packages.ts'
import { MadePackages } from '../render/made-packages.ts'
import type { RenderPlan } from '../render/plan-render.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import type { UpstreamRevision } from '../upstream/upstream-search.ts'
import type { StateName } from './report.ts'

/** A fleet at a git revision, or as its folder holds it. */
export interface FleetState {
  readonly name: StateName
  /** The objects that describe the fleet, with the variants that its sets make. */
  readonly items: readonly KrmObject[]
  readonly fleet: Fleet
  readonly sets: readonly SetPlan[]
  readonly plan: RenderPlan
  /** The packages as `render` leaves them, by their steps, kept for the checks after the comparison; unset if there are none. */
  readonly kept?: Map<PackageStep, PackageFiles>
  /** The packages that the state holds; undefined if the packages of both states are rendered in memory. */
  readonly committed?: CommittedPackages
}

/** The rendered packages that a state of the repository holds. */
export interface CommittedPackages {
  /** The folders of all packages that were made for a variant, REPOSITORY/PACKAGE. */
  readonly folders: readonly string[]
  /** Reads the files of several packages at once. */
  load(folders: readonly string[]): void
  /** The name of the folder that holds the packages, for findings. */
  readonly shown: string
  /** Returns the package in a folder; empty if there is none. */
  folder(folder: string): WholeFolder
  /** Returns a text for each file of a package by its path. Two files with one text have the same content. */
  digests(folder: string): ReadonlyMap<string, string>
}

/** Returns true if the committed package in a folder differs between two states. */
export function isEdited(folder: string, before: CommittedPackages, after: CommittedPackages): boolean {
  const [was, is] = [before.digests(folder), after.digests(folder)]
  return was.size !== is.size || [...was].some(([path, digest]) => is.get(path) !== digest)
}

/** A step of a plan: the package of a variant. */
export type PackageStep = RenderPlan['steps'][number]

/** The upstreams of the packages of a state. */
export interface StateUpstreams {
  /** Returns the upstream of a step; undefined if a variant of the fleet should make the upstream and does not. */
  upstreamOf(step: PackageStep): UpstreamRevision | undefined
}

/** Renders packages of a state in memory, one after the other. */
export class StateRenderer {
  readonly #context: FolderRenderContext

  /**
   * @param folderOf  returns the package that an update starts with; unset where all packages are created
   * @param shown     the folder that holds the packages, for findings
   */
  constructor(plan: RenderPlan, folderOf: (folder: string) => WholeFolder = () => EMPTY_FOLDER, shown = '') {
    this.#context = {
      plan,
      // Every file is read: the packages are compared as a whole.
      readsAll: true,
      placeOf: (folder) => below({ disk: '', shown }, folder),
      folderOf,
      made: new MadePackages(plan, folderOf),
    }
  }

  render(step: PackageStep): Calls<RenderedStep> {
    return renderStep(step, this.#context)
  }

  /** Returns the upstream of a step. A package that another variant makes is as `render` leaves it; undefined if there is none. */
  upstreamOf(step: PackageStep): UpstreamRevision | undefined {
    return answered(this.#context.made.upstreamOf(step, (maker) => this.render(maker)))
  }
}

/** Returns the renderer of a state: updates start with its committed packages, if it has any. */
export function rendererOf({ plan, committed }: FleetState): StateRenderer {
  return new StateRenderer(plan, committed && ((folder) => committed.folder(folder)), committed?.shown)
}

/** Returns the findings about the packages of a state with the files of their upstream for packages that are only in memory. */
export function ofPackagesInMemory(results: readonly Result[], { plan, committed }: FleetState): readonly Result[] {
  const shown = committed?.shown ?? ''
  const isMade = new Set(committed?.folders)
  const unmade = plan.steps.filter(({ folder, movedFrom }) => !isMade.has(folder) && movedFrom === undefined)
  const renderer = new StateRenderer(withoutFunctions(plan), undefined, shown)
  const steps = new Map(unmade.map((step) => [below({ disk: '', shown }, step.folder).shown, step]))
  return ofUnmade(results, steps, (step) => answered(renderer.render(step)).made)
}

/** The set that asks for a variant, and what the set says about it. */
export interface VariantOrigin {
  readonly plan: SetPlan
  readonly change: VariantChange
  /** Returns the source of a field of the variant. */
  sourceOf(path: FieldPath, value: JsonValue): FieldSource | undefined
  /** Returns what an expression reads of the target, and gives for it. */
  explain(text: string): ExplainedExpression | undefined
}

/** Returns the origins of the variants that sets make, by NAMESPACE/NAME. */
export function variantOrigins(sets: readonly SetPlan[]): ReadonlyMap<string, VariantOrigin> {
  return new Map(
    sets.flatMap((plan) =>
      plan.changes.flatMap((change) =>
        change.op === 'remove' ? [] : [[`${change.namespace}/${change.name}`, variantOrigin(plan, change)] as const],
      ),
    ),
  )
}

/** Returns the origin of a variant that a set makes, or would make. */
export function variantOrigin(plan: SetPlan, change: VariantChange): VariantOrigin {
  let find: ReturnType<typeof sourceFinder> | undefined
  return {
    plan,
    change,
    sourceOf: (path, value) => {
      const { set, draft } = plan
      if (set === undefined || draft === undefined || change.why === undefined) return undefined
      find ??= sourceFinder(set, change.why, draft.context)
      return find(path, value)
    },
    explain: (text) => change.why && plan.draft && explainForTarget(text, change.why, plan.draft.context),
  }
}
