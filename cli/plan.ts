import { type Command, InvalidArgumentError, Option } from 'commander'
import { planAsConfigured } from '../functions/fan-out/fan-out.ts'
import { describeRead } from '../src/fleet/what-was-read.ts'
import { FunctionError, hasErrors, type Result } from '../src/result.ts'
import { compareWithRevision } from './compare-with-revision.ts'
import { fitPlan, SMALLEST_LIMIT } from './fit-plan.ts'
import { withFunctionConfig } from './function-config.ts'
import type { ExitCode, Host } from './host.ts'
import { refuseNoSet } from './no-set.ts'
import { planJson } from './plan-json.ts'
import { planMarkdown } from './plan-markdown.ts'
import { planText } from './plan-text.ts'
import { OPERATIONS, type PlanView, type SetView, viewByHand, viewPlan, viewSet } from './plan-view.ts'
import { shownResults } from './plan-wording.ts'
import { compareFindings, placingResults, printResults } from './print-results.ts'
import { type Input, readInput } from './read-input.ts'
import { stylesFor } from './styles.ts'

interface PlanOptions {
  readonly format: Format
  readonly maxChars?: number
  readonly against?: string
  readonly color?: boolean
}

type Format = keyof typeof PRINTERS

const PRINTERS = {
  text: planText,
  json: planJson,
  markdown: planMarkdown,
} as const

const NOTES = `
Exit code: 0 nothing to do, 2 there are changes, 1 an error.

Examples:
  krm-variants plan examples/fleet
  krm-variants plan --against origin/main --format markdown --max-chars 65000 fleet > comment.md`

/** `plan [DIR]`: what fan-out would change, and why. */
export function addPlan(program: Command, host: Host, finish: (code: ExitCode) => void): void {
  program
    .command('plan')
    .description('show what the sets of a folder would create, update, rename and remove, and why')
    .argument('[dir]', 'the folder to read, - for a ResourceList on stdin', '.')
    .addOption(new Option('--format <format>', 'how to print it').choices(Object.keys(PRINTERS)).default('text'))
    .option('--max-chars <n>', `leave out the least dangerous beyond n characters, at least ${SMALLEST_LIMIT}`, parseLimit)
    .option('--against <ref>', 'compare with the variants of a git revision instead of those in the folder')
    .option('--color', 'use colors, also when no terminal reads it')
    .option('--no-color', 'use no colors, as with NO_COLOR')
    .addHelpText('after', NOTES)
    .action(async (dir: string, options: PlanOptions) => finish(await plan(dir, options, host)))
}

/** A folder that cannot be read is a plan that is refused, in every format. */
async function plan(dir: string, options: PlanOptions, host: Host): Promise<ExitCode> {
  try {
    return planFleet(await readInput(dir, host), dir, options, host)
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error
    printPlan([], error.results, options, host)
    return 1
  }
}

function planFleet(input: Input, dir: string, options: PlanOptions, host: Host): ExitCode {
  const { against } = options
  const list = withFunctionConfig(input.list, 'fan-out')
  const planned = placingResults(dir, () => planAsConfigured(list))
  const results = [...input.results, ...refuseNoSet(planned.results, dir, host)]
  const isCompared = against !== undefined && !hasErrors(results)
  const { sets, byHand } = isCompared ? compareWithRevision(planned, against, dir, host) : { sets: planned.sets, byHand: [] }
  const views = [...sets.map((set) => viewSet(set, dir)), ...viewByHand(byHand, dir)]
  const { counts } = printPlan(views, results, options, host)
  host.warn(`Read ${describeRead(list.items)}\n`)
  if (hasErrors(results)) return 1
  return OPERATIONS.some((op) => counts[op] > 0) ? 2 : 0
}

/** Findings to stderr, the plan to stdout. */
function printPlan(sets: readonly SetView[], results: readonly Result[], options: PlanOptions, host: Host): PlanView {
  const { format, maxChars = Number.POSITIVE_INFINITY } = options
  const styles = stylesFor(host, options)
  const view = viewPlan(sets, shownResults([...results].sort(compareFindings)))
  host.warn(printResults(view.results))
  host.write(fitPlan(view, maxChars, (part) => PRINTERS[format](part, styles)))
  return view
}

function parseLimit(text: string): number {
  const limit = Number(text)
  if (!Number.isInteger(limit) || limit < SMALLEST_LIMIT)
    throw new InvalidArgumentError(`It must be a whole number, at least ${SMALLEST_LIMIT}.`)
  return limit
}
