import type { FleetVariant } from '../fleet/fleet-variants.ts'
import type { IsAsRead } from '../folder/as-read.ts'
import { fileInMemory, type WholeFolder } from '../folder/whole-folder.ts'
import { type Calls, turn } from '../pipeline/calls.ts'
import type { Result } from '../result.ts'
import { quoteText } from '../schema/describe-value.ts'
import { faultToResult } from '../schema/fault.ts'
import { folderOfMaker } from '../upstream/chain.ts'
import type { SourcePackage } from '../upstream/source-package.ts'
import type { UpstreamRevision } from '../upstream/upstream-search.ts'
import type { ContentChange } from './clone/package-changes.ts'
import type { FunctionRun } from './clone/rendered-package.ts'
import type { RenderPlan } from './plan-render.ts'
import type { RenderedPackage } from './render-request.ts'

/** A rendered package, and the differences from its folder on disk. */
export interface RenderedStep {
  readonly step: RenderPlan['steps'][number]
  /** Without content for a package that took the render of another one. */
  readonly made: RenderedPackage
  /** Findings. With an error among them, the package must not be written. */
  readonly results: readonly Result[]
  readonly changes: readonly ContentChange[]
  /** The run of its functions; undefined if none had to run. A package whose functions failed has no changes, unless they are saved. */
  readonly functions?: FunctionRun
  /** Returns the bytes that a file of the package will have. */
  bytesOf(path: string): Uint8Array
  /** Temporary files that interrupted runs left in the package. */
  readonly leftovers: readonly string[]
  /** Returns the bytes that a file of the package has on disk; undefined if the file is missing. */
  before(path: string): Uint8Array | undefined
  /** Returns the test if a file of the package on disk is still as it was read. */
  isAsRead(path: string): IsAsRead | undefined
  modeOf(path: string): number
}

/** The packages of one run that other packages of the fleet are made from. Only these are kept in memory. */
export class MadePackages {
  readonly #plan: RenderPlan
  readonly #folderOf: (folder: string) => WholeFolder
  readonly #makers: ReadonlySet<FleetVariant>
  /** The package of each maker as this run leaves it; undefined for a package that does not exist. */
  readonly #made = new Map<FleetVariant, { readonly source: SourcePackage; readonly tree: string } | undefined>()

  /** @param folderOf  returns a package as it is before the run */
  constructor(plan: RenderPlan, folderOf: (folder: string) => WholeFolder) {
    this.#plan = plan
    this.#folderOf = folderOf
    this.#makers = new Set(plan.steps.flatMap(({ upstream }) => upstream.maker ?? []))
  }

  /**
   * Returns the upstream that a step is rendered from: of a package that a variant of the fleet makes, its content after that variant's
   * step; undefined if there is no content.
   *
   * @param render  renders the maker's step, if the run did not yet
   */
  *upstreamOf(
    { upstream }: RenderedStep['step'],
    render: (step: RenderedStep['step']) => Calls<unknown>,
  ): Calls<UpstreamRevision | undefined> {
    const { maker, origin } = upstream
    if (maker === undefined) return upstream
    // The maker is among the packages before, nearly always.
    yield* turn()
    const step = this.#plan.steps.find(({ variant }) => variant === maker)
    if (step !== undefined && step.op !== 'leave' && !this.#made.has(maker)) yield* render(step)
    if (!this.#made.has(maker)) this.put(maker, this.#folderOf(folderOfMaker(maker)))
    const made = this.#made.get(maker)
    return made && { origin: { ...origin, tree: made.tree }, source: made.source, maker }
  }

  /** Returns true if another package is made from that of a variant. */
  has(maker: FleetVariant): boolean {
    return this.#makers.has(maker)
  }

  /** Keeps a rendered package, if another one is made from it. */
  take({ step, changes, bytesOf, modeOf }: RenderedStep): void {
    if (!this.#makers.has(step.variant)) return
    const { files, ...folder } = this.#folderOf(step.op === 'update' ? (step.movedFrom ?? step.folder) : step.folder)
    const after = new Map(files)
    for (const { path, op } of changes) {
      if (op === 'delete') after.delete(path)
      else after.set(path, fileInMemory(bytesOf(path), modeOf(path)))
    }
    this.put(step.variant, { ...folder, files: after })
  }

  /** Keeps the package of a maker as this run leaves it. */
  put(maker: FleetVariant, folder: WholeFolder): void {
    const { chain } = this.#plan
    const isThere = chain !== undefined && folder.files.size > 0
    this.#made.set(maker, isThere ? { source: chain.source(folder, folderOfMaker(maker)), tree: chain.idOf(folder) } : undefined)
  }
}

/** Returns the failure of a package whose upstream another variant should have made. */
export function upstreamNotMade({ variant, upstream }: RenderedStep['step']): Result {
  const { maker } = upstream
  const place = maker === undefined ? '' : folderOfMaker(maker)
  const message = `must name a package that is there: ${quoteText(place)} of PackageVariant ${quoteText(maker?.name ?? '')} was not made, neither in this run nor before`
  return faultToResult(variant.object, { severity: 'error', rule: 'upstream-missing', path: ['spec', 'upstream'], message })
}
