import { existsSync, realpathSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { posix, relative, sep } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { fanOut, planAsConfigured, type TakeVariant } from '../../functions/fan-out/fan-out.ts'
import { readOptions } from '../../functions/render-variants/render-variants.ts'
import type { FleetPlan, SetPlan } from '../../src/fleet/plan-fan-out.ts'
import { fleetIdentity } from '../../src/package/fleet-identity.ts'
import { cacheFolder, type GitPlaces } from '../../src/package/git-cache.ts'
import { realPlace } from '../../src/package/inside-folder.ts'
import { below, type NamedFolder } from '../../src/package/named-folder.ts'
import { isGitFolder } from '../../src/package/safe-path.ts'
import { OPTIONS_OF_RUN } from '../../src/pipeline/match.ts'
import { readVariants } from '../../src/render/fleet-variants.ts'
import type { FunctionOptions, RenderOptions } from '../../src/render/options.ts'
import { packageFunctions } from '../../src/render/package/package-runners.ts'
import type { SelectionTerm, Shard } from '../../src/render/selection.ts'
import { repositoryOf } from '../../src/render/target/disk/disk-places.ts'
import { type OtherShards, planFolder } from '../../src/render/target/disk/plan-folder.ts'
import { type FleetObjects, readFleetFolder } from '../../src/render/target/disk/read-fleet-folder.ts'
import {
  type FolderReport,
  type FolderRequest,
  type PackageInMemory,
  renderInMemory,
  renderToFolder,
} from '../../src/render/target/disk/render-to-folder.ts'
import { variantFaults } from '../../src/render/target/list/fleet-items.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { ResourceList } from '../../src/resource-list/resource-list.ts'
import { FunctionError, hasErrors, type Result } from '../../src/result.ts'
import { faultToResult } from '../../src/schema/fault.ts'
import { isPackageVariant } from '../../src/variant/find-variant.ts'
import { advance } from '../advance.ts'
import { withFunctionConfig, withOnlyOptions } from '../function-config.ts'
import type { Host } from '../host.ts'
import { boundChanges, changesSince, inputsOf, plain } from '../plan/bound-inputs.ts'
import type { SavedPlan } from '../plan/saved-plan.ts'
import { distinctResults, withoutFiles } from '../print/print-results.ts'
import { printJson } from '../print/print-value.ts'
import { requireFolder } from '../read-input.ts'
import { type RunnerOptions, runnerSettings } from '../run/function-runners.ts'
import { UsageError } from '../usage-error.ts'
import { openLastRender, repeatedRender } from './open-last-render.ts'
import { readShard } from './sharded-fleet.ts'
import { atSources } from './sources-of-findings.ts'

/** The request of the caller: the packages to render, and their folder. */
export interface FleetRenderRequest extends RunnerOptions {
  readonly out?: string
  /** A file with the options of render-variants. */
  readonly config?: string
  readonly fanOut: boolean
  /** False to leave the functions of packages to kpt or Porch; `known` to run those that have a runner, for a look ahead. */
  readonly run: boolean | 'known'
  /** True to write nothing when the functions of one package fail. */
  readonly failFast?: boolean
  readonly followRenames?: boolean
  readonly discardEdits?: boolean
  readonly allowMoved?: boolean
  readonly only?: readonly SelectionTerm[]
  readonly shard?: Shard
  readonly offline?: boolean
  /** True to allow upstream packages, and the `out` of the options, outside of the fleet. */
  readonly allowOutside?: boolean
  /** True to write nothing. */
  readonly dryRun?: boolean
  /** True to write the status of sets and PackageVariants into the files of the fleet afterwards. */
  readonly status?: boolean
  /** The seconds without output after which a call of git fails. */
  readonly gitTimeout?: number
  /** A saved plan and its file. The run makes exactly the changes of the plan, or none. */
  readonly saved?: { readonly file: string; readonly plan: SavedPlan }
  /** A folder with shards of the fleet, of which `shard` is rendered. */
  readonly sharded?: string
}

/** The sets of a fleet, and the folder of its packages. */
export interface BegunRender {
  readonly out: NamedFolder
  readonly sets: readonly SetPlan[]
}

/**
 * Renders the fleet in the folder `dir`.
 *
 * @param look   is shown each package
 * @param begin  is shown the fleet before its packages are rendered; not called if the last run left nothing to do
 * @throws FunctionError with every fault of the fleet; UsageError for folders and files that are not as they must be
 */
export async function runRender(
  dir: string,
  request: FleetRenderRequest,
  host: Host,
  look?: FolderRequest['look'],
  begin?: (fleet: BegunRender) => void,
): Promise<FolderReport> {
  for (const flag of SHORT_LIVED) setFlagsFromString(flag)
  const started = Date.now()
  const opened = openLastRender(dir, request.out, started, request, host)
  const repeated = opened && repeatedRender(opened, dir, request, host)
  if (repeated !== undefined) return repeated
  const read = request.sharded === undefined ? readFleetToRender(dir, request, host) : shardToRender(dir, request.sharded, request, host)
  const { folder, items, made, options, configured, results, sets } = read
  try {
    const out = outFolder(folder, request, options, host)
    begin?.({ out, sets })
    const last = opened ?? openLastRender(dir, out.disk, started, request, host)
    const plan = planFolder({
      items,
      dir: folder,
      out,
      options: { fleet: fleetIdentity(folder.disk, out.disk), ...options },
      allowOutside: request.allowOutside === true,
      git: gitPlaces(request, options, host),
      terms: { only: request.only ?? [], shard: request.shard },
      ...(read.elsewhere && { elsewhere: read.elsewhere }),
    })
    if (request.saved !== undefined) requireSavedPlan(request.saved, { folder, plan, options, sets, config: request.config }, host)
    const shown: FolderRequest['look'] =
      look && ((order, fate) => look({ ...order, results: atSources(order.results, { made, sets }) }, fate))
    const functions = await functionsFor(request, { options, configured }, host)
    last?.reads(plan.items, printJson(plain({ ...plan.options, configured })))
    const report = await advance(
      renderToFolder({
        ...plan,
        ...functions,
        ...(last && { last, shelves: last.noting(plan.shelves) }),
        isDryRun: request.dryRun === true,
        failFast: request.failFast === true,
        ...(shown !== undefined && { look: shown }),
      }),
      'package',
      host,
    )
    const done = { ...report, results: atSources([...results, ...report.results], { made, sets }) }
    if (request.dryRun !== true) last?.write(done, trustedAddresses(options))
    return done
  } catch (error) {
    throw error instanceof FunctionError ? new FunctionError(atSources(error.results, { made, sets })) : error
  }
}

/**
 * Renders the fleet in the folder `dir` in memory, after a change of its objects.
 *
 * @param change  edits the objects of the fleet, before its sets are fanned out
 * @param look    is shown each package
 * @returns false if nobody names a folder for the packages
 * @throws as `runRender`
 */
export async function renderChanged(
  dir: string,
  request: FleetRenderRequest,
  host: Host,
  { change, look }: { readonly change: (items: readonly KrmObject[]) => void; readonly look: (rendered: PackageInMemory) => void },
): Promise<boolean> {
  const folder: NamedFolder = { disk: requireFolder(dir, host), shown: shownFolder(dir) }
  const read = readFleetFolder(folder)
  change(read.list.items)
  const { items, made, options, configured } = fleetOf(read, folder, request, host)
  if (request.out === undefined && options.out === undefined) return false
  try {
    const out = outFolder(folder, request, options, host)
    const git = gitPlaces(request, options, host)
    const own = { fleet: fleetIdentity(folder.disk, out.disk), ...options }
    const allowOutside = request.allowOutside === true
    const plan = planFolder({ items, dir: folder, out, options: own, allowOutside, git, terms: { only: [], shard: undefined } })
    const functions = await functionsFor(request, { options, configured }, host)
    for (const rendered of renderInMemory({ ...plan, ...functions })) look({ ...rendered, results: withoutFiles(rendered.results, made) })
    return true
  } catch (error) {
    throw error instanceof FunctionError ? new FunctionError(withoutFiles(error.results, made)) : error
  }
}

/** Returns what runs the functions of packages, with the functions of this project; nothing to leave them to kpt. */
export async function functionsFor(
  request: FleetRenderRequest,
  { options, configured }: Pick<ReadFleet, 'options' | 'configured'>,
  host: Host,
): Promise<Pick<FolderRequest, 'functions'>> {
  if (!runsFunctions(request, configured)) return {}
  const settings = await runnerSettings(request, host, () => true, configured)
  const waysOut = { ...OPTIONS_OF_RUN, last: 'leave the functions of all packages to kpt with --no-run' }
  const withoutRunner = request.run === 'known' ? 'leave' : 'refuse'
  return { functions: packageFunctions({ ...settings, waysOut }, { withoutRunner, status: options.status }) }
}

function runsFunctions({ run }: Pick<FleetRenderRequest, 'run'>, { mode }: FunctionOptions): boolean {
  return run !== false && mode !== 'leave'
}

/** Returns where git repositories are, and how git is asked. */
export function gitPlaces(
  request: Pick<FleetRenderRequest, 'offline' | 'gitTimeout'>,
  options: RenderOptions,
  host: Host,
): Omit<GitPlaces, 'base'> {
  const cache = cacheFolder(host.environment, tmpdir())
  return { cache, offline: request.offline === true, seconds: request.gitTimeout, trusted: trustedAddresses(options) }
}

/** Returns the addresses of git repositories that the options trust although the repositories are files of the fleet. */
function trustedAddresses({ repositories }: RenderOptions): ReadonlySet<string> {
  return new Set([...repositories.values()].flatMap(({ trusted, git }) => (trusted && git !== undefined ? [git.repo] : [])))
}

/**
 * The plan of a fleet lives to the end, the packages that are rendered after it for a moment. V8 would learn from the first that all they are
 * made of lives long, put it where it rarely looks for garbage, and let that grow to four times the plan: measured in src/render/README.md.
 */
export const SHORT_LIVED = ['--no-allocation-site-pretenuring', '--heap-growing-percent=25']

/** A plan that is about to be done, and what was read for it. */
interface Planned {
  readonly folder: NamedFolder
  readonly plan: ReturnType<typeof planFolder>
  /** As they were decoded: those of the plan have the name of the fleet too, which no option says. */
  readonly options: RenderOptions
  readonly sets: readonly SetPlan[]
  readonly config: string | undefined
}

/** @throws FunctionError with everything that is other than when the plan was saved */
function requireSavedPlan({ file, plan: saved }: NonNullable<FleetRenderRequest['saved']>, planned: Planned, host: Host): void {
  const { folder, plan, options, sets, config } = planned
  const inputs = inputsOf({
    folder,
    packages: saved.packages === undefined && options.out === undefined ? undefined : plan.out,
    config: config === undefined ? undefined : host.locate(config),
    planFile: realpathSync(host.locate(file)),
    items: plan.items,
    options,
    shelves: plan.shelves,
  })
  const found = changesSince(saved, file, { inputs, changes: boundChanges(sets), folder, isOthers: othersFinder(folder, plan) })
  if (found.length > 0) throw new FunctionError(found)
}

/** Finds the files of packages that a run on a part of the fleet leaves alone: another run may have rendered them meanwhile. */
function othersFinder(folder: NamedFolder, { items, out, selection }: Planned['plan']): (path: string) => boolean {
  if (selection === undefined) return () => false
  const own = readVariants(items.filter(isPackageVariant)).variants.filter((variant) => selection.has(variant))
  const folders = new Set(own.map(({ downstream }) => `${downstream.repo}/${downstream.package}`))
  const root = relative(realpathSync(folder.disk), existsSync(out.disk) ? realpathSync(out.disk) : out.disk)
  return (path) => {
    const inside = posix.relative(root, path)
    if (inside.startsWith('../')) return false
    let above = inside
    while (above !== '.' && !folders.has(above)) above = posix.dirname(above)
    return above === '.' && !selection.mayGo('', repositoryOf(inside))
  }
}

interface ReadFleet extends Pick<ResourceList, 'items'> {
  readonly sets: readonly SetPlan[]
  /** The files that the variants of sets would be written to. */
  readonly made: ReadonlySet<string>
  readonly options: RenderOptions
  /** The options for the functions of packages. */
  readonly configured: FunctionOptions
  readonly results: readonly Result[]
}

/** A fleet with its folder. */
interface FleetToRead extends ReadFleet {
  readonly folder: NamedFolder
  /** The rest of the fleet, if one shard was read. */
  readonly elsewhere?: OtherShards
}

/**
 * Reads the fleet in the folder `dir` as rendering does.
 *
 * @throws FunctionError  with the faults of options, sets and variants together
 */
export function readFleetToRender(dir: string, request: FleetRenderRequest, host: Host): FleetToRead {
  const folder: NamedFolder = { disk: requireFolder(dir, host), shown: shownFolder(dir) }
  return { folder, ...readFleet(folder, request, host) }
}

/** Returns the objects of the fleet with the variants that its sets make, as `fan-out` would put them there. */
function readFleet(folder: NamedFolder, request: FleetRenderRequest, host: Host): ReadFleet {
  return fleetOf(readFleetFolder(folder), folder, request, host)
}

/**
 * Returns the fleet of the objects that were read from a folder, or from the folder at a git revision. Throws as `readFleetToRender`.
 *
 * @param look  looks at the plan of the fan-out
 */
export function fleetOf(
  read: FleetObjects,
  folder: NamedFolder,
  request: FleetRenderRequest,
  host: Host,
  look: FanOutLook = {},
): ReadFleet {
  const { paths, list, results } = read
  const faults = results.filter(({ severity }) => severity === 'error')
  const about = collecting(faults, () => renderOptions(list, folder, request, host))
  const fanned = collecting(faults, () => (request.fanOut ? fannedOut(list, folder, look) : { items: list.items, sets: [], reported: [] }))
  if (about === undefined || fanned === undefined || faults.length > 0)
    throw new FunctionError(distinctResults([...faults, ...variantFaults(list.items, folder.shown === '.' ? '' : folder.shown)]))
  const made = new Set(request.fanOut ? fanned.items.flatMap(({ file }) => file?.path ?? []) : [])
  for (const path of paths) made.delete(path)
  return { ...about, items: fanned.items, sets: fanned.sets, made, results: [...results, ...about.results, ...fanned.reported] }
}

/** Runs an action and returns its value; undefined if the action throws FunctionError, whose results are added to `faults`. */
function collecting<T>(faults: Result[], act: () => T): T | undefined {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error
    faults.push(...error.results)
    return undefined
  }
}

/** Returns one shard of the fleet as `readFleetToRender` returns the whole fleet. Throws as `readShard`. */
function shardToRender(dir: string, sharded: string, request: FleetRenderRequest, host: Host): FleetToRead {
  const { folder, list, made, elsewhere } = readShard(dir, sharded, request, host)
  return { folder, items: list.items, sets: [], made, elsewhere, ...optionsAsked(list, folder, request) }
}

interface FannedOut extends Pick<ResourceList, 'items'> {
  readonly sets: readonly SetPlan[]
  readonly reported: readonly Result[]
}

/** Looks at a fan-out. */
interface FanOutLook {
  /** Returns what else there is to say of a plan without errors. */
  readonly judge?: (plan: FleetPlan) => readonly Result[]
  /** Takes new variants instead of the list. */
  readonly take?: TakeVariant
}

function fannedOut(list: ResourceList, folder: NamedFolder, { judge = () => [], take }: FanOutLook): FannedOut {
  const fanned = withFunctionConfig(list, 'fan-out', folder.shown)
  const plan = planAsConfigured(fanned)
  const judged = hasErrors(plan.results) ? [] : judge(plan)
  fanOut(fanned, plan, take)
  return {
    items: fanned.items,
    sets: plan.sets,
    reported: [...fanned.results.filter(({ severity, tags }) => severity !== 'info' && tags.rule !== 'no-set'), ...judged],
  }
}

const RENDER_VARIANTS = 'render-variants'

type FoundOptions = Pick<ReadFleet, 'options' | 'configured' | 'results'>

function renderOptions(list: ResourceList, folder: NamedFolder, request: FleetRenderRequest, host: Host): FoundOptions {
  return optionsAsked(withOnlyOptions(list, RENDER_VARIANTS, { config: request.config, dir: folder.shown }, host), folder, request)
}

/**
 * Returns the options in the functionConfig of a list, with the caller's choices over them.
 *
 * @throws FunctionError  with the faults of the options
 */
function optionsAsked(configured: ResourceList, folder: NamedFolder, request: FleetRenderRequest): FoundOptions {
  const { options, functions, results } = readOptions(configured, {
    fleet: request.allowOutside === true ? undefined : folder.disk,
    refusesPrograms: (found) => request.run === true && request.allowExec !== true && runsFunctions(request, found),
  })
  const isStatusLost = options.status && !runsFunctions(request, functions)
  const ignored = isStatusLost && configured.functionConfig !== undefined ? [withoutStatus(configured.functionConfig)] : []
  const followRenames = request.followRenames ?? options.followRenames
  const discardEdits = request.discardEdits ?? options.discardEdits
  const allowMoved = request.allowMoved ?? options.allowMoved
  return { options: { ...options, followRenames, discardEdits, allowMoved }, configured: functions, results: [...results, ...ignored] }
}

/**
 * Returns the options of render-variants that a folder holds, or a ResourceList on stdin (`-`).
 *
 * @param config  the file with the options, if the caller names one
 * @throws FunctionError  with the faults of the options
 */
export function configuredOptions(items: readonly KrmObject[], dir: string, host: Host, config?: string): RenderOptions {
  const folder = dir === '-' ? { disk: '', shown: '.' } : { disk: requireFolder(dir, host), shown: shownFolder(dir) }
  const request = { fanOut: true, run: false, allowOutside: true, ...(config !== undefined && { config }) }
  return renderOptions(ResourceList.of(items), folder, request, host).options
}

/** Returns the warning that `status` has no effect: most variants of a folder are in no file, since their sets make them in each run. */
function withoutStatus(config: KrmObject): Result {
  const path = [config.kind === 'ConfigMap' ? 'data' : 'spec', 'status']
  const message =
    'has no effect here: the function render-variants writes the status of PackageVariants, and a Kptfile gets one where its functions run'
  return faultToResult(config, { severity: 'warning', rule: 'option-without-effect', path, message })
}

/** Returns the folder for the packages. @throws UsageError when none is named, or a file is there */
export function outFolder(dir: NamedFolder, { out }: Pick<FleetRenderRequest, 'out'>, options: RenderOptions, host: Host): NamedFolder {
  if (out === '')
    throw new UsageError('`--out` must name the folder for the packages, got an empty text; the folder that you are in is `.`')
  if (out !== undefined) return noFile({ disk: host.locate(out), shown: shownFolder(out) })
  if (options.out === undefined) throw new UsageError('`--out` must name the folder for the packages')
  return noFile(below(dir, options.out))
}

/** Returns the folder, which need not exist. @throws UsageError when the path is a file, or lies within .git */
function noFile(folder: NamedFolder): NamedFolder {
  if (realPlace(folder.disk).split(sep).some(isGitFolder))
    throw new UsageError(`'${folder.shown}' must be a folder for the packages, not within .git`)
  if (statSync(folder.disk, { throwIfNoEntry: false })?.isDirectory() !== false) return folder
  throw new UsageError(`'${folder.shown}' must be a folder for the packages, got a file`)
}

/** Returns a folder as the findings show it. */
function shownFolder(folder: string): string {
  return posix.join(folder, '.')
}
