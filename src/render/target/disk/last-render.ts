import { realPlace } from '../../../package/inside-folder.ts'
import type { SignedRecord } from '../../../package/signed-record.ts'
import type { FileTimes } from '../../../package/tree-print.ts'
import type { WholeFolder } from '../../../package/whole-folder.ts'
import type { KrmObject } from '../../../resource-list/krm-object.ts'
import { KPTFILE } from '../../../resource-list/package-of.ts'
import type { Result } from '../../../result.ts'
import { quoteText } from '../../../schema/describe-value.ts'
import { faultToResult } from '../../../schema/fault.ts'
import { CONTEXT_FILE } from '../../../variant/package-context.ts'
import { countOf } from '../../../wording.ts'
import type { RenderPlan } from '../../plan-render.ts'
import type { FolderReport } from '../../render-summary.ts'
import type { GitPackageSource, PackageSource, SourcePackage } from '../../source/source-package.ts'
import type { RenderedStep } from '../made-packages.ts'
import { AskedUpstreams } from './asked-upstreams.ts'
import { InputDigests } from './input-digests.ts'
import { decodeRender, encodeRender, type GitAnswer, type RecordedPackage, type RecordedRun } from './recorded-render.ts'
import { SeenPackages } from './seen-packages.ts'

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

/** An upstream package that is read from a folder. */
interface FolderUpstream {
  /** The repository, the folder in it and the ref. */
  readonly name: string
  readonly digest: string
  readonly source: SourcePackage
  readonly updated: Step[]
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
  readonly #upstreams: ReadonlyMap<string, string>
  #steps: readonly Step[] = []
  #items: readonly KrmObject[] = []
  #options = ''
  readonly #seen: SeenPackages
  #inputs: InputDigests | undefined
  /** The digests of the inputs of packages that the last run recorded. */
  readonly #inputsOf = new Map<Step['variant'], string>()
  #taken: TakenStep[] = []
  #committed = 0

  constructor(fleet: RecordedFleet) {
    this.#fleet = fleet
    const content = fleet.record.read(fleet.version)
    const last = content && decodeRender(content)
    this.#packages = last?.packages ?? new Map()
    this.#upstreams = last?.upstreams ?? new Map()
    this.#run = last?.run
    this.#seen = new SeenPackages(fleet.out, this.#packages)
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
    const print = this.#seen.walk(this.#roots(run.places), isBefore(this.#times()))
    if (print?.others !== run.others || print.packages.size !== this.#packages.size) return undefined
    if (![...this.#packages.keys()].every((folder) => this.#seen.isAsRecorded(folder))) return undefined
    if (!run.git.every((answer) => isStillSo(answer, git))) return undefined
    return { fates: new Map(run.fates), leftovers: [], lost: 0, functions: new Map(), results: run.results }
  }

  /** Returns true for a folder of a package that has the files that the last run left it with. */
  isPackage(folder: string): boolean {
    return this.#packages.has(folder) && this.#seen.isAsRecorded(folder)
  }

  /** Returns true for the real path of a folder as `isPackage` does. */
  isPackageAt(place: string): boolean {
    const folder = this.#seen.folderAt(place)
    return folder !== undefined && this.isPackage(folder)
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

  /** Sets the plan of the run. */
  plan({ steps, renderContext }: RenderPlan): void {
    this.#steps = steps
    this.#inputs = new InputDigests(renderContext, this.#items, `${this.#fleet.version} ${this.#fleet.request} ${this.#options}`)
  }

  /** Returns all files of a package as this run found them. */
  folderOf(folder: string): WholeFolder | undefined {
    return this.#seen.at(folder)?.whole()
  }

  /** Returns true if the package of a step would be made from the same as in the last run, and has the files that it was left with. */
  isAsLeft(step: Step): boolean {
    const recorded = this.#packages.get(step.folder)
    if (recorded === undefined || step.op !== 'update' || step.movedFrom !== undefined || step.upstream.maker !== undefined) return false
    const inputs = this.#inputs?.of(step)
    if (inputs !== undefined) this.#inputsOf.set(step.variant, inputs)
    if (inputs !== recorded.inputs || !this.#seen.isAsRecorded(step.folder)) return false
    this.#taken.push({ step, left: 'unopened' })
    this.#seen.forget(step.folder)
    return true
  }

  /**
   * Returns a warning for each upstream package in a folder whose files changed since the last run under the same revision: an update
   * to the revision that a package already has brings no changes of upstream.
   */
  changedInPlace(): readonly Result[] {
    return this.#folderUpstreams().flatMap(({ name, digest, source, updated: [first, ...others] }) => {
      const before = this.#upstreams.get(name)
      if (first === undefined || before === undefined || before === digest) return []
      const { ref } = first.upstream.origin
      const packages = countOf(others.length + 1, 'package')
      const message = `has another content at ${quoteText(source.place)} than at the last render, and the same revision ${quoteText(ref)}: of ${packages} made from it, those made before the change keep the former content; take the change back and put it into a new revision, since an update from a changed revision loses the change`
      return [
        faultToResult(first.variant.object, {
          severity: 'warning',
          rule: 'upstream-changed-in-place',
          path: ['spec', 'upstream'],
          message,
        }),
      ]
    })
  }

  /** Returns the upstream packages that are read from folders, each with the steps that update a package to it. */
  #folderUpstreams(): readonly FolderUpstream[] {
    const inputs = this.#inputs
    const found = new Map<SourcePackage, FolderUpstream>()
    for (const step of inputs === undefined ? [] : this.#steps) {
      const { origin, source, maker } = step.upstream
      if (inputs === undefined || origin.commit !== undefined || maker !== undefined || step.op === 'leave') continue
      const name = `${origin.repo} ${origin.directory} ${origin.ref}`
      const known = found.get(source) ?? { name, digest: inputs.digestOf(source), source, updated: [] }
      if (step.op === 'update') known.updated.push(step)
      found.set(source, known)
    }
    return [...found.values()]
  }

  /** Returns the digests for the record: the former one of an upstream package that changed in place, until its packages get another revision. */
  #upstreamsAfter(): ReadonlyMap<string, string> {
    const after = this.#folderUpstreams().map(({ name, digest, updated }): readonly [string, string] => [
      name,
      updated.length === 0 ? digest : (this.#upstreams.get(name) ?? digest),
    ])
    return new Map(after)
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
    const times = this.#times()
    const folders = new Set(this.#taken.map(({ step }) => step.folder))
    const print = this.#seen.walkAfter(this.#roots(places), folders, isBefore(times))
    const inputs = this.#inputs
    if (print === undefined || inputs === undefined) return
    const packages = this.#packagesAfter(inputs, times)
    const all = [...report.fates.values()].reduce((sum, count) => sum + count, 0)
    const isSame = all === packages.size + (report.fates.get('left') ?? 0) && print.isSettled
    const run = isSame && !this.#asked.isPartial ? this.#runAfter(report, places, trusted) : undefined
    record.write(
      version,
      encodeRender({ packages, upstreams: this.#upstreamsAfter(), ...(run && { run: { ...run, others: print.others } }) }),
    )
  }

  /** Returns the packages as this run leaves them, without those whose files may have been changed meanwhile. */
  #packagesAfter(inputs: InputDigests, times: Times): ReadonlyMap<string, RecordedPackage> {
    const packages = new Map<string, RecordedPackage>()
    for (const { step, left } of this.#taken) {
      // A package that was not opened was as recorded. A change since then gives its files another print.
      const recorded = left === 'unopened' ? this.#packages.get(step.folder) : undefined
      const files = left === 'unopened' ? undefined : this.#filesAfter(step.folder, left, times)
      if (recorded !== undefined) packages.set(step.folder, recorded)
      else if (files !== undefined) packages.set(step.folder, { inputs: this.#inputsOf.get(step.variant) ?? inputs.of(step), files })
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

  /** Returns the folders that a run walks: the fleet, its packages, and the places of its upstream packages. */
  #roots(places: RecordedRun['places']): readonly string[] {
    return [realPlace(this.#fleet.dir), ...places.map(([, real]) => real)]
  }

  /** Returns the digest of the files of a package as this run leaves them; undefined if a file may have been changed meanwhile. */
  #filesAfter(folder: string, left: Exclude<Left, 'unopened'>, times: Times): string | undefined {
    const stats = left === 'kept' ? this.#seen.at(folder) : this.#seen.after(folder, left === 'created' ? undefined : left)
    const isKnown = isBefore(left === 'created' ? { ...times, started: times.committed } : times)
    const isWritten = ({ written, changed, device }: FileTimes) =>
      written < times.committed && changed < times.now && device === times.device
    const isLeft = stats?.everyTime((each, path = '') => (typeof left !== 'string' && left.has(path) ? isWritten(each) : isKnown(each)))
    return isLeft ? stats?.digest() : undefined
  }

  #times(): Times {
    const { started, record } = this.#fleet
    return { started: started - TICK, committed: this.#committed - TICK, now: Date.now() - TICK, device: record.device }
  }
}

/** The times of a run in milliseconds, each earlier by the difference that files may have to the clock. */
interface Times {
  /** Before the run read anything. */
  readonly started: number
  /** Before the run moved the files that it wrote to their places. */
  readonly committed: number
  readonly now: number
  /** The file system whose clock is that of this machine, undefined if unknown. */
  readonly device: number | undefined
}

/** Returns a test for files that were neither written nor changed since the run started. */
function isBefore({ started, device: own }: Pick<Times, 'started' | 'device'>): (times: FileTimes) => boolean {
  return ({ written, changed, device }) => device === own && written < started && changed < started
}

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

function isStillSo({ repository, names, commits }: GitAnswer, git: GitPackageSource): boolean {
  try {
    const now = git.commits(repository, names)
    return commits.every((commit, index) => commit === (now[index] ?? null))
  } catch {
    // The run itself reports why git fails.
    return false
  }
}
