import { realpathSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import type { FleetState } from '../../src/diff/fleet-state.ts'
import { readFleet } from '../../src/fleet/fleet.ts'
import { once } from '../../src/fleet/once.ts'
import { below, type NamedFolder } from '../../src/folder/named-folder.ts'
import { EMPTY_FOLDER } from '../../src/folder/whole-folder.ts'
import { type FleetNames, fleetNames } from '../../src/git/fleet-identity.ts'
import { gitTreeFolder, topOf } from '../../src/git/git.ts'
import type { JsonValue } from '../../src/json.ts'
import { diskPlaces } from '../../src/render/disk/disk-places.ts'
import { packageGaps } from '../../src/render/disk/out-faults.ts'
import { packagesElsewhere } from '../../src/render/disk/packages-elsewhere.ts'
import { planRender } from '../../src/render/plan-render.ts'
import { FunctionError, hasErrors, type Result } from '../../src/result.ts'
import { diskPackageSource, gitPackageSource, snapshotPackageSource } from '../../src/upstream/disk-package-source.ts'
import type { GitPackageSource, PackageSource } from '../../src/upstream/source-package.ts'
import { FleetReading } from '../fleet/fleet-reading.ts'
import { OF_PLACES } from '../fleet/place-faults.ts'
import { readAtRevision } from '../fleet/read-at-revision.ts'
import { loadFleetNow, namedFolder } from '../fleet/read-fleet.ts'
import type { Host } from '../host.ts'
import { type FleetRenderRequest, gitPlaces, isDeletionRefusal, searchOf } from '../render/fleet-to-render.ts'
import { functionsFor } from '../render/render-fleet.ts'
import { SHORT_LIVED } from '../render/run-render.ts'
import { atSources } from '../render/sources-of-findings.ts'
import { type Reading, type ReadState, readRevision } from './read-revision.ts'
import type { ComparedStates, StateRevision } from './revisions.ts'
import { committedIn, committedPackages, folderAt, noPlaces, outOf, placesOf, slashed } from './state-packages.ts'

/** The options of the caller beside the revisions and the folder. */
export type StatesRequest = Omit<FleetRenderRequest, 'fanOut' | 'only' | 'shard' | 'dryRun' | 'saved'>

/** Two states of a fleet, ready to be compared. */
export interface FleetStates {
  readonly from: FleetState
  readonly to: FleetState
  readonly results: readonly Result[]
  /** The folder of the committed packages, as the caller would name it. */
  readonly out?: string
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
    ...(folder !== undefined && { out: slashed(relative(host.locate('.'), join(top, folder))) || '.' }),
  }
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
  const identity = () => fleetNames(dir.disk, dir.disk, undefined, fleet.nameByGit)
  return planState(read, undefined, gitSource, reading, { isStrict: true, identity })
}

/** Runs an action on a state. Findings about files of a git revision name the revision. */
function naming<T>({ name, commit }: StateRevision, act: () => T): T {
  return commit === undefined ? act() : readAtRevision(name, act)
}

/** Returns git repositories that find each name and read each package once: both states mostly ask for the same ones. */
function readOnceEach(gitSource: GitPackageSource): GitPackageSource {
  return {
    ...gitSource,
    commits: onceEach(gitSource.commits),
    folder: onceEach(gitSource.folder),
  }
}

/** Returns a function that calls another one once for each list of arguments. */
function onceEach<Args extends readonly JsonValue[], Value>(act: (...args: Args) => Value): (...args: Args) => Value {
  const known = new Map<string, { readonly value: Value }>()
  return (...args) => {
    const key = JSON.stringify(args)
    const found = known.get(key) ?? { value: act(...args) }
    known.set(key, found)
    return found.value
  }
}

/**
 * Plans the packages of a state. Moved tags and replaced edits, which `render` may refuse, are allowed: they are what a reviewer must see.
 * Removals that `render` refuses are planned too, with the refusal among the results of the plan.
 *
 * @param isStrict  true to throw the other faults of the plan. The packages of FROM are committed, and need not be rendered
 * @param identity  returns the names of a fleet whose options choose none. Git is asked for them once for both states
 */
function planState(
  state: ReadState,
  out: string | undefined,
  gitSource: GitPackageSource,
  reading: Reading,
  { isStrict, identity }: { readonly isStrict: boolean; readonly identity: () => FleetNames },
): FleetState {
  const { revision, fleet, own } = state
  const { dir, top } = reading
  const folder = folderAt(top, out ?? '')
  const { fleet: chosen } = fleet.options
  const names = chosen === undefined ? identity() : fleetNames(dir.disk, folder.disk, chosen)
  const options = { ...fleet.options, fleet: names.name, allowMoved: true, discardEdits: true }
  const places = out === undefined ? noPlaces : () => placesOf(state, folder, out)
  const { functions } = reading
  const committed = out === undefined ? undefined : committedPackages(state, names, out, reading)
  const plan = planRender({
    items: own,
    passedOver: fleet.passedOver,
    options,
    hadName: names.hadName,
    keepsName: names.keepsName,
    packageSource: packageSourceOf(state, gitSource, reading),
    places,
    downstreams: {
      folder: (path) => committed?.folder(path) ?? EMPTY_FOLDER,
      tree: (_, id) => gitTreeFolder(top, id),
      shown: (path) => below(folder, path).shown,
    },
    ...(functions && { functions }),
  })
  const gaps = state.snapshot === undefined && out !== undefined ? packageGaps(plan, { out: folder }) : []
  if (gaps.length > 0) throw new FunctionError(gaps)
  const others = plan.results.filter((result) => !isDeletionRefusal(result))
  if (isStrict && hasErrors(others)) throw new FunctionError(atSources(plan.results, fleet).filter(({ severity }) => severity !== 'info'))
  return {
    name: { name: revision.name, ...(revision.commit !== undefined && { commit: revision.commit }) },
    items: own,
    fleet: readFleet(own),
    sets: fleet.sets,
    plan,
    ...(committed && { committed }),
  }
}

function packageSourceOf(
  { snapshot, fleet: { options } }: ReadState,
  gitSource: GitPackageSource,
  { dir, prefix, request, host }: Reading,
): PackageSource {
  const allowOutside = request.allowOutside === true
  if (snapshot !== undefined) return snapshotPackageSource({ snapshot, prefix, shown: dir.shown, allowOutside }, gitSource, options.clone)
  return {
    ...diskPackageSource(dir, { ...gitPlaces(request, options, host), base: dir.disk, allowOutside }, options.clone),
    git: gitSource,
  }
}
