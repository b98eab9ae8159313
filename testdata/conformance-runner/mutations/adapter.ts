import { injectConfig } from '../../../functions/inject-config/inject-config.ts'
import { prependPipeline } from '../../../functions/prepend-pipeline/prepend-pipeline.ts'
import { setContext } from '../../../functions/set-context/set-context.ts'
import type { JsonRecord } from '../../../src/json.ts'
import { evaluate, type KrmFunction } from '../../../src/run.ts'
import type { Adapter, Difference } from '../adapter.ts'
import { itemsIn, resultsOf } from '../resource-list.ts'
import { casesOfList } from '../run-tree.ts'
import { compareObjects } from './compare-objects.ts'
import { compareFaults } from './faults.ts'
import { lostLines } from './kept-lines.ts'
import { KNOWN_DIFFERENCES } from './known-differences.ts'
import { printVector } from './package-wire.ts'
import { type MutationVector, readVector } from './vector.ts'

/** The vectors of Porch's PackageVariant controller, each run as kpt would run the functions of its steps. */
export const PORCH_MUTATIONS: Adapter = {
  folder: 'porch/mutations',
  cases: casesOfList,
  known: KNOWN_DIFFERENCES,
  run: (vector) => compare(readVector(vector)),
}

const STEPS: Readonly<Record<MutationVector['step'], readonly KrmFunction[]>> = {
  context: [setContext],
  pipeline: [prependPipeline],
  injection: [injectConfig],
  all: [setContext, prependPipeline, injectConfig],
}

interface Run {
  readonly text: string
  /** The errors of the function that failed, as the wire has them. */
  readonly errors: readonly JsonRecord[]
}

function compare(vector: MutationVector): readonly Difference[] {
  const { step, expected } = vector
  const text = printVector(vector)
  const run = runSteps(STEPS[step], text)
  const fails = Boolean(expected.validationErrors?.length || expected.error)
  if (fails || run.errors.length > 0) return compareFaults(run.errors, expected)
  return [
    ...compareObjects(itemsIn(run.text), vector),
    ...compareLines(text, run.text),
    ...(runSteps(STEPS[step], run.text).text === run.text ? [] : [{ what: 'a second run must change nothing' }]),
  ]
}

/** The functions one after the other, as a pipeline runs them, up to the first that fails. */
function runSteps(steps: readonly KrmFunction[], input: string): Run {
  let text = input
  for (const step of steps) {
    const { stdout, stderr, exitCode } = evaluate(step, text)
    if (stdout === '') throw new Error(`the input was not taken for a ResourceList: ${stderr}`)
    if (exitCode !== 0) return { text, errors: errorsIn(stdout) }
    text = withoutResults(stdout)
  }
  return { text, errors: [] }
}

/** An orchestrator keeps results to itself: the next function does not see them. */
function withoutResults(text: string): string {
  return text.replace(/^results:\n[\s\S]*/m, '')
}

function errorsIn(stdout: string): readonly JsonRecord[] {
  return resultsOf(stdout).filter(({ severity }) => severity === 'error')
}

/** Every comment and every untouched line of every item is still there. */
function compareLines(before: string, after: string): readonly Difference[] {
  const items = itemsIn(after)
  return itemsIn(before).flatMap(({ path, text }, index) =>
    lostLines(text, items[index]?.text ?? '').map((line) => ({ what: `a line of ${path}`, expected: line })),
  )
}
