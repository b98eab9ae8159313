import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { CATALOG, evaluateCatalogFunction } from '../../src/catalog/catalog.ts'
import type { CatalogFunction } from '../../src/catalog/catalog-function.ts'
import { answerDoc } from '../../src/doc/function-doc.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { FunctionError, type Result } from '../../src/result.ts'
import { evaluate, type KrmFunction, type Outcome } from '../../src/run.ts'
import { didYouMean } from '../../src/schema/nearest-name.ts'
import { loadFleetNow, namedFolder } from '../fleet/read-fleet.ts'
import { type FolderRun, runOnFolder, writeRun } from '../folder-run.ts'
import { inlineConfig, withFunctionConfig } from '../function-config.ts'
import { FUNCTIONS } from '../generated/registry.ts'
import type { ExitCode, Host } from '../host.ts'
import { insteadOfFn } from '../other-tools.ts'
import { placeFile } from '../print/print-results.ts'
import { UsageError } from '../usage-error.ts'
import { keepingKptfiles, resourcesOf } from './resources-only.ts'

interface FnOptions {
  readonly write?: boolean
  readonly allowExec?: boolean
  readonly help?: boolean
}

interface FnRequest extends FnOptions {
  /** The options of the function, KEY=VALUE. */
  readonly pairs: readonly string[]
}

const NAMES = [...FUNCTIONS.keys(), ...CATALOG.map(({ name }) => name)]

const EXAMPLE = `
With a folder: 0 done, or nothing to do; 1 an error; without --write also 2, there are changes.

Examples:
  kpt fn source examples/fleet | krm-variants fn fan-out | kpt fn sink /tmp/fleet
  krm-variants fn fan-out examples/fleet
  krm-variants fn set-namespace clusters/edge-01/shop -- namespace=shop
  krm-variants fn fan-out --help`

/** Adds `fn NAME [DIR]`: runs any function of this program, in a container, as a plug-in of Argo CD, or on a folder without kpt. */
export function addFn(program: Command, host: Host, finish: (code: ExitCode) => void): void {
  const command = program
    .command('fn')
    .description('run a function: a ResourceList on stdin, one on stdout; or on a folder, as kpt would')
    .argument('[name]', `one of ${NAMES.join(', ')}`)
    .argument('[dir]', 'the folder to run it on; without one, or with -, a ResourceList is read on stdin')
    .argument('[values...]', 'with a folder, behind --: KEY=VALUE, the options of the function, instead of those of the Kptfile')
    .option('--allow-exec', 'allow render-variants to run programs of this machine: those of its `functions`, and the exec of Kptfiles')
    .option('--write', 'write the files of the folder that change, instead of listing them')
    .helpOption(false)
    .option('-h, --help', 'display help of the function, without a name of this command')
    .addHelpText('after', EXAMPLE)
    .action(async (name: string | undefined, first: string | undefined, others: readonly string[], options: FnOptions) => {
      const { dir, pairs } = folderAndPairs(first, others, host)
      if (name === undefined && options.help === true) command.outputHelp()
      else finish(await fn(name, dir, { ...options, pairs }, host))
    })
}

/** Returns the folder and the options of the words behind a name: the first word is an option, KEY=VALUE, if no such folder is there. */
function folderAndPairs(first: string | undefined, others: readonly string[], host: Host) {
  const isPair = first?.includes('=') === true && !existsSync(host.locate(first))
  return isPair ? { dir: undefined, pairs: [first, ...others] } : { dir: first, pairs: others }
}

/** Runs a function on stdin or on a folder, or prints the function's help. @throws UsageError when no function has the name */
async function fn(
  name: string | undefined,
  dir: string | undefined,
  { write = false, allowExec = false, help = false, pairs }: FnRequest,
  host: Host,
): Promise<ExitCode> {
  const builtIn = CATALOG.find((each) => each.name === name)
  const load = FUNCTIONS.get(name ?? '') ?? (builtIn && (async () => builtIn.at(newestOf(builtIn))))
  const readsAll = builtIn === undefined
  if (name === undefined || load === undefined) throw unknownFunction(name)
  if (help) return showHelp(name, host)
  if (write && (dir === undefined || dir === '-'))
    throw new UsageError('`--write` must come with a folder: krm-variants fn NAME DIR --write')
  const config = configOfPairs(pairs, dir)
  const run = name === RENDER_VARIANTS && allowExec ? await renderingWithPrograms(host) : await load()
  if (dir !== undefined && dir !== '-')
    return runAndTell(name, readsAll ? run : keepingKptfiles(run), { dir, write, config, readsAll }, host)
  return runOnStdin(
    name,
    (input) => (builtIn === undefined ? evaluate(run, input) : evaluateCatalogFunction(builtIn, newestOf(builtIn), input)),
    host,
  )
}

/**
 * Returns the ConfigMap that `kpt fn eval` makes from the words behind `--`; undefined without words.
 *
 * @throws UsageError for a word that is no KEY=VALUE, for a key that is given twice, and for words without a folder: a list on stdin has
 * a functionConfig
 */
function configOfPairs(pairs: readonly string[], dir: string | undefined): KrmObject | undefined {
  if (pairs.length === 0) return undefined
  if (dir === undefined || dir === '-')
    throw new UsageError(`\`${pairs[0]}\` must come with a folder: krm-variants fn NAME DIR -- KEY=VALUE`)
  const data = new Map<string, string>()
  for (const pair of pairs) {
    const at = pair.indexOf('=')
    if (at < 1) throw new UsageError(`'${pair}' must be KEY=VALUE, an option of the function`)
    const key = pair.slice(0, at)
    if (data.has(key)) throw new UsageError(`'${key}' must be given once, got it twice`)
    data.set(key, pair.slice(at + 1))
  }
  return inlineConfig(Object.fromEntries(data))
}

function newestOf({ versions }: CatalogFunction): string {
  return versions[0] ?? ''
}

const RENDER_VARIANTS = 'render-variants'

/** Returns render-variants for a caller who allows programs. */
async function renderingWithPrograms(host: Host): Promise<KrmFunction> {
  const { renderVariantsFor } = await import('../../functions/render-variants/render-variants.ts')
  return renderVariantsFor({ allowExec: true, folder: host.locate('.'), environment: host.environment })
}

function unknownFunction(name: string | undefined): UsageError {
  const known = `the functions are ${NAMES.join(', ')}`
  return new UsageError(
    name === undefined
      ? `a function must be named; ${known}`
      : `no function '${name}'${insteadOfFn(name) || `; ${known}${didYouMean(name, NAMES)}`}`,
  )
}

/** Prints the `--help` of the function's own program. */
async function showHelp(name: string, host: Host): Promise<ExitCode> {
  const { DOCS } = await import('../generated/docs.ts')
  const doc = DOCS.get(name)
  if (doc !== undefined) host.write(answerDoc(['--help'], doc, host.version) ?? '')
  return 0
}

async function runOnStdin(name: string, evaluateText: (input: string) => Outcome, host: Host): Promise<ExitCode> {
  const input = await host.read()
  if (input.trim() === '')
    throw new UsageError(`expected a ResourceList on stdin, found nothing; krm-variants fn ${name} DIR reads a folder`)
  const { stdout, stderr, exitCode } = evaluateText(input)
  host.warn(stderr)
  host.writeData(stdout)
  return exitCode
}

interface FolderRequest {
  readonly dir: string
  readonly write: boolean
  readonly config: KrmObject | undefined
  /** False for a function of the catalog, which edits every object that it gets: it gets resources alone. */
  readonly readsAll: boolean
}

/** Runs a function on a folder and prints the changed files, with `write` also writes them. With an error nothing changes. */
function runAndTell(name: string, run: KrmFunction, { dir, write, config, readsAll }: FolderRequest, host: Host): Promise<ExitCode> {
  const command = { title: name, dir, options: { dryRun: !write, format: 'text' }, shown: (results: readonly Result[]) => results } as const
  const onFolder = (shown: string, inside: Pick<Host, 'locate'>): FolderRun => {
    const loaded = loadFleetNow(shown, inside)
    const read = readsAll ? loaded : resourcesOf(loaded)
    const list = withFunctionConfig(read.list.withConfig(config), name, shown)
    return runOnFolder(run, { dir: shown, read, list, diff: false }, inside)
  }
  const runNow = (notes: string[]): FolderRun => {
    const done = readsAll ? onFolder(dir, host) : asPackage(dir, host, (inside) => onFolder('.', inside))
    if (!write && done.changes.length > 0) notes.push('nothing is written without --write')
    return done
  }
  return writeRun(command, runNow, host)
}

/**
 * Runs a function of the catalog on a folder as kpt does: the paths of the files are those in the folder, as `by-file-path` of
 * search-replace and the root Kptfile of list-setters mean them. Findings and changes name the files as the caller sees them.
 *
 * @param run  runs the function on the folder `.` of the places that it gets
 * @throws FunctionError with the findings of the run
 * @throws as `namedFolder`
 */
function asPackage(dir: string, host: Pick<Host, 'locate'>, run: (inside: Pick<Host, 'locate'>) => FolderRun): FolderRun {
  const placed = (results: readonly Result[]) =>
    results.map((result) => (result.file ? { ...result, file: { ...result.file, path: placeFile(result.file.path, dir) } } : result))
  const { disk } = namedFolder(dir, host)
  try {
    const done = run({ locate: (path) => join(disk, path) })
    const files = done.files.map((file) => ({ ...file, path: placeFile(file.path, dir) }))
    return { ...done, files, results: placed(done.results) }
  } catch (error) {
    if (error instanceof FunctionError) throw new FunctionError(placed(error.results))
    throw error
  }
}
