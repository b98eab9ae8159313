import type { FileChange } from '../folder/file-changes.ts'
import type { FileTree } from '../folder/file-tree.ts'
import type { Steps } from '../progress.ts'
import { FunctionError, hasErrors, type Result } from '../result.ts'
import { type Calls, inTurns } from './calls.ts'
import { type FoundRunners, type MatchedRunners, matchRunners, type Runners } from './match.ts'
import { type PackageInTree, packagesInTree, readPackageTree } from './package-tree.ts'
import { functionsIn, type PipelineStep, pipelineSteps } from './pipeline-steps.ts'
import { withRenderStatus } from './render-status.ts'
import { type MatchedPackage, type PipelineRun, pipelineCalls } from './run-pipelines.ts'
import { isSelected } from './select.ts'
import type { StepRun } from './step-run.ts'
import { writtenFiles } from './written-files.ts'

/** A package to run. */
export interface AskedPackage {
  readonly tree: FileTree
  /** The package's folder as an absolute path. */
  readonly place: string
  /** As of `MatchedPackage`. */
  readonly guard?: MatchedPackage['guard'] | undefined
  /** Returns a path of the package for messages. */
  name(path: string): string
}

/** The result of running one package. */
export interface PackageRun {
  readonly asked: AskedPackage
  readonly changes: readonly FileChange[]
  readonly failed: boolean
  /** True for a failed package whose changes until the failure are to be written: its Kptfile asks for that. */
  readonly isSaved: boolean
  readonly functionsRun: number
  /** The outcome of each function. */
  readonly steps: readonly StepRun[]
  readonly results: readonly Result[]
}

/** A package as read, or the error that prevents running it. */
export interface ReadPackage {
  readonly asked: AskedPackage
  readonly known: RunnablePackage | FunctionError
}

/** Reads packages with their subpackages and pipelines. Faults of a package are not thrown here but reported by `runPackages`. */
export function readPackages(asked: readonly AskedPackage[]): readonly ReadPackage[] {
  return asked.map((one) => readOnePackage(one))
}

/**
 * Reads one package as `readPackages` does.
 *
 * @param added  functions that run before the functions of the package, such as the functions of a variant
 */
export function readOnePackage(asked: AskedPackage, added: readonly PipelineStep[] = []): ReadPackage {
  return { asked, known: attempt(() => readRunnable(asked, added)) }
}

/** Returns every function of the packages without faults. */
export function stepsOf(packages: readonly ReadPackage[]): readonly PipelineStep[] {
  return packages.flatMap(({ known }) => (known instanceof FunctionError ? [] : [...known.steps.values()].flat()))
}

/**
 * Runs the pipelines of packages, several at one time while their functions run in other processes, and yields the progress. Returns the
 * changes to write. A runner is found for every function of every package before the first function runs. A failed package has no changes,
 * except those that `kpt.dev/save-on-render-failure` saves; other packages keep theirs.
 *
 * @param status  true to write what kpt writes about a run into the root Kptfile
 * @throws FunctionError  with one error for each image or program without a runner
 */
export function* runPackages(
  packages: readonly ReadPackage[],
  runners: Runners,
  { status = false }: { readonly status?: boolean } = {},
): Steps<readonly PackageRun[]> {
  const { matched, warnings } = matchRunners(stepsOf(packages), runners)
  const runs: PackageRun[] = []
  const begin = (read: ReadPackage) => runPackage(read, matched, status ? runners : undefined)
  yield* inTurns(packages, begin, (run, read) => {
    runs.push(withWarnings(run, read, warnings))
    return true
  })
  return runs
}

/**
 * Runs the pipelines of one package, as `runPackages`.
 *
 * @param noted  the runners, if the status must be written
 */
export function* runPackage({ asked, known }: ReadPackage, matched: FoundRunners['matched'], noted?: Runners): Calls<PackageRun> {
  if (known instanceof FunctionError) return unreadable(asked, known)
  return finished(asked, known, yield* pipelineCalls(matchedPackage(asked, known, matched)), noted)
}

function matchedPackage({ place, guard }: AskedPackage, known: RunnablePackage, runners: FoundRunners['matched']): MatchedPackage {
  return { ...known, place, runners, ...(guard && { guard }) }
}

/** Returns a run with the warnings about the runners of its functions. */
function withWarnings(run: PackageRun, read: ReadPackage, warnings: MatchedRunners['warnings']): PackageRun {
  const own = warnings.size === 0 ? [] : stepsOf([read]).flatMap((step) => warnings.get(step) ?? [])
  return { ...run, results: [...own, ...run.results] }
}

function unreadable(asked: AskedPackage, { results }: FunctionError): PackageRun {
  return { asked, changes: [], failed: true, isSaved: false, functionsRun: 0, steps: [], results }
}

/** @param noted  the runners, if the status must be written */
function finished(asked: AskedPackage, { root, results }: RunnablePackage, run: PipelineRun, noted: Runners | undefined): PackageRun {
  const written = run.items === undefined ? [] : writtenFiles(root, run.items, run.isComplete)
  const { steps, functionsRun } = run
  const failed = !run.isComplete
  const changes =
    noted === undefined
      ? written
      : withRenderStatus(written, {
          run,
          root,
          folderName: asked.place.slice(asked.place.lastIndexOf('/') + 1),
          imagePrefix: noted.imagePrefix,
        })
  return { asked, changes, failed, isSaved: failed && run.items !== undefined, functionsRun, steps, results: [...results, ...run.results] }
}

/** A package with its subpackages and the functions of each. */
interface RunnablePackage {
  readonly root: PackageInTree
  readonly steps: ReadonlyMap<PackageInTree, readonly PipelineStep[]>
  readonly results: readonly Result[]
}

function readRunnable({ tree, name }: AskedPackage, added: readonly PipelineStep[]): RunnablePackage {
  const { root, results } = readPackageTree(tree, name)
  const faults: Result[] = []
  const steps = new Map<PackageInTree, readonly PipelineStep[]>()
  for (const node of packagesInTree(root)) {
    const read = attempt(() => pipelineSteps(node))
    if (read instanceof FunctionError) faults.push(...read.results)
    const own = read instanceof FunctionError ? functionsIn(node.kptfile) : read
    steps.set(node, node === root ? [...added, ...own] : own)
  }
  faults.push(...reachedFaults(steps))
  if (faults.length > 0 || hasErrors(results)) throw new FunctionError([...results, ...faults])
  return { root, steps, results }
}

/**
 * Returns the errors of items that are no resources and that a function would get. As in kpt, `values.yaml` may stay in a package if the
 * selectors of all functions leave it out; a package without functions must hold resources alone.
 */
function reachedFaults(steps: ReadonlyMap<PackageInTree, readonly PipelineStep[]>): readonly Result[] {
  const reached = new Set<Result>()
  for (const [outer, functions] of steps)
    for (const { notResources } of packagesInTree(outer))
      for (const [item, fault] of notResources) {
        const { annotations } = item.object
        const isReached = ({ selectors, exclude }: PipelineStep) => isSelected({ item, annotations }, selectors, exclude)
        if (functions.length === 0 || functions.some(isReached)) reached.add(fault)
      }
  return [...reached]
}

function attempt<T>(act: () => T): T | FunctionError {
  try {
    return act()
  } catch (error) {
    if (error instanceof FunctionError) return error
    throw error
  }
}
