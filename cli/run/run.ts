import type { Command } from 'commander'
import { unusedPrograms } from '../../src/pipeline/match.ts'
import { stepsOf } from '../../src/pipeline/run-packages.ts'
import { printable } from '../../src/printable.ts'
import { FunctionError } from '../../src/result.ts'
import { countOf } from '../../src/wording.ts'
import { advance } from '../advance.ts'
import { addColorOptions } from '../command-options.ts'
import { holdingFolders } from '../hold-folders.ts'
import type { ExitCode, Host } from '../host.ts'
import { styleDiff } from '../print/file-diff.ts'
import { countOperations } from '../print/operation-counts.ts'
import { distinctResults, printResults } from '../print/print-results.ts'
import { signed } from '../print/signs.ts'
import { errorStylesFor, type Styles, stylesFor } from '../print/styles.ts'
import { functionNames, runnersFor } from './function-runners.ts'
import { readFolders, runFolders, type WrittenFolders, writeRuns } from './run-folders.ts'
import { addRunnerOptions, type RunnerOptions } from './runner-options.ts'

interface RunOptions extends RunnerOptions {
  readonly dryRun?: boolean
  readonly diff?: boolean
  readonly status?: boolean
  readonly color?: boolean
}

const NOTES = `
Subpackages run before the package around them, mutators before validators, as in kpt. Every function is
matched with what runs it before the first one runs: a program of --function, a built-in function, the exec
of the Kptfile, a container. A package whose functions fail is left as it is; the others are written.

A container has no network, the user nobody, a read-only file system, 1 GB of memory and the time of
--function-timeout. KRM_FN_RUNTIME names the runtime, as for kpt: docker, podman or nerdctl. Answers of
containers are kept in the cache folder, by image, functionConfig and input, until they are unused for 30
days; of more than 512 MB the least recently used go.

Exit code: 0 done, or nothing to do; 1 an error; of --dry-run also 2, there are changes.

Examples:
  krm-variants run clusters/edge-01 clusters/edge-02
  krm-variants run shop --dry-run --diff
  krm-variants run shop --allow-containers
  krm-variants run shop --allow-exec --function gcr.io/kpt-fn/starlark=./starlark`

/** Adds `run [PACKAGE…]`: runs the pipelines of packages, as `kpt fn render` does. */
export function addRun(program: Command, host: Host, finish: (code: ExitCode) => void): void {
  const command = program
    .command('run')
    .description('run the functions of packages, as kpt fn render does, without containers where it can')
    .argument('[package...]', 'folders with a Kptfile', ['.'])
    .option('--dry-run', 'write nothing, show what would change')
    .option('--diff', 'print unified diffs too')
    .option('--status', 'write renderStatus and the condition Rendered into each Kptfile, as kpt does')
  addColorOptions(addRunnerOptions(command))
    .addHelpText('after', NOTES)
    .action(async (packages: readonly string[], options: RunOptions) => finish(await run(packages, options, host)))
}

async function run(dirs: readonly string[], options: RunOptions, host: Host): Promise<ExitCode> {
  const styles = errorStylesFor(host, options)
  try {
    const writing = { dryRun: options.dryRun === true, diff: options.diff === true, status: options.status === true }
    const done = await holdingFolders({ dirs, isWriting: !writing.dryRun }, host, async () => {
      const folders = readFolders(dirs, host)
      const names = functionNames(stepsOf(folders.packages))
      const runners = await runnersFor(options, host, (name) => names.has(name))
      host.warn(printResults(unusedPrograms(stepsOf(folders.packages), runners), styles))
      const ran = await advance(runFolders(folders, runners, writing), 'package', host)
      host.warn(printResults(distinctResults(ran.results), styles))
      return writeRuns(ran, writing)
    })
    host.warn(printResults(distinctResults(done.faults), styles))
    host.write(filesText(done.files, stylesFor(host, options)))
    host.warn(`Run: ${summarize(done, !writing.dryRun)}\n`)
    if (done.failed > 0) return 1
    return options.dryRun === true && done.files.length > 0 ? 2 : 0
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error
    host.warn(printResults(error.results, styles))
    host.warn('Run: nothing, refused for errors\n')
    return 1
  }
}

function filesText(files: WrittenFolders['files'], styles: Styles): string {
  return files
    .map(({ op, path, diff }) => `${signed(op, printable(path), styles)}\n${diff === undefined ? '' : styleDiff(diff, styles)}`)
    .join('')
}

function summarize({ files, packages, failed, functionsRun, skipped }: WrittenFolders, isWritten: boolean): string {
  const found = files.map(({ op }) => op)
  const changes = countOperations('file', { found, order: ['create', 'update', 'delete'], isWritten }) || 'nothing to change'
  return `${countOf(functionsRun, 'function')}${skipped === 0 ? '' : `, ${skipped} skipped,`} in ${countOf(packages, 'package')}: ${changes}${failed === 0 ? '' : `; ${countOf(failed, 'package')} failed`}`
}
