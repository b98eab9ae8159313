import { type Command, InvalidArgumentError, Option } from 'commander'
import { isDanger } from '../../src/diff/dangers/dangers.ts'
import type { DiffReport } from '../../src/diff/report.ts'
import { hideKnownSecrets } from '../../src/known-secrets.ts'
import { hasErrors } from '../../src/result.ts'
import { addColorOptions } from '../command-options.ts'
import { addFleetOptions } from '../fleet/fleet-options.ts'
import { requireFolder } from '../fleet/read-fleet.ts'
import type { ExitCode, Host } from '../host.ts'
import { styleDiff } from '../print/file-diff.ts'
import { printResults } from '../print/print-results.ts'
import { printDocument } from '../print/print-value.ts'
import { pathsInRepository } from '../print/repository-paths.ts'
import { errorStylesFor, type Styles, stylesFor } from '../print/styles.ts'
import { wrapLines } from '../print/wrap.ts'
import { addRunnerOptions } from '../run/runner-options.ts'
import { UsageError } from '../usage-error.ts'
import { type Compared, type CompareOptions, compareStates } from './compare-states.ts'
import { dangersGithub, dangersSarif } from './danger-findings.ts'
import { diffMarkdown, SMALLEST_COMMENT } from './diff-markdown.ts'
import { diffText, imagesText } from './diff-text.ts'
import { readStates } from './read-states.ts'
import { readArguments, readRevisions } from './revisions.ts'

interface DiffCommand extends CompareOptions {
  readonly format: Format
  readonly maxChars?: number
  readonly images?: boolean
  readonly failOn?: FailLevel
  readonly color?: boolean
}

/** The changes with which a run ends with 1: a danger; a danger or notice; any change. */
type FailLevel = (typeof FAIL_LEVELS)[number]

const FAIL_LEVELS = ['danger', 'notice', 'change'] as const

type Format = keyof typeof PRINTERS | 'html'

/** A report, and what its printers need beside it. */
interface Printing {
  readonly styles: Styles
  readonly maxChars: number
  readonly version: string
  /** Returns the path of a file for code hosts. */
  readonly pathOf: (path: string) => string
}

const PRINTERS = {
  text: (report: DiffReport, { styles }: Printing) => diffText(report, styles),
  markdown: (report: DiffReport, { maxChars }: Printing) => diffMarkdown(report, maxChars),
  json: diffJson,
  sarif: (report: DiffReport, { version, pathOf }: Printing) => dangersSarif(report, version, pathOf),
  github: (report: DiffReport, { pathOf }: Printing) => dangersGithub(report, pathOf),
} as const

/** The code of the page is large, so it is loaded on demand. */
const FORMATS = [...Object.keys(PRINTERS), 'html']

const NOTES = `
FROM and TO are git revisions, read without a checkout; FROM is HEAD if none is named. Without TO, the folder as it is counts.
FROM...TO starts at the commit that both have in common.

The packages are those that the repository holds, and that render would make of them; where it holds none, both sides are rendered in
memory. Nothing is written.

Exit code: 0 nothing changes, 2 something does, 1 an error, a policy that TO breaks, or what --fail-on names.

Examples:
  krm-variants diff origin/main fleet
  krm-variants diff origin/main...HEAD --format markdown --max-chars 65000 fleet > comment.md
  krm-variants diff origin/main --format html fleet > diff.html`

/** Adds `diff [FROM[..TO]] [DIR]`: prints which objects of which clusters change between two states of a fleet, and why. */
export function addDiff(program: Command, host: Host, finish: (code: ExitCode) => void): void {
  const command = program
    .command('diff')
    .description('show which objects change on which clusters between two states of a fleet, and why')
    .argument('[revisions]', 'FROM, FROM..TO or FROM...TO')
    .argument('[dir]', 'the folder of the fleet (default: ".")')
    .addOption(new Option('--format <format>', 'how to print it').choices(FORMATS).default('text'))
    .option(
      '--max-chars <n>',
      `with --format markdown, leave out the least dangerous beyond n characters, at least ${SMALLEST_COMMENT}`,
      parseLimit,
    )
    .option('--unified', 'print unified diffs of the files of each package instead')
    .option('--images', 'print the images that change instead, by number of clusters')
    .option('--comments', 'report comments that change, too')
    .addOption(new Option('--fail-on <what>', 'end with 1 when there is a danger; a danger or a notice; any change').choices(FAIL_LEVELS))
    .option('--follow-renames', 'as for render')
    .option('--no-run', 'leave the functions of packages alone, as render --no-run does')
  addFleetOptions(command)
  addColorOptions(addRunnerOptions(command))
    .addHelpText('after', NOTES)
    .action(async (revisions: string | undefined, dir: string | undefined, options: DiffCommand) =>
      finish(
        await diff(
          [revisions, dir].flatMap((arg) => arg ?? []),
          options,
          host,
        ),
      ),
    )
}

async function diff(args: readonly string[], options: DiffCommand, host: Host): Promise<ExitCode> {
  refuseTogether(options)
  const { range, dir } = readArguments(args, host)
  requireFolder(dir, host)
  const revisions = readRevisions(range, dir, { host, seconds: options.gitTimeout })
  const states = await readStates(dir, revisions, options, host)
  const compared = await compareStates(states, options, host)
  const { report } = compared
  await print(compared, dir, options, host)
  if (hasErrors(report.results) || fails(report, options.failOn)) return 1
  return report.packages.length > 0 ? 2 : 0
}

function fails({ dangers, packages }: DiffReport, level: FailLevel | undefined): boolean {
  if (level === undefined) return false
  return level === 'danger' ? dangers.some(isDanger) : dangers.length > 0 || (level === 'change' && packages.length > 0)
}

/** Refuses options that exclude each other. @throws UsageError */
function refuseTogether({ format, maxChars, unified, images }: DiffCommand): void {
  if (images === true && format !== 'text') throw new UsageError(`\`--images\` must not come with --format ${format}`)
  if (maxChars !== undefined && format !== 'markdown') throw new UsageError('`--max-chars` must come with --format markdown')
  if (unified === true && format !== 'text') throw new UsageError(`\`--unified\` must not come with --format ${format}`)
}

async function print({ report, diffs }: Compared, dir: string, options: DiffCommand, host: Host): Promise<void> {
  const { format, unified, images, maxChars = Number.POSITIVE_INFINITY } = options
  host.warn(printResults(report.results, errorStylesFor(host, options)))
  const styles = stylesFor(host, options)
  if (unified === true) host.write(diffs.map((diff) => styleDiff(diff, styles)).join(''))
  else if (images === true) host.write(imagesText(report))
  else if (format === 'github') host.writeData(hideKnownSecrets(dangersGithub(report, pathsInRepository(dir, host))))
  else if (format === 'html') host.writeData(hideKnownSecrets((await import('./diff-page.ts')).diffPage(report)))
  else {
    const printing = { styles, maxChars, version: host.version, pathOf: pathsInRepository(dir, host) }
    const text = PRINTERS[format](report, printing)
    host.write(format === 'text' && host.columns !== undefined ? wrapLines(text, host.columns) : text)
  }
}

function parseLimit(text: string): number {
  const limit = Number(text)
  if (!Number.isInteger(limit) || limit < SMALLEST_COMMENT)
    throw new InvalidArgumentError(`It must be a whole number, at least ${SMALLEST_COMMENT}.`)
  return limit
}

/** Returns a report for other programs. */
export function diffJson({ results, ...report }: DiffReport): string {
  return printDocument(report, results)
}
