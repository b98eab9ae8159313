import type { FileChange } from '../package/file-changes.ts'
import type { FileTree } from '../package/file-tree.ts'
import { FunctionError, type Result } from '../result.ts'
import { matchRunners, type Runners } from './match.ts'
import { type PackageInTree, packagesInTree, readPackageTree } from './package-tree.ts'
import { type PipelineStep, pipelineSteps } from './pipeline-steps.ts'
import { runPipelines } from './run-pipelines.ts'
import { writtenFiles } from './written-files.ts'

/** A package whose pipelines are to run. */
export interface AskedPackage {
  readonly tree: FileTree
  /** The folder as an absolute path. */
  readonly place: string
  /** Returns a path of the package as people see it. */
  name(path: string): string
}

/** What became of one package. */
export interface PackageRun {
  readonly asked: AskedPackage
  readonly changes: readonly FileChange[]
  readonly failed: boolean
  readonly functionsRun: number
  readonly results: readonly Result[]
}

/** A package as it was read, or why it cannot be run. */
export interface ReadPackage {
  readonly asked: AskedPackage
  readonly known: RunnablePackage | FunctionError
}

/** Reads packages with their subpackages and pipelines. A package with faults is reported by its run. */
export function readPackages(asked: readonly AskedPackage[]): readonly ReadPackage[] {
  return asked.map((one) => ({ asked: one, known: attempt(() => readRunnable(one)) }))
}

/** Returns every function of the packages that can be run. */
export function stepsOf(packages: readonly ReadPackage[]): readonly PipelineStep[] {
  return packages.flatMap(({ known }) => (known instanceof FunctionError ? [] : [...known.steps.values()].flat()))
}

/**
 * Runs the pipelines of packages, each for itself, and returns what is to be written. Every function of every package is matched with what runs
 * it before the first one runs. A package that fails has no changes, but for those that `kpt.dev/save-on-render-failure` saves; the others have theirs.
 *
 * @throws FunctionError  with one error for each image or program that nothing can run
 */
export function runPackages(packages: readonly ReadPackage[], runners: Runners): readonly PackageRun[] {
  const matched = matchRunners(stepsOf(packages), runners)
  return packages.map(({ asked, known }): PackageRun => {
    if (known instanceof FunctionError) return { asked, changes: [], failed: true, functionsRun: 0, results: known.results }
    const { root, results, steps } = known
    const run = runPipelines({ root, place: asked.place, steps, runners: matched })
    const changes = run.items === undefined ? [] : writtenFiles(root, run.items, run.isComplete)
    return { asked, changes, failed: !run.isComplete, functionsRun: run.functionsRun, results: [...results, ...run.results] }
  })
}

/** A package with its subpackages and the functions of each. */
interface RunnablePackage {
  readonly root: PackageInTree
  readonly steps: ReadonlyMap<PackageInTree, readonly PipelineStep[]>
  readonly results: readonly Result[]
}

function readRunnable({ tree, name }: AskedPackage): RunnablePackage {
  const { root, results } = readPackageTree(tree, name)
  const faults: Result[] = []
  const steps = new Map<PackageInTree, readonly PipelineStep[]>()
  for (const node of packagesInTree(root)) {
    const read = attempt(() => pipelineSteps(node))
    if (read instanceof FunctionError) faults.push(...read.results)
    else steps.set(node, read)
  }
  if (faults.length > 0) throw new FunctionError([...results, ...faults])
  return { root, steps, results }
}

function attempt<T>(act: () => T): T | FunctionError {
  try {
    return act()
  } catch (error) {
    if (error instanceof FunctionError) return error
    throw error
  }
}
