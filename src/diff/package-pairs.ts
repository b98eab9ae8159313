import type { PackageFiles } from '../merge/package-files.ts'
import type { WholeFolder } from '../package/whole-folder.ts'
import type { GroupedFindings } from '../render/grouped-findings.ts'
import type { RenderedStep } from '../render/target/disk/render-step.ts'
import type { ChainLinks } from './chain-links.ts'
import type { CommittedPackages, FleetState, PackageStep, StateRenderer } from './fleet-state.ts'
import type { PackageInput } from './package-inputs.ts'
import { packageContentOf, renderedFiles } from './package-objects.ts'
import type { PackageEntry } from './report.ts'

/** A package in two states, where it may differ. */
export interface PackagePair {
  readonly folder: string
  readonly fate: Exclude<PackageEntry['fate'], 'local'>
  /** The steps that render the package in each state; unset where the fleet has no variant for the package. */
  readonly from?: PackageStep
  readonly to?: PackageStep
  /** The files that may differ; unset where the state lacks the package. */
  readonly before?: PackageFiles
  readonly after?: PackageFiles
  readonly inputs: readonly PackageInput[]
  /** The committed packages. */
  readonly folders?: { readonly before: WholeFolder; readonly after: WholeFolder }
}

/** All packages of two states. A package that cannot differ is undefined in the sequence, so that progress can be reported. */
export interface PackagePairs {
  readonly total: number
  readonly pairs: Iterable<PackagePair | undefined>
}

/**
 * Returns the packages of two states, one after the other, so that no more than one is in memory. Packages whose inputs are equal in
 * both states are not rendered, unless the repository holds them: a package there may have been edited, or not rendered again.
 *
 * @param findings  receives the findings of rendering, by folder
 */
export function packagePairs(from: FleetState, to: FleetState, links: ChainLinks, findings: GroupedFindings): PackagePairs {
  const { committed: before } = from
  const { committed: after } = to
  if (before !== undefined && after !== undefined) return committedPairs(from, to, { before, after, links, findings })
  const [old, present] = [byFolder(from), byFolder(to)]
  const folders = [...new Set([...old.keys(), ...present.keys()])]
  return { total: folders.length, pairs: renderedPairs(folders, { from, to, old, present, links, findings }) }
}

function byFolder({ plan }: FleetState): ReadonlyMap<string, PackageStep> {
  return new Map(plan.steps.map((step) => [step.folder, step]))
}

interface RenderedPairs {
  readonly from: FleetState
  readonly to: FleetState
  readonly old: ReadonlyMap<string, PackageStep>
  readonly present: ReadonlyMap<string, PackageStep>
  readonly links: ChainLinks
  readonly findings: GroupedFindings
}

function* renderedPairs(folders: readonly string[], context: RenderedPairs): Generator<PackagePair | undefined> {
  const { to, old, present, links, findings } = context
  const { comparison, renderers } = links
  for (const folder of folders) {
    const [was, is] = [old.get(folder), present.get(folder)]
    const before = (): PackageFiles | undefined => was && filesOf(was, renderers.from, findings, { onlyErrors: true })
    const after = (): PackageFiles | undefined => {
      const files = is && filesOf(is, renderers.to, findings, { onlyErrors: false })
      if (is && files) to.kept?.set(is, files)
      return files
    }
    yield renderedPair(folder, { was, is, inputs: was && is ? comparison.between(was, is) : [], before, after })
  }
}

interface RenderedPair {
  readonly was: PackageStep | undefined
  readonly is: PackageStep | undefined
  readonly inputs: readonly PackageInput[]
  readonly before: () => PackageFiles | undefined
  readonly after: () => PackageFiles | undefined
}

/** Returns a package that is rendered in both states; undefined if its inputs are equal. */
function renderedPair(folder: string, { was, is, inputs, before, after }: RenderedPair): PackagePair | undefined {
  if (was === undefined) return is && { folder, fate: 'created', to: is, inputs, ...present({ after: after() }) }
  if (is !== undefined)
    return inputs.length === 0
      ? undefined
      : { folder, fate: 'changed', from: was, to: is, inputs, ...present({ before: before(), after: after() }) }
  const isLeft = was.variant.deletionPolicy === 'orphan'
  return isLeft
    ? { folder, fate: 'left', from: was, inputs }
    : { folder, fate: 'removed', from: was, inputs, ...present({ before: before() }) }
}

/** Returns the fields that have a value. */
function present(fields: {
  readonly before?: PackageFiles | undefined
  readonly after?: PackageFiles | undefined
}): Pick<PackagePair, 'before' | 'after'> {
  const { before, after } = fields
  return { ...(before && { before }), ...(after && { after }) }
}

/** Returns the files of a package as its state renders them. Of FROM, only errors are found: its other findings are known. */
function filesOf(
  step: PackageStep,
  renderer: StateRenderer,
  findings: GroupedFindings,
  { onlyErrors }: { readonly onlyErrors: boolean },
): PackageFiles {
  const order = renderer.render(step)
  const results = [...order.results, ...(order.functions?.results ?? [])]
  findings.add(step.folder, onlyErrors ? results.filter(({ severity }) => severity === 'error') : results)
  return renderedFiles(order)
}

interface CommittedPairs {
  readonly before: CommittedPackages
  readonly after: CommittedPackages
  readonly links: ChainLinks
  readonly findings: GroupedFindings
}

/** The packages that are read from git in one process. */
const CHUNK = 100

function committedPairs(from: FleetState, to: FleetState, committed: CommittedPairs): PackagePairs {
  const old = byFolder(from)
  const present = byFolder(to)
  const movedFrom = new Map(
    to.plan.steps.flatMap(({ movedFrom, folder }) => (movedFrom === undefined ? [] : [[folder, movedFrom] as const])),
  )
  const gone = new Set(movedFrom.values())
  const all = [...new Set([...committed.before.folders, ...committed.after.folders, ...present.keys()])].filter(
    (folder) => !gone.has(folder),
  )
  return { total: all.length, pairs: eachCommitted(all, { from, to, old, present, movedFrom, ...committed }) }
}

interface EachCommitted extends RenderedPairs, CommittedPairs {
  readonly movedFrom: ReadonlyMap<string, string>
}

function* eachCommitted(folders: readonly string[], context: EachCommitted): Generator<PackagePair | undefined> {
  const { to, before, after, movedFrom } = context
  const removed = new Set(to.plan.leftovers.flatMap(({ op, place }) => (op === 'remove' ? [place.folder] : [])))
  for (const [i, folder] of folders.entries()) {
    if (i % CHUNK === 0) {
      const chunk = folders.slice(i, i + CHUNK)
      before.load(chunk.map((each) => movedFrom.get(each) ?? each))
      after.load(chunk)
    }
    yield committedPair(folder, { ...context, removed })
  }
}

interface PairContext extends EachCommitted {
  readonly removed: ReadonlySet<string>
}

function committedPair(folder: string, context: PairContext): PackagePair | undefined {
  const { old, present: steps, movedFrom, findings } = context
  const { comparison, renderers } = context.links
  const oldFolder = movedFrom.get(folder) ?? folder
  const [was, is] = [old.get(oldFolder) ?? old.get(folder), steps.get(folder)]
  const rendered = is === undefined || is.op === 'leave' ? undefined : renderers.to.render(is)
  if (rendered !== undefined) context.to.kept?.set(rendered.step, renderedFiles(rendered, context.after.shown))
  findings.add(folder, [...(rendered?.results ?? []), ...(rendered?.functions?.results ?? [])])
  const found = committedDifference({ folder, oldFolder, rendered }, context)
  if (found === undefined) return undefined
  const { isEdited: hasEdit, ...difference } = found
  const inputs = was && is ? comparison.between(was, is) : []
  return {
    folder,
    ...difference,
    inputs: hasEdit ? [...inputs, { type: 'edit' }] : inputs,
    ...(was && { from: was }),
    ...(is && { to: is }),
  }
}

interface RenderedFolder {
  readonly folder: string
  /** The folder of the package in FROM. */
  readonly oldFolder: string
  /** The package after `render`; undefined if `render` does not change the package. */
  readonly rendered: RenderedStep | undefined
}

/** Returns the files that differ between FROM's package and what TO's becomes; undefined if none does. */
function committedDifference(
  { folder, oldFolder, rendered }: RenderedFolder,
  { before, after, removed }: PairContext,
): (Pick<PackagePair, 'fate' | 'folders' | 'before' | 'after'> & { readonly isEdited: boolean }) | undefined {
  const digests = { before: before.digests(oldFolder), after: after.digests(oldFolder) }
  const isGone = removed.has(folder)
  const differing = differingPaths(digests.before, isGone ? NO_FILES : digests.after, rendered)
  if (differing.length === 0) return undefined
  const folders = { before: before.folder(oldFolder), after: after.folder(oldFolder) }
  const isThere = !isGone && (rendered !== undefined || digests.after.size > 0)
  const isNew = digests.before.size === 0
  const filesAfter = (): PackageFiles =>
    rendered === undefined
      ? filesIn(folders.after, differing, `${after.shown}/${folder}`)
      : only(renderedFiles(rendered, after.shown), differing)
  return {
    fate: isNew ? 'created' : isThere ? 'changed' : 'removed',
    isEdited: !isNew && differingPaths(digests.before, digests.after, undefined).length > 0,
    folders,
    ...(!isNew && { before: filesIn(folders.before, differing, `${before.shown}/${folder}`) }),
    ...(isThere && { after: filesAfter() }),
  }
}

const NO_FILES: ReadonlyMap<string, string> = new Map()

/** Returns the paths of files that differ between the committed package of FROM and what TO's package becomes. */
function differingPaths(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  rendered: Pick<RenderedStep, 'changes'> | undefined,
): readonly string[] {
  const changed = new Set(rendered?.changes.map(({ path }) => path))
  return [...new Set([...before.keys(), ...after.keys(), ...changed])].filter(
    (path) => changed.has(path) || before.get(path) !== after.get(path),
  )
}

export function filesIn(folder: WholeFolder, paths: readonly string[], place: string): PackageFiles {
  return new Map(
    paths.flatMap((path) => {
      const file = folder.files.get(path)
      return file === undefined ? [] : [[path, packageContentOf(file.read(), `${place}/${path}`)] as const]
    }),
  )
}

function only(files: PackageFiles, paths: readonly string[]): PackageFiles {
  return new Map(
    paths.flatMap((path) => {
      const content = files.get(path)
      return content === undefined ? [] : [[path, content] as const]
    }),
  )
}
