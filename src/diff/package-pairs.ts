import type { WholeFolder } from '../folder/whole-folder.ts'
import { definedEntries } from '../group-by.ts'
import type { PackageFiles } from '../merge/package-files.ts'
import { type Calls, turn } from '../pipeline/calls.ts'
import type { GroupedFindings } from '../render/grouped-findings.ts'
import type { RenderedStep } from '../render/made-packages.ts'
import { hasErrors } from '../result.ts'
import type { ChainLinks } from './causes/chain-links.ts'
import type { CommittedPackages, FleetState, PackageStep, StateRenderer } from './fleet-state.ts'
import type { PackageInput } from './package-inputs.ts'
import { packageContentOf, renderedFiles } from './package-objects.ts'
import { editInputs } from './raised-subpackages.ts'
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
  /** Returns all files of the package in both states. */
  readonly whole: () => { readonly before: PackageFiles; readonly after: PackageFiles }
  readonly inputs: readonly PackageInput[]
  /** The committed packages. */
  readonly folders?: { readonly before: WholeFolder; readonly after: WholeFolder }
}

/** The packages of two states. Each is made when it is asked for, so that no more than one is in memory. */
export interface PackagePairs {
  /** The folders of all packages. */
  readonly folders: readonly string[]
  /** Returns the package in a folder; undefined if the package cannot differ. */
  pairOf(folder: string): Calls<PackagePair | undefined>
  /** The folders of the packages so far that cannot be rendered. */
  readonly failed: ReadonlySet<string>
  /**
   * The number of packages so far that do not change although their upstream revision has another content, by REPOSITORY/PACKAGE REVISION.
   */
  readonly behind: ReadonlyMap<string, number>
}

/**
 * Returns the packages of two states. Packages whose inputs are equal in both states are not rendered, unless the repository holds them: a
 * package there may have been edited, or not rendered again.
 */
export function packagePairs(from: FleetState, to: FleetState, links: ChainLinks, findings: GroupedFindings): PackagePairs {
  const { committed: before } = from
  const { committed: after } = to
  const states = { to, old: byFolder(from), present: byFolder(to), links, findings }
  return before !== undefined && after !== undefined ? committedPairs({ ...states, before, after }) : renderedPairs(states)
}

function byFolder({ plan }: FleetState): ReadonlyMap<string, PackageStep> {
  return new Map(plan.steps.map((step) => [step.folder, step]))
}

interface RenderedPairs {
  readonly to: FleetState
  readonly old: ReadonlyMap<string, PackageStep>
  readonly present: ReadonlyMap<string, PackageStep>
  readonly links: ChainLinks
  readonly findings: GroupedFindings
}

function renderedPairs({ to, old, present, links, findings }: RenderedPairs): PackagePairs {
  const { comparison, renderers } = links
  const failed = new Set<string>()
  const pairOf = function* (folder: string): Calls<PackagePair | undefined> {
    const [was, is] = [old.get(folder), present.get(folder)]
    const before = function* (): Calls<RenderedStep | undefined> {
      return was && (yield* rendered(was, renderers.from, { findings, failed, onlyErrors: true }))
    }
    const after = function* (): Calls<RenderedStep | undefined> {
      const order = is && (yield* rendered(is, renderers.to, { findings, failed, onlyErrors: false }))
      if (is && order) to.kept?.set(is, renderedFiles(order))
      return order
    }
    const pair = yield* renderedPair(folder, { was, is, inputs: was && is ? comparison.between(was, is) : [], before, after })
    return failed.has(folder) ? undefined : pair
  }
  return { folders: [...new Set([...old.keys(), ...present.keys()])], pairOf, failed, behind: new Map() }
}

interface RenderedPair {
  readonly was: PackageStep | undefined
  readonly is: PackageStep | undefined
  readonly inputs: readonly PackageInput[]
  readonly before: () => Calls<RenderedStep | undefined>
  readonly after: () => Calls<RenderedStep | undefined>
}

/** Returns a package that is rendered in both states; undefined if its inputs are equal. */
function* renderedPair(folder: string, { was, is, inputs, before, after }: RenderedPair): Calls<PackagePair | undefined> {
  const pairOf = (
    fate: PackagePair['fate'],
    steps: Pick<PackagePair, 'from' | 'to'>,
    [old, now]: readonly [before?: RenderedStep | undefined, after?: RenderedStep | undefined],
  ): PackagePair => ({
    ...{ folder, fate, inputs, ...steps },
    ...(old && { before: renderedFiles(old, '', now) }),
    ...(now && { after: renderedFiles(now, '', old) }),
    whole: () => ({ before: old ? renderedFiles(old) : NO_CONTENTS, after: now ? renderedFiles(now) : NO_CONTENTS }),
  })
  if (was === undefined) return is && pairOf('created', { to: is }, [undefined, yield* after()])
  if (is !== undefined) return inputs.length === 0 ? undefined : pairOf('changed', { from: was, to: is }, [yield* before(), yield* after()])
  const isLeft = was.variant.deletionPolicy === 'orphan'
  return isLeft ? pairOf('left', { from: was }, []) : pairOf('removed', { from: was }, [yield* before()])
}

const NO_CONTENTS: PackageFiles = new Map()

/**
 * Returns a package as its state renders it, and adds a package that cannot be rendered to `failed`. Of FROM, only errors are found: its
 * other findings are known.
 */
function* rendered(
  step: PackageStep,
  renderer: StateRenderer,
  { findings, failed, onlyErrors }: { readonly findings: GroupedFindings; readonly failed: Set<string>; readonly onlyErrors: boolean },
): Calls<RenderedStep> {
  const order = yield* renderer.render(step)
  yield* turn()
  const results = [...order.results, ...(order.functions?.results ?? [])]
  if (hasErrors(results)) failed.add(step.folder)
  findings.add(step.folder, onlyErrors ? results.filter(({ severity }) => severity === 'error') : results)
  return order
}

interface CommittedPairs extends RenderedPairs {
  readonly before: CommittedPackages
  readonly after: CommittedPackages
}

/** The packages that are read from git in one process. */
const CHUNK = 100

function committedPairs(committed: CommittedPairs): PackagePairs {
  const { to, present, before, after } = committed
  const movedFrom = definedEntries(to.plan.steps.map((step) => [step.folder, step.movedFrom]))
  const gone = new Set(movedFrom.values())
  const removed = new Set(to.plan.leftovers.flatMap(({ op, place }) => (op === 'remove' ? [place.folder] : [])))
  const folders = [...new Set([...before.folders, ...after.folders, ...present.keys()])].filter((folder) => !gone.has(folder))
  const chunkOf = new Map(folders.map((folder, i) => [folder, i - (i % CHUNK)]))
  const failed = new Set<string>()
  const behind = new Map<string, number>()
  let loaded: number | undefined
  const load = (start = 0): void => {
    if (loaded === start) return
    const chunk = folders.slice(start, start + CHUNK).map((folder) => movedFrom.get(folder) ?? folder)
    before.load(chunk)
    after.load(chunk)
    loaded = start
  }
  const pairOf = (folder: string): Calls<PackagePair | undefined> => {
    load(chunkOf.get(folder))
    return committedPair(folder, { ...committed, movedFrom, removed, failed, behind })
  }
  return { folders, pairOf, failed, behind }
}

interface PairContext extends CommittedPairs {
  readonly movedFrom: ReadonlyMap<string, string>
  readonly removed: ReadonlySet<string>
  readonly failed: Set<string>
  readonly behind: Map<string, number>
}

function* committedPair(folder: string, context: PairContext): Calls<PackagePair | undefined> {
  const { old, present: steps, movedFrom, findings, failed } = context
  const { comparison, renderers } = context.links
  const oldFolder = movedFrom.get(folder) ?? folder
  const [was, is] = [old.get(oldFolder) ?? old.get(folder), steps.get(folder)]
  const rendered = is === undefined || is.op === 'leave' ? undefined : yield* renderers.to.render(is)
  yield* turn()
  if (is && rendered) context.to.kept?.set(is, renderedFiles(rendered, context.after.shown))
  const results = [...(rendered?.results ?? []), ...(rendered?.functions?.results ?? [])]
  findings.add(folder, results)
  // What a package would be after an error is not known.
  if (hasErrors(results)) {
    failed.add(folder)
    return undefined
  }
  const found = committedDifference({ folder, oldFolder, rendered }, context)
  if (found === undefined) {
    noteBehind(was, is, context)
    return undefined
  }
  const { isEdited: hasEdit, ...difference } = found
  const inputs = was && is ? comparison.between(was, is) : []
  return {
    folder,
    ...difference,
    inputs: hasEdit ? [...inputs, ...editInputs(difference.folders, is, context.after.shown)] : inputs,
    ...(was && { from: was }),
    ...(is && { to: is }),
  }
}

/** Notes an unchanged package whose upstream revision is the same, and has another content than before. */
function noteBehind(was: PackageStep | undefined, is: PackageStep | undefined, { links, behind }: PairContext): void {
  if (was === undefined || is === undefined) return
  const [before, after] = [was, is].map(({ variant: { upstream } }) => {
    const { repo, package: name, revision, workspaceName } = upstream
    return `${repo}/${name} ${String(revision ?? workspaceName ?? '')}`.trim()
  })
  if (after === undefined || before !== after || is.upstream.maker !== undefined) return
  if (links.comparison.between(was, is).some(({ type }) => type === 'upstream')) behind.set(after, (behind.get(after) ?? 0) + 1)
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
): (Pick<PackagePair, 'fate' | 'folders' | 'before' | 'after' | 'whole'> & { readonly isEdited: boolean }) | undefined {
  const digests = { before: before.digests(oldFolder), after: after.digests(oldFolder) }
  const isGone = removed.has(folder)
  const differing = differingPaths(digests.before, isGone ? NO_FILES : digests.after, rendered)
  if (differing.length === 0) return undefined
  const folders = { before: before.folder(oldFolder), after: after.folder(oldFolder) }
  const isThere = !isGone && (rendered !== undefined || digests.after.size > 0)
  const isNew = digests.before.size === 0
  const filesAfter = (): PackageFiles =>
    rendered === undefined
      ? filesIn(folders.after, `${after.shown}/${folder}`, differing)
      : only(renderedFiles(rendered, after.shown), differing)
  return {
    fate: isNew ? 'created' : isThere ? 'changed' : 'removed',
    isEdited: !isNew && differingPaths(digests.before, digests.after, undefined).length > 0,
    folders,
    ...(!isNew && { before: filesIn(folders.before, `${before.shown}/${folder}`, differing) }),
    ...(isThere && { after: filesAfter() }),
    whole: () => ({
      before: filesIn(folders.before, `${before.shown}/${folder}`),
      after: !isThere
        ? NO_CONTENTS
        : rendered === undefined
          ? filesIn(folders.after, `${after.shown}/${folder}`)
          : renderedFiles(rendered, after.shown),
    }),
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

/** Returns the files of a committed package, all or those at some paths. @param place  the folder, for findings */
export function filesIn(folder: WholeFolder, place: string, paths: Iterable<string> = folder.files.keys()): PackageFiles {
  const files = definedEntries(Array.from(paths, (path) => [path, folder.files.get(path)]))
  return new Map(Array.from(files, ([path, file]) => [path, packageContentOf(file.read(), `${place}/${path}`)]))
}

function only(files: PackageFiles, paths: readonly string[]): PackageFiles {
  return definedEntries(paths.map((path) => [path, files.get(path)]))
}
