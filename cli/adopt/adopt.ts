import { type Command, Option } from 'commander'
import { adoptVariants, type ClusterSet } from '../../src/fleet/adopt-variants.ts'
import { describeKinds } from '../../src/fleet/what-was-read.ts'
import type { Result } from '../../src/result.ts'
import { noPorchObjects, readClusterList } from '../cluster-list.ts'
import { loadFleetNow } from '../fleet/read-fleet.ts'
import { FOLDER_FORMATS, type FolderRun, runOnFolder, type WriteOptions, writeRun } from '../folder-run.ts'
import type { ExitCode, Host } from '../host.ts'

interface AdoptOptions extends WriteOptions {
  readonly fromCluster: string
  readonly diff?: boolean
}

const NOTES = `
The file is what kubectl get packagevariantsets -A -o yaml prints. Each PackageVariant of a set gets the label, owner reference and
finalizer by which Porch's controller finds it, with the uid of the set in that cluster: applied, it is adopted and not made anew.

Exit code: 0 done, or nothing to do; 1 an error, nothing was written; 2 --dry-run found changes.

Examples:
  kubectl get packagevariantsets -A -o yaml > sets.yaml
  krm-variants adopt --from-cluster sets.yaml --dry-run --diff fleet`

/** Adds `adopt [DIR]`: gives the variants of a folder to the sets of a cluster. */
export function addAdopt(program: Command, host: Host, finish: (code: ExitCode) => void): void {
  program
    .command('adopt')
    .description("hand the variants of a folder over to Porch's controller, with the uids of the sets in a cluster")
    .argument('[dir]', 'the folder to read and to write', '.')
    .requiredOption('--from-cluster <file>', 'the sets of the cluster, as kubectl prints them in YAML or JSON, - for stdin')
    .option('--dry-run', 'write nothing, show what would be done')
    .option('--diff', 'print unified diffs too')
    .addOption(new Option('--format <format>', 'how to print it').choices(FOLDER_FORMATS).default('text'))
    .option('--color', 'use colors, also when no terminal reads it')
    .option('--no-color', 'use no colors, as with NO_COLOR')
    .addHelpText('after', NOTES)
    .action(async (dir: string, options: AdoptOptions) => finish(await adopt(dir, options, host)))
}

/** Makes the sets of a cluster the owners of the variants of a folder, unless `--dry-run` is given. */
function adopt(dir: string, options: AdoptOptions, host: Host): Promise<ExitCode> {
  const command = { title: 'Adopt', dir, options, shown: (results: readonly Result[]) => results }
  const run = async (notes: string[]): Promise<FolderRun> => {
    const read = loadFleetNow(dir, host)
    const sets = await readSets(options.fromCluster, host)
    const done = runOnFolder((list) => adoptVariants(list, sets), { dir, read, list: read.list, diff: options.diff === true }, host)
    notes.push(`read ${describeKinds(read.list.items)}`)
    return done
  }
  return writeRun(command, run, host)
}

/** Returns the PackageVariantSets of a file. @throws as `readClusterList`; UsageError for a file without such a set */
async function readSets(path: string, host: Host): Promise<readonly ClusterSet[]> {
  const { sets, described } = await readClusterList(path, host)
  if (sets.length === 0) throw noPorchObjects(path, described)
  return sets
}
