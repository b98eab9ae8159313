import { formatFieldPath } from '../field-path.ts'
import { isRecord, type JsonRecord, type JsonValue, lookup, scalarText } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { WireError } from '../resource-list/wire-error.ts'
import { FunctionError, type Result } from '../result.ts'
import { cutText } from '../wording.ts'
import { functionInput } from './function-input.ts'
import { applyOutput, checkPlaces, OutputError, readOutput } from './function-output.ts'
import type { FunctionAnswer, Runner } from './match.ts'
import { type PackageInTree, type PipelineItem, packagesInTree } from './package-tree.ts'
import type { PipelineStep } from './pipeline-steps.ts'

/** A package with the functions of all its pipelines and their runners. */
export interface MatchedPackage {
  readonly root: PackageInTree
  /** The root package as an absolute path. */
  readonly place: string
  readonly steps: ReadonlyMap<PackageInTree, readonly PipelineStep[]>
  readonly runners: ReadonlyMap<PipelineStep, Runner>
}

/** The result of running a package's pipelines. */
export interface PipelineRun {
  /** The items to write; undefined if the package must not change. */
  readonly items: readonly PipelineItem[] | undefined
  /** True if all functions ran to their end: then files without items are deleted. */
  readonly isComplete: boolean
  readonly functionsRun: number
  /** The results that functions reported, and the failure. */
  readonly results: readonly Result[]
}

/**
 * Runs the pipelines of a package and its subpackages in kpt's order: subpackages before their parent, whose functions get the changed
 * resources of the subpackages. With the annotation `kpt.dev/bfs-rendering: "true"` on the root package, parents run first, level by
 * level. A package runs its mutators, then its validators, whose output is checked and dropped (docs/kpt-render R10 to R15, R41).
 *
 * @example  Package `shop` with subpackages `shop/db` and `shop/web` runs `db`, `web`, `shop`; the functions of `shop` get the
 * resources of all three.
 */
export function runPipelines(runnable: MatchedPackage): PipelineRun {
  const run = new Run(runnable)
  const { root } = runnable
  const saves = isTrue(root, 'kpt.dev/save-on-render-failure')
  try {
    const items = isTrue(root, 'kpt.dev/bfs-rendering') ? run.breadthFirst() : run.depthFirst(root, 0)
    return { items, isComplete: true, functionsRun: run.count, results: run.results }
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error
    const results = [...run.results, ...error.results]
    return { items: saves ? run.saved : undefined, isComplete: false, functionsRun: run.count, results }
  }
}

function isTrue({ kptfile }: PackageInTree, annotation: string): boolean {
  return kptfile.annotations.get(annotation)?.toLowerCase() === 'true'
}

class Run {
  count = 0
  readonly results: Result[] = []
  readonly #runnable: MatchedPackage
  readonly #folders: ReadonlySet<string>
  /** Items of finished packages, saved after a failure. */
  #finished: readonly PipelineItem[] = []
  #progress: readonly PipelineItem[] | undefined

  constructor(runnable: MatchedPackage) {
    this.#runnable = runnable
    this.#folders = new Set(packagesInTree(runnable.root).map(({ folder }) => folder))
  }

  /** The items as the functions before the failure left them; undefined if a package below a subpackage failed (docs/kpt-render R41). */
  get saved(): readonly PipelineItem[] | undefined {
    return this.#progress === undefined ? undefined : [...this.#finished, ...this.#progress]
  }

  depthFirst(node: PackageInTree, depth: number): readonly PipelineItem[] {
    const below = node.children.flatMap((child) => {
      const items = this.depthFirst(child, depth + 1)
      if (depth === 0) this.#finished = [...this.#finished, ...items]
      return items
    })
    if (depth === 0) this.#finished = []
    return this.#runPackage(node, [...node.items, ...below], (items) => {
      this.#progress = depth <= 1 ? items : undefined
    })
  }

  breadthFirst(): readonly PipelineItem[] {
    let level: readonly PackageInTree[] = [this.#runnable.root]
    let items: readonly PipelineItem[] = packagesInTree(this.#runnable.root).flatMap((node) => node.items)
    while (level.length > 0) {
      for (const node of level) {
        const within = new Set(packagesInTree(node).map(({ folder }) => folder))
        const others = items.filter(({ folder }) => !within.has(folder))
        const mine = items.filter(({ folder }) => within.has(folder))
        const ran = this.#runPackage(node, mine, (progress) => {
          this.#progress = [...others, ...progress]
        })
        items = [...others, ...ran]
      }
      level = level.flatMap(({ children }) => children)
    }
    return items
  }

  #runPackage(
    node: PackageInTree,
    items: readonly PipelineItem[],
    note: (items: readonly PipelineItem[]) => void,
  ): readonly PipelineItem[] {
    note(items)
    let current = items
    for (const step of this.#runnable.steps.get(node) ?? []) {
      current = this.#runStep(step, node, current)
      note(current)
    }
    return current
  }

  #runStep(step: PipelineStep, node: PackageInTree, items: readonly PipelineItem[]): readonly PipelineItem[] {
    const runner = this.#runnable.runners.get(step)
    if (runner === undefined) throw new Error('every function has a runner before the first one runs')
    const input = functionInput(step, node, items, this.#runnable.place)
    const answer = runner(input.text)
    this.count++
    if (answer.exitCode !== 0) throw new FunctionError([...reported(answer, step), failure(step, describeEnd(answer))])
    try {
      const returned = readOutput(answer.stdout, input, { folder: node.folder, root: this.#runnable.place, folders: this.#folders })
      if (step.stage === 'mutators' && input.sent.length === items.length && items.length > 0 && returned.length === 0)
        throw new OutputError('printed an empty list: the whole package would be deleted')
      this.results.push(...reported(answer, step))
      if (step.stage === 'validators') return items
      const sent = new Set(input.sent.map(({ item }) => item))
      const places = new Map(input.sent.map(({ item }) => [item.object, item]))
      const merged = merge(
        items,
        sent,
        returned.map(({ item }) => item),
        places,
      )
      checkPlaces(merged)
      applyOutput(returned)
      return merged
    } catch (error) {
      if (error instanceof WireError) throw new FunctionError([failure(step, `printed what cannot be read: ${error.message}`)])
      if (error instanceof OutputError) throw new FunctionError([...reported(answer, step), failure(step, error.message)])
      throw error
    }
  }
}

/**
 * Returns the items after a function. If the function got every item, its output is the whole list. Else an item that it did not get
 * keeps its place, a returned item too, and new items are appended (docs/kpt-render R26).
 */
function merge(
  items: readonly PipelineItem[],
  sent: ReadonlySet<PipelineItem>,
  returned: readonly PipelineItem[],
  places: ReadonlyMap<KrmObject, PipelineItem>,
): readonly PipelineItem[] {
  if (sent.size === items.length) return returned
  const known = new Map(returned.flatMap((item) => (places.has(item.object) ? [[item.object, item] as const] : [])))
  const added = returned.filter(({ object }) => !places.has(object))
  const kept = items.flatMap((item) => {
    if (!sent.has(item)) return [item]
    const now = known.get(item.object)
    return now === undefined ? [] : [now]
  })
  return [...kept, ...added]
}

/** Returns the name of a function for messages: its own name, else its image or program. */
function nameOf({ name, image, exec }: PipelineStep): string {
  return name === '' ? image || exec : name
}

function failure(step: PipelineStep, reason: string): Result {
  const { kptfile, field } = step
  return {
    severity: 'error',
    message: `\`${formatFieldPath(field)}\` '${cutText(nameOf(step), 200)}' ${reason}`,
    resourceRef: kptfile.ref,
    field: { path: field },
    ...(kptfile.file && { file: kptfile.file }),
    position: kptfile.positionOf(field),
    tags: { rule: 'function-failed' },
  }
}

const LINES = 4

function describeEnd({ exitCode, stderr }: FunctionAnswer): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '')
  const shown = lines.slice(0, LINES).map((line) => cutText(line.trim(), 300))
  const words = lines.length > LINES ? [...shown, `and ${lines.length - LINES} more lines`] : shown
  if (exitCode === undefined) return words.join('; ')
  return `failed with exit code ${exitCode}${words.length === 0 ? '' : `: ${words.join('; ')}`}`
}

/** Returns the results in a function's output, each prefixed with the function's name; none if the output cannot be read. */
function reported({ stdout }: FunctionAnswer, step: PipelineStep): readonly Result[] {
  if (!/["']?results["']?\s*:/.test(stdout)) return []
  try {
    const results = KrmObject.fromDocument(stdout).get(['results'])
    return Array.isArray(results) ? results.filter(isRecord).map((result) => resultOf(result, step)) : []
  } catch (error) {
    if (error instanceof WireError || error instanceof FunctionError) return []
    throw error
  }
}

function resultOf(result: JsonRecord, step: PipelineStep): Result {
  const severity = lookup(result, 'severity')
  const object = textsIn(lookup(result, 'resourceRef'))
  const field = scalarText(textsIn(lookup(result, 'field')).path)
  const subject = [object.kind, object.name].filter((text) => text !== undefined && text !== '').join(' ')
  const about = [subject, field === '' ? '' : `\`${field}\``].filter((text) => text !== '').join(' ')
  return {
    severity: severity === 'error' || severity === 'warning' ? severity : 'info',
    message: `'${nameOf(step)}'${about === '' ? '' : ` on ${about}`}: ${cutText(scalarText(lookup(result, 'message')), 2000)}`,
    ...(step.kptfile.file && { file: step.kptfile.file }),
    position: step.kptfile.positionOf(step.field),
    tags: { rule: 'function-result' },
  }
}

function textsIn(value: JsonValue | undefined): Readonly<Record<string, string | undefined>> {
  if (!isRecord(value)) return {}
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, scalarText(member)]))
}
