import { posix } from 'node:path'
import { type Command, Option } from 'commander'
import type { CatalogEntry } from '../../src/dependencies/reading/catalog.ts'
import { fileChanges } from '../../src/folder/file-changes.ts'
import { writeFiles } from '../../src/folder/write-files.ts'
import { collectFaults, FunctionError, type Result } from '../../src/result.ts'
import { countOf } from '../../src/wording.ts'
import { holdingFolders } from '../hold-folders.ts'
import type { ExitCode, Host } from '../host.ts'
import { unifiedChange } from '../print/file-diff.ts'
import { printResults } from '../print/print-results.ts'
import { errorStylesFor, stylesFor } from '../print/styles.ts'
import { refuseUnwritable } from '../refuse-unwritable.ts'
import { UsageError } from '../usage-error.ts'
import { addVersions, openCatalog } from './catalog-file.ts'
import { type CatalogSource, readSource } from './catalog-sources.ts'
import { type CatalogView, catalogJson, catalogText, summarizeCatalog } from './catalog-text.ts'

interface AddOptions {
  readonly into: string
  readonly dryRun?: boolean
  readonly diff?: boolean
  readonly format: Format
  readonly color?: boolean
}

type Format = keyof typeof PRINTERS

const PRINTERS = { text: catalogText, json: catalogJson } as const

const NOTES = `
A SOURCE is an .xpkg or another archive of an image (docker save, or the layout of OCI), a folder with that layout, a folder with the
package.yaml of an image, the folder that a package is built from, with its crossplane.yaml or upbound.yaml, a repository folder of Glasskube
(NAME/versions.yaml, NAME/VERSION/package.yaml), a package repository of Carvel, with its folder packages, or a bundle of imgpkg
as an archive. Nothing is unpacked to disk.

REFERENCE is what installs the version, REGISTRY/PATH:TAG. It may be left out where the image has such a name, or the package the annotation
krm-variants.dev/package. The digest is read where the image has one: not in docker save, whose digest is made at the push; write
REGISTRY/PATH:TAG@sha256:… then. For a repository folder it is the name of the repository.

Exit code: 0 done, or nothing to do; 1 an error and nothing was written; of --dry-run also 2, there are changes.

Examples:
  krm-variants catalog add xpkg.example.org/acme/provider-nop:v0.2.1=provider-nop.xpkg
  krm-variants catalog add --into clusters/edge/catalog.yaml --dry-run --diff platform=dist/platform`

/** Adds `catalog add SOURCE…`: writes versions of packages into a Catalog, with what their contents say. */
export function addCatalog(program: Command, host: Host, finish: (code: ExitCode) => void): void {
  const catalog = program.command('catalog').description('list in a Catalog what packages hold')
  catalog
    .command('add')
    .description('add versions of packages to a Catalog: their digests, dependencies, and the kinds and objects that they bring')
    .argument('<source...>', 'an image or folder with a package, [REFERENCE=]PATH')
    .option('--into <file>', 'the file with the Catalog, which is made if it is missing', 'catalog.yaml')
    .option('--dry-run', 'write nothing, show what would be done')
    .option('--diff', 'print a unified diff too')
    .addOption(new Option('--format <format>', 'how to print it').choices(Object.keys(PRINTERS)).default('text'))
    .option('--color', 'use colors, also when no terminal reads it')
    .option('--no-color', 'use no colors, as with NO_COLOR')
    .addHelpText('after', NOTES)
    .action(async (sources: readonly string[], options: AddOptions) => finish(await add(sources, options, host)))
}

/** Adds the versions of the sources to the Catalog. A refusal is printed in the format that was asked for. */
async function add(sources: readonly string[], options: AddOptions, host: Host): Promise<ExitCode> {
  const warnings: Result[] = []
  try {
    const held = { dirs: [posix.dirname(options.into)], isWriting: options.dryRun !== true }
    const view = await holdingFolders(held, host, () => addSources(sources, options, warnings, host))
    host.write(PRINTERS[options.format](view, stylesFor(host, options)))
    host.warn(`Catalog: ${summarizeCatalog(view, options.dryRun !== true)}; read ${countOf(sources.length, 'source')}\n`)
    return options.dryRun === true && view.op !== 'keep' ? 2 : 0
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error
    host.warn(printResults(error.results, errorStylesFor(host, options)))
    const refused = { file: options.into, op: 'keep', isWritten: false, versions: [], results: error.results } as const
    if (options.format === 'json') host.write(catalogJson(refused))
    return 1
  }
}

/**
 * Reads the sources, adds their versions to the Catalog, prints the findings and writes the file, unless `--dry-run` is given.
 *
 * @param warnings  gets the warnings about the sources
 * @throws FunctionError with the faults of all sources, of the Catalog, or of a file that must not be written
 */
function addSources(sources: readonly string[], options: AddOptions, warnings: Result[], host: Host): CatalogView {
  const { into, dryRun, diff } = options
  const found = readAll(
    sources.map((source) => parseSource(source, host)),
    warnings,
  )
  const { read, catalog } = openCatalog(into, host)
  const versions = addVersions(catalog, found)
  const changes = versions.every(({ change }) => change === 'same') ? [] : fileChanges(read)
  const folder = host.locate(posix.dirname(into))
  const inFolder = changes.map((change) => ({ ...change, path: posix.basename(change.path) }))
  const unwritable = refuseUnwritable(folder, inFolder, () => into)
  if (unwritable.length > 0) throw new FunctionError(unwritable)
  const [written] = changes
  const results = [...warnings, ...read.results]
  host.warn(printResults(results, errorStylesFor(host, options)))
  if (dryRun !== true) writeFiles(folder, inFolder)
  return {
    file: into,
    op: written === undefined ? 'keep' : written.op === 'create' ? 'create' : 'update',
    isWritten: written !== undefined && dryRun !== true,
    versions,
    ...(written !== undefined && diff === true && { diff: unifiedChange(written, into) }),
    results,
  }
}

/** Takes `REFERENCE=PATH` apart. A path with `=` is written `./a=b`. */
function parseSource(source: string, host: Host): CatalogSource {
  const equals = source.indexOf('=')
  const before = source.slice(0, Math.max(0, equals))
  const isReference = before !== '' && !before.startsWith('.') && !before.startsWith('/')
  const name = isReference ? source.slice(equals + 1) : source
  if (name === '') throw new UsageError(`a source must be [REFERENCE=]PATH, got '${source}'`)
  return { place: host.locate(name), name, reference: isReference ? before : '' }
}

/** Returns the versions of all sources, and adds warnings to a list. @throws FunctionError with the faults of all sources */
function readAll(sources: readonly CatalogSource[], warnings: Result[]): readonly CatalogEntry[] {
  const faults: Result[] = []
  const entries = sources.flatMap((source) => collectFaults(faults, () => readSource(source, warnings)) ?? [])
  if (faults.length > 0) throw new FunctionError([...warnings, ...faults])
  return entries
}
