import { type IsAsRead, keepsContent } from '../../folder/as-read.ts'
import { below, type NamedFolder } from '../../folder/named-folder.ts'
import { Staging } from '../../folder/staging.ts'
import type { VariantStep } from '../../lifecycle/package-steps.ts'
import { answered, type Calls, inTurns } from '../../pipeline/calls.ts'
import type { Steps } from '../../progress.ts'
import type { Result } from '../../result.ts'
import { namespacedName } from '../../variant/find-variant.ts'
import { checkDiscards } from '../edits/discards.ts'
import { GroupedFindings, throwIfErrors } from '../grouped-findings.ts'
import type { RenderedStep } from '../made-packages.ts'
import { planRender, type RenderPlan } from '../plan-render.ts'
import { type Fate, type FolderReport, fateOf } from '../render-summary.ts'
import { downstreamFolders, type FolderRequest, folderContextOf, readContent } from './folder-request.ts'
import type { RenderRecord } from './last-render.ts'
import { outFaults, packageGaps } from './out-faults.ts'
import { packagesElsewhere } from './packages-elsewhere.ts'
import { renderStep } from './render-step.ts'
import { ownLeftovers, stageLeftovers, stagePackage } from './stage-packages.ts'
import { ofUnmade, withoutFunctions } from './upstream-positions.ts'

/**
 * Renders the packages of a fleet below a folder, one by one, and yields the progress. Packages are renamed to their places only when
 * every package is ready: after an error or an interruption the folder is unchanged.
 *
 * @throws FunctionError  with every fault of every variant and package
 */
export function* renderToFolder(request: FolderRequest): Steps<FolderReport> {
  const { out, places, isDryRun } = request
  const plan = planRender({ ...request, places: () => places, downstreams: downstreamFolders(out) })
  const record = request.begin?.(plan)
  const elsewhere = packagesElsewhere(plan, request)
  throwIfErrors([...plan.results, ...outFaults(plan, request), ...packageGaps(plan, request), ...elsewhere])
  const removed = removalTests(plan, request)
  const discards = checkDiscards(plan.leftovers, plan.renderContext, ({ folder }) => readContent(below(out, folder), request))
  const staging = isDryRun ? undefined : new Staging(out.disk)
  const folderContext = folderContextOf(plan, out)
  const run = new Run(request, record)
  try {
    const begin = function* (step: RenderPlan['steps'][number]): Calls<RenderedStep | undefined> {
      return step.op === 'leave' || record?.isAsLeft(step) === true ? undefined : yield* renderStep(step, folderContext)
    }
    yield* inTurns(plan.steps, begin, (rendered, step) => {
      run.take(step, rendered, below(out, step.folder).shown, staging)
      return request.failFast !== true || !run.hasFailures
    })
    const found = [...plan.results, ...elsewhere, ...discards.results, ...run.findings.results()]
    const failures = run.failures.results()
    throwIfErrors([...found, ...(request.functions?.unmatched ?? []), ...(request.failFast === true ? failures : [])], (refused) =>
      placeUpstream(refused, plan, out),
    )
    const failed = placeUpstream(failures, plan, out, (step) => (isDryRun ? step.op === 'create' : run.unmade.has(step)))
    const shown = staging === undefined ? placeUpstream(found, plan, out) : found
    const results = [...shown, ...failed, ...(record?.changedInPlace() ?? [])]
    if (staging !== undefined) stageLeftovers(plan.leftovers, ownLeftovers(request), { staging, removed, out })
    // After a dry run, the packages are not as they were rendered.
    if (staging !== undefined) {
      request.beforeWrite?.(results)
      record?.beforeCommit()
      staging.commit()
      record?.afterCommit((step) => isStable(step, request, plan))
    }
    return { fates: run.fates, variants: run.variants, lost: run.lost, functions: run.functions, leftovers: discards.leftovers, results }
  } finally {
    // After a commit, there is nothing left to remove.
    staging?.abort()
  }
}

/** Returns the test for each package to remove if its content is as it is now, before its edits are looked for. */
function removalTests({ leftovers }: RenderPlan, { out, isDryRun }: FolderRequest): ReadonlyMap<string, IsAsRead> {
  const removed = isDryRun ? [] : leftovers.filter(({ op }) => op === 'remove')
  return new Map(removed.map(({ place }) => [place.folder, keepsContent(below(out, place.folder).disk)]))
}

/** Returns true if a package that was written would be rendered to what it is. */
function isStable(step: RenderPlan['steps'][number], { out }: FolderRequest, plan: RenderPlan): boolean {
  const { changes, results } = answered(renderStep({ ...step, op: 'update' }, folderContextOf(plan, out)))
  return changes.length === 0 && results.length === 0
}

/** The counts and findings of a run until now. */
class Run {
  readonly fates = new Map<Fate, number>()
  readonly variants = new Map<string, Fate>()
  readonly findings = new GroupedFindings()
  /** The findings of functions, and the failures of packages that are left out. An error among these does not refuse other packages. */
  readonly failures = new GroupedFindings()
  readonly functions = new Map<string, number>()
  /** The steps of new packages that are not written, since their functions failed. */
  readonly unmade = new Set<VariantStep>()
  lost = 0
  readonly #request: FolderRequest
  readonly #record: RenderRecord | undefined

  constructor(request: FolderRequest, record: RenderRecord | undefined) {
    this.#request = request
    this.#record = record
  }

  get hasFailures(): boolean {
    return this.fates.has('failed')
  }

  take(step: VariantStep, rendered: RenderedStep | undefined, shown: string, staging: Staging | undefined): void {
    const outcome = rendered?.functions?.outcome
    const hasFailed = outcome === 'failed' || outcome === 'saved'
    const fate = hasFailed ? 'failed' : fateOf(step, { isChanged: (rendered?.changes.length ?? 0) > 0 })
    this.fates.set(fate, (this.fates.get(fate) ?? 0) + 1)
    this.variants.set(namespacedName(step.variant.object), fate)
    if (rendered === undefined) return
    this.#record?.take(rendered)
    this.findings.add(shown, rendered.results)
    this.failures.add(shown, rendered.functions?.results ?? [])
    if (outcome === 'failed' && step.op === 'create') this.unmade.add(step)
    for (const name of rendered.functions?.ran ?? []) this.functions.set(name, (this.functions.get(name) ?? 0) + 1)
    this.lost += rendered.results.filter(({ tags }) => tags.rule === 'edit-lost').length
    if (this.findings.hasErrors) return
    this.#request.look?.(rendered, fate)
    if (staging !== undefined && outcome !== 'failed') stagePackage(rendered, staging, this.#request.out)
  }
}

/** Returns findings about packages that are not made with their files in the upstream packages. */
function placeUpstream(
  results: readonly Result[],
  plan: RenderPlan,
  out: NamedFolder,
  isUnmade: (step: VariantStep) => boolean = ({ op }) => op === 'create',
): readonly Result[] {
  const steps = new Map(plan.steps.filter(isUnmade).map((step) => [below(out, step.folder).shown, step]))
  const context = folderContextOf(withoutFunctions(plan), out)
  return ofUnmade(results, steps, (step) => answered(renderStep(step, context)).made)
}
