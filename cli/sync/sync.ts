import { type Command, Option } from 'commander'
import { generateSyncBeside, leaveSyncSystem, type SyncFolder } from '../../functions/generate-sync/generate-sync.ts'
import { describeKinds } from '../../src/fleet/what-was-read.ts'
import { writeFolder } from '../../src/folder/write-files.ts'
import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import { SYNC_SYSTEMS } from '../../src/sync/options.ts'
import { addColorOptions, repeated } from '../command-options.ts'
import { addFleetOptions, type FleetChoices } from '../fleet/fleet-options.ts'
import { FleetReading } from '../fleet/fleet-reading.ts'
import { findPlaceFaults, packagesToRename } from '../fleet/place-faults.ts'
import { loadFleetNow } from '../fleet/read-fleet.ts'
import { FOLDER_FORMATS, type FolderRun, runOnFolder, type WriteOptions, writeRun } from '../folder-run.ts'
import type { FolderView } from '../folder-view.ts'
import { withOptions } from '../function-config.ts'
import type { ExitCode, Host } from '../host.ts'
import { shownResults } from '../print/print-results.ts'
import type { Styles } from '../print/styles.ts'
import { UsageError } from '../usage-error.ts'
import { committedSyncObjects, filesBeside } from './committed-sync-objects.ts'
import { groupedText, type SyncPlace } from './grouped-text.ts'
import { movedPackages } from './moved-packages.ts'
import { isSystem, syncConfig } from './sync-config.ts'

interface SyncCommandOptions extends WriteOptions, FleetChoices {
  readonly for?: string
  readonly remove: readonly string[]
  readonly leave?: string
  readonly diff?: boolean
}

const NAME = 'generate-sync'

const NOTES = `
The objects read packages from the git repositories of the fleet's Repositories. Edits of people stay. The objects of a cluster that left
stay too, and delete nothing there, until --remove names them. Inside a git repository they are removed only if the last commit has them
without the power to delete. krm-variants schema GenerateSync has the options.

Exit code: 0 done, or nothing to do; 1 an error, nothing was written; 2 --dry-run found changes.

Examples:
  krm-variants sync examples/sync/fleet --for flux --dry-run
  krm-variants sync fleet --for argocd --remove ham-01-dns
  krm-variants sync fleet --leave flux`

/** Adds `sync [DIR]`: writes the objects that deploy the packages of a fleet. */
export function addSync(program: Command, host: Host, finish: (code: ExitCode) => void): void {
  const command = program
    .command('sync')
    .description('write the objects of Flux, Argo CD or Config Sync that deploy the packages of a folder')
    .argument('[dir]', 'the folder to read and to write', '.')
    .addOption(new Option('--for <system>', 'what deploys the packages').choices(SYNC_SYSTEMS))
    .option('--remove <name>', 'a sync object that nothing needs; may be given again', repeated, [])
    .addOption(
      new Option(
        '--leave <system>',
        'take all generated objects of a system away, in two commits: the first run lets them delete nothing, the next removes them',
      ).choices(SYNC_SYSTEMS),
    )
    .option('--dry-run', 'write nothing, show what would be done')
    .option('--diff', 'print unified diffs too')
    .addOption(new Option('--format <format>', 'how to print it').choices(FOLDER_FORMATS).default('text'))
  addFleetOptions(addColorOptions(command), { without: ['cluster'] })
    .addHelpText('after', NOTES)
    .action(async (dir: string, options: SyncCommandOptions) => finish(await sync(dir, options, host)))
}

/** Writes the sync objects of a folder, unless `--dry-run` is given. A refusal is printed in the format that was asked for. */
function sync(dir: string, options: SyncCommandOptions, host: Host): Promise<ExitCode> {
  const places = new Map<string, SyncPlace>()
  const textOf = (view: FolderView, styles: Styles) => groupedText(view, places, styles)
  return writeRun(
    { title: 'Sync', dir, options, shown: shownResults, textOf },
    (notes) => syncFolder(dir, options, { notes, places }, host),
    host,
  )
}

/** The notes of a run for its output. */
interface SyncNotes {
  readonly notes: string[]
  /** Receives the package and the cluster of each object. */
  readonly places: Map<string, SyncPlace>
}

/** Writes the sync objects of a folder with its only GenerateSync. @throws FunctionError with the faults of the fleet */
export async function syncNow(dir: string, host: Host): Promise<void> {
  const { changes } = await syncFolder(dir, { remove: [], format: 'text' }, { notes: [], places: new Map() }, host)
  writeFolder(host.locate(dir), changes)
}

/** Returns the changes of a fleet. The folder of the packages need not exist: the objects may be written before the first render. */
async function syncFolder(dir: string, options: SyncCommandOptions, { notes, places }: SyncNotes, host: Host): Promise<FolderRun> {
  const fleet = new FleetReading(loadFleetNow(dir, host), dir, options, host).withPackagesOutside()
  const { read: found } = fleet
  const { list } = found
  const plan = await fleet.plan()
  const read = { ...found, results: [...found.results, ...findPlaceFaults(fleet, plan)] }
  const beside: SyncFolder = {
    ...filesBeside(fleet, host),
    plan,
    tellsOrder: true,
    remove: options.remove,
    committed: () => committedSyncObjects(host.locate(dir)),
    wasIn: movedPackages(host.locate(dir), plan, list.items, () => packagesToRename(fleet, plan)),
  }
  const { leave } = options
  if (isSystem(leave)) {
    if (options.for !== undefined || options.config !== undefined || options.remove.length > 0)
      throw new UsageError('`--leave` must not come with --for, --config or --remove')
    const leaving = (resources: ResourceList) => leaveSyncSystem(resources, leave, beside)
    return runOnFolder(leaving, { dir, read: found, list: list.withConfig(undefined), diff: options.diff === true }, host)
  }
  const config = syncConfig(withOptions(list, NAME, { config: options.config, dir }, host), options.for)
  notes.push(`read ${describeKinds(list.items)}`)
  const fn = (resources: ResourceList) => {
    for (const [name, place] of generateSyncBeside(resources, beside)) places.set(name, place)
  }
  return runOnFolder(fn, { dir, read, list: list.withConfig(config), diff: options.diff === true }, host)
}
