import { quietly } from '../../attempt.ts'
import { deviceWithOwnClock, type FileTimes, folderPrint } from '../../folder/folder-print.ts'
import { isRealPlace, realPlace } from '../../folder/inside-folder.ts'
import { readCached, writeCached } from '../../folder/user-cache.ts'
import { asRecord, isRecord, type JsonValue, lookup, parseJson } from '../../json.ts'
import { remember } from '../../remember.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { Result } from '../../result.ts'
import { quoteText } from '../../schema/describe-value.ts'
import { faultToResult } from '../../schema/fault.ts'
import type { SourcePackage } from '../../upstream/source-package.ts'
import { countOf } from '../../wording.ts'
import type { RenderedStep } from '../made-packages.ts'
import type { RenderPlan } from '../plan-render.ts'
import { InputDigests } from './input-digests.ts'

/*
 * A run leaves a record of digests: what each package was made from, and the names and stats of the files that it was left with. The next
 * run does not open a package whose two digests are the same. It plans the whole fleet, and so reports what a run without the record
 * reports.
 *
 *   {"form": 3, "packages": {"site-1/web": "INPUTS FILES"}, "upstreams": {"catalog web v1": "DIGEST"}}
 *
 * A package is recorded only if its files certainly are those that the run read or wrote: each was last changed before the run read it, or
 * was written by the run itself. A file that was changed at the time of the record does not count, since a later change could have the same
 * time (git calls this racy).
 */

type Step = RenderPlan['steps'][number]

export interface RecordedFleet {
  /**
   * The file of the record, in the user's cache: a record that came with a clone or a pull request would choose which packages are opened.
   */
  readonly file: string
  /** The folder of all packages. */
  readonly out: string
  /** A digest of everything that the caller asks for beside the folders, and of the version of the tool. */
  readonly request: string
  /** The time before the run read anything, in milliseconds. */
  readonly started: number
  /** True if each run calls functions anew: programs of the machine, which may write something else then, or all with `--no-cache`. */
  readonly callsAnew?: boolean
}

interface Digests {
  /** Of each package, by its folder: the digest of its inputs and of its files, with a space between them. */
  readonly packages: ReadonlyMap<string, string>
  /** Of each upstream package in a folder, by the name of its revision, as the packages were made from it. */
  readonly upstreams: ReadonlyMap<string, string>
}

/** Smaller fleets are rendered in the time that the record takes. */
const FEWEST = 20
/** Milliseconds by which the time of a file may be behind the clock: the kernel's tick. */
const TICK = 12
/** Milliseconds after which a file that is written has another time than those before. */
const PAUSE = 25
/** The version of the form. The record of another version is not read. */
const FORM = 3

/** Knows how the last run left the packages of a fleet. */
export class LastRender {
  readonly fleet: RecordedFleet
  readonly digests: Digests
  /** The real place of the folder of all packages. */
  readonly root: string
  /** The digests of the files of packages that were looked at, undefined for a package that is not where the last run left it. */
  readonly #files = new Map<string, string | undefined>()

  constructor(fleet: RecordedFleet) {
    this.fleet = fleet
    this.root = realPlace(fleet.out)
    this.digests = decode(readCached(fleet.file))
  }

  /** Returns true for a folder of a package that has the files that the last run left it with. */
  isPackage(folder: string): boolean {
    const recorded = this.digests.packages.get(folder)
    if (recorded === undefined) return false
    const place = `${this.root}/${folder}`
    if (!this.#files.has(folder)) this.#files.set(folder, isRealPlace(place) ? printOf(place) : undefined)
    return recorded.endsWith(` ${this.#files.get(folder)}`)
  }

  /** Returns true for the real path of a folder as `isPackage` does. */
  isPackageAt(place: string): boolean {
    return place.startsWith(`${this.root}/`) && this.isPackage(place.slice(this.root.length + 1))
  }

  /**
   * Begins the record of a run.
   *
   * @param items    the fleet that is rendered
   * @param options  a text of all options, equal for equal options
   */
  begin({ renderContext, steps }: RenderPlan, items: readonly KrmObject[], options: string): RenderRecord {
    return new RenderRecord(this, steps, new InputDigests(renderContext, items, `${this.fleet.request} ${options}`))
  }
}

/** The outcome of a run for a package: not opened, unchanged, new, or with new content in some of its files. */
type Left = 'unopened' | 'kept' | 'created' | ReadonlySet<string>

/** An upstream package that is read from a folder. */
interface FolderUpstream {
  /** The repository, the folder in it and the ref. */
  readonly name: string
  readonly digest: string
  readonly source: SourcePackage
  readonly updated: Step[]
}

/** Collects how a run leaves the packages. A run calls the members in their order. */
export class RenderRecord {
  readonly #last: LastRender
  readonly #steps: readonly Step[]
  readonly #inputs: InputDigests
  #taken: { readonly step: Step; readonly left: Left }[] = []
  #committed = 0

  constructor(last: LastRender, steps: readonly Step[], inputs: InputDigests) {
    this.#last = last
    this.#steps = steps
    this.#inputs = inputs
  }

  /** Returns true if the package of a step would be made from the same as in the last run, and has the files that it was left with. */
  isAsLeft(step: Step): boolean {
    const recorded = this.#last.digests.packages.get(step.folder)
    if (recorded === undefined || step.op !== 'update' || step.movedFrom !== undefined || step.upstream.maker !== undefined) return false
    if (!recorded.startsWith(`${this.#inputs.of(step)} `) || !this.#last.isPackage(step.folder)) return false
    this.#taken.push({ step, left: 'unopened' })
    return true
  }

  /** Notes how its step leaves a package. A package with findings is opened by the next run, which reports them again. */
  take(rendered: RenderedStep): void {
    const left = leftBy(rendered)
    if (left !== undefined) this.#taken.push({ step: rendered.step, left })
  }

  /**
   * Returns a warning for each upstream package in a folder whose files changed since the last run under the same revision: an update
   * to the revision that a package already has brings no changes of upstream.
   */
  changedInPlace(): readonly Result[] {
    return this.#folderUpstreams().flatMap(({ name, digest, source, updated: [first, ...others] }) => {
      const before = this.#last.digests.upstreams.get(name)
      if (first === undefined || before === undefined || before === digest) return []
      const { ref } = first.upstream.origin
      const packages = countOf(others.length + 1, 'package')
      const message = `has another content at ${quoteText(source.place)} than at the last render, and the same revision ${quoteText(ref)}: of ${packages} made from it, those made before the change keep the former content; take the change back and put it into a new revision, since an update from a changed revision loses the change`
      const fault = { severity: 'warning', rule: 'upstream-changed-in-place', path: ['spec', 'upstream'], message } as const
      return [faultToResult(first.variant.object, fault)]
    })
  }

  /** Waits until files that are written from now on have other times than those that were staged. */
  beforeCommit(): void {
    if (this.#taken.length < FEWEST || this.#taken.every(({ left }) => left === 'unopened')) return
    pause()
    this.#committed = Date.now()
  }

  /**
   * Writes the record, without the new and changed packages of an upstream whose first package would change again.
   *
   * @param isStable  returns true if the package of a step, rendered once more, has neither changes nor findings
   */
  afterCommit(isStable: (step: Step) => boolean): void {
    if (this.#taken.length < FEWEST) return
    const { fleet, digests: before } = this.#last
    const upstreams = this.#upstreamsAfter()
    const isSame = this.#taken.every(({ left }) => left === 'unopened') && this.#taken.length === before.packages.size
    if (isSame && isEqual(upstreams, before.upstreams)) return
    const device = deviceWithOwnClock(this.#last.root, TICK)
    if (device === undefined) return
    pause()
    const packages = Object.fromEntries(this.#packagesAfter(isStable, device))
    writeCached(fleet.file, JSON.stringify({ form: FORM, packages, upstreams: Object.fromEntries(upstreams) }))
  }

  /** Returns the digests of the packages as this run leaves them, without packages whose files may have been changed meanwhile. */
  #packagesAfter(isStable: (step: Step) => boolean, device: number): readonly (readonly [string, string])[] {
    if (this.#last.fleet.callsAnew === true) return []
    const stable = new Map<SourcePackage, boolean>()
    return this.#taken.flatMap(({ step, left }) => {
      // A package that was not opened was as recorded. A change since then gives its files another digest.
      const recorded = left === 'unopened' ? this.#last.digests.packages.get(step.folder) : undefined
      if (left === 'unopened') return recorded === undefined ? [] : [[step.folder, recorded]]
      const { source } = step.upstream
      if (left !== 'kept') stable.set(source, stable.get(source) ?? isStable(step))
      const files = left !== 'kept' && stable.get(source) === false ? undefined : this.#filesAfter(step.folder, left, device)
      return files === undefined ? [] : [[step.folder, `${this.#inputs.of(step)} ${files}`]]
    })
  }

  /** Returns the digest of the files of a package as this run leaves them; undefined if a file may have been changed meanwhile. */
  #filesAfter(folder: string, left: Exclude<Left, 'unopened'>, own: number): string | undefined {
    const [now, committed] = [Date.now() - TICK, this.#committed - TICK]
    const read = left === 'created' ? committed : this.#last.fleet.started - TICK
    let isLeft = true
    const look = (path: string, { written, changed, device }: FileTimes): void => {
      const isWritten = typeof left !== 'string' && left.has(path)
      isLeft &&= device === own && (isWritten ? written < committed && changed < now : written < read && changed < read)
    }
    const print = printOf(`${this.#last.root}/${folder}`, look)
    return isLeft ? print : undefined
  }

  /** Returns the upstream packages that are read from folders, each with the steps that update a package to it. */
  #folderUpstreams(): readonly FolderUpstream[] {
    const found = new Map<SourcePackage, FolderUpstream>()
    for (const step of this.#steps) {
      const { origin, source, maker } = step.upstream
      if (origin.commit !== undefined || maker !== undefined || step.op === 'leave') continue
      const name = `${origin.repo} ${origin.directory} ${origin.ref}`
      const known = remember(found, source, () => ({ name, digest: this.#inputs.digestOf(source), source, updated: [] }))
      if (step.op === 'update') known.updated.push(step)
    }
    return [...found.values()]
  }

  /**
   * Returns the digests for the record: the former one of an upstream package that changed in place, until its packages get another
   * revision.
   */
  #upstreamsAfter(): ReadonlyMap<string, string> {
    const after = this.#folderUpstreams().map(({ name, digest, updated }): readonly [string, string] => [
      name,
      updated.length === 0 ? digest : (this.#last.digests.upstreams.get(name) ?? digest),
    ])
    return new Map(after)
  }
}

/** Returns the digests of a record; none if anything is not as a run writes it: a run with a wrong record might leave out work. */
function decode(text = ''): Digests {
  const content = asRecord(parseJson(text))
  const packages = textsOf(lookup(content, 'packages'), /^[0-9a-f]{32} [0-9a-f]{32}$/)
  const upstreams = textsOf(lookup(content, 'upstreams'), /^[0-9a-f]{32}$/)
  const isKnown = lookup(content, 'form') === FORM && packages !== undefined && upstreams !== undefined
  return isKnown ? { packages, upstreams } : { packages: new Map(), upstreams: new Map() }
}

function textsOf(value: JsonValue | undefined, form: RegExp): ReadonlyMap<string, string> | undefined {
  const entries = isRecord(value) ? Object.entries(value) : []
  const texts = entries.flatMap(([key, text]) => (typeof text === 'string' && form.test(text) ? [[key, text] as const] : []))
  return isRecord(value) && texts.length === entries.length ? new Map(texts) : undefined
}

function isEqual(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value)
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE)
}

/** Returns how a rendered package is left; undefined for one that the next run may change or has to report on. */
function leftBy({ step, made, results, functions, changes, leftovers }: RenderedStep): Left | undefined {
  if (results.length > 0 || leftovers.length > 0 || step.movedFrom !== undefined) return undefined
  // Its upstream is a package that the run makes.
  if (step.upstream.maker !== undefined) return undefined
  if (functions !== undefined && (functions.outcome !== 'done' || functions.results.length > 0)) return undefined
  // A function may have changed what the variant wrote before it ran.
  if (functions !== undefined && functions.changed.size > 0 && made.isSettled?.() !== true) return undefined
  if (step.op === 'create') return 'created'
  return changes.length === 0 ? 'kept' : new Set(changes.map(({ path }) => path))
}

/** Returns the digest of a package's folder; undefined if a file cannot be read, which the run itself reports. */
function printOf(place: string, look?: Parameters<typeof folderPrint>[1]): string | undefined {
  return quietly(() => folderPrint(place, look))
}
