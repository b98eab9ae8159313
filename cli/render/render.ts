import { type Command, InvalidArgumentError, Option } from 'commander'
import { Interruption } from '../../src/git/run-git.ts'
import { summarizeFunctions, summarizeRun } from '../../src/render/render-summary.ts'
import type { SelectionTerm, Shard } from '../../src/render/selection.ts'
import { FunctionError, type Result } from '../../src/result.ts'
import { didYouMean } from '../../src/schema/nearest-name.ts'
import { addFleetOptions } from '../fleet/fleet-options.ts'
import type { ExitCode, Host } from '../host.ts'
import { isFolder } from '../place-kind.ts'
import { compareFindings, distinctResults, printResults, shownResults } from '../print/print-results.ts'
import { stylesFor } from '../print/styles.ts'
import { addRunnerOptions } from '../run/runner-options.ts'
import { UsageError } from '../usage-error.ts'
import type { FleetRenderRequest } from './fleet-render-request.ts'
import { planRequest } from './plan-request.ts'
import { renderBranches } from './render-branches.ts'
import { runRender } from './render-fleet.ts'
import { renderJson, renderMarkdown, renderText } from './render-report.ts'
import { PACKAGE_OPERATIONS, type PackageView, type RenderView, viewPackage, viewRefused, viewRender } from './render-view.ts'
import { writeStatus } from './write-status.ts'

const FIELDS = ['set', 'repository', 'variant', 'label'] as const

const FORMS = 'set=NAME, repository=NAME, variant=NAME or label=KEY=VALUE'

interface RenderCommand extends FleetRenderRequest {
  readonly plan?: string
  /** The template of the branches that get the packages. */
  readonly branch?: string
  readonly format: Format
  readonly diff?: boolean
  readonly color?: boolean
}

type Format = keyof typeof PRINTERS

const PRINTERS = {
  text: renderText,
  json: renderJson,
  markdown: renderMarkdown,
} as const

const NOTES = `
Upstream packages are read from folders beside the fleet's files (REPOSITORY/PACKAGE or REPOSITORY/PACKAGE@REVISION),
or from git, as the RenderVariants of the folder says (krm-variants schema RenderVariants): the one that its Kptfile names,
else the only one.

The functions of every package that is made or changed run, as krm-variants run runs them. A package whose
functions fail is not written; the others are, unless --fail-fast says otherwise.

Exit code: 0 done; 1 an error and nothing was written, or the functions of a package failed; of --dry-run
also 2, there are changes.

Examples:
  krm-variants render examples/fleet --out clusters --allow-outside
  krm-variants render fleet --out . --dry-run --diff
  krm-variants render fleet --out clusters --only set=edge,label=region=eu --offline
  krm-variants render fleet --out clusters --branch 'drafts/{set}'`

/** Adds `render [DIR] --out OUT`: renders the package of every variant into a folder of its own. */
export function addRender(program: Command, host: Host, finish: (code: ExitCode) => void): void {
  const command = program
    .command('render')
    .description("make or update the package of every variant of a folder, with people's edits kept")
    .argument('[dir]', 'the folder with sets, variants and upstream packages; that of --plan (default: ".")')
    .option('--no-fan-out', 'render the existing variants, and none that sets would make')
    .option('--follow-renames', 'move the package of a variant whose downstream is another now')
    .option('--allow-moved', 'follow published tags that now point to another commit')
    .option('--discard-edits', 'remove or replace packages together with what people made or changed in them')
    .option('--only <selector>', 'set=NAME, repository=NAME, variant=NAME, label=KEY=VALUE, several with commas; * is anything', (text) =>
      text.split(',').map(parseTerm),
    )
    .option('--shard <i/n>', 'one of n parts of the downstream repositories; i counts from 1, or from 0', parseShard)
    .option('--no-run', 'leave the functions of packages to kpt or Porch')
    .option('--fail-fast', 'write nothing when the functions of one package fail')
    .option('--verbose', 'show the infos of functions too, such as the fields that setters set')
  addFleetOptions(command)
  addRunnerOptions(command)
    .option(
      '--plan <file>',
      'do what plan --out saved, with its folder and options, or nothing when something changed since; with --shard and [dir], the folder of plan --shards',
    )
    .option(
      '--branch <template>',
      'commit the changes to branches, drafts/{set}/{ring}, and write no file; {namespace}, {set}, {ring}, {repository}',
    )
    .option('--status', 'write the status of sets and PackageVariants into their files: Stalled, Ready, downstreamTargets')
    .option('--dry-run', 'write nothing, show what would be done')
    .addOption(
      new Option('--format <format>', 'how --dry-run prints it; json also without, of what was done')
        .choices(Object.keys(PRINTERS))
        .default('text'),
    )
    .option('--diff', 'with --dry-run, print unified diffs')
    .option('--color', 'use colors, also when no terminal reads it')
    .option('--no-color', 'use no colors, as with NO_COLOR')
    .addHelpText('after', NOTES)
    .action(async (dir: string | undefined, options: RenderCommand) => finish(await render(dir, options, host)))
}

async function render(named: string | undefined, asked: RenderCommand, host: Host): Promise<ExitCode> {
  if (asked.plan !== undefined && !asked.fanOut) throw new UsageError('`--plan` must not come with --no-fan-out')
  if (asked.diff === true && asked.dryRun !== true) throw new UsageError('`--diff` must come with --dry-run')
  if (asked.format === 'markdown' && asked.dryRun !== true) throw new UsageError('`--format markdown` must come with --dry-run')
  if (asked.status === true) refuseWithStatus(asked)
  const fate: Fate = { state: 'rendering' }
  host.onInterrupt(() => sayInterrupted(fate, host))
  try {
    return await renderAsked(named, asked, fate, host)
  } catch (error) {
    if (error instanceof Interruption) sayInterrupted(fate, host)
    throw error
  } finally {
    fate.state = 'ended'
  }
}

async function renderAsked(named: string | undefined, asked: RenderCommand, fate: Fate, host: Host): Promise<ExitCode> {
  if (asked.branch !== undefined) return renderBranches(named ?? '.', { ...asked, branch: asked.branch }, host)
  const { dir = '.', ...request } = asked.plan === undefined ? { dir: named } : plannedRequest(named, { ...asked, plan: asked.plan }, host)
  const options = { ...asked, ...request }
  return options.dryRun === true || options.format === 'json' ? show(dir, options, fate, host) : write(dir, options, fate, host)
}

/** How far a run has come. The packages are written in one go, which Ctrl-C does not interrupt. */
interface Fate {
  state: 'rendering' | 'written' | 'ended'
}

/** Says in one line what Ctrl-C left, in the place of a progress bar. */
function sayInterrupted({ state }: Fate, host: Host): void {
  if (state === 'ended') return
  if (host.isErrorTerminal) host.draw(WITHOUT_BAR)
  const what = state === 'written' ? 'the packages are written, their status is not' : 'nothing was written, and every package is as it was'
  host.warn(`krm-variants: interrupted: ${what}; the next run does the rest\n`)
}

/** @throws UsageError  since a status says what was written, of objects in files */
function refuseWithStatus({ dryRun, branch, plan }: RenderCommand): void {
  const others = [
    ['--dry-run', dryRun === true],
    ['--branch', branch !== undefined],
    ['--plan', plan !== undefined],
  ] as const
  for (const [option, isGiven] of others) if (isGiven) throw new UsageError(`\`--status\` must not come with ${option}`)
}

/** Returns the request of `--plan`: that of a saved plan, or of a shard in a folder of shards. */
function plannedRequest(named: string | undefined, asked: RenderCommand & { readonly plan: string }, host: Host) {
  if (!isFolder(host.locate(asked.plan))) return planRequest(named, asked, host)
  return { dir: named, sharded: asked.plan }
}

/** Prints what would be done, in JSON also what was done. What cannot be rendered is refused in every format. */
async function show(dir: string, options: RenderCommand, fate: Fate, host: Host): Promise<ExitCode> {
  const isDryRun = options.dryRun === true
  try {
    const packages: PackageView[] = []
    const { diff = false } = options
    const report = await runRender(dir, options, host, {
      look: (order, packageFate) => {
        const view = viewPackage(order, packageFate, { diff })
        if (view !== undefined) packages.push(view)
      },
      beforeWrite: (results) => sayFindings(results, options, host),
    })
    if (!isDryRun) fate.state = 'written'
    const view = viewRender(packages, report, { diff, isDryRun })
    const { counts } = print(view, { ...options, isSaid: !isDryRun }, host)
    if (options.status === true) host.warn(await writeStatus(dir, report, host))
    if (counts.failed > 0) return 1
    return isDryRun && PACKAGE_OPERATIONS.some((op) => counts[op] > 0) ? 2 : 0
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error
    print(viewRefused(error.results, { isDryRun }), options, host)
    return 1
  }
}

async function write(dir: string, options: RenderCommand, fate: Fate, host: Host): Promise<ExitCode> {
  const report = await runRender(dir, options, host, {
    beforeWrite: (results) => warnBesideBar(printResults(distinctResults(results)), host),
  })
  fate.state = 'written'
  host.write(`${summarizeRun(report)}\n`)
  if (report.functions.size > 0) host.write(`${summarizeFunctions(report.functions)}\n`)
  if (options.status === true) host.write(await writeStatus(dir, report, host))
  return report.fates.has('failed') ? 1 : 0
}

/**
 * Findings to stderr, what would be done to stdout.
 *
 * @param options  with `isSaid` the findings were printed before the packages were written
 */
function print(view: RenderView, options: RenderCommand & { readonly isSaid?: boolean }, host: Host): RenderView {
  const results = options.isSaid === true ? findingsIn(view.results, options) : sayFindings(view.results, options, host)
  host.write(PRINTERS[options.format]({ ...view, results }, stylesFor(host, options)))
  return view
}

/** Prints the findings that the caller asked for to stderr, and returns them. */
function sayFindings(all: readonly Result[], options: RenderCommand, host: Host): readonly Result[] {
  const results = findingsIn(all, options)
  warnBesideBar(printResults(results), host)
  return results
}

function findingsIn(all: readonly Result[], { verbose }: RenderCommand): readonly Result[] {
  const sorted = [...all].sort(compareFindings)
  return verbose === true ? distinctResults(sorted) : shownResults(sorted)
}

/** Prints a text to stderr, in the place of the progress bar, which is drawn until the packages are written. */
function warnBesideBar(text: string, host: Host): void {
  if (text !== '' && host.isErrorTerminal) host.draw(WITHOUT_BAR)
  host.warn(text)
}

/** Removes a line of a terminal. */
const WITHOUT_BAR = '\r\u001B[K'

function parseTerm(text: string): SelectionTerm {
  const [, name = '', value = ''] = /^\s*([^=]*)=(.+?)\s*$/.exec(text) ?? []
  const field = FIELDS.find((each) => each === name)
  if (field === undefined || value === '') throw invalid(text, name)
  if (field !== 'label') return { field, value }
  const [, key = '', label = ''] = /^([^=]+)=(.*)$/.exec(value) ?? []
  if (key === '') throw invalid(text, name)
  return { field, key, value: label }
}

function invalid(text: string, name: string): InvalidArgumentError {
  const near = FIELDS.some((field) => field === name) ? '' : didYouMean(name || text, FIELDS)
  return new InvalidArgumentError(`'${text}' must be ${FORMS}${near}`)
}

/** Returns the part of `--shard I/N`. Kubernetes counts the pods of a Job from 0, people count from 1: 0 is N. */
function parseShard(text: string): Shard {
  const [, part = 1, of = 0] = (/^([0-9]+)\/([0-9]+)$/.exec(text) ?? []).map(Number)
  if (part > of || of === 0) throw new InvalidArgumentError('It must be I/N, with I from 1 to N, or from 0 to N - 1.')
  return { part: part === 0 ? of : part, of }
}
