import { type Command, Option } from 'commander'
import { PACKAGE_NAME_RULE, packagesLeftToOthers, resolveAsAsked } from '../../functions/resolve-dependencies/resolve-dependencies.ts'
import { PACKAGE_NAME } from '../../functions/resolve-dependencies/schema.ts'
import { attempt } from '../../src/attempt.ts'
import { listNames } from '../../src/dependencies/finding.ts'
import type { UpdateRequest } from '../../src/dependencies/resolve-objects.ts'
import { describeKinds } from '../../src/fleet/what-was-read.ts'
import { findCommits } from '../../src/git/git.ts'
import { GitError } from '../../src/git/run-git.ts'
import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import { FunctionError, hasErrors, type Result } from '../../src/result.ts'
import { addColorOptions, repeated } from '../command-options.ts'
import { addFleetOptions, type FleetChoices } from '../fleet/fleet-options.ts'
import { openFleetNow } from '../fleet/fleet-reading.ts'
import { findPlaceFaults } from '../fleet/place-faults.ts'
import { FOLDER_FORMATS, type FolderRun, runOnFolder, type WriteOptions, writeRun } from '../folder-run.ts'
import { withOnlyOptions } from '../function-config.ts'
import type { ExitCode, Host } from '../host.ts'
import { readAgainst } from '../plan/compare-with-revision.ts'
import { shownResults } from '../print/print-results.ts'
import { UsageError } from '../usage-error.ts'
import { refuseNoPackages } from './refuse-no-packages.ts'

interface ResolveOptions extends WriteOptions, FleetChoices {
  readonly write?: boolean
  readonly diff?: boolean
  readonly update?: readonly string[]
  readonly prune?: boolean
  readonly partial?: boolean
  readonly into?: string
  readonly against?: string
}

const NAME = 'resolve-dependencies'

const NOTES = `
--prune keeps what people edited, what another package requires, and what was installed for a package of another folder: one that neither the
folder nor the git revision has.

Nothing is written when one requirement cannot be met: the reason is reported, with what would let it be met. With --partial the packages that do
not depend on it are written.

Exit code: 0 done, or nothing to do; 1 an error and nothing was written; of --dry-run also 2, there are changes.

Examples:
  krm-variants resolve examples/dependencies-glasskube --dry-run
  krm-variants resolve clusters/edge --config resolve.yaml
  krm-variants resolve fleet --into dependencies`

/** Adds `resolve [DIR]`: adds the packages that the packages of a folder require. */
export function addResolve(program: Command, host: Host, finish: (code: ExitCode) => void): void {
  const command = program
    .command('resolve')
    .description('add what the packages of a folder require, in versions that meet all requirements')
    .argument('[dir]', 'the folder to read and to write', '.')
    .option('--dry-run', 'write nothing, show what would be done')
    .option('--write', 'write what is missing, as without --dry-run')
    .option('--diff', 'print unified diffs too')
    .option(
      '--update <name[=version]>',
      'move an installed package to its latest version, or to this one, as `glasskube update`; may be repeated',
      repeated,
    )
    .option('--into <package>', 'write what is missing into this package of the cluster; default: the package that requires it')
    .option('--partial', 'write what can be resolved, and warn of what cannot; without it nothing is written then')
    .option('--prune', 'remove what was installed for packages that are removed or do not require it any more')
    .option('--against <ref>', 'with --prune: installs that this git revision has and the folder has not are removed; default: HEAD')
    .addOption(new Option('--format <format>', 'how to print it').choices(FOLDER_FORMATS).default('text'))
  addFleetOptions(addColorOptions(command))
    .addHelpText('after', NOTES)
    .action(async (dir: string, options: ResolveOptions) => finish(await resolve(dir, options, host)))
}

/** Resolves a folder, and writes the changes unless `--dry-run` is given. A refusal is printed in the format that was asked for. */
async function resolve(dir: string, options: ResolveOptions, host: Host): Promise<ExitCode> {
  if (options.against !== undefined && options.prune !== true) throw new UsageError('`--against` must come with --prune')
  if (options.against === '') throw new UsageError('`--against` must name a git revision, such as origin/main, got an empty text')
  if (options.write === true && options.dryRun === true) throw new UsageError('`--write` must not come with --dry-run')
  if (options.into !== undefined && !PACKAGE_NAME.test(options.into))
    throw new UsageError(`\`--into\` must be ${PACKAGE_NAME_RULE}; got '${options.into}'`)
  // Where an error refuses the run, infos may say why.
  const shown = (results: readonly Result[]) => (hasErrors(results) ? results : shownResults(results))
  return writeRun({ title: 'Resolve', dir, options, shown }, (notes) => resolveFolder(dir, options, notes, host), host)
}

/**
 * Resolves the packages of a folder in memory.
 *
 * @param notes  receives the counts of the kinds that were read, and the packages left to others
 * @throws FunctionError with files that cannot be read and requirements that cannot be resolved
 */
async function resolveFolder(dir: string, options: ResolveOptions, notes: string[], host: Host): Promise<FolderRun> {
  const { config, diff = false, partial = false, prune = false } = options
  const fleet = openFleetNow(dir, options, host).withPackagesOutside()
  const { read, clusters } = fleet
  const list = withOnlyOptions(read.list, NAME, { config, dir }, host)
  notes.push(`read ${describeKinds(list.items)}`)
  const found = [...read.results, ...findPlaceFaults(fleet, await fleet.plan()), ...refuseNoPackages(list.items)]
  // A package in a wrong place would count as one of the cluster whose folder it is in.
  if (hasErrors(found)) throw new FunctionError(found)
  const asked = {
    ...clusters,
    update: (options.update ?? []).map(updateRequest),
    prune,
    partial,
    into: options.into,
    ...(prune && { former: formerList(dir, options, host) }),
  }
  const run = runOnFolder((resources) => resolveAsAsked(resources, asked), { dir, read: { ...read, results: found }, list, diff }, host)
  notes.unshift(...describeLeft(packagesLeftToOthers(list, clusters)))
  return run
}

/**
 * Returns the resources of the folder at a git revision, HEAD unless `--against` names another one. Returns undefined outside of a
 * repository, and in one without a commit.
 *
 * @throws UsageError for a revision of `--against` that git does not know; FunctionError with every file of the revision that cannot be
 *   read
 */
function formerList(dir: string, { against }: ResolveOptions, host: Host): ResourceList | undefined {
  const head = () => findCommits({ dir: host.locate(dir) }, ['HEAD'])[0]
  if (against === undefined && attempt(head, GitError) === undefined) return undefined
  return readAgainst({ ref: against ?? 'HEAD' }, dir, host).list
}

/** Returns the request of `NAME` or `NAME=VERSION`. */
function updateRequest(text: string): UpdateRequest {
  const [name = '', ...version] = text.split('=')
  if (name === '' || (version.length > 0 && version.join('=') === ''))
    throw new UsageError(`\`--update\` must be NAME or NAME=VERSION, got '${text}'`)
  return { name, ...(version.length > 0 && { version: version.join('=') }) }
}

const MOST_NAMED = 3

/** Returns a note on packages of which no version is known. Without the note a folder that lacks them would look complete. */
function describeLeft(packages: readonly string[]): string[] {
  if (packages.length === 0) return []
  const more = packages.length - MOST_NAMED
  const named = listNames([...packages.slice(0, MOST_NAMED), ...(more > 0 ? [`${more} more`] : [])])
  return [`no version is known of ${named}, left to others; a Catalog would say which there are`]
}
