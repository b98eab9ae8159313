import { CelError } from '../cel/cel-error.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { WireError } from '../resource-list/wire-error.ts'
import { FunctionError, type Result } from '../result.ts'
import { faultToResult } from '../schema/fault.ts'
import { withoutQuotedSecrets } from '../secret-values.ts'
import type { Calls } from './calls.ts'
import { conditionFault } from './condition.ts'
import { type Called, editDocuments } from './edit-documents.ts'
import { type FunctionInput, functionInput } from './function-input.ts'
import { applyOutput, checkPlaces, OutputError, type Returned, readOutput } from './function-output.ts'
import type { FunctionAnswer, Runner } from './match.ts'
import { type PackageInTree, type PipelineItem, packagesInTree } from './package-tree.ts'
import type { PipelineStep } from './pipeline-steps.ts'
import { secretHider } from './secret-hider.ts'
import { describeEnd, failure, reportedIn, resultsOfStep, type StepRun } from './step-run.ts'
import { selectorWarnings, setterWarnings } from './step-warnings.ts'

/** A package with the functions of all its pipelines and their runners. */
export interface MatchedPackage {
  readonly root: PackageInTree
  /** The root package as an absolute path. */
  readonly place: string
  readonly steps: ReadonlyMap<PackageInTree, readonly PipelineStep[]>
  readonly runners: ReadonlyMap<PipelineStep, Runner>
  /** Looks at what each mutator returns, from the package before its first function; absent to take what functions return. */
  readonly guard?: (root: PackageInTree) => StepGuard
}

/**
 * Returns the items to go on with after a mutator, and findings about it.
 *
 * @param folder  the folder of the package whose pipeline has the function
 * @throws FunctionError  for a function whose output must not be taken
 */
export type StepGuard = (
  step: PipelineStep,
  folder: string,
  items: { readonly before: readonly PipelineItem[]; readonly after: readonly PipelineItem[] },
) => { readonly items: readonly PipelineItem[]; readonly results: readonly Result[] }

/** The result of running a package's pipelines. */
export interface PipelineRun {
  /** The items to write; undefined if the package must not change. */
  readonly items: readonly PipelineItem[] | undefined
  /** True if all functions ran to their end: then files without items are deleted. */
  readonly isComplete: boolean
  /** True if parents ran before their subpackages. */
  readonly isTopDown: boolean
  readonly functionsRun: number
  /** The outcome of each function until the end or the failure, in the order of the run. */
  readonly steps: readonly StepRun[]
  /** The results that functions reported, and the failure. */
  readonly results: readonly Result[]
}

/**
 * Yields the calls of a package's functions in kpt's order, takes the answer of each, and returns the result: subpackages run before
 * their parent, whose functions get the changed resources of the subpackages. With the annotation `kpt.dev/bfs-rendering: "true"` on the
 * root package, parents run first, level by level. A package runs its mutators, then its validators, whose output is checked and dropped
 * (docs/kpt-render R10 to R15, R41). A function whose condition is false for the resources that it would get is skipped.
 *
 * @example  Package `shop` with subpackages `shop/db` and `shop/web` runs `db`, `web`, `shop`; the functions of `shop` get the
 * resources of all three.
 */
export function* pipelineCalls(runnable: MatchedPackage): Calls<PipelineRun> {
  const run = new Run(runnable)
  const { root } = runnable
  const saves = isTrue(root, 'kpt.dev/save-on-render-failure')
  const isTopDown = isTrue(root, 'kpt.dev/bfs-rendering')
  try {
    const items = isTopDown ? yield* run.breadthFirst() : yield* run.depthFirst(root, 0)
    return { items, isComplete: true, isTopDown, functionsRun: run.count, steps: run.steps, results: run.results }
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error
    const results = [...run.results, ...error.results]
    return { items: saves ? run.saved : undefined, isComplete: false, isTopDown, functionsRun: run.count, steps: run.steps, results }
  }
}

function isTrue({ kptfile }: PackageInTree, annotation: string): boolean {
  return kptfile.annotations.get(annotation)?.toLowerCase() === 'true'
}

class Run {
  readonly steps: StepRun[] = []
  readonly results: Result[] = []
  readonly #runnable: MatchedPackage
  readonly #folders: ReadonlySet<string>
  /** Items of finished packages, saved after a failure. */
  #finished: readonly PipelineItem[] = []
  #progress: readonly PipelineItem[] | undefined
  readonly #guard: StepGuard | undefined

  constructor(runnable: MatchedPackage) {
    this.#runnable = runnable
    this.#guard = runnable.guard?.(runnable.root)
    this.#folders = new Set(packagesInTree(runnable.root).map(({ folder }) => folder))
  }

  /** The number of functions that were called. */
  get count(): number {
    return this.steps.filter(({ answer }) => answer !== undefined).length
  }

  /** The items as the functions before the failure left them; undefined if a package below a subpackage failed (docs/kpt-render R41). */
  get saved(): readonly PipelineItem[] | undefined {
    return this.#progress === undefined ? undefined : [...this.#finished, ...this.#progress]
  }

  *depthFirst(node: PackageInTree, depth: number): Calls<readonly PipelineItem[]> {
    const below: PipelineItem[] = []
    for (const child of node.children) {
      below.push(...(yield* this.depthFirst(child, depth + 1)))
      if (depth === 0) this.#finished = [...below]
    }
    if (depth === 0) this.#finished = []
    return yield* this.#runPackage(node, [...node.items, ...below], (items) => {
      this.#progress = depth <= 1 ? items : undefined
    })
  }

  *breadthFirst(): Calls<readonly PipelineItem[]> {
    let level: readonly PackageInTree[] = [this.#runnable.root]
    let items: readonly PipelineItem[] = packagesInTree(this.#runnable.root).flatMap((node) => node.items)
    while (level.length > 0) {
      for (const node of level) {
        const within = new Set(packagesInTree(node).map(({ folder }) => folder))
        const others = items.filter(({ folder }) => !within.has(folder))
        const mine = items.filter(({ folder }) => within.has(folder))
        const ran = yield* this.#runPackage(node, mine, (progress) => {
          this.#progress = [...others, ...progress]
        })
        items = [...others, ...ran]
      }
      level = level.flatMap(({ children }) => children)
    }
    return items
  }

  *#runPackage(
    node: PackageInTree,
    items: readonly PipelineItem[],
    note: (items: readonly PipelineItem[]) => void,
  ): Calls<readonly PipelineItem[]> {
    note(items)
    let current = items
    for (const step of this.#runnable.steps.get(node) ?? []) {
      current = yield* this.#runStep(step, node, current)
      note(current)
    }
    return current
  }

  *#runStep(step: PipelineStep, node: PackageInTree, items: readonly PipelineItem[]): Calls<readonly PipelineItem[]> {
    const runner = this.#runnable.runners.get(step)
    if (runner === undefined) throw new Error('every function has a runner before the first one runs')
    const input = this.#prepared(step, node, 0, () => functionInput(step, node, items, this.#runnable.place))
    if (step.selectors.length + step.exclude.length > 0) this.results.push(...selectorWarnings(step, items))
    const received = input.selected.length
    if (!this.#prepared(step, node, received, () => isWanted(step, input))) {
      this.steps.push({ step, node, isSkipped: true, received, answer: undefined, reported: [] })
      return items
    }
    this.results.push(...setterWarnings(step, input))
    const edited = runner.edit === undefined ? undefined : editDocuments(step, runner.edit, input)
    const { answer, reported, returned } = edited ?? (yield* this.#call(runner, input, step, node))
    const note = (error?: string) =>
      this.steps.push({ step, node, isSkipped: false, received, answer, reported, ...(error !== undefined && { error }) })
    const end = answer.exitCode === 0 ? undefined : describeEnd(answer)
    for (const result of resultsOfStep(reported, step, end)) this.results.push(result)
    if (end !== undefined) {
      note(answer.exitCode === undefined ? answer.stderr : undefined)
      throw new FunctionError([failure(step, end)])
    }
    try {
      const after = this.#itemsAfter(step, input, items, returned())
      note()
      if (this.#guard === undefined || step.stage === 'validators') return after
      const guarded = this.#guard(step, node.folder, { before: items, after })
      this.results.push(...guarded.results)
      return guarded.items
    } catch (error) {
      const reason = reasonOf(error, answer)
      if (reason === undefined) throw error
      note(reason)
      throw new FunctionError([failure(step, reason)])
    }
  }

  /** Returns what `prepare` returns before a function is called. Its error is recorded as an error of the function. */
  #prepared<Value>(step: PipelineStep, node: PackageInTree, received: number, prepare: () => Value): Value {
    try {
      return prepare()
    } catch (error) {
      if (error instanceof FunctionError)
        this.steps.push({ step, node, isSkipped: false, received, answer: undefined, reported: [], error: error.message })
      throw error
    }
  }

  /** Calls a function with the text of its list. */
  *#call(runner: Runner, input: FunctionInput, step: PipelineStep, node: PackageInTree): Calls<Called> {
    const list = input.list()
    const answered = yield { runner, input: list.text }
    const hide = secretHider(input.selected, answered.stdout)
    const stderr = hide(answered.stderr)
    // The same answer where nothing is hidden: callers know an answer that they gave.
    const answer = stderr === answered.stderr ? answered : { ...answered, stderr }
    const isDropped = step.stage === 'validators'
    const place = { folder: node.folder, root: this.#runnable.place, folders: this.#folders, isDropped }
    // What a validator prints is dropped, so that it may print nothing.
    const isSilent = isDropped && answer.stdout.trim() === ''
    const { reported, fault } = reportedIn(answer, hide)
    const returned = () => {
      if (fault !== undefined) throw new OutputError(fault)
      return isSilent ? [] : readOutput(answer.stdout, list, place)
    }
    return { answer, reported, returned }
  }

  /**
   * Returns the items after a function; a validator changes none.
   *
   * @throws OutputError  for items that cannot be used
   */
  #itemsAfter(
    step: PipelineStep,
    { selected }: FunctionInput,
    items: readonly PipelineItem[],
    returned: readonly Returned[],
  ): readonly PipelineItem[] {
    if (step.stage === 'mutators' && selected.length === items.length && items.length > 0 && returned.length === 0)
      throw new OutputError('printed an empty list: the whole package would be deleted')
    const output = returned.map(({ item }) => item)
    const isWhole = step.stage === 'validators' || step.selectors.length + step.exclude.length === 0
    const merged = isWhole ? output : merge(items, selected, output)
    if (returned.some(({ output }) => output !== undefined)) checkPlaces(merged)
    if (step.stage === 'validators') return items
    applyOutput(returned)
    return merged
  }
}

/** Returns why an output cannot be used; undefined for an error of another kind. */
function reasonOf(error: unknown, { stdout }: FunctionAnswer): string | undefined {
  if (error instanceof OutputError) return error.message
  return error instanceof WireError ? `printed what cannot be read: ${withoutQuotedSecrets(error.message, stdout)}` : undefined
}

/** @throws FunctionError  for a condition without a value */
function isWanted({ when, kptfile, field }: PipelineStep, { resources }: FunctionInput): boolean {
  if (when === undefined) return true
  try {
    return when.holds(resources())
  } catch (error) {
    if (!(error instanceof CelError)) throw error
    throw new FunctionError([faultToResult(kptfile, conditionFault([...field, 'when'], when.text, error))])
  }
}

/**
 * Returns the items after a function with selectors, even if they select every item. An item that the function did not get keeps its
 * place, a returned item too, and new items are appended (docs/kpt-render R26).
 */
function merge(
  items: readonly PipelineItem[],
  selected: readonly PipelineItem[],
  returned: readonly PipelineItem[],
): readonly PipelineItem[] {
  const received = new Set(selected)
  const objects = new Set<KrmObject>(selected.map(({ object }) => object))
  const known = new Map(returned.flatMap((item) => (objects.has(item.object) ? [[item.object, item] as const] : [])))
  const added = returned.filter(({ object }) => !objects.has(object))
  const kept = items.flatMap((item) => {
    if (!received.has(item)) return [item]
    const now = known.get(item.object)
    return now === undefined ? [] : [now]
  })
  return [...kept, ...added]
}
