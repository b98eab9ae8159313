import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import { type Command, Option } from 'commander'
import { below } from '../../src/folder/named-folder.ts'
import { fleetTreeInside } from '../../src/git/tree-inside.ts'
import { waitsForFunctions } from '../../src/pipeline/check-runs.ts'
import { behindResult } from '../../src/render/edits/functions-behind.ts'
import { guardOfRendered } from '../../src/render/runs/needed-objects.ts'
import { hasErrors, type Result } from '../../src/result.ts'
import { addColorOptions, repeated } from '../command-options.ts'
import { addFleetOptions, type FleetChoices } from '../fleet/fleet-options.ts'
import type { FleetReading } from '../fleet/fleet-reading.ts'
import { holdingFolders } from '../hold-folders.ts'
import type { ExitCode, Host } from '../host.ts'
import { distinctResults, printResults, shownResults } from '../print/print-results.ts'
import { errorStylesFor, stylesFor } from '../print/styles.ts'
import { readRingFleet } from '../rings/read-rings.ts'
import { runnersFor } from '../run/function-runners.ts'
import { addRunnerOptions } from '../run/runner-options.ts'
import { UsageError } from '../usage-error.ts'
import { type AskedRevisions, revisionsOf } from './asked-revisions.ts'
import { showUsers } from './built-on.ts'
import { outdatedJson, outdatedText } from './outdated-report.ts'
import { viewOutdated } from './outdated-view.ts'
import { renderNewer, writeNewer } from './raise-revisions.ts'
import { subpackagesBehind } from './subpackages-behind.ts'

/** The options of `outdated`. */
export interface OutdatedOptions extends FleetChoices, AskedRevisions {
  readonly format: 'text' | 'json'
  readonly on?: string
  readonly run: boolean
  readonly render: boolean
  readonly write?: boolean
  readonly dryRun?: boolean
  readonly color?: boolean
}

const NOTES = `
The packages are rendered in memory with the newer revisions: clean, with edits that lose, with changes passed over for an edit, or failing.
Nothing is written without --write, which changes the line of each revision in the fleet and leaves the packages to render.

The first ring of a matrix is compared with the newest revision, every other ring with the ring before. --write changes the revision of a
ring only with --ring, and not before the packages of the earlier rings are at it.

With --tag, each revision is compared with the one that the floating tag names, and is only raised: repositories.NAME.tags of the options
says which, else the git tag PACKAGE/TAG or TAG, at the commit of a revision. No ring gets a later revision than that.

With --on, it lists the sets, rings, PackageVariants, packages, subpackages and PackageRevisions that are built on one revision of an upstream,
before a person deletes the revision. Exit code: 0 nothing is built on it, 2 something is, 1 an error, or not everything is known.

Subpackages with an upstream of their own that has a newer revision are named; --write asks for it in \`upstream\` of their Kptfile, and
render brings it. Not with --set, --ring or --tag.

Exit code: 0 nothing is outdated, 2 something is, 1 an error; with --write 0 also when something was outdated.

Examples:
  krm-variants outdated fleet
  krm-variants outdated --write --set tills fleet && krm-variants render fleet
  krm-variants outdated --write --ring canary fleet
  krm-variants outdated --write --tag stable fleet
  krm-variants outdated --on catalog/base@2 fleet`

/** Adds `outdated [DIR]`: lists the upstreams of which a newer revision exists, and writes the newer revisions into the sets. */
export function addOutdated(program: Command, host: Host, finish: (code: ExitCode) => void): void {
  const command = program
    .command('outdated')
    .description('list the upstreams of sets and rings that have a newer revision, with what the update would do to their packages')
    .argument('[dir]', 'the folder of the fleet', '.')
    .addOption(new Option('--format <format>', 'how to print it').choices(['text', 'json']).default('text'))
    .option('--set <name>', 'this set only, NAME or NAMESPACE/NAME; may be given again', repeated)
    .option('--ring <name>', 'this ring of matrices only')
    .option('--tag <tag>', 'compare with the revisions that this floating tag names, instead of the newest ones')
    .option('--on <revision>', 'list what is built on REPOSITORY/PACKAGE@REVISION instead, and say if the revision may go')
    .option('--write', 'write the newer revisions into the files of the fleet, and show the changed lines')
    .option('--dry-run', 'with --write, show the changed lines only')
    .option('--no-render', 'do not render the packages in memory')
    .option('--no-run', 'leave the functions of packages alone, as render --no-run does')
  addFleetOptions(command)
  addColorOptions(addRunnerOptions(command))
    .addHelpText('after', NOTES)
    .action(async (dir: string, options: OutdatedOptions) => finish(await outdated(dir, options, host)))
}

async function outdated(dir: string, options: OutdatedOptions, host: Host): Promise<ExitCode> {
  if (options.dryRun === true && options.write !== true) throw new UsageError('`--dry-run` must come with --write')
  if (options.tag === '') throw new UsageError('`--tag` must name a floating tag, such as stable, got an empty text')
  if (options.on !== undefined) {
    const given = (['set', 'ring', 'tag', 'write'] as const).find((name) => options[name] !== undefined)
    if (given !== undefined) throw new UsageError(`\`--on\` must not come with --${given}`)
  }
  const isWriting = options.write === true && options.dryRun !== true
  return holdingFolders({ dirs: [dir], isWriting }, host, () => outdatedFolder(dir, options, host))
}

async function outdatedFolder(dir: string, options: OutdatedOptions, host: Host): Promise<ExitCode> {
  const fleet = await readRingFleet('outdated', dir, options, host)
  if (options.on !== undefined) return showUsers(options.on, fleet, options, host)
  const found = revisionsOf(fleet, options)
  const { outcomes, results: refused } = await renderNewer(found.newer, fleet.reading, options, host)
  const left = options.write === true ? found.newer.flatMap(({ held }) => held) : []
  const behind = options.run ? await waitingPackages(fleet.reading, host) : []
  const subpackages =
    options.set === undefined && options.ring === undefined && options.tag === undefined
      ? subpackagesBehind(fleet, fleet.reading.library(fleet.plan).library)
      : []
  const results = distinctResults(
    shownResults([...fleet.results, ...found.unknown, ...left, ...refused, ...behind, ...subpackages.map(({ result }) => result)]),
  )
  const view = viewOutdated(found, outcomes, results)
  host.warn(printResults(results, errorStylesFor(host, options)))
  host.write(options.format === 'json' ? outdatedJson(view) : outdatedText(view, stylesFor(host, options)))
  if (hasErrors(results.filter((result) => !fleet.broken.includes(result)))) return 1
  const written = options.write === true ? await writeNewer(found.newer, subpackages, fleet, dir, options, host) : undefined
  if (hasErrors(results)) return 1
  if (written !== undefined) return written
  return found.newer.length + subpackages.length > 0 ? 2 : 0
}

/** Returns a warning for each package of the fleet that waits for its functions, as far as these are built in. */
async function waitingPackages({ out, places, leavesFunctions }: FleetReading, host: Host): Promise<readonly Result[]> {
  if (out === undefined || !existsSync(out.disk) || leavesFunctions) return []
  const runners = await runnersFor({}, host, () => false)
  return (places()?.owned ?? []).flatMap(({ folder }) => {
    const { disk, shown } = below(out, folder)
    const name = (path: string) => posix.join(shown, path)
    const { tree } = fleetTreeInside(disk, name)
    return waitsForFunctions({ tree, place: disk, name, guard: guardOfRendered(tree) }, runners) ? [behindResult(shown, 'behind')] : []
  })
}
