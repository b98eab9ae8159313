import { realpathSync } from 'node:fs'
import { relative } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import type { FleetState } from '../../src/diff/fleet-state.ts'
import { noSet } from '../../src/fleet/set-findings.ts'
import type { NamedFolder } from '../../src/folder/named-folder.ts'
import { fleetNames } from '../../src/git/fleet-identity.ts'
import { topOf } from '../../src/git/git.ts'
import { once } from '../../src/remember.ts'
import { diskPlaces } from '../../src/render/disk/disk-places.ts'
import { packagesElsewhere } from '../../src/render/disk/packages-elsewhere.ts'
import { FunctionError, type Result } from '../../src/result.ts'
import { gitPackageSource } from '../../src/upstream/disk-package-source.ts'
import { isPackageVariant } from '../../src/variant/find-variant.ts'
import { FleetReading } from '../fleet/fleet-reading.ts'
import { OF_PLACES } from '../fleet/place-faults.ts'
import { readAtRevision } from '../fleet/read-at-revision.ts'
import { loadFleetNow, namedFolder } from '../fleet/read-fleet.ts'
import type { Host } from '../host.ts'
import type { FleetRenderRequest } from '../render/fleet-render-request.ts'
import { gitPlaces } from '../render/fleet-to-render.ts'
import { searchOf } from '../render/packages-folder.ts'
import { functionsFor } from '../render/plan-read-fleet.ts'
import { SHORT_LIVED } from '../render/render-fleet.ts'
import { atSources } from '../render/sources-of-findings.ts'
import { planState, readOnceEach } from './plan-state.ts'
import { type Reading, type ReadState, readRevision } from './read-revision.ts'
import type { ComparedStates, StateRevision } from './revisions.ts'
import { committedIn, folderAt, outOf, slashed } from './state-packages.ts'

/** The options of the caller beside the revisions and the folder. */
export type StatesRequest = Omit<FleetRenderRequest, 'fanOut' | 'only' | 'shard' | 'dryRun' | 'saved'>

/** Two states of a fleet, ready to be compared. */
export interface FleetStates {
  readonly from: FleetState
  readonly to: FleetState
  readonly results: readonly Result[]
  /** The files that the variants of both states would have, which are only in memory. */
  readonly made: ReadonlySet<string>
}

/**
 * Reads the fleet in the folder `dir` in two states, each from git without a checkout, or from the folder.
 *
 * @throws UsageError, GitError, FunctionError  with the faults of one state
 */
export async function readStates(
  named: string,
  { from, to: after, repository }: ComparedStates,
  asked: StatesRequest,
  host: Host,
): Promise<FleetStates> {
  for (const flag of SHORT_LIVED) setFlagsFromString(flag)
  const dir: NamedFolder = namedFolder(named, host)
  const top = topOf(repository)
  const prefix = slashed(relative(top, realpathSync(dir.disk)))
  const request: FleetRenderRequest = { ...asked, fanOut: true }
  const open = () => new FleetReading(loadFleetNow(named, host, { packages: 'leave-out' }), named, request, host)
  const folders: Reading = { named, present: open, dir, repository, top, prefix, request, host, hashLike: from.commit ?? '' }
  const present = readRevision(after, folders)
  const old = naming(from, () => readRevision(from, folders))
  requireFleet(present, old)
  const reading: Reading = { ...folders, ...(await functionsFor(request, present.fleet, host)) }
  const out = outOf([present, old], reading)
  const folder = out === undefined ? undefined : committedIn(out, [old, present], reading)
  const gitSource = readOnceEach(
    gitPackageSource({ ...gitPlaces(request, present.fleet.options, host), base: dir.disk }, present.fleet.options.clone),
  )
  const identity = once(() => fleetNames(dir.disk, folderAt(top, folder ?? '').disk))
  const to = planState(present, folder, gitSource, reading, { isStrict: true, identity })
  const said = to.plan.results.filter(
    ({ severity, tags }) => severity !== 'info' && (OF_PLACES.has(tags.rule) || tags.rule === 'not-adopted'),
  )
  return {
    from: naming(from, () => planState(old, folder, gitSource, reading, { isStrict: folder === undefined, identity })),
    to,
    results: [
      ...present.fleet.results,
      ...atSources(said, present.fleet),
      ...(out === undefined || present.packages !== undefined ? [] : elsewhereOnDisk(present, to, folderAt(top, out), dir)),
    ],
    made: new Set([...old.fleet.made, ...present.fleet.made]),
  }
}

/**
 * Refuses a folder that asks for no package in both states: it may be the wrong folder, and no change would be found. @throws FunctionError
 */
function requireFleet(...states: readonly ReadState[]): void {
  const all = states.map(({ fleet }) => fleet)
  if (all.some(({ sets, items }) => sets.length > 0 || items.some(isPackageVariant))) return
  const items = all.find((each) => each.items.length > 0)?.items ?? []
  throw new FunctionError([{ ...noSet(items, items), severity: 'error' }])
}

/** Returns what `render` says of packages on disk in another place than `out`. */
function elsewhereOnDisk({ fleet }: ReadState, { plan }: FleetState, out: NamedFolder, dir: NamedFolder): readonly Result[] {
  const asked = { ...plan.renderContext, options: { ...plan.renderContext.options, discardEdits: fleet.options.discardEdits } }
  return packagesElsewhere(
    { ...plan, renderContext: asked },
    { dir, out, places: diskPlaces(out), search: searchOf(fleet.packages, { dir, out }, fleet.options) },
  )
}

/**
 * Returns a fleet as its folder is, with its packages rendered in memory. It need not be in a git repository. Functions without
 * a runner are left out.
 *
 * @throws FunctionError  with the faults of the fleet
 */
export async function readPresent(fleet: FleetReading, asked: StatesRequest, host: Host): Promise<FleetState> {
  const { dir: named, folder: dir } = fleet
  const request: FleetRenderRequest = { ...asked, fanOut: true, run: 'known' }
  const repository = { dir: dir.disk }
  const present = () => fleet.withoutPackages()
  const folders: Reading = { named, present, dir, repository, top: dir.disk, prefix: '', request, host, hashLike: '' }
  const read = readRevision({ name: 'working tree' }, folders)
  const reading: Reading = { ...folders, ...(await functionsFor(request, read.fleet, host)) }
  const { options } = read.fleet
  const gitSource = readOnceEach(gitPackageSource({ ...gitPlaces(request, options, host), base: dir.disk }, options.clone))
  const identity = () => fleetNames(dir.disk, dir.disk, undefined, fleet.git.name)
  return planState(read, undefined, gitSource, reading, { isStrict: true, identity })
}

/** Runs an action on a state. Findings about files of a git revision name the revision. */
function naming<T>({ name, commit }: StateRevision, act: () => T): T {
  return commit === undefined ? act() : readAtRevision(name, act)
}
