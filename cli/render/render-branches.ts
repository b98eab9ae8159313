import { existsSync, realpathSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import type { NamedFolder } from '../../src/folder/named-folder.ts'
import { findCommits, listGitFiles, topOf } from '../../src/git/git.ts'
import { isRefName, REF_RULE } from '../../src/git/git-address.ts'
import { convertedIds, lineConverter } from '../../src/git/git-conversion.ts'
import { type CheckedDrafts, checkDrafts, type Draft, writeDrafts } from '../../src/git/git-drafts.ts'
import { gitIdOf } from '../../src/git/git-snapshot.ts'
import { GitError, type GitRepository } from '../../src/git/run-git.ts'
import { printable } from '../../src/printable.ts'
import { remember } from '../../src/remember.ts'
import {
  BRANCH_PLACEHOLDERS,
  BranchValueFinder,
  type BranchValues,
  branchOf,
  unknownPlaceholders,
  unsafeValues,
} from '../../src/render/branch-template.ts'
import { type CommittedFolder, draftOfLeftover, draftOfStep, type PackageDraft } from '../../src/render/disk/draft-changes.ts'
import type { RenderedStep } from '../../src/render/made-packages.ts'
import { type Fate, type FolderReport, summarizeRun } from '../../src/render/render-summary.ts'
import { quoteNames, quoteText } from '../../src/schema/describe-value.ts'
import { didYouMean } from '../../src/schema/nearest-name.ts'
import { countOf, nameFirst } from '../../src/wording.ts'
import type { ExitCode, Host } from '../host.ts'
import { distinctResults, printResults } from '../print/print-results.ts'
import { UsageError } from '../usage-error.ts'
import { type DraftedPackage, draftMessages } from './draft-messages.ts'
import type { FleetRenderRequest } from './fleet-render-request.ts'
import type { BegunRender } from './render-fleet.ts'
import { runRender } from './render-fleet.ts'
import { refuseUncommittedFleet } from './uncommitted-fleet.ts'

/** A request for branches. The packages of one branch are those for which the template has the same values. */
export interface BranchesRequest extends FleetRenderRequest {
  readonly branch: string
  readonly plan?: string
  readonly format: string
  readonly diff?: boolean
}

/** A package that changes, the values of its branch, and its changes as a commit would have them. */
interface ChangedPackage {
  readonly drafted: DraftedPackage
  readonly values: BranchValues
  readonly draft: PackageDraft
}

/**
 * Renders the fleet in the folder `dir` in memory, and commits what changes to a branch for each value of the template. Each branch is one
 * commit on top of HEAD. The working tree, the index and the current branch stay as they are, and nothing is pushed.
 *
 * @returns 0 if every branch is written; 1 if the functions of a package failed; 2 if `--dry-run` found branches to write
 * @throws UsageError when a branch must not be written, and then none is; FunctionError as `runRender`
 */
export async function renderBranches(dir: string, request: BranchesRequest, host: Host): Promise<ExitCode> {
  refuseOptions(request)
  const { report, rendered, fleet } = await renderAside(dir, request, host)
  host.warn(printResults(distinctResults(report.results)))
  const failed: ExitCode = report.fates.has('failed') ? 1 : 0
  if (fleet === undefined || rendered.length + report.leftovers.length === 0) {
    host.write(`${summarizeRun(report)}\n`)
    return failed
  }
  const repository: GitRepository = { dir: nearestFolder(fleet.out.disk), seconds: request.gitTimeout }
  const committed = committedFolder(fleet.out, repository)
  const found = changedPackages({ rendered, leftovers: report.leftovers }, new BranchValueFinder(fleet.sets), committed)
  refuseUncommitted(found, { ...repository, dir: committed.disk })
  const convert = lineConverter(repository)
  const changed = found.map((each) => ({ ...each, draft: withCommittedLines(each.draft, committed, convert) }))
  const branches = byBranch(changed, request.branch)
  const message = await draftMessages(dir, { request, repository, committed, changed: changed.map(({ drafted }) => drafted) }, host)
  const drafts = [...branches].map(
    ([branch, own]): Draft => ({
      branch,
      message: message(own.map(({ drafted }) => drafted)),
      changes: own.flatMap(({ draft }) => draft.changes),
    }),
  )
  const { wanted, unchanged, refused } = checkDrafts(repository, committed.commit, drafts)
  refuseBranches(refused)
  const isDryRun = request.dryRun === true
  if (!isDryRun) writeDrafts(repository, committed.commit, wanted)
  const lines = [
    ...wanted.map(({ draft, before }) => line(draft, before === '' ? 'new' : 'written again', branches)),
    ...unchanged.map((draft) => line(draft, 'unchanged', branches)),
  ]
  host.write([`${summarizeRun(report)}\n`, ...lines.sort()].join(''))
  return failed === 0 && isDryRun && wanted.length > 0 ? 2 : failed
}

/** A run that wrote nothing: the packages that would change. */
interface RunAside {
  readonly report: FolderReport
  readonly rendered: readonly { readonly order: RenderedStep; readonly op: DraftedPackage['op'] }[]
  /** Unset if the last run left nothing to do. */
  readonly fleet: BegunRender | undefined
}

async function renderAside(dir: string, request: BranchesRequest, host: Host): Promise<RunAside> {
  const rendered: { order: RenderedStep; op: DraftedPackage['op'] }[] = []
  const fleets: BegunRender[] = []
  const look = (order: RenderedStep, fate: Fate): void => {
    const op = fate === 'created' ? 'create' : fate === 'moved' ? 'move' : 'update'
    if (order.changes.length > 0 || fate === 'moved') rendered.push({ order, op })
  }
  const begin = (fleet: BegunRender): void => {
    refuseUncommittedFleet(fleet, request.gitTimeout)
    fleets.push(fleet)
  }
  const report = await runRender(dir, { ...request, dryRun: true }, host, { look, begin })
  return { report, rendered, fleet: fleets[0] }
}

function changedPackages(
  { rendered, leftovers }: Pick<RunAside, 'rendered'> & Pick<FolderReport, 'leftovers'>,
  values: BranchValueFinder,
  committed: CommittedFolder,
): readonly ChangedPackage[] {
  return [
    ...rendered.map(({ order, op }) => ({
      drafted: { op, folder: order.step.folder, upstream: upstreamText(order) },
      values: values.ofVariant(order.step.variant),
      draft: draftOfStep(order, committed),
    })),
    ...leftovers.map((leftover) => ({
      drafted: { op: leftover.op, folder: leftover.place.folder },
      values: values.ofLeftover(leftover.place),
      draft: draftOfLeftover(leftover, committed),
    })),
  ]
}

/** @throws UsageError  with each branch that must not be written */
function refuseBranches(refused: CheckedDrafts['refused']): void {
  if (refused.length === 0) return
  const reasons = refused.map(({ branch, reason }) => `${quoteText(branch)}: ${printable(reason)}`)
  throw new UsageError(
    `\`--branch\` must name branches that hold drafts alone and are not checked out; no branch was written; ${reasons.join('; ')}`,
  )
}

/** Refuses options that make no branches, and a template with an unknown placeholder. @throws UsageError */
function refuseOptions({ branch, plan, shard, fanOut, format, diff }: BranchesRequest): void {
  const others = [
    ['--plan', plan !== undefined],
    ['--shard', shard !== undefined],
    ['--no-fan-out', !fanOut],
    [`--format ${format}`, format !== 'text'],
    ['--diff', diff === true],
  ] as const
  for (const [option, isGiven] of others) if (isGiven) throw new UsageError(`\`--branch\` must not come with ${option}`)
  if (branch === '') throw new UsageError('`--branch` must name a branch, got an empty text')
  const [unknown] = unknownPlaceholders(branch)
  if (unknown === undefined) {
    const sample = branchOf(branch, { namespace: 'x', set: 'x', ring: 'x', repository: 'x' })
    if (isRefName(sample) && sample !== 'HEAD') return
    throw new UsageError(`\`--branch\` must be a name, git allows no branch of this name: ${quoteText(branch)}; it must be ${REF_RULE}`)
  }
  const known = quoteNames(BRANCH_PLACEHOLDERS.map((name) => `{${name}}`))
  throw new UsageError(
    `\`--branch\` must have no placeholders but ${known}, got ${quoteText(`{${unknown}}`)}${didYouMean(unknown, BRANCH_PLACEHOLDERS)}`,
  )
}

/** Returns the nearest folder that exists: the folder for the packages need not. */
function nearestFolder(folder: string): string {
  return existsSync(folder) ? realpathSync(folder) : nearestFolder(dirname(folder))
}

/** Returns the packages as HEAD has them. @throws UsageError when the folder is in no repository, or the repository has no commit */
function committedFolder(out: NamedFolder, repository: GitRepository): CommittedFolder {
  const top = topOfPackages(out, repository)
  const [commit] = findCommits(repository, ['HEAD'])
  if (commit === undefined) throw new UsageError(`\`--branch\` must have a commit to begin with; the repository of '${out.shown}' has none`)
  const real = existsSync(out.disk) ? realpathSync(out.disk) : `${repository.dir}/${relative(repository.dir, out.disk)}`
  const prefix = relative(top, real).split('\\').join('/')
  const { files } = listGitFiles(repository, commit, { folder: prefix })
  return { disk: out.disk, prefix, commit, files: new Map(files.map(({ path, mode, id }) => [path, { mode, id }])) }
}

function topOfPackages(out: NamedFolder, repository: GitRepository): string {
  try {
    return realpathSync(topOf(repository))
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    throw new UsageError(`\`--branch\` must have its packages in a git repository; '${out.shown}' is in none (${error.message})`)
  }
}

function upstreamText({ step: { variant, upstream } }: RenderedStep): string {
  return `${variant.upstream.repo}/${variant.upstream.package} ${upstream.origin.ref}`
}

/** @throws UsageError  since the commit of a draft would hold what a person has not committed, or lack it */
function refuseUncommitted(changed: readonly ChangedPackage[], repository: GitRepository): void {
  const files = changed.flatMap(({ draft }) => draft.uncommitted)
  const converted = files.filter(({ id }) => id !== undefined)
  const paths = converted.map(({ path }) => path)
  const ids = convertedIds(repository, paths)
  const same = new Set(converted.filter(({ id }, index) => ids?.[index] === id))
  const others = files.filter((file) => !same.has(file)).map(({ path }) => path)
  if (others.length === 0) return
  throw new UsageError(
    `\`--branch\` must find the packages as they are committed; commit or stash first: ${printable(nameFirst(others, NAMED_FILES))}`,
  )
}

/** Returns a draft with the contents that git would commit of the files: a checkout may have the ends of lines of Windows. */
function withCommittedLines(
  draft: PackageDraft,
  { prefix, files }: CommittedFolder,
  convert: ReturnType<typeof lineConverter>,
): PackageDraft {
  const changes = draft.changes.flatMap(({ path, content }) => {
    if (content?.bytes === undefined) return [{ path, ...(content && { content }) }]
    const bytes = convert(path, content.bytes)
    if (bytes === content.bytes) return [{ path, content }]
    const id = gitIdOf(bytes, content.id)
    const known = files.get(prefix === '' ? path : path.slice(prefix.length + 1))
    return known?.id === id && known.mode === content.mode ? [] : [{ path, content: { ...content, id, bytes } }]
  })
  return { ...draft, changes }
}

const NAMED_FILES = 5

/** Returns the packages of each branch. @throws UsageError for values that must not be in the name of a branch */
function byBranch(changed: readonly ChangedPackage[], template: string): ReadonlyMap<string, readonly ChangedPackage[]> {
  const unsafe = changed.flatMap(({ values }) => unsafeValues(template, values).map(([name, value]) => `${name} ${quoteText(value)}`))
  if (unsafe.length > 0) {
    const named = nameFirst([...new Set(unsafe)], NAMED_FILES)
    throw new UsageError(
      `\`--branch\` must make names of letters, digits, '.', '_' and '-' from its placeholders, got ${named}; choose other placeholders`,
    )
  }
  const branches = new Map<string, ChangedPackage[]>()
  for (const each of changed) {
    if (each.draft.changes.length === 0) continue
    remember(branches, branchOf(template, each.values), () => []).push(each)
  }
  return branches
}

function line({ branch }: Draft, fate: string, branches: ReadonlyMap<string, readonly ChangedPackage[]>): string {
  return `branch ${printable(branch)}: ${countOf(branches.get(branch)?.length ?? 0, 'package')}, ${fate}\n`
}
