import { tmpdir } from 'node:os'
import { fanOut, planAsConfigured, type TakeVariant } from '../../functions/fan-out/fan-out.ts'
import type { FleetPlan, SetPlan } from '../../src/fleet/plan-fan-out.ts'
import type { FleetObjects } from '../../src/fleet/read-fleet-folder.ts'
import { type NamedFolder, rootOf } from '../../src/folder/named-folder.ts'
import type { FleetGit } from '../../src/git/fleet-git.ts'
import { cacheFolder, type GitPlaces } from '../../src/git/git-cache.ts'
import type { OtherShards } from '../../src/render/disk/plan-folder.ts'
import { variantFaults } from '../../src/render/list/fleet-items.ts'
import type { RenderOptions } from '../../src/render/options.ts'
import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import { collectFaults, FunctionError, hasErrors, type Result } from '../../src/result.ts'
import { withFunctionConfig } from '../function-config.ts'
import type { Host } from '../host.ts'
import { distinctResults } from '../print/print-results.ts'
import type { FleetRenderRequest } from './fleet-render-request.ts'
import { type FoundOptions, optionsAsked, renderOptions } from './render-options.ts'
import { readShard } from './sharded-fleet.ts'

/** A fleet that is read, with the options of its render. */
export interface ReadFleet extends FoundOptions, Pick<ResourceList, 'items'> {
  readonly folder: NamedFolder
  /** The folders of packages that were made for variants, below the folder of the fleet. */
  readonly packages: readonly string[]
  readonly sets: readonly SetPlan[]
  /** The files that the variants of sets would be written to. */
  readonly made: ReadonlySet<string>
  /** The findings about lists of objects, which are passed over. */
  readonly passedOver?: readonly Result[]
  readonly setAside?: ResourceList['setAside']
  /** Asks git about the folder, if a reading of the fleet does. */
  readonly fleetGit?: FleetGit
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
    setAside: list.setAside,
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
