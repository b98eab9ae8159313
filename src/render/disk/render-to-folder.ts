import { type IsAsRead, isFree, keepsContent } from '../../folder/as-read.ts'
import { below, type NamedFolder } from '../../folder/named-folder.ts'
import { readWholePackage } from '../../folder/read-whole-package.ts'
import { Staging } from '../../folder/staging.ts'
import { DiskFile, diskFolder, type WholeFolder } from '../../folder/whole-folder.ts'
import { gitTreeFolder } from '../../git/git.ts'
import { readKptfileUpstream } from '../../kinds/kptfile-upstream.ts'
import type { Steps } from '../../progress.ts'
import { foldersAbove, KPTFILE } from '../../resource-list/package-of.ts'
import { FunctionError, findingsOf, hasErrors, type Result } from '../../result.ts'
import { namespacedName } from '../../variant/find-variant.ts'
import { ownerFor, removeOwnerAnnotation } from '../clone/owner-annotation.ts'
import { UnwritableFiles } from '../clone/package-changes.ts'
import { unexplainedFiles } from '../edits/unexplained-files.ts'
import { wholeVariant } from '../fleet-variants.ts'
import { GroupedFindings } from '../grouped-findings.ts'
import { checkDiscards, type WholeContent } from '../lifecycle/discards.ts'
import type { DownstreamPlace, LeftoverStep, VariantStep } from '../lifecycle/package-steps.ts'
import type { RenderedStep } from '../made-packages.ts'
import { MadePackages } from '../made-packages.ts'
import { functionsToLose } from '../package/lost-functions.ts'
import { type FleetToRender, planRender, type RenderPlan } from '../plan-render.ts'
import { type Fate, type FolderReport, fateOf } from '../render-summary.ts'
import type { PackageFunctions } from '../runs/package-functions.ts'
import type { DownstreamFolders } from '../source/chain.ts'
import { callAhead, planWith, type Trial } from './call-ahead.ts'
import { type DiskPlaces, repositoryOf } from './disk-places.ts'
import type { RenderRecord } from './last-render.ts'
import { outFaults, packageGaps } from './out-faults.ts'
import { type PackageSearch, packagesElsewhere } from './packages-elsewhere.ts'
import { type FolderRenderContext, renderStep } from './render-step.ts'
import { UnreadFiles } from './unread-files.ts'
import { atUpstream } from './upstream-positions.ts'

/** A fleet whose packages are below a folder on disk. */
export interface FolderRequest extends Omit<FleetToRender, 'places'> {
  /** The folder of the fleet. */
  readonly dir: NamedFolder
  readonly out: NamedFolder
  readonly places: DiskPlaces
  /** For the search of packages that are elsewhere; unset to look for none. */
  readonly search?: PackageSearch
  /** If true, nothing is written. */
  readonly isDryRun: boolean
  /** If true, nothing is written when the functions of one package fail; else the other packages are written. */
  readonly failFast?: boolean
  /** Begins the record of how this run leaves the packages, which knows how the last run left them; without it, every package is opened. */
  readonly begin?: (plan: RenderPlan) => RenderRecord
  /** Called with each package that is opened. */
  readonly look?: (rendered: RenderedStep, fate: Fate) => void
}

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
  refuse([...plan.results, ...outFaults(plan, request), ...packageGaps(plan, request), ...elsewhere])
  const removed = removalTests(plan, request)
  const discards = checkDiscards(plan.leftovers, plan.renderContext, ({ folder }) => readContent(below(out, folder), request))
  const staging = isDryRun ? undefined : new Staging(out.disk)
  const folderContext = folderContextOf(plan, out)
  const run = new Run(request, record)
  try {
    const isDone = doneTest(record)
    const { functions } = request
    if (functions?.ahead !== undefined) {
      // A package that is made from another package of the fleet calls its functions when it is rendered.
      const open = plan.steps.filter((step) => step.upstream.maker === undefined && !isDone(step))
      yield* callAhead(open, () => trialOf(plan, out, functions.forTrial), functions.ahead)
    }
    for (const [done, step] of plan.steps.entries()) {
      yield { done, total: plan.steps.length }
      run.take(step, isDone(step) ? undefined : renderStep(step, folderContext), below(out, step.folder).shown, staging)
      if (request.failFast === true && run.hasFailures) break
    }
    const found = [...plan.results, ...elsewhere, ...discards.results, ...run.findings.results()]
    const failures = run.failures.results()
    refuse([...found, ...(request.functions?.unmatched ?? []), ...(request.failFast === true ? failures : [])], (refused) =>
      placeUpstream(refused, plan, out),
    )
    const failed = placeUpstream(failures, plan, out, (step) => run.unmade.has(step))
    const results = [...found, ...failed, ...(record?.changedInPlace() ?? [])]
    if (staging !== undefined) stageLeftovers(plan.leftovers, ownLeftovers(request), { staging, removed, out })
    // After a dry run, the packages are not as they were rendered.
    if (staging !== undefined) {
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

/**
 * Returns the errors with which a render ends before it makes a package, but for packages to remove that cannot be compared here, and the
 * findings about functions that packages would lose.
 */
export function refusedBeforeRender(request: Omit<FolderRequest, 'isDryRun'>): readonly Result[] {
  const { out, places } = request
  const plan = planRender({ ...request, places: () => places, downstreams: downstreamFolders(out) })
  const contentOf = ({ folder }: DownstreamPlace) => readContent(below(out, folder), request)
  const known = plan.leftovers.filter(({ place }) => isComparable(place, contentOf, plan.renderContext))
  const discards = checkDiscards(known, plan.renderContext, contentOf)
  const found = [...plan.results, ...packageGaps(plan, request), ...packagesElsewhere(plan, request), ...discards.results]
  const lost = plan.steps.flatMap(({ op, variant, upstream, folder }) => {
    if (op !== 'update' || upstream.maker !== undefined) return []
    const read = () => readContent(below(out, folder), request).files
    const own = { variant: () => wholeVariant(variant), upstream, read }
    return findingsOf(() => functionsToLose(places.at(folder)?.kptfile(), own, plan.renderContext.upstreams))
  })
  return [...found.filter(({ severity }) => severity === 'error'), ...lost]
}

/** Returns true for a package whose upstream is at hand, and whose functions all run here. */
function isComparable(
  place: DownstreamPlace,
  contentOf: (place: DownstreamPlace) => WholeContent,
  { upstreams, functions }: RenderPlan['renderContext'],
): boolean {
  const kptfile = place.kptfile()
  if (kptfile === undefined || place.owner === undefined) return false
  const { revisions } = upstreams.recorded(readKptfileUpstream(kptfile).value, place.owner.variant.replace(/\/.*$/, ''))
  if (revisions.length === 0) return false
  const { files, read } = contentOf(place)
  const pkg = { folder: place.folder, paths: [...files.keys()], read: (path: string) => read(path) ?? new Uint8Array() }
  return functions?.forComparison.run(pkg).outcome !== 'unmatched'
}

/** Returns the test if a step has nothing to do. A step is compared with the last render once. */
function doneTest(record: RenderRecord | undefined): (step: RenderPlan['steps'][number]) => boolean {
  const asLeft = new Map<VariantStep, boolean>()
  return (step) => {
    const known = asLeft.get(step) ?? (step.op === 'leave' || record?.isAsLeft(step) === true)
    asLeft.set(step, known)
    return known
  }
}

/** Returns the test for each package to remove if its content is as it is now, before its edits are looked for. */
function removalTests({ leftovers }: RenderPlan, { out, isDryRun }: FolderRequest): ReadonlyMap<string, IsAsRead> {
  const removed = isDryRun ? [] : leftovers.filter(({ op }) => op === 'remove')
  return new Map(removed.map(({ place }) => [place.folder, keepsContent(below(out, place.folder).disk)]))
}

/** Returns a render whose functions note nothing. */
function trialOf(plan: RenderPlan, out: NamedFolder, functions: PackageFunctions): Trial<RenderPlan['steps'][number]> {
  const context = folderContextOf(planWith(plan, functions), out)
  return { functions, work: (step) => void renderStep(step, context) }
}

/** Returns true if a package that was written would be rendered to what it is. */
function isStable(step: RenderPlan['steps'][number], { out }: FolderRequest, plan: RenderPlan): boolean {
  const { changes, results } = renderStep({ ...step, op: 'update' }, folderContextOf(plan, out))
  return changes.length === 0 && results.length === 0
}

function folderContextOf(plan: RenderPlan, out: NamedFolder): FolderRenderContext {
  const folderNow = (folder: string): WholeFolder => diskFolder(below(out, folder).disk)
  return {
    plan,
    made: new MadePackages(plan, folderNow),
    unreadFiles: new UnreadFiles(plan.renderContext),
    unwritable: new UnwritableFiles(),
    placeOf: (folder) => below(out, folder),
    folderOf: folderNow,
  }
}

/** Returns the packages below a folder as they are, and as git has them. */
function downstreamFolders(out: NamedFolder): DownstreamFolders {
  return {
    folder: (folder) => diskFolder(below(out, folder).disk),
    tree: (folder, id) => gitTreeFolder(below(out, folder).disk, id),
    shown: (folder) => below(out, folder).shown,
  }
}

/** A package that was rendered in memory. */
export interface PackageInMemory extends RenderedStep {
  /**
   * Returns the files of the present package that people made or edited; none for a package that does not exist yet, and undefined if the
   * revision that the package was made of is not known.
   */
  editedFiles(): readonly string[] | undefined
}

/**
 * Renders the packages of a fleet below a folder in memory, one after the other. A package with errors is no reason to stop: its errors
 * are among its results.
 *
 * @throws FunctionError  with the faults that prevent rendering any package
 */
export function* renderInMemory(request: Omit<FolderRequest, 'isDryRun'>): Generator<PackageInMemory> {
  const { out, places } = request
  const plan = planRender({ ...request, places: () => places, downstreams: downstreamFolders(out) })
  refuse([...plan.results, ...packageGaps(plan, request), ...packagesElsewhere(plan, request)])
  const folderContext = folderContextOf(plan, out)
  for (const step of plan.steps) {
    if (step.op === 'leave') continue
    yield { ...renderStep(step, folderContext), editedFiles: () => editedFiles(step, plan.renderContext, request) }
  }
}

function editedFiles(step: VariantStep, renderContext: RenderPlan['renderContext'], request: Omit<FolderRequest, 'isDryRun'>) {
  if (step.op !== 'update') return []
  const folder = step.movedFrom ?? step.folder
  const { files, layouts, others } = readContent(below(request.out, folder), request)
  const owner = request.places.at(folder)?.owner ?? ownerFor(step.variant)
  const { paths, reason } = unexplainedFiles({ folder, owner, files, layouts, variant: wholeVariant(step.variant) }, renderContext)
  return reason === undefined ? [...paths, ...others].sort() : undefined
}

/** Returns all content of a package on disk, read like an upstream package. */
function readContent({ disk, shown }: NamedFolder, { options }: Pick<FolderRequest, 'options'>): WholeContent {
  const folder = diskFolder(disk)
  const { contents, layouts } = readWholePackage(folder, { krmignore: options.clone === 'kpt', place: shown })
  return { files: contents, layouts, others: [...folder.links, ...folder.gitFolders], read: (path) => folder.files.get(path)?.read() }
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

/**
 * Stages the files of a package, the Kptfile last: while the old Kptfile is in place, the next run repeats the update of an interrupted
 * run.
 */
function stagePackage(rendered: RenderedStep, staging: Staging, out: NamedFolder): void {
  const { step, changes } = rendered
  const files = changes
    .filter(({ op }) => op !== 'delete')
    .map(({ path, op }) => ({ path, op, bytes: rendered.bytesOf(path), mode: rendered.modeOf(path) }))
  if (step.op === 'create') {
    staging.folder(step.folder, files)
    return
  }
  const folder = step.movedFrom ?? step.folder
  const ordered = [...files.filter(({ path }) => path !== KPTFILE), ...files.filter(({ path }) => path === KPTFILE)]
  staging.listed(
    folder,
    rendered.leftovers.filter((path) => !path.includes('/')),
  )
  const within = folder
  for (const { path, op } of changes)
    if (op === 'delete') staging.removeFile(`${folder}/${path}`, { within, isAsRead: rendered.isAsRead(path) })
  for (const { path, op, bytes, mode } of ordered) {
    const isAsRead = op === 'create' ? isFree(below(out, `${folder}/${path}`).disk) : rendered.isAsRead(path)
    staging.file({ path: `${folder}/${path}`, bytes, mode }, { within, isAsRead })
  }
  for (const path of rendered.leftovers) staging.removeLeftover(`${folder}/${path}`, { within })
  if (step.movedFrom !== undefined) staging.moveFolder(step.movedFrom, step.folder)
}

/**
 * Returns the temporary files of interrupted runs in this run's part of the fleet: another run may be rendering another part at the
 * same time.
 */
function ownLeftovers({ places, selection }: FolderRequest): readonly string[] {
  return places.leftovers.filter((path) => selection?.mayGo('', repositoryOf(path)) !== false)
}

function stageLeftovers(leftovers: readonly LeftoverStep[], interrupted: readonly string[], { staging, removed, out }: Removal): void {
  for (const { op, place } of leftovers) {
    if (op === 'remove') staging.removeFolder(place.folder, removed.get(place.folder))
    else orphan(place, staging, out)
  }
  for (const path of interrupted) staging.removeLeftover(path)
}

/** The packages to remove, each with the test if its content is as it was read. */
interface Removal {
  readonly staging: Staging
  readonly removed: ReadonlyMap<string, IsAsRead>
  readonly out: NamedFolder
}

function orphan({ folder, kptfile }: LeftoverStep['place'], staging: Staging, out: NamedFolder): void {
  const file = new DiskFile(below(out, `${folder}/${KPTFILE}`).disk)
  const { mode } = file
  const object = kptfile()
  if (object === undefined) return
  removeOwnerAnnotation(object)
  const staged = { path: `${folder}/${KPTFILE}`, bytes: Buffer.from(object.toText()), mode }
  staging.file(staged, { within: folder, isAsRead: () => file.isAsRead() })
}

/**
 * Throws all findings but infos if one is an error: infos describe changes that will not be made.
 *
 * @param placed  returns the findings with their files before the run
 */
function refuse(results: readonly Result[], placed = (refused: readonly Result[]) => refused): void {
  if (hasErrors(results)) throw new FunctionError(placed(results.filter(({ severity }) => severity !== 'info')))
}

/** Returns findings about packages that are not made, since the run is refused or their functions fail, with their files in the upstream packages. */
function placeUpstream(
  results: readonly Result[],
  plan: RenderPlan,
  out: NamedFolder,
  isUnmade: (step: VariantStep) => boolean = ({ op }) => op === 'create',
): readonly Result[] {
  const steps = new Map(plan.steps.filter(isUnmade).map((step) => [below(out, step.folder).shown, step]))
  const { functions: _, ...renderContext } = plan.renderContext
  const context = folderContextOf({ ...plan, renderContext }, out)
  return results.flatMap((result) => {
    const folder = foldersAbove(result.file?.path ?? '').find((above) => steps.has(above))
    const step = folder === undefined ? undefined : steps.get(folder)
    if (folder === undefined || step === undefined) return [result]
    return atUpstream([result], folder, step.upstream.source, () => renderStep(step, context).made)
  })
}
