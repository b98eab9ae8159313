import { type Command, InvalidArgumentError, Option } from 'commander'
import { planInSteps } from '../../functions/fan-out/fan-out.ts'
import { describeOption } from '../../src/fleet/deletion-guard.ts'
import type { FleetOptions } from '../../src/fleet/options.ts'
import type { FleetPlan, SetPlan } from '../../src/fleet/plan-fan-out.ts'
import { describeRead } from '../../src/fleet/what-was-read.ts'
import type { FolderPackage } from '../../src/package/package.ts'
import { policyResults } from '../../src/policy/judge-policies.ts'
import { printable } from '../../src/printable.ts'
import { FunctionError, hasErrors, type Result } from '../../src/result.ts'
import { didYouMean } from '../../src/schema/nearest-name.ts'
import { advance } from '../advance.ts'
import { withFunctionConfig } from '../function-config.ts'
import { gitTimeoutOption } from '../git-timeout.ts'
import type { ExitCode, Host } from '../host.ts'
import { compareFindings, printResults, shownResults } from '../print/print-results.ts'
import { errorStylesFor, stylesFor } from '../print/styles.ts'
import { wrapLines } from '../print/wrap.ts'
import { readInput } from '../read-input.ts'
import { UsageError } from '../usage-error.ts'
import { watching } from '../watching.ts'
import { compareWithRevision } from './compare-with-revision.ts'
import { filterPlan, fitPlan, groupChanges, type PlanFilter, SMALLEST_LIMIT } from './fit-plan.ts'
import { refuseNoSet } from './no-set.ts'
import { changesPackages, countPackageChanges } from './package-changes.ts'
import type { PlannedFleet } from './plan-page.ts'
import { planJson, planMarkdown, planText } from './plan-report.ts'
import { OPERATIONS, type Operation, viewByHand, viewPlan, viewSet } from './plan-view.ts'
import { countFindings, summarize } from './plan-wording.ts'
import { savePlan } from './save-plan.ts'

interface PlanOptions extends PlanFilter {
  readonly format: Format
  readonly all?: boolean
  readonly maxChars?: number
  readonly against?: string
  readonly gitTimeout?: number
  readonly out?: string
  readonly packages?: string
  readonly config?: string
  readonly followRenames?: boolean
  readonly discardEdits?: boolean
  readonly offline?: boolean
  readonly allowOutside?: boolean
  readonly watch?: boolean
  readonly color?: boolean
}

type Format = keyof typeof PRINTERS | 'html'

const PRINTERS = {
  text: planText,
  json: planJson,
  markdown: planMarkdown,
} as const

/** The page is made of the plan itself, the other formats of its view. */
const FORMATS = [...Object.keys(PRINTERS), 'html']

const NOTES = `
Exit code: 0 nothing to do, 2 there are changes, 1 an error; with --set and --only that of what is shown.

Examples:
  krm-variants plan examples/fleet
  krm-variants plan --against origin/main --format markdown --max-chars 65000 fleet > comment.md`

/** Adds `plan [DIR]`: prints the changes that fan-out would make, with their reasons. */
export function addPlan(program: Command, host: Host, finish: (code: ExitCode) => void): void {
  program
    .command('plan')
    .description('show what the sets of a folder would create, update, rename and remove, and why')
    .argument('[dir]', 'the folder to read, - for a ResourceList on stdin', '.')
    .addOption(new Option('--format <format>', 'how to print it').choices(FORMATS).default('text'))
    .option('--max-chars <n>', `leave out the least dangerous beyond n characters, at least ${SMALLEST_LIMIT}`, parseLimit)
    .option('--all', 'list each of many equal changes instead of telling them once')
    .option('--set <name>', 'show this set only, NAME or NAMESPACE/NAME; may be given again', (name, names: string[] = []) => [
      ...names,
      name,
    ])
    .option('--only <ops>', `show only some of ${OPERATIONS.join(', ')}`, parseOperations)
    .option('--against <ref>', 'compare with the variants of a git revision instead of those in the folder')
    .addOption(gitTimeoutOption())
    .option('--out <file>', 'save the plan for render --plan, too, with everything that it is made from')
    .option('--packages <folder>', 'with --out, where render puts the packages')
    .option('--config <file>', 'with --out, options of render-variants, instead of those of the folder')
    .option('--follow-renames', 'with --out, as for render')
    .option('--discard-edits', 'with --out, as for render')
    .option('--offline', 'with --out, read git repositories from earlier clones')
    .option('--allow-outside', 'with --out, as for render')
    .option('--watch', 'plan again whenever something changes, until Ctrl-C')
    .option('--color', 'use colors, also when no terminal reads it, as with FORCE_COLOR')
    .option('--no-color', 'use no colors, as with NO_COLOR')
    .addHelpText('after', NOTES)
    .action(async (dir: string, options: PlanOptions) => finish(await watching(dir, options, host, () => plan(dir, options, host))))
}

/** Prints the plan of a folder. A folder that cannot be read is a refused plan in every format. */
async function plan(dir: string, options: PlanOptions, host: Host): Promise<ExitCode> {
  refuseTogether(dir, options)
  try {
    return await planFleet(await readInput(dir, host), dir, options, host)
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error
    await printPlan({ view: viewPlan([], findings(error.results)), sets: [], byHand: [], dir }, [], options, host)
    return 1
  }
}

/** Refuses options that exclude each other or lack an option that they need. @throws UsageError with the first fault */
function refuseTogether(dir: string, { format, maxChars, out, set, only, against, watch, ...saving }: PlanOptions): void {
  if (against === '') throw new UsageError('`--against` must name a git revision, such as origin/main, got an empty text')
  if (format === 'html' && maxChars !== undefined) throw new UsageError('`--max-chars` must not come with --format html: a page is whole')
  const { packages, config, followRenames, discardEdits, offline, allowOutside } = saving
  const needing = givenAmong({
    packages,
    config,
    'follow-renames': followRenames,
    'discard-edits': discardEdits,
    offline,
    'allow-outside': allowOutside,
  })
  if (out === undefined && needing.length > 0) throw new UsageError(`\`${needing.join('`, `')}\` must come with --out FILE`)
  if (out === undefined) return
  if (dir === '-') throw new UsageError('`--out` must save the plan of a folder, got -')
  const others = givenAmong({ set, only, against, watch })
  if (others.length > 0)
    throw new UsageError(`\`--out\` must not come with ${others.join(', ')}: what is saved is the whole plan of the folder`)
}

function givenAmong(options: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(options).flatMap(([name, given]) => (given === undefined ? [] : [`--${name}`]))
}

async function planFleet(input: FolderPackage, dir: string, options: PlanOptions, host: Host): Promise<ExitCode> {
  const { against, gitTimeout } = options
  const list = withFunctionConfig(input.list, 'fan-out', dir)
  const planned = await advance(planInSteps(list), 'variant', host)
  const found = [...input.results, ...refuseNoSet(planned.results, dir, host)]
  const isCompared = against !== undefined && !hasErrors(found)
  const compared = isCompared ? compareWithRevision(planned, { ref: against, seconds: gitTimeout }, dir, host) : undefined
  // Of a folder that is half understood no change is shown: a target that lost the line `---` before it looks removed.
  const { sets, byHand = [], earlier } = compared ?? { sets: hasErrors(input.results) ? [] : planned.sets }
  const planResults = refuseNoVariant(found, sets, planned.options)
  const results = [...planResults, ...judged(input, planned)]
  const views = [...sets.map((set) => viewSet(set, earlier)), ...viewByHand(byHand)]
  const isLooked = dir !== '-' && !hasErrors(planResults)
  const variants = planned.sets.flatMap(({ changes }) => changes.filter(({ op }) => op !== 'remove'))
  const looked = { dir, variants, items: input.list.items, out: options.packages, ...(compared && { earlier: compared.before }) }
  const touched = isLooked ? await countPackageChanges(looked, host) : {}
  const said = Object.keys(touched).length === 0 ? {} : { packages: touched }
  const view = { ...filterPlan(viewPlan(views, findings(results)), options), ...said }
  const news = compared?.isNewFolder ? [`${against} has no such folder, so everything is new`] : []
  const { out, packages, ...request } = options
  const isSaved = out !== undefined && !hasErrors(results)
  const saving = { dir, sets: planned.sets, request: { ...request, ...(packages !== undefined && { out: packages }) } }
  const saved = isSaved ? [`${out} ${savePlan({ file: out, ...saving }, host).join('; ')}`] : []
  await printPlan(
    { view, sets, byHand, dir, plan: planned, earlier },
    [`read ${describeRead(list.items)}`, ...news, ...saved],
    options,
    host,
  )
  if (hasErrors(results)) return 1
  return changesPackages(touched) || OPERATIONS.some((op) => view.counts[op] > 0) ? 2 : 0
}

/** Returns the findings of policies, of a folder that was read without errors. */
function judged({ list, results }: FolderPackage, plan: FleetPlan): readonly Result[] {
  return hasErrors(results) ? [] : policyResults(list.items, plan)
}

function findings(results: readonly Result[]): readonly Result[] {
  return shownResults([...results].sort(compareFindings))
}

/** Prints findings and a summary to stderr and the plan to stdout. The summary is printed last, since both may be long. */
async function printPlan(planned: PlannedFleet, notes: readonly string[], options: PlanOptions, host: Host): Promise<void> {
  const { view } = planned
  host.warn(printResults(view.results, errorStylesFor(host, options)))
  const text = await textOf(planned, options, host)
  if (options.format === 'html') host.writeData(text)
  else host.write(options.format === 'text' && host.columns !== undefined ? wrapLines(text, host.columns) : text)
  const summary = [`Plan: ${summarize(view)}`, countFindings(view.results), ...notes].filter((note) => note !== '').join('; ')
  host.warn(`${printable(summary)}\n`)
}

/** Returns the text of a plan. The code of the page is large, so it is loaded on demand. */
async function textOf(
  planned: PlannedFleet,
  { format, all = false, maxChars = Number.POSITIVE_INFINITY, ...options }: PlanOptions,
  host: Host,
) {
  if (format === 'html') return (await import('./plan-page.ts')).planPage(planned)
  const { view } = planned
  const styles = stylesFor(host, options)
  return fitPlan(all || format === 'json' ? view : groupChanges(view), maxChars, (part) => PRINTERS[format](part, styles))
}

function parseOperations(text: string): readonly Operation[] {
  return text.split(',').map((word) => OPERATIONS.find((op) => op === word.trim()) ?? refuseOperation(word.trim()))
}

function refuseOperation(word: string): never {
  throw new InvalidArgumentError(`It must be some of ${OPERATIONS.join(', ')}, joined by commas${didYouMean(word, OPERATIONS) || '.'}`)
}

function parseLimit(text: string): number {
  const limit = Number(text)
  if (!Number.isInteger(limit) || limit < SMALLEST_LIMIT)
    throw new InvalidArgumentError(`It must be a whole number, at least ${SMALLEST_LIMIT}.`)
  return limit
}

/**
 * Returns the results with an error if no selector matches any object: a command that asks what the sets do would otherwise look
 * successful. One set without variants among others is a warning.
 *
 * @param sets  the sets as shown, with the variants that a git revision had
 */
function refuseNoVariant(results: readonly Result[], sets: readonly SetPlan[], options: FleetOptions): readonly Result[] {
  if (options.allowEmpty || hasErrors(results) || sets.some(({ changes }) => changes.length > 0)) return results
  const meant = `no set has a variant; if that is meant, set ${describeOption('allowEmpty', 'true', options)}`
  return results.map((result) =>
    result.tags.rule === 'no-match' ? { ...result, severity: 'error', message: `${result.message} (${meant})` } : result,
  )
}
