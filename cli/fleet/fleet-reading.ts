import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import { planInSteps } from '../../functions/fan-out/fan-out.ts'
import type { AskedClusters } from '../../src/dependencies/config/catalogs.ts'
import type { FleetPlan } from '../../src/fleet/plan-fan-out.ts'
import {
  type FleetObjects,
  foldersOfVariants,
  type PackagesInFolder,
  withoutFolders,
  withPackages,
} from '../../src/fleet/read-fleet-folder.ts'
import { realPlace } from '../../src/folder/inside-folder.ts'
import type { NamedFolder } from '../../src/folder/named-folder.ts'
import { FleetGit } from '../../src/git/fleet-git.ts'
import { type FleetNames, fleetNames } from '../../src/git/fleet-identity.ts'
import { once } from '../../src/remember.ts'
import { type DiskPlaces, diskPlaces } from '../../src/render/disk/disk-places.ts'
import { ListFolders, listPackageSource } from '../../src/render/list/list-folders.ts'
import type { RenderOptions } from '../../src/render/options.ts'
import { collectFaults, FunctionError, type Result } from '../../src/result.ts'
import { diskPackageSource } from '../../src/upstream/disk-package-source.ts'
import type { PackageSource } from '../../src/upstream/source-package.ts'
import { UpstreamLibrary } from '../../src/upstream/upstream-library.ts'
import { advance } from '../advance.ts'
import { withFunctionConfig } from '../function-config.ts'
import type { Host } from '../host.ts'
import type { FleetRenderRequest } from '../render/fleet-render-request.ts'
import { type FanOutLook, fleetOf, gitPlaces, type ReadFleet } from '../render/fleet-to-render.ts'
import { packagesFolder } from '../render/packages-folder.ts'
import { optionsOfFleet, runsFunctions } from '../render/render-options.ts'
import { refuseEmptyCluster } from './cluster-option.ts'
import { type FleetChoices, requireOut } from './fleet-options.ts'
import { NOTHING_OUTSIDE, type PackagesOutside, packagesOutside } from './packages-outside.ts'
import { loadFleet, loadFleetNow, namedFolder } from './read-fleet.ts'

/** The choices of the caller, with those of `render` that a plan is made with. */
type AskedFleet = FleetChoices & Pick<FleetRenderRequest, 'followRenames' | 'discardEdits'>

/**
 * Reads the fleet of a folder, or of a list on stdin for `-`. Throws as `loadFleet`, and a UsageError for a folder of packages that does
 * not exist.
 */
export async function openFleet(
  dir: string,
  asked: FleetChoices,
  host: Host,
  packages: PackagesInFolder['packages'] = 'read',
): Promise<FleetReading> {
  requireOut(dir, asked, host)
  return new FleetReading(await loadFleet(dir, host, packages), dir, asked, host)
}

/** Reads a fleet as `openFleet` does, without progress. */
export function openFleetNow(dir: string, asked: FleetChoices, host: Host): FleetReading {
  requireOut(dir, asked, host)
  return new FleetReading(loadFleetNow(dir, host), dir, asked, host)
}

/**
 * The one reading of a fleet: a command makes it once, and asks it for the options, the plan, the places of packages, the clusters and the
 * upstream packages. Each is found on first use; a reading whose objects were edited is made anew.
 */
export class FleetReading {
  /** The objects that the folder declares, and the files that could not be read. */
  readonly read: FleetObjects
  readonly dir: string
  readonly #asked: AskedFleet
  readonly #host: Host
  readonly #found: () => ReturnType<typeof optionsOfFleet>
  readonly #out: () => NamedFolder | undefined
  /**
   * Finds the packages in the folder of packages; undefined if neither the caller nor the options name one, or one that is outside of the
   * fleet and not allowed: everything below it would be read.
   */
  readonly places: () => DiskPlaces | undefined
  /** Asks git about the folder. */
  readonly git: FleetGit
  /** Plans the variants of the sets. */
  readonly plan: () => Promise<FleetPlan>

  /** @param git  shared by the readings of one folder, which ask git once */
  constructor(read: FleetObjects, dir: string, asked: AskedFleet, host: Host, git = new FleetGit(() => namedFolder(dir, host).disk)) {
    this.read = read
    this.dir = dir
    this.#asked = asked
    this.#host = host
    this.git = git
    this.#found = once(() => optionsOfFleet(read.list.items, dir, host, { ...asked, allowOutside: true }))
    this.#out = once(() => (dir === '-' ? undefined : packagesFolder(this.folder, asked, this.options, host)))
    this.places = once(() => (this.out === undefined || this.outsideFaults().length > 0 ? undefined : diskPlaces(this.out)))
    this.plan = once(() => advance(planInSteps(withFunctionConfig(read.list, 'fan-out', dir)), 'variant', host))
  }

  /** The folders of packages that were made for variants, below the folder of the fleet. */
  get made(): readonly string[] {
    return foldersOfVariants(this.read, this.folder)
  }

  /**
   * Returns the fleet without the packages that were made for variants, as `render` reads it, with copies of its objects: rendering edits
   * them.
   */
  withoutPackages(): FleetReading {
    return new FleetReading(withoutFolders(this.read, this.folder, this.made), this.dir, this.#asked, this.#host, this.git)
  }

  /**
   * Returns the fleet as rendering needs it, with the variants that its sets make, as `fan-out` would put them there. Edits the objects.
   *
   * @param look  looks at the plan of the fan-out
   * @throws FunctionError  with the faults of options, sets and variants together
   */
  toRender(request: FleetRenderRequest, look: FanOutLook = {}): ReadFleet {
    return { ...fleetOf(this.read, this.folder, request, this.#host, look), fleetGit: this.git }
  }

  /** Returns the fleet with its packages in another folder than the caller or the options name. */
  withOut(out: string): FleetReading {
    return new FleetReading(this.read, this.dir, { ...this.#asked, out }, this.#host, this.git)
  }

  /** Returns the names of the fleet whose packages are in the folder `out`. @throws GitError */
  names(out: NamedFolder): FleetNames {
    return fleetNames(this.folder.disk, out.disk, this.options.fleet, this.git.name)
  }

  /** The folder of the fleet. */
  get folder(): NamedFolder {
    return namedFolder(this.dir, this.#host)
  }

  /** The options of render-variants, with their faults as a FunctionError. */
  get options(): RenderOptions {
    return this.#found().options
  }

  /** The faults of the options, without which it is not known where the packages are; a list has no options. */
  get optionFaults(): readonly Result[] {
    const faults: Result[] = []
    if (this.dir !== '-') collectFaults(faults, () => this.options)
    return faults
  }

  /**
   * Returns the fault of an `out` of the options that leads outside of the folder, unless the caller allows it. Catalogs outside are only
   * read.
   */
  outsideFaults(): readonly Result[] {
    const faults: Result[] = []
    if (this.dir !== '-' && this.#asked.allowOutside !== true)
      collectFaults(faults, () => optionsOfFleet(this.read.list.items, this.dir, this.#host, this.#asked))
    return faults.filter(({ field }) => field?.path.at(-1) === 'out')
  }

  /** True if the options leave the functions of packages to kpt. */
  get leavesFunctions(): boolean {
    return !runsFunctions({ run: true }, this.#found().configured)
  }

  /** The folder of the packages; undefined for a list, and if neither the caller nor the options name one. */
  get out(): NamedFolder | undefined {
    return this.#out()
  }

  /** Returns the clusters as the options name them. `check` and the like report the faults of the options themselves. */
  get clusters(): AskedClusters {
    const { cluster, out } = this.#asked
    refuseEmptyCluster(cluster)
    const folder = this.dir === '-' ? '' : this.dir
    const written = out === undefined ? collectFaults([], () => this.options)?.out : undefined
    return { folder, cluster, out: written === undefined ? out : posix.join(folder, written) }
  }

  /**
   * Returns the upstream packages of the fleet, as `render` would find them.
   *
   * @param looking  other choices than those of the caller
   */
  upstreams(looking: FleetChoices = {}): { readonly options: RenderOptions; readonly packageSource: PackageSource } {
    const { options } = this
    if (this.dir === '-') return { options, packageSource: listPackageSource(new ListFolders(this.read.list.items)) }
    const asked = { ...this.#asked, ...looking }
    const folder = this.folder
    const git = { ...gitPlaces(asked, options, this.#host), base: folder.disk, allowOutside: asked.allowOutside === true }
    return { options, packageSource: diskPackageSource(folder, git, options.clone) }
  }

  /** Returns the revisions of upstream packages, and where they are found. */
  library({
    fleet,
  }: Pick<FleetPlan, 'fleet'>): ReturnType<FleetReading['upstreams']> & Pick<FleetPlan, 'fleet'> & { readonly library: UpstreamLibrary } {
    const upstreams = this.upstreams()
    return { ...upstreams, fleet, library: new UpstreamLibrary(upstreams.packageSource, fleet, upstreams.options) }
  }

  /**
   * Returns the packages in the folder of packages that were not read with the fleet, with the faults of all their files.
   *
   * @param sets  the variants of these sets are looked for where their packages must be
   */
  packagesOutside({ sets }: Pick<FleetPlan, 'sets'>): PackagesOutside {
    const [out, places] = [this.out, this.places()]
    if (out === undefined || places === undefined) return NOTHING_OUTSIDE
    return packagesOutside(this.read, out, places, sets)
  }

  /**
   * Returns the fleet with its rendered packages, where the options of the fleet or the caller say that these are outside of the folder:
   * they are a part of the fleet that is checked.
   *
   * @throws FunctionError with every file of a package that cannot be read, and the faults of the options
   */
  withPackagesOutside(): FleetReading {
    const { out, read } = this
    if (out === undefined || !existsSync(out.disk)) return this
    const [fleet, root] = [realPlace(this.folder.disk), realPlace(out.disk)]
    const isAllowed = this.#asked.allowOutside === true || this.#asked.out !== undefined
    if (root === fleet || root.startsWith(`${fleet}/`) || !isAllowed) return this
    const { packages, faults } = this.packagesOutside({ sets: [] })
    if (faults.length > 0) throw new FunctionError(faults)
    return new FleetReading(withPackages(read, packages), this.dir, this.#asked, this.#host, this.git)
  }
}
