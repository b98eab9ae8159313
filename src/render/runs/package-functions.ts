import type { FileChange } from '../../folder/file-changes.ts'
import { folderTree } from '../../folder/file-tree.ts'
import { findLeftOutFiles } from '../../folder/find-package-files.ts'
import { PathGate } from '../../folder/safe-path.ts'
import { groupBy } from '../../group-by.ts'
import { KPTFILE_SCHEMA } from '../../kinds/kptfile-schema.ts'
import { type Calls, turn } from '../../pipeline/calls.ts'
import { findRunners, type Runners, type Unmatched, unmatchedResult } from '../../pipeline/match.ts'
import type { PipelineStep } from '../../pipeline/pipeline-steps.ts'
import { type ReadPackage, readOnePackage, runPackage, stepsOf } from '../../pipeline/run-packages.ts'
import type { StepRun } from '../../pipeline/step-run.ts'
import { remember } from '../../remember.ts'
import { isKptfile } from '../../resource-list/package-of.ts'
import type { Result } from '../../result.ts'
import { afterRun, type FunctionRun, type PackageToRun } from '../clone/rendered-package.ts'
import { neededObjectsGuard } from './needed-objects.ts'
import { secondRunWarnings } from './second-run.ts'
import { type AskedField, lastWriters } from './watched-runners.ts'

/** Returns a run that changes nothing. */
function emptyRun(outcome: FunctionRun['outcome']): FunctionRun {
  return { outcome, changed: new Map(), ran: [], results: [] }
}

/**
 * The place of every package while its functions run: their answers must not depend on the folder that the fleet is in.
 */
const PLACE = '/package'

/**
 * The treatment of a package with a function without a runner: `refuse` collects the function for the report of the whole fleet, `fail`
 * fails the run of this package, `leave` leaves the package as it is.
 */
type WithoutRunner = 'refuse' | 'fail' | 'leave'

/** The settings with which the functions of packages run. */
export interface FunctionSettings {
  readonly withoutRunner?: WithoutRunner
  /** True to write what kpt writes about a run into the Kptfile of each package. */
  readonly status?: boolean
  /** True to keep the infos that functions report. */
  readonly infos?: boolean
}

/** Runs the functions of packages in memory, and collects the functions of all packages that have no runner. */
export class PackageFunctions {
  readonly #runners: Runners
  /** By message: the first function without this runner, its package, and the number of packages that need it. */
  readonly #unmatched = new Map<string, { readonly first: Unmatched; readonly pkg: PackageToRun; packages: number }>()

  readonly #withoutRunner: WithoutRunner
  readonly #status: boolean
  readonly #infos: boolean

  /** The functions of packages that ran a second time. */
  readonly #tried = new Set<string>()

  /** The messages about other versions that were reported. */
  readonly #warned = new Set<string>()

  constructor(runners: Runners, { withoutRunner = 'refuse', status = false, infos = false }: FunctionSettings = {}) {
    this.#runners = runners
    this.#withoutRunner = withoutRunner
    this.#status = status
    this.#infos = infos
  }

  /** Runs the same functions, and collects nothing. */
  get forComparison(): PackageFunctions {
    return new PackageFunctions(this.#runners, { withoutRunner: 'fail' })
  }

  /** Returns one error for each image or program without a runner, with the number of packages that need it. */
  get unmatched(): readonly Result[] {
    return Array.from(this.#unmatched.values(), ({ first, pkg, packages }) => {
      const result = unmatchedResult(first, packages)
      return pkg.atCause?.(result) ?? result
    })
  }

  /** Returns false for a package without functions. */
  mayRun(pkg: PackageToRun): boolean {
    return hasPipeline(pkg)
  }

  /**
   * Runs the functions of a package and its subpackages. A package without functions is not read, and stays as it is. A function
   * without a runner is collected, and then no function of the package runs.
   */
  *run(pkg: PackageToRun): Calls<FunctionRun> {
    return hasPipeline(pkg) ? yield* this.#runRead(readToRun(pkg), pkg) : emptyRun('done')
  }

  /** Runs the functions of a package once more. Returns for each field the function that wrote the field last. */
  *writersOf(pkg: PackageToRun, fields: readonly AskedField[]): Calls<readonly (PipelineStep | undefined)[]> {
    return yield* lastWriters(readToRun(pkg), this.#runners, fields)
  }

  *#runRead(read: ReadPackage, pkg: PackageToRun): Calls<FunctionRun> {
    const { matched, unmatched, otherVersions } = findRunners(stepsOf([read]), this.#runners)
    if (this.#withoutRunner !== 'refuse' && unmatched.length > 0) return emptyRun(this.#withoutRunner === 'leave' ? 'done' : 'unmatched')
    if (unmatched.length > 0) {
      yield* this.#turn()
      this.#collect(unmatched, pkg)
    }
    // No package will be written, so no further function has to run.
    if (this.#unmatched.size > 0) return emptyRun('unmatched')
    const { changes, failed, isSaved, steps, results } = yield* runPackage(read, matched, this.#status ? this.#runners : undefined)
    yield* this.#turn()
    // A package before this one may have lacked a runner.
    if (this.#unmatched.size > 0) return emptyRun('unmatched')
    const misplaced = misplacedFiles(changes, pkg)
    const isFailed = (failed && !isSaved) || misplaced.length > 0
    const run: FunctionRun = {
      outcome: isFailed ? 'failed' : failed ? 'saved' : 'done',
      changed: new Map(isFailed ? [] : changes.map((change) => [change.path, bytesAfter(change)])),
      ran: steps.filter(({ isSkipped }) => !isSkipped).map(({ step }) => countedName(step)),
      results: [...this.#newWarnings(otherVersions), ...results, ...misplaced].filter(({ severity }) => this.#infos || severity !== 'info'),
    }
    return { ...run, results: [...run.results, ...(yield* this.#secondRun(steps, pkg, run))] }
  }

  /** Waits for the packages before, since what was found there is not found again. A comparison finds for itself alone. */
  *#turn(): Calls<void> {
    if (this.#withoutRunner !== 'fail') yield* turn()
  }

  /** Runs the functions once more on what they wrote, once for all packages with the same functions. */
  *#secondRun(steps: readonly StepRun[], pkg: PackageToRun, run: FunctionRun): Calls<readonly Result[]> {
    const functions = JSON.stringify(
      steps.map(({ step: { image, tag, exec, configPath, configMap } }) => [image, tag, exec, configPath, [...configMap.keys()]]),
    )
    if (this.#withoutRunner !== 'refuse' || run.outcome !== 'done' || this.#tried.has(functions)) return []
    this.#tried.add(functions)
    const next = afterRun(pkg, run)
    return yield* secondRunWarnings(readToRun(next), this.#runners, next.read)
  }

  #collect(unmatched: readonly Unmatched[], pkg: PackageToRun): void {
    for (const [message, [first]] of groupBy(unmatched, (each) => each.message)) {
      remember(this.#unmatched, message, () => ({ first, pkg, packages: 0 })).packages++
    }
  }

  /** Returns a warning for each image that another version runs, and that no package before had. */
  #newWarnings(otherVersions: readonly Unmatched[]): readonly Result[] {
    return otherVersions.flatMap((each) => {
      if (this.#warned.has(each.message)) return []
      this.#warned.add(each.message)
      return [unmatchedResult(each, 1)]
    })
  }
}

function readToRun({ folder, upstream, paths, read, documents = () => undefined }: PackageToRun): ReadPackage {
  const guard = neededObjectsGuard(upstream)
  const tree = { ...folderTree(paths, (path) => read(path)), documents }
  return readOnePackage({ tree, place: PLACE, guard, name: (path) => below(folder, path) })
}

/** Returns true if one of the Kptfiles of a package may have a pipeline, or a field that no Kptfile has: `pipelin`. */
function hasPipeline({ paths, read }: PackageToRun): boolean {
  return paths.some((path) => {
    if (!isKptfile(path)) return false
    const text = Buffer.from(read(path)).toString('latin1')
    return text.includes('pipeline') || OTHER_FIELD.test(text)
  })
}

/** Matches a key at the beginning of a line that is no field of a Kptfile. */
const OTHER_FIELD = new RegExp(`^(?!["']?(?:${Object.keys(KPTFILE_SCHEMA.properties).join('|')})["']?\\s*:)["']?\\w+["']?\\s*:`, 'm')

/** Returns an error for each new file at a place that is taken, that no file may have, or that the next run would not read. */
function misplacedFiles(changes: readonly FileChange[], { folder, paths, read }: PackageToRun): readonly Result[] {
  const created = changes.flatMap(({ op, path }) => (op === 'create' ? [path] : []))
  if (created.length === 0) return []
  const gate = new PathGate()
  const deleted = new Set(changes.flatMap(({ op, path }) => (op === 'delete' ? [path] : [])))
  for (const path of paths) if (!deleted.has(path)) gate.knows(path)
  const admitted = created.filter((path) => gate.admits(path))
  const leftOut = new Set(findLeftOutFiles(folderTree([...paths, ...admitted], read)))
  return [
    ...gate.results(folder),
    ...admitted
      .filter((path) => leftOut.has(path))
      .map((path): Result => {
        const message = '`path` must be read by the next run, .krmignore leaves it out: take it out of there'
        return { severity: 'error', message, file: { path: below(folder, path), index: 0 }, tags: { rule: 'file-unwritable' } }
      }),
  ]
}

function bytesAfter({ op, text }: FileChange): Uint8Array | undefined {
  return op === 'delete' ? undefined : Buffer.from(text)
}

function below(folder: string, path: string): string {
  return path === '' ? folder : `${folder}/${path}`
}

/** Returns the name of a function in counts: that of its image without registry and tag, or of its program without folder. */
function countedName({ image, exec }: PipelineStep): string {
  if (image !== '') return image.replace(/[:@].*$/s, '').replace(/^.*\//s, '')
  return exec.trim().replace(/\s.*$/s, '').replace(/^.*\//s, '')
}
