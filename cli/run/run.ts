import type { Command } from 'commander'
import { CATALOG, type CatalogFunction } from '../../src/catalog/catalog.ts'
import { DEFAULT_PREFIX, imageNameFault } from '../../src/pipeline/image.ts'
import type { BuiltinFunction, Runners } from '../../src/pipeline/match.ts'
import { splitWords } from '../../src/pipeline/match.ts'
import { programRunner } from '../../src/pipeline/program-runner.ts'
import { stepsOf } from '../../src/pipeline/run-packages.ts'
import { printable } from '../../src/printable.ts'
import { FunctionError } from '../../src/result.ts'
import { evaluate } from '../../src/run.ts'
import { countOf } from '../../src/wording.ts'
import { FUNCTIONS } from '../generated/registry.ts'
import type { ExitCode, Host } from '../host.ts'
import { printResults } from '../print/print-results.ts'
import { shownResults } from '../print/shown-results.ts'
import { styleDiff } from '../print/style-diff.ts'
import { errorStylesFor, type Styles, stylesFor } from '../print/styles.ts'
import { UsageError } from '../usage-error.ts'
import { type ChangedFile, type FoldersRun, readFolders, runFolders } from './run-folders.ts'

interface RunOptions {
  readonly dryRun?: boolean
  readonly diff?: boolean
  readonly allowExec?: boolean
  readonly function?: readonly string[]
  readonly imagePrefix?: string
  readonly functionTimeout?: number
  readonly color?: boolean
}

const NOTES = `
Subpackages run before the package around them, mutators before validators, as in kpt. Every function is
matched with what runs it before the first one runs: a program of --function, a built-in function, the exec
of the Kptfile. A package whose functions fail is left as it is; the others are written.

Exit code: 0 done, or nothing to do; 1 an error; of --dry-run also 2, there are changes.

Examples:
  krm-variants run clusters/edge-01 clusters/edge-02
  krm-variants run shop --dry-run --diff
  krm-variants run shop --allow-exec --function gcr.io/kpt-fn/starlark=./starlark`

/** Adds `run [PACKAGE…]`: runs the pipelines of packages, as `kpt fn render` does, without containers. */
export function addRun(program: Command, host: Host, finish: (code: ExitCode) => void): void {
  program
    .command('run')
    .description('run the functions of packages, as kpt fn render does, without containers')
    .argument('[package...]', 'folders with a Kptfile', ['.'])
    .option('--dry-run', 'write nothing, show what would change')
    .option('--diff', 'print unified diffs too')
    .option('--allow-exec', 'run programs of this machine: those that a Kptfile names with exec, and those of --function')
    .option('--function <image=program>', 'a program that runs the functions of an image; may be repeated', collect)
    .option('--image-prefix <prefix>', 'where images without a slash are; default: KPT_IMAGE_PREFIX, else that of kpt')
    .option('--function-timeout <seconds>', 'how long one call of a program may take; default: 300', secondsOf)
    .option('--color', 'use colors, also when no terminal reads it')
    .option('--no-color', 'use no colors, as with NO_COLOR')
    .addHelpText('after', NOTES)
    .action(async (packages: readonly string[], options: RunOptions) => finish(await run(packages, options, host)))
}

function collect(value: string, known: readonly string[] = []): readonly string[] {
  return [...known, value]
}

function secondsOf(text: string): number {
  const seconds = Number(text)
  if (!/^\d+$/.test(text) || seconds < 1 || seconds > 86_400)
    throw new UsageError(`\`--function-timeout\` must be a number of seconds from 1 to 86400, got '${text}'`)
  return seconds
}

async function run(dirs: readonly string[], options: RunOptions, host: Host): Promise<ExitCode> {
  const styles = errorStylesFor(host, options)
  const programs = programsOf(options)
  const prefix = prefixOf(options, host)
  try {
    const folders = readFolders(dirs, host)
    const names = new Set(stepsOf(folders.packages).map(({ image }) => image.replace(/[:@].*$/s, '').replace(/^.*\//s, '')))
    const own = await Promise.all([...FUNCTIONS].filter(([name]) => names.has(name)).map(([name, load]) => builtin(name, load)))
    const builtins = [...own, ...CATALOG.map(catalogBuiltin)]
    const done = runFolders(folders, runnersOf({ builtins, programs, prefix }, options, host), {
      dryRun: options.dryRun === true,
      diff: options.diff === true,
    })
    host.warn(printResults(shownResults(done.results), styles))
    host.write(filesText(done.files, stylesFor(host, options)))
    host.warn(`Run: ${summarize(done)}\n`)
    if (done.failed > 0) return 1
    return options.dryRun === true && done.files.length > 0 ? 2 : 0
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error
    host.warn(printResults(error.results, styles))
    host.warn('Run: nothing, refused for errors\n')
    return 1
  }
}

/** The functions of this project, at every tag of their images: the tool and the images of a release are one source. */
async function builtin(name: string, load: () => Promise<Parameters<typeof evaluate>[0]>): Promise<BuiltinFunction> {
  const fn = await load()
  return { name, repositories: ['ghcr.io/krm-variants'], versions: [], run: () => (input) => evaluate(fn, input) }
}

/** A function of the catalog, at the versions whose answers ours gives. */
export function catalogBuiltin(fn: CatalogFunction): BuiltinFunction {
  return {
    name: fn.name,
    repositories: ['gcr.io/kpt-fn', DEFAULT_PREFIX],
    versions: fn.versions,
    run: (version) => (input) => evaluate(fn.at(version), input),
  }
}

interface Known {
  readonly builtins: readonly BuiltinFunction[]
  readonly programs: ReadonlyMap<string, readonly string[]>
  readonly prefix: string | undefined
}

function runnersOf({ builtins, programs, prefix }: Known, { allowExec = false, functionTimeout = 300 }: RunOptions, host: Host): Runners {
  const settings = { folder: host.locate('.'), environment: host.environment, seconds: functionTimeout }
  return { builtins, programs, allowExec, imagePrefix: prefix, program: (words) => programRunner(words, settings) }
}

/** @throws UsageError  for what is no `IMAGE=PROGRAM`, and without --allow-exec */
function programsOf({ function: given = [], allowExec = false }: RunOptions): ReadonlyMap<string, readonly string[]> {
  if (given.length > 0 && !allowExec) throw new UsageError('`--function` must come with --allow-exec: it runs a program of this machine')
  return new Map(
    given.map((text) => {
      const at = text.indexOf('=')
      const words = splitWords(text.slice(at + 1)) ?? []
      if (at < 1 || words.length === 0)
        throw new UsageError(`\`--function\` must be IMAGE=PROGRAM, such as gcr.io/kpt-fn/starlark=./starlark, got '${text}'`)
      return [text.slice(0, at), words] as const
    }),
  )
}

/** @throws UsageError  for a prefix that begins no image */
function prefixOf({ imagePrefix }: RunOptions, { environment }: Host): string | undefined {
  const prefix = imagePrefix ?? environment.KPT_IMAGE_PREFIX
  if (prefix === undefined || prefix === '') return undefined
  const fault = imageNameFault(prefix.replace(/\/+$/, ''))
  if (fault !== undefined) throw new UsageError(`\`--image-prefix\` ${fault}, got '${prefix}'`)
  return prefix
}

const SIGNS = { create: '+', update: '~', delete: '-' } as const

function filesText(files: readonly ChangedFile[], styles: Styles): string {
  const styleOf = { create: styles.added, update: styles.changed, delete: styles.removed }
  return files
    .map(({ op, path, diff }) => `${styleOf[op](`${SIGNS[op]} ${printable(path)}`)}\n${diff === undefined ? '' : styleDiff(diff, styles)}`)
    .join('')
}

function summarize({ files, packages, failed, functionsRun }: FoldersRun): string {
  const counted = (['create', 'update', 'delete'] as const).flatMap((op) => {
    const count = files.filter((file) => file.op === op).length
    return count === 0 ? [] : [`${countOf(count, 'file')} to ${op}`]
  })
  const changes = counted.length === 0 ? 'nothing to change' : counted.join(', ')
  return `${countOf(functionsRun, 'function')} in ${countOf(packages, 'package')}: ${changes}${failed === 0 ? '' : `; ${countOf(failed, 'package')} failed`}`
}
