import { statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { sep } from 'node:path'
import { fanOut, planAsConfigured, type TakeVariant } from '../../functions/fan-out/fan-out.ts'
import { readOptions } from '../../functions/render-variants/render-variants.ts'
import type { FleetPlan, SetPlan } from '../../src/fleet/plan-fan-out.ts'
import type { FleetObjects } from '../../src/fleet/read-fleet-folder.ts'
import { realPlace } from '../../src/folder/inside-folder.ts'
import { below, type NamedFolder, rootOf } from '../../src/folder/named-folder.ts'
import { isGitFolder } from '../../src/folder/safe-path.ts'
import { cacheFolder, type GitPlaces } from '../../src/git/git-cache.ts'
import type { PackageSearch } from '../../src/render/disk/packages-elsewhere.ts'
import type { OtherShards } from '../../src/render/disk/plan-folder.ts'
import { variantFaults } from '../../src/render/list/fleet-items.ts'
import type { FunctionOptions, RenderOptions } from '../../src/render/options.ts'
import type { SelectionTerm, Shard } from '../../src/render/selection.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { ResourceList } from '../../src/resource-list/resource-list.ts'
import { collectFaults, FunctionError, hasErrors, type Result } from '../../src/result.ts'
import { faultToResult } from '../../src/schema/fault.ts'
import type { FleetChoices } from '../fleet/fleet-options.ts'
import { namedFolder, shownFolder } from '../fleet/read-fleet.ts'
import { withFunctionConfig, withOnlyOptions } from '../function-config.ts'
import type { Host } from '../host.ts'
import type { SavedPlan } from '../plan/saved-plan.ts'
import { distinctResults } from '../print/print-results.ts'
import type { RunnerOptions } from '../run/runner-options.ts'
import { UsageError } from '../usage-error.ts'
import { readShard } from './sharded-fleet.ts'

/** The request of the caller: the packages to render, and their folder. */
export interface FleetRenderRequest extends RunnerOptions, FleetChoices {
  readonly fanOut: boolean
  /** False to leave the functions of packages to kpt or Porch; `known` to run those that have a runner, for a look ahead. */
  readonly run: boolean | 'known'
  /** True to write nothing when the functions of one package fail. */
  readonly failFast?: boolean
  /** True to report the infos of functions too. */
  readonly verbose?: boolean
  readonly followRenames?: boolean
  readonly discardEdits?: boolean
  readonly allowMoved?: boolean
  readonly only?: readonly SelectionTerm[]
  readonly shard?: Shard
  /** True to write nothing. */
  readonly dryRun?: boolean
  /** True to write the status of sets and PackageVariants into the files of the fleet afterwards. */
  readonly status?: boolean
  /** A saved plan and its file. The run makes exactly the changes of the plan, or none. */
  readonly saved?: { readonly file: string; readonly plan: SavedPlan }
  /** A folder with shards of the fleet, of which `shard` is rendered. */
  readonly sharded?: string
}

/** A fleet that is read, with the options of its render. */
export interface ReadFleet extends Pick<ResourceList, 'items'> {
  readonly folder: NamedFolder
  /** The folders of packages that were made for variants, below the folder of the fleet. */
  readonly packages: readonly string[]
  readonly sets: readonly SetPlan[]
  /** The files that the variants of sets would be written to. */
  readonly made: ReadonlySet<string>
  readonly options: RenderOptions
  /** The options for the functions of packages. */
  readonly configured: FunctionOptions
  readonly results: readonly Result[]
  /** The findings about lists of objects, which are passed over. */
  readonly passedOver?: readonly Result[]
  /** Returns the name that git gives the folder, if a reading of the fleet asks git. */
  readonly nameByGit?: () => string | undefined
  /** The rest of the fleet, if one shard was read. */
  readonly elsewhere?: OtherShards
}

/** Returns the fleet of objects that were read from a folder, or from the folder at a git revision. Throws as `FleetReading.toRender`. */
export function fleetOf(
  { files, list, results, made: packages }: FleetObjects,
  folder: NamedFolder,
  request: FleetRenderRequest,
  host: Host,
  look: FanOutLook,
): ReadFleet {
  const faults = results.filter(({ severity }) => severity === 'error')
  const about = collectFaults(faults, () => renderOptions(list, folder, request, host))
  const fanned = collectFaults(faults, () =>
    request.fanOut ? fannedOut(list, folder, look) : { items: list.items, sets: [], reported: [] },
  )
  const root = rootOf(folder)
  if (about === undefined || fanned === undefined || faults.length > 0)
    throw new FunctionError(distinctResults([...faults, ...variantFaults(list.items, root)]))
  const { items, sets, reported } = fanned
  const made = new Set(request.fanOut ? items.flatMap(({ file }) => file?.path ?? []) : [])
  for (const { path } of files) made.delete(path)
  return {
    ...about,
    folder,
    packages,
    items,
    sets,
    made,
    passedOver: list.passedOver,
    results: [...results, ...about.results, ...reported],
  }
}

/** Returns one shard of the fleet as `FleetReading.toRender` returns the whole fleet. Throws as `readShard`. */
export function shardToRender(dir: string, sharded: string, request: FleetRenderRequest, host: Host): ReadFleet {
  const { folder, list, made, elsewhere } = readShard(dir, sharded, request, host)
  return { folder, packages: [], items: list.items, sets: [], made, elsewhere, ...optionsAsked(list, folder, request) }
}

interface FannedOut extends Pick<ResourceList, 'items'> {
  readonly sets: readonly SetPlan[]
  readonly reported: readonly Result[]
}

/** Looks at a fan-out. */
export interface FanOutLook {
  /** Returns what else there is to say of a plan without errors. */
  readonly judge?: (plan: FleetPlan) => readonly Result[]
  /** Takes new variants instead of the list. */
  readonly take?: TakeVariant
  /** True to make the variants also if the deletion guard refuses the removals of a set: the refusal is one of the results. */
  readonly showsRefused?: boolean
}

function fannedOut(list: ResourceList, folder: NamedFolder, { judge = () => [], take, showsRefused = false }: FanOutLook): FannedOut {
  const fanned = withFunctionConfig(list, 'fan-out', folder.shown)
  const whole = planAsConfigured(fanned)
  const refused = showsRefused ? whole.results.filter(isDeletionRefusal) : []
  const plan = { ...whole, results: whole.results.filter((result) => !refused.includes(result)) }
  const judged = hasErrors(plan.results) ? [] : judge(plan)
  fanOut(fanned, plan, take)
  return {
    items: fanned.items,
    sets: plan.sets,
    reported: [...refused, ...fanned.results.filter(({ severity, tags }) => severity !== 'info' && tags.rule !== 'no-set'), ...judged],
  }
}

/** Returns true for the refusal of too many removals. All other steps of the plan are as without it. */
export function isDeletionRefusal({ severity, tags }: Result): boolean {
  return severity === 'error' && tags.rule === 'deletion-guard'
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
 * @throws FunctionError  with the faults of the options
 */
export function optionsOfFleet(items: readonly KrmObject[], dir: string, host: Host, asked: Partial<FleetRenderRequest>): FoundOptions {
  const folder = dir === '-' ? { disk: '', shown: '.' } : namedFolder(dir, host)
  return renderOptions(ResourceList.of(items), folder, { ...asked, fanOut: true, run: false }, host)
}

/** Returns true if the functions of packages run. */
export function runsFunctions({ run }: Pick<FleetRenderRequest, 'run'>, { mode }: FunctionOptions): boolean {
  return run !== false && mode !== 'leave'
}

/** Returns the warning that `status` has no effect: most variants of a folder are in no file, since their sets make them in each run. */
function withoutStatus(config: KrmObject): Result {
  const path = [config.kind === 'ConfigMap' ? 'data' : 'spec', 'status']
  const message =
    'has no effect here: the function render-variants writes the status of PackageVariants, and a Kptfile gets one where its functions run'
  return faultToResult(config, { severity: 'warning', rule: 'option-without-effect', path, message })
}

/** Returns the folder of the packages as `outFolder` does; undefined if neither the caller nor the options name one. */
export function packagesFolder(
  dir: NamedFolder,
  request: Pick<FleetRenderRequest, 'out'>,
  options: RenderOptions,
  host: Host,
): NamedFolder | undefined {
  return request.out === undefined && options.out === undefined ? undefined : outFolder(dir, request, options, host)
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

/** Returns what a search for packages of the fleet outside of `out` begins with. */
export function searchOf(
  packages: readonly string[],
  { dir, out }: { readonly dir: NamedFolder; readonly out: NamedFolder },
  options: RenderOptions,
): PackageSearch {
  const isOutAsked = options.out === undefined || realPlace(below(dir, options.out).disk) !== realPlace(out.disk)
  return { made: packages, fleet: options.fleet, isOutAsked }
}
