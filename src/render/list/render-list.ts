import { wholeVariant } from '../../fleet/fleet-variants.ts'
import { objectsOf, readResources } from '../../folder/read-whole-package.ts'
import { PathGate } from '../../folder/safe-path.ts'
import { removeOwnerAnnotation } from '../../lifecycle/owner-annotation.ts'
import type { DownstreamPlaces, LeftoverStep } from '../../lifecycle/package-steps.ts'
import { isBytes, type PackageFiles } from '../../merge/package-files.ts'
import { answered, type Calls, known } from '../../pipeline/calls.ts'
import { itemDocument } from '../../resource-list/item-document.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { ResourceList } from '../../resource-list/resource-list.ts'
import type { Result } from '../../result.ts'
import type { PackageSource, SourcePackage } from '../../upstream/source-package.ts'
import { namespacedName } from '../../variant/find-variant.ts'
import { countOf } from '../../wording.ts'
import { type PathChange, unwritableFiles } from '../clone/package-changes.ts'
import { contentsOf, type RenderedContent, type RenderedObject } from '../clone/rendered-package.ts'
import { checkDiscards } from '../edits/discards.ts'
import { GroupedFindings, throwIfErrors } from '../grouped-findings.ts'
import { MadePackages, upstreamNotMade } from '../made-packages.ts'
import type { RenderOptions } from '../options.ts'
import { renderPackage } from '../package/render-package.ts'
import { planRender, type RenderPlan, type RenderSelection } from '../plan-render.ts'
import type { RenderedPackage } from '../render-request.ts'
import type { PackageFunctions } from '../runs/package-functions.ts'
import { writeVariantStatus } from '../variant-status.ts'
import { fleetItems } from './fleet-items.ts'
import { folderOfItems, listDownstreams } from './list-downstreams.ts'
import { ListFolders } from './list-folders.ts'
import { listPlaces } from './list-places.ts'
import { placeOf, putPackage } from './put-package.ts'

/** The variants of a list to render, and the functions that run in their packages. */
export interface ListSettings {
  /** The one variant to render, an item or not; packages of others stay unchanged. */
  readonly only?: KrmObject
  /** Runs the functions of packages; undefined to leave that to kpt or Porch. */
  readonly functions?: PackageFunctions
}

/**
 * Creates or updates the package of every PackageVariant of a list, among the list's items.
 *
 * @throws FunctionError  with every fault of every variant and package, and every failure of a function; the list is unchanged then
 */
export function renderList(list: ResourceList, options: RenderOptions, settings: ListSettings = {}): void {
  const { functions } = settings
  const folders = new ListFolders(list.items)
  const { plan, downstreams } = planList(list, folders, options, settings)
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
  list.results.push(...plan.results, ...found, summary(plan))
}

function planList(list: ResourceList, folders: ListFolders, options: RenderOptions, { only, functions }: ListSettings) {
  const own = fleetItems(list.items, folders, options)
  const items = only === undefined || own.includes(only) ? own : [...own.filter((item) => !isSame(item, only)), only]
  const known: DownstreamPlaces[] = []
  const downstreams = listDownstreams(folders, items, () => known[0])
  const plan = planRender({
    items,
    options,
    packageSource: listPackageSource(folders),
    places: (fleet) => {
      const places = listPlaces(folders, fleet, items, options)
      known.push(places)
      return places
    },
    downstreams,
    ...(only !== undefined && { selection: selectionOf(only) }),
    ...(functions !== undefined && { functions }),
  })
  return { plan, downstreams }
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
  const faults = unwritableFiles(newAndGone(made, downstream), [...(downstream?.keys() ?? [])], folder)
  return { step, made: { ...made, results: [...made.results, ...faults] } }
}

/** Returns the package with what its functions did to its files. An item keeps its place in the list, and a new one is added. */
function withRun(made: RenderedPackage): RenderedPackage {
  if (made.run === undefined || made.run.changed.size === 0) return made
  const files = new Map(made.files)
  for (const [path, bytes] of made.run.changed) {
    const { layout } = bytes === undefined ? { layout: undefined } : readResources(path, bytes)
    if (layout === undefined) files.delete(path)
    else files.set(path, ranFile(objectsOf(layout), files.get(path)))
  }
  return { ...made, files }
}

/**
 * Returns the objects of a file after a run, each with the item that it was before: by its position, or by its identity in a file that
 * has more or fewer objects now.
 */
function ranFile(objects: readonly KrmObject[], before: RenderedContent = []): readonly RenderedObject[] {
  const known = isBytes(before) ? [] : before
  const isSameLength = known.length === objects.length
  const left = new Set(known)
  return objects.map((object, index): RenderedObject => {
    const one = isSameLength ? known[index] : [...left].find((each) => isSameResource(each.object, object))
    if (one === undefined) return { from: 'made', source: object, object }
    left.delete(one)
    return itemDocument(one.object).toText() === object.toText() ? one : { ...one, object }
  })
}

function isSameResource(a: KrmObject, b: KrmObject): boolean {
  return a.apiVersion === b.apiVersion && a.kind === b.kind && a.namespace === b.namespace && a.name === b.name
}

/** Returns the files that a package gains and loses. Files without resources are not items, so they are left out. */
function newAndGone({ files }: RenderedPackage, downstream: PackageFiles = new Map()): readonly PathChange[] {
  const created = [...files].filter(([path, content]) => !isBytes(content) && !downstream.has(path))
  const gone = [...downstream.keys()].filter((path) => !files.has(path))
  return [...created.map(([path]) => ({ path, op: 'create' as const })), ...gone.map((path) => ({ path, op: 'delete' as const }))]
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
function summary({ steps }: RenderPlan): Result {
  const left = steps.filter(({ op }) => op === 'leave').length
  const message = `${countOf(steps.length - left, 'package')}${left === 0 ? '' : `, ${left} left alone`}`
  return { severity: 'info', message, tags: { rule: 'render-variants' } }
}

function selectionOf(only: KrmObject): RenderSelection {
  return { has: (variant) => variant.object === only, mayGo: (owner) => owner === namespacedName(only) }
}

function isSame(a: KrmObject, b: KrmObject): boolean {
  return a.kind === b.kind && namespacedName(a) === namespacedName(b)
}

/** Returns the upstream packages among the items of a list. A function has no network and no disk, so there is no git. */
export function listPackageSource(folders: ListFolders): PackageSource {
  return {
    folder: (path) => (folders.has(path) ? packageAt(path, folders.package(path)) : undefined),
    beside: (path) => folders.beside(path),
  }
}

/**
 * Returns the items of a folder as an upstream package. Of two files whose paths differ in case alone, the second is refused, since
 * some file systems treat both as one.
 */
function packageAt(place: string, found: PackageFiles): SourcePackage {
  const gate = new PathGate()
  const files = new Map([...found].filter(([path]) => gate.admits(path)))
  return { place, files, layouts: new Map(), modes: new Map(), results: [], faults: gate.results(place) }
}
