import { formatFieldPath } from '../../src/field-path.ts'
import type { FunctionAnswer } from '../../src/pipeline/match.ts'
import type { PipelineStep } from '../../src/pipeline/pipeline-steps.ts'
import { runPackages, stepsOf } from '../../src/pipeline/run-packages.ts'
import type { StepRun } from '../../src/pipeline/step-run.ts'
import { printable } from '../../src/printable.ts'
import { finish } from '../../src/progress.ts'
import { countOf } from '../../src/wording.ts'
import type { Host } from '../host.ts'
import { placed } from '../print/print-results.ts'
import type { Styles } from '../print/styles.ts'
import { functionNames, runnersFor } from '../run/function-runners.ts'
import { readFolders } from '../run/run-folders.ts'
import { type ExplainAnswer, placeText } from './explain-text.ts'

interface FunctionsView {
  readonly package: string
  readonly functions: readonly FunctionView[]
}

interface FunctionView {
  /** The field of the Kptfile. */
  readonly path: string
  /** `FILE:LINE`. */
  readonly place?: string
  /** The image or program as written. */
  readonly function: string
  readonly name?: string
  readonly when?: string
  /** `not-run`: nothing built in runs the function, so the functions after it got its input. `not-reached`: a function before failed. */
  readonly outcome: 'runs' | 'skipped' | 'fails' | 'not-run' | 'not-reached'
  /** The number of resources that the function would get; absent for one that is not reached. */
  readonly resources?: number
  readonly reason?: string
}

/**
 * Lists the functions of a package in the order in which they run, with those that their condition skips. The built-in functions run,
 * since a condition sees what the functions before it made; nothing is written.
 *
 * @throws UsageError  for what is no folder
 */
export async function explainFunctions(dir: string, host: Host): Promise<ExplainAnswer> {
  const { packages, links } = readFolders([dir], host)
  const unrun = new WeakSet<FunctionAnswer>()
  const otherwise = (input: string): FunctionAnswer => {
    const answer = { stdout: input, stderr: '', exitCode: 0 }
    unrun.add(answer)
    return answer
  }
  const all = stepsOf(packages)
  const names = functionNames(all)
  const runners = await runnersFor({}, host, (name) => names.has(name))
  const [run] = finish(runPackages(packages, { ...runners, otherwise }))
  const steps = run?.steps ?? []
  const reached = new Set(steps.map(({ step }) => step))
  const view: FunctionsView = {
    package: dir,
    functions: [
      ...steps.map((each) => viewStep(each, each.answer !== undefined && unrun.has(each.answer))),
      ...all.filter((step) => !reached.has(step)).map((step) => ({ ...viewFunction(step), outcome: 'not-reached' as const })),
    ],
  }
  return { view, text: (styles) => functionsText(view, styles), results: [...links, ...(run?.results ?? [])] }
}

function viewFunction({ kptfile, field, image, exec, name, when }: PipelineStep): Omit<FunctionView, 'outcome'> {
  return {
    path: formatFieldPath(field),
    ...placed(kptfile, field),
    function: image || exec,
    ...(name !== '' && { name }),
    ...(when !== undefined && { when: when.text }),
  }
}

function viewStep({ step, isSkipped, answer, received, error }: StepRun, isUnrun: boolean): FunctionView {
  const known = { ...viewFunction(step), resources: received }
  if (isSkipped) return { ...known, outcome: 'skipped', reason: `the condition is false for ${countOf(received, 'resource')}` }
  if (isUnrun) return { ...known, outcome: 'not-run', reason: NOT_RUN }
  if (answer?.exitCode === 0 && error === undefined) return { ...known, outcome: 'runs' }
  return { ...known, outcome: 'fails' }
}

const NOT_RUN = 'explain runs built-in functions only; conditions below see the package without the changes of this function'

const OUTCOMES: Readonly<Record<FunctionView['outcome'], string>> = {
  runs: 'runs',
  skipped: 'is skipped',
  fails: 'fails',
  'not-run': 'is not run here',
  'not-reached': 'is not reached',
}

function functionsText({ package: dir, functions }: FunctionsView, styles: Styles): string {
  const skipped = functions.filter(({ outcome }) => outcome === 'skipped').length
  const head = `${styles.strong(printable(dir))}: ${countOf(functions.length, 'function')}, ${skipped} skipped\n`
  return [head, ...functions.map((each) => functionText(each, styles))].join('')
}

function functionText({ path, place, function: called, name, when, outcome, reason }: FunctionView, styles: Styles): string {
  const title = printable(`${path} ${name === undefined ? called : `${name} (${called})`}`)
  const lines = [
    ...(when === undefined ? [] : [`      when ${printable(when.trim())}\n`]),
    ...(reason === undefined ? [] : [`      ${printable(reason)}\n`]),
  ]
  return `  ${styles.strong(title)} ${OUTCOMES[outcome]}${placeText(place, styles)}\n${lines.join('')}`
}
