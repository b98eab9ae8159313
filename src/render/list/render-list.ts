import { isVariantSet } from '../../compatibility/pipeline-functions.ts'
import { wholeVariant } from '../../fleet/fleet-variants.ts'
import { removeOwnerAnnotation } from '../../lifecycle/owner-annotation.ts'
import type { LeftoverStep } from '../../lifecycle/package-steps.ts'
import type { PackageFiles } from '../../merge/package-files.ts'
import { answered, type Calls, known } from '../../pipeline/calls.ts'
import type { ResourceList } from '../../resource-list/resource-list.ts'
import type { Result } from '../../result.ts'
import { isPackageVariant } from '../../variant/find-variant.ts'
import { countOf } from '../../wording.ts'
import { contentsOf } from '../clone/rendered-package.ts'
import { checkDiscards } from '../edits/discards.ts'
import { GroupedFindings, throwIfErrors } from '../grouped-findings.ts'
import { MadePackages, upstreamNotMade } from '../made-packages.ts'
import type { RenderOptions } from '../options.ts'
import { renderPackage } from '../package/render-package.ts'
import type { RenderPlan } from '../plan-render.ts'
import type { RenderedPackage } from '../render-request.ts'
import { writeVariantStatus } from '../variant-status.ts'
import { folderOfItems } from './list-downstreams.ts'
import { ListFolders } from './list-folders.ts'
import { type ListSettings, planList } from './plan-list.ts'
import { placeOf, putPackage, unwritableItems, withRun } from './put-package.ts'

/**
 * Creates or updates the package of every PackageVariant of a list, among the list's items.
 *
 * @throws FunctionError  with every fault of every variant and package, and every failure of a function; the list is unchanged then
 */
export function renderList(list: ResourceList, options: RenderOptions, settings: ListSettings = {}): void {
  const { functions } = settings
  const folders = new ListFolders(list.items)
  const { plan, downstreams } = planList(list.items, folders, options, settings)
  throwIfErrors(plan.results)
  const made = new MadePackages(plan, (folder) => downstreams.folder(folder))
  const rendered = plan.steps.filter(({ op }) => op !== 'leave').map((step) => answered(renderStep(step, { folders, plan, made })))
  const discards = checkDiscards(plan.leftovers, plan.renderContext, ({ folder }) => ({
    files: folders.package(folder),
    layouts: new Map(),
    others: [],
    read: () => undefined,
  }))
  const findings = new GroupedFindings()
  for (const { step, made: pkg } of rendered) findings.add(step.folder, [...pkg.results, ...(pkg.run?.results ?? [])])
  const found = [...discards.results, ...findings.results(), ...(functions?.unmatched ?? [])]
  throwIfErrors([...plan.results, ...found])
  for (const each of rendered) put(each, list, folders)
  for (const leftover of plan.leftovers) settle(leftover, list, folders)
  if (options.status) writeStatuses(list, plan)
  list.results.push(...plan.results, ...found, summary(plan, list))
}

function writeStatuses({ items }: ResourceList, { steps }: RenderPlan): void {
  const own = new Set(items)
  for (const { op, variant } of steps) if (own.has(variant.object)) writeVariantStatus(variant, op === 'leave' ? 'left' : 'ready')
}

interface RenderedStep {
  readonly step: RenderPlan['steps'][number]
  readonly made: RenderedPackage
}

interface ListRenderContext {
  readonly folders: ListFolders
  readonly plan: RenderPlan
  /** The packages that others are made from, which come first among the steps. */
  readonly made: MadePackages
}

function* renderStep(step: RenderedStep['step'], context: ListRenderContext): Calls<RenderedStep> {
  const { made } = context
  const upstream = yield* made.upstreamOf(step, () => known(undefined))
  if (upstream === undefined) return { step, made: { files: new Map(), results: [upstreamNotMade(step)], outcomes: [] } }
  const rendered = yield* renderFrom({ ...step, upstream }, context)
  if (made.has(step.variant)) made.put(step.variant, folderOfItems(contentsOf(rendered.made.files)))
  return rendered
}

function* renderFrom(step: RenderedStep['step'], { folders, plan: { renderContext } }: ListRenderContext): Calls<RenderedStep> {
  const { upstream, folder, movedFrom } = step
  const variant = wholeVariant(step.variant)
  const downstream = downstreamOf(step, folders)
  const isMoved = movedFrom !== undefined
  const made = withRun(
    yield* renderPackage({ variant, upstream, folder, isMoved, ...(downstream !== undefined && { downstream }) }, renderContext),
  )
  const faults = unwritableItems(made.files, downstream, folder)
  return { step, made: { ...made, results: [...made.results, ...faults] } }
}

/** Returns the items of an existing package; undefined for a package that will be created. */
function downstreamOf({ op, folder, movedFrom }: RenderedStep['step'], folders: ListFolders): PackageFiles | undefined {
  return op === 'update' ? folders.package(movedFrom ?? folder) : undefined
}

function put({ step, made }: RenderedStep, list: ResourceList, folders: ListFolders): void {
  const { folder, movedFrom } = step
  const kptfile = movedFrom === undefined ? folders.kptfile(folder) : undefined
  const place = kptfile === undefined ? { folder, near: undefined, isMoved: movedFrom !== undefined } : placeOf(kptfile)
  putPackage(list, made.files, downstreamOf(step, folders), place)
}

/** Removes the items of a package whose variant is gone, or removes its owner annotations. */
function settle({ op, place }: LeftoverStep, list: ResourceList, folders: ListFolders): void {
  const kptfile = place.kptfile()
  if (op === 'orphan' && kptfile !== undefined) removeOwnerAnnotation(kptfile)
  if (op === 'remove') for (const { item } of folders.below(place.folder)) list.remove(item)
}

/** Returns the summary of a run. A second run without changes has the same summary. */
function summary({ steps }: RenderPlan, { items }: ResourceList): Result {
  const left = steps.filter(({ op }) => op === 'leave').length
  const sets = items.some(isPackageVariant) ? 0 : items.filter(isVariantSet).length
  const hint =
    sets === 0 ? '' : `; there ${sets === 1 ? 'is' : 'are'} ${countOf(sets, 'PackageVariantSet')} and no PackageVariant: run fan-out first`
  const message = `${countOf(steps.length - left, 'package')}${left === 0 ? '' : `, ${left} left alone`}${hint}`
  return { severity: 'info', message, tags: { rule: 'render-variants' } }
}
