import { realPlace } from '../../../package/inside-folder.ts'
import type { SignedRecord } from '../../../package/signed-record.ts'
import { type FileTimes, type FleetPrints, type FolderPrint, printFleet } from '../../../package/tree-print.ts'
import type { KrmObject } from '../../../resource-list/krm-object.ts'
import { KPTFILE } from '../../../resource-list/package-of.ts'
import { CONTEXT_FILE } from '../../../variant/package-context.ts'
import type { RenderPlan } from '../../plan-render.ts'
import type { FolderReport } from '../../render-summary.ts'
import type { GitPackageSource, PackageSource, SourcePackage } from '../../source/source-package.ts'
import type { RenderedStep } from '../made-packages.ts'
import { AskedUpstreams } from './asked-upstreams.ts'
import { InputDigests } from './input-digests.ts'
import { decodeRender, encodeRender, type GitAnswer, type RecordedPackage, type RecordedRun } from './recorded-render.ts'

type Step = RenderPlan['steps'][number]

/** The fleet of a record. */
export interface RecordedFleet {
  readonly record: SignedRecord
  /** The text of `--version`. */
  readonly version: string
  /** The folder of the fleet, and that of its packages. */
  readonly dir: string
  readonly out: string
  /** A digest of everything that the caller asks for beside the folders. */
  readonly request: string
  /** The time before the run read anything, in milliseconds. */
  readonly started: number
}

/** The outcome of a run for a package: not opened, unchanged, new, or with new content in some of its files. */
type Left = 'unopened' | 'kept' | 'created' | ReadonlySet<string>

interface TakenStep {
  readonly step: Step
  readonly left: Left
}

/** Smaller fleets are rendered in the time that the record takes. */
const FEWEST = 20
/** Milliseconds by which the time of a file may be behind the clock: the kernel's tick. */
const TICK = 12
/** Milliseconds after which a file that is written has another time than those before. */
const PAUSE = 25

/**
 * Remembers how the last run left a fleet, so that this run need not open packages that are as they were left and would be made from the
 * same. Without the record, a run does the same work again.
 *
 * A file counts as left if its print is the same, and if it was last changed before the run read it, or written by the run itself. A file
 * that was changed at the time of the record does not count, since a later change could have the same time (git calls this racy).
 */
export class LastRender {
  readonly #fleet: RecordedFleet
  readonly #asked = new AskedUpstreams()
  readonly #packages: ReadonlyMap<string, RecordedPackage>
  readonly #run: RecordedRun | undefined
  #items: readonly KrmObject[] = []
  #options = ''
  #prints: FleetPrints | undefined
  #inputs: InputDigests | undefined
  #taken: TakenStep[] = []
  #committed = 0

  constructor(fleet: RecordedFleet) {
    this.#fleet = fleet
    const content = fleet.record.read(fleet.version)
    const last = content && decodeRender(content)
    this.#packages = last?.packages ?? new Map()
    this.#run = last?.run
  }

  /** Returns the git repositories that the options trusted when the last run was recorded. */
  get trusted(): ReadonlySet<string> {
    return new Set(this.#run?.trusted ?? [])
  }

  /** Returns the report of a run that would find everything as the last run left it; undefined if anything differs. */
  repeated(git: GitPackageSource): FolderReport | undefined {
    const run = this.#run
    if (run === undefined || run.request !== this.#fleet.request) return undefined
    if (!run.places.every(([place, real]) => realPlace(place) === real)) return undefined
    const prints = this.#walk(run.places)
    if (prints?.others.digest !== run.others || prints.packages.size !== this.#packages.size) return undefined
    if (![...this.#packages].every(([folder, { files }]) => this.#printOf(folder)?.digest === files)) return undefined
    if (!run.git.every((answer) => isStillSo(answer, git))) return undefined
    return { fates: new Map(run.fates), leftovers: [], lost: 0, functions: new Map(), results: run.results }
  }

  /** Returns the source of upstream packages, which notes what it is asked. */
  noting(source: PackageSource): PackageSource {
    return this.#asked.noting(source)
  }

  /**
   * Sets the fleet that is rendered.
   *
   * @param options  a text of all options, equal for equal options
   */
  reads(items: readonly KrmObject[], options: string): void {
    this.#items = items
    this.#options = options
  }

  /** Sets the plan of the run, and looks which packages there are. */
  plan({ renderContext }: RenderPlan): void {
    this.#inputs = new InputDigests(renderContext, this.#items, `${this.#fleet.version} ${this.#fleet.request} ${this.#options}`)
    if (this.#prints === undefined && this.#packages.size > 0) this.#walk(undefined)
  }

  /** Returns true if the package of a step would be made from the same as in the last run, and has the files that it was left with. */
  isAsLeft(step: Step): boolean {
    const recorded = this.#packages.get(step.folder)
    if (recorded === undefined || step.op !== 'update' || step.movedFrom !== undefined || step.upstream.maker !== undefined) return false
    // The files of a package that would be made from something else are not looked at.
    if (this.#inputs?.of(step) !== recorded.inputs || this.#printOf(step.folder)?.digest !== recorded.files) return false
    this.#taken.push({ step, left: 'unopened' })
    return true
  }

  /** Notes how its step leaves a package. A package with findings is opened by the next run, which reports them again. */
  take(rendered: RenderedStep): void {
    const left = leftBy(rendered)
    if (left !== undefined) this.#taken.push({ step: rendered.step, left })
  }

  /** Waits until files that are written from now on have other times than those that were staged. */
  beforeCommit(): void {
    if (!this.#isWorthIt) return
    pause()
    this.#committed = Date.now()
  }

  /**
   * Forgets the new and changed packages of an upstream whose first package would change again.
   *
   * @param isStable  returns true if the package of a step, rendered once more, has neither changes nor findings
   */
  afterCommit(isStable: (step: Step) => boolean): void {
    if (!this.#isWorthIt) return
    const known = new Map<SourcePackage, boolean>()
    const taken = this.#taken.filter(({ step, left }) => {
      if (left === 'kept' || left === 'unopened') return true
      const { source } = step.upstream
      const stable = known.get(source) ?? isStable(step)
      known.set(source, stable)
      return stable
    })
    this.#taken = taken
  }

  /** Writes the record of this run. */
  write(report: FolderReport, trusted: ReadonlySet<string>): void {
    const { record, version } = this.#fleet
    if (!this.#isWorthIt || !record.hasClockOf(TICK)) return
    pause()
    const places = this.#asked.placesFrom(this.#fleet.dir)
    const prints = this.#walk(places, this.#leftAs())
    const inputs = this.#inputs
    if (prints === undefined || inputs === undefined) return
    const packages = this.#packagesAfter(inputs)
    const all = [...report.fates.values()].reduce((sum, count) => sum + count, 0)
    const isSame = all === packages.size + (report.fates.get('left') ?? 0) && prints.others.isSettled
    const run = isSame && !this.#asked.isPartial ? this.#runAfter(report, places, trusted) : undefined
    record.write(version, encodeRender({ packages, ...(run && { run: { ...run, others: prints.others.digest } }) }))
  }

  /** Returns the packages as this run leaves them, without those whose files may have been changed meanwhile. */
  #packagesAfter(inputs: InputDigests): ReadonlyMap<string, RecordedPackage> {
    const packages = new Map<string, RecordedPackage>()
    for (const { step, left } of this.#taken) {
      // A package that was not opened was as recorded. A change since then gives its files another print.
      const recorded = left === 'unopened' ? this.#packages.get(step.folder) : undefined
      const print = recorded === undefined ? this.#printOf(step.folder) : undefined
      if (recorded !== undefined) packages.set(step.folder, recorded)
      else if (print?.isSettled === true) packages.set(step.folder, { inputs: inputs.of(step), files: print.digest })
    }
    return packages
  }

  get #isWorthIt(): boolean {
    return this.#taken.length >= FEWEST
  }

  /** Returns what the next run reports if nothing changes; undefined if that is not known. */
  #runAfter(
    { fates, leftovers, results }: FolderReport,
    places: RecordedRun['places'],
    trusted: ReadonlySet<string>,
  ): Omit<RecordedRun, 'others'> | undefined {
    const isUnchanged = [...fates.keys()].every((fate) => fate === 'unchanged' || fate === 'left')
    if (leftovers.length > 0 || (!isUnchanged && results.length > 0)) return undefined
    const next: RecordedRun['fates'] = isUnchanged ? [...fates] : [['unchanged', this.#taken.length]]
    return { request: this.#fleet.request, places, git: this.#asked.git, trusted: [...trusted], fates: next, results }
  }

  /** Walks the fleet and its packages, or its packages alone if no places are given. */
  #walk(places: RecordedRun['places'] | undefined, isKnown: Known = () => true): FleetPrints | undefined {
    const { dir, out } = this.#fleet
    const root = realPlace(out)
    const folders = this.#taken.length > 0 ? new Set(this.#taken.map(({ step }) => step.folder)) : this.#packages
    const roots = places === undefined ? [root] : [realPlace(dir), root, ...places.map(([, real]) => real)]
    try {
      this.#prints = printFleet({ roots: outermost(roots), out: root, isPackage: (folder) => folders.has(folder), isKnown })
      return this.#prints
    } catch {
      // Whatever cannot be read is reported by the run itself.
      return undefined
    }
  }

  /** Returns the print of a package; undefined for a package that the walk did not find, or whose files cannot be read. */
  #printOf(folder: string): FolderPrint | undefined {
    try {
      return this.#prints?.packages.get(folder)?.()
    } catch {
      return undefined
    }
  }

  /** Returns a test for files that are as this run left them. */
  #leftAs(): Known {
    const [started, committed, now] = [this.#fleet.started, this.#committed, Date.now()].map((time) => BigInt(time - TICK) * NANOSECONDS)
    if (started === undefined || committed === undefined || now === undefined) return () => false
    const { device } = this.#fleet.record
    const left = new Map(this.#taken.map(({ step, left: each }) => [step.folder, each]))
    const isBefore = ({ written, changed }: FileTimes, time: bigint) => written < time && changed < time
    return (times, folder, path) => {
      if (times.changed >= now || times.device !== device) return false
      const own = folder === undefined ? 'kept' : left.get(folder)
      if (own === undefined) return false
      if (own === 'kept' || own === 'unopened') return isBefore(times, started)
      if (own === 'created') return isBefore(times, committed)
      return own.has(path) ? times.written < committed : isBefore(times, started)
    }
  }
}

type Known = (times: FileTimes, folder: string | undefined, path: string) => boolean

const NANOSECONDS = 1_000_000n

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE)
}

/** Returns how a rendered package is left; undefined for one that the next run may change or has to report on. */
function leftBy({ step, results, functions, changes, leftovers }: RenderedStep): Left | undefined {
  if (results.length > 0 || leftovers.length > 0 || step.movedFrom !== undefined) return undefined
  // Its upstream is a package that the run makes.
  if (step.upstream.maker !== undefined) return undefined
  if (functions !== undefined && !isLeftByFunctions(functions)) return undefined
  // A function may have changed what was injected before it ran.
  if ((functions?.changed.size ?? 0) > 0 && step.variant.object.mayHold('injectors')) return undefined
  if (step.op === 'create') return 'created'
  return changes.length === 0 ? 'kept' : new Set(changes.map(({ path }) => path))
}

/** Returns true if functions reported nothing and changed no file that the variant of a package changes too. */
function isLeftByFunctions({ outcome, results, changed }: NonNullable<RenderedStep['functions']>): boolean {
  return outcome === 'done' && results.length === 0 && !changed.has(KPTFILE) && !changed.has(CONTEXT_FILE)
}

/** Returns those folders that are not inside another one. */
function outermost(folders: readonly string[]): readonly string[] {
  const distinct = [...new Set(folders)].sort()
  return distinct.filter((folder) => !distinct.some((other) => folder.startsWith(other === '/' ? '/' : `${other}/`) && folder !== other))
}

function isStillSo({ repository, names, commits }: GitAnswer, git: GitPackageSource): boolean {
  try {
    const now = git.commits(repository, names)
    return commits.every((commit, index) => commit === (now[index] ?? null))
  } catch {
    // The run itself reports why git fails.
    return false
  }
}
