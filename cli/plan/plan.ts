import { type Command, Option } from 'commander'
import type { FleetPlan, SetPlan } from '../../src/fleet/plan-fan-out.ts'
import { unknownRepositories } from '../../src/fleet/targets/unknown-repositories.ts'
import { describeRead } from '../../src/fleet/what-was-read.ts'
import type { FolderPackage } from '../../src/folder/package.ts'
import { hideKnownSecrets } from '../../src/known-secrets.ts'
import { policyResults } from '../../src/policy/judge-policies.ts'
import { printable } from '../../src/printable.ts'
import { FunctionError, hasErrors, type Result } from '../../src/result.ts'
import { countOf } from '../../src/wording.ts'
import { readClusterList } from '../cluster-list.ts'
import { repeated } from '../command-options.ts'
import { clusterFinder, clusterTest, downstreamOfChange, onlyInCluster } from '../fleet/cluster-option.ts'
import { addFleetOptions } from '../fleet/fleet-options.ts'
import { FleetReading } from '../fleet/fleet-reading.ts'
import { loadFleet } from '../fleet/read-fleet.ts'
import type { ExitCode, Host } from '../host.ts'
import { compareFindings, distinctResults, printResults, shownResults } from '../print/print-results.ts'
import { errorStylesFor, stylesFor } from '../print/styles.ts'
import { wrapLines } from '../print/wrap.ts'
import { UsageError } from '../usage-error.ts'
import { watching } from '../watching.ts'
import { compareAsAsked, isComparable, refusePlannedRemovals, withoutFailed } from './compare-as-asked.ts'
import { takeUids } from './compare-with-cluster.ts'
import { filterPlan, fitPlan, groupChanges, SMALLEST_LIMIT } from './fit-plan.ts'
import { refuseNoSet } from './no-set.ts'
import { changesPackages, countPackageChanges, type PackageChanges } from './package-changes.ts'
import { FORMATS, type PlanOptions, parseLimit, parseOperations, parseShards, refuseTogether, refuseWithShards } from './plan-options.ts'
import type { PlannedFleet } from './plan-page.ts'
import { planJson, planMarkdown, planText } from './plan-report.ts'
import { OPERATIONS, viewByHand, viewClusters, viewPlan, viewSet } from './plan-view.ts'
import { countFindings, summarize } from './plan-wording.ts'
import { savePlan } from './save-plan.ts'

/** `--out` of a plan names a file, so the folder of the packages has another name here. */
const PACKAGES = new Option('--packages <folder>', 'where the packages are, each at REPOSITORY/PACKAGE; --out of other commands')

const PRINTERS = {
  text: planText,
  json: planJson,
  markdown: planMarkdown,
} as const

const NOTES = `
Exit code: 0 nothing to do, 2 there are changes, 1 an error; with --set and --only that of what is shown.
With --shards: 0 the shards are written, 1 an error and nothing is.

Examples:
  krm-variants plan examples/fleet
  kubectl get packagevariantsets,packagevariants -A -o yaml | krm-variants plan --against-cluster - fleet
  krm-variants plan --against origin/main --format markdown --max-chars 65000 fleet > comment.md`

/** Adds `plan [DIR]`: prints the changes that fan-out would make, with their reasons. */
export function addPlan(program: Command, host: Host, finish: (code: ExitCode) => void): void {
  const command = program
    .command('plan')
    .description('show what the sets of a folder would create, update, rename and remove, and why')
    .argument('[dir]', 'the folder to read, - for a ResourceList on stdin', '.')
    .addOption(new Option('--format <format>', 'how to print it').choices(FORMATS).default('text'))
    .option('--max-chars <n>', `leave out the least dangerous beyond n characters, at least ${SMALLEST_LIMIT}`, parseLimit)
    .option('--all', 'list each of many equal changes, not one line for all')
    .option('--set <name>', 'show this set only, NAME or NAMESPACE/NAME; may be given again', repeated)
    .option('--only <ops>', `show only some of ${OPERATIONS.join(', ')}`, parseOperations)
    .option('--against <ref>', 'compare with the variants of a git revision instead of those in the folder')
    .option(
      '--against-cluster <file>',
      'compare with the variants of a cluster, as kubectl prints them with its sets in YAML or JSON, - for stdin',
    )
    .option('--out <file>', 'save the plan for render --plan, too, with everything that it is made from')
    .option('--shards <n>', 'with --out, a new folder, write the fleet in n shards for render [dir] --plan FOLDER --shard I/n', parseShards)
    .option('--follow-renames', 'with --out, as for render')
    .option('--discard-edits', 'with --out, as for render')
    .option('--watch', 'plan again whenever something changes, until Ctrl-C')
    .option('--color', 'use colors, also when no terminal reads it, as with FORCE_COLOR')
    .option('--no-color', 'use no colors, as with NO_COLOR')
  addFleetOptions(command, { renamed: { out: PACKAGES } })
    .addHelpText('after', NOTES)
    .action(async (dir: string, options: PlanOptions) => finish(await watching(dir, options, host, () => plan(dir, options, host))))
}

/** Prints the plan of a folder. A folder that cannot be read is a refused plan in every format. */
export async function plan(dir: string, options: PlanOptions, host: Host): Promise<ExitCode> {
  refuseTogether(dir, options)
  try {
    if (options.shards !== undefined) return await planShards(dir, options.shards, options, host)
    return await planFleet(await openPlanned(dir, options, host), options, host)
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error
    await printPlan({ view: viewPlan([], findings(error.results)), sets: [], byHand: [], dir }, [], options, host)
    return 1
  }
}

/** Writes the fleet of a folder in shards, and prints its findings. */
async function planShards(dir: string, shards: number, options: PlanOptions, host: Host): Promise<ExitCode> {
  const { out, config, allowOutside } = options
  if (out === undefined) throw new UsageError('`--shards` must come with --out FOLDER')
  refuseWithShards(options)
  const { prepareShards } = await import('../render/prepare-shards.ts')
  const request = { fanOut: true, run: false, ...(config !== undefined && { config }), ...(allowOutside !== undefined && { allowOutside }) }
  const { variants, results } = prepareShards(dir, { shards, out, request }, host)
  host.warn(printResults(findings(results), errorStylesFor(host, options)))
  host.write(`${countOf(variants, 'variant')} in ${countOf(shards, 'shard')} in ${printable(out)}\n`)
  return 0
}

/** Reads the fleet. The folder of the packages, `--packages` here, need not exist: a plan says what `render` would make. */
async function openPlanned(dir: string, { packages, out: _, ...options }: PlanOptions, host: Host): Promise<FleetReading> {
  return new FleetReading(await loadFleet(dir, host), dir, { ...options, ...(packages !== undefined && { out: packages }) }, host)
}

async function planFleet(fleet: FleetReading, options: PlanOptions, host: Host): Promise<ExitCode> {
  const { read: input, dir } = fleet
  const { list } = input
  const { againstCluster } = options
  const cluster = againstCluster === undefined ? undefined : await readClusterList(againstCluster, host)
  if (cluster !== undefined) takeUids(list.items, cluster)
  const planned = await fleet.plan()
  const found = [...input.results, ...fleet.optionFaults, ...refuseNoSet(planned.results, dir, host), ...unknownRepositories(planned)]
  const compared = isComparable(found, input, cluster) ? compareAsAsked(withoutFailed(planned, found), cluster, options, dir, host) : {}
  // Of a folder that is half understood no change is shown: a target that lost the line `---` before it looks removed.
  const { sets: all = hasErrors(input.results) ? [] : planned.sets, byHand: every = [], earlier, makerOf, state } = compared
  const isAsked = clusterTest(list.items, options, all)
  const sets = onlyInCluster(all, isAsked)
  const clusterOf = clusterFinder(list.items)
  const byHand = every.filter((change) => isAsked === undefined || isAsked(downstreamOfChange(change)))
  const guarded = refusePlannedRemovals(list, planned.options, compared.sets)
  const planResults = [...found, ...guarded, ...(compared.results ?? [])]
  const views = [...sets.map((set) => ({ ...viewSet(set, earlier), ...(makerOf && { by: makerOf(set) }) })), ...viewByHand(byHand)]
  const isLooked = dir !== '-' && cluster === undefined && !hasErrors(planResults)
  const variants = planned.sets.flatMap(({ changes }) => changes.filter(({ op }) => op !== 'remove'))
  const looked = { fleet, plan: planned, variants, asked: options, ...(state && { earlier: state }) }
  const { changes: touched, results: misplaced } = isLooked ? await countPackageChanges(looked, host) : { changes: {}, results: [] }
  const results = distinctResults([...planResults, ...judged(input, planned), ...misplaced])
  const said = {
    ...(Object.keys(touched).length > 0 && { packages: touched }),
    ...viewClusters([...sets.flatMap(({ changes }) => changes), ...byHand], clusterOf),
  }
  const view = filterPlan({ ...viewPlan(views, findings(results)), ...said }, options)
  const saved = saveAsAsked({ sets: planned.sets, results }, fleet, options, host)
  const notes = [`read ${describeRead(list.items)}`, ...(compared.notes ?? []), ...saved]
  await printPlan({ view, sets, byHand, dir, plan: planned, earlier, clusterOf }, notes, options, host)
  if (options.format === 'text' && options.against === undefined && lacksVariants(sets, touched)) host.warn(LACKS_VARIANTS)
  if (hasErrors(results)) return 1
  return changesPackages(touched) || OPERATIONS.some((op) => view.counts[op] > 0) ? 2 : 0
}

/** Returns true if packages are rendered, and all variants of sets are new: a plan of them says the same after each render. */
function lacksVariants(sets: readonly SetPlan[], { counts }: PackageChanges): boolean {
  const changes = sets.flatMap((set) => set.changes)
  const hasPackages = counts !== undefined && Object.entries(counts).some(([op, count]) => op !== 'create' && count > 0)
  return hasPackages && changes.length > 0 && changes.every(({ op }) => op === 'create')
}

const LACKS_VARIANTS =
  'The folder has no file of a variant, so every plan creates all of them: krm-variants diff compares the rendered packages, and krm-variants fn fan-out --write writes the variants for plan\n'

/** Saves the plan if the caller asks for it and no result is an error. Returns what was saved. */
function saveAsAsked(
  { sets, results }: { readonly sets: readonly SetPlan[]; readonly results: readonly Result[] },
  reading: FleetReading,
  { out, packages, ...request }: PlanOptions,
  host: Host,
): readonly string[] {
  if (out === undefined || hasErrors(results)) return []
  const saving = { reading, sets, request: { ...request, ...(packages !== undefined && { out: packages }) } }
  return [`${out} ${savePlan({ file: out, ...saving }, host).join('; ')}`]
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
  if (options.format === 'html') host.writeData(hideKnownSecrets(text))
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
