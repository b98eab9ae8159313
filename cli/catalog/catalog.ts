import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import type { Command } from 'commander'
import { addToCatalog, type CatalogChange } from '../../src/dependencies/config/add-to-catalog.ts'
import { catalogFaults } from '../../src/dependencies/config/catalogs.ts'
import { toDNSLabel } from '../../src/dependencies/crossplane/reference.ts'
import { type CatalogEntry, isCatalog } from '../../src/dependencies/reading/catalog.ts'
import { readBoundedFile } from '../../src/package/bounded-file.ts'
import { type FileChange, fileChanges } from '../../src/package/file-changes.ts'
import type { FolderPackage } from '../../src/package/package.ts'
import { readPackageFile } from '../../src/package/read-package.ts'
import { writeFiles } from '../../src/package/write-files.ts'
import { printable, printableText } from '../../src/printable.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { ResourceList } from '../../src/resource-list/resource-list.ts'
import { FunctionError, hasErrors, type Result } from '../../src/result.ts'
import { faultToResult } from '../../src/schema/fault.ts'
import { countOf } from '../../src/wording.ts'
import type { ExitCode, Host } from '../host.ts'
import { diffFiles } from '../print/file-diff.ts'
import { printResults } from '../print/print-results.ts'
import { errorStylesFor, type Styles, stylesFor } from '../print/styles.ts'
import { refuseUnwritable } from '../refuse-unwritable.ts'
import { UsageError } from '../usage-error.ts'
import { type CatalogSource, readSource } from './catalog-sources.ts'

interface AddOptions {
  readonly into: string
  readonly dryRun?: boolean
  readonly diff?: boolean
  readonly color?: boolean
}

const NOTES = `
A SOURCE is an .xpkg or another archive of an image (docker save, or the layout of OCI), a folder with that layout, a folder with the
package.yaml of an image, the folder that a package is built from, with its crossplane.yaml, or a repository folder of Glasskube
(NAME/versions.yaml, NAME/VERSION/package.yaml). Nothing is unpacked to disk.

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
    .option('--color', 'use colors, also when no terminal reads it')
    .option('--no-color', 'use no colors, as with NO_COLOR')
    .addHelpText('after', NOTES)
    .action((sources: readonly string[], options: AddOptions) => finish(add(sources, options, host)))
}

/** A version that was read, and what became of it. */
interface Added {
  readonly entry: CatalogEntry
  readonly change: CatalogChange
}

function add(sources: readonly string[], options: AddOptions, host: Host): ExitCode {
  const warnings: Result[] = []
  const found = readAll(
    sources.map((source) => parseSource(source, host)),
    warnings,
  )
  const { read, catalog } = openCatalog(options.into, host)
  const added = addAll(catalog, found)
  const changes = added.every(({ change }) => change === 'same') ? [] : fileChanges(read)
  const folder = host.locate(posix.dirname(options.into))
  const inFolder = changes.map((change) => ({ ...change, path: posix.basename(change.path) }))
  const unwritable = refuseUnwritable(folder, inFolder, () => options.into)
  if (unwritable.length > 0) throw new FunctionError(unwritable)
  const before = existsSync(host.locate(options.into)) ? readBoundedFile(host.locate(options.into)) : new Uint8Array()
  if (options.dryRun !== true) writeFiles(folder, inFolder)
  host.warn(printResults([...warnings, ...read.results], errorStylesFor(host, options)))
  host.write(addedText(added, changes, before, options, stylesFor(host, options)))
  host.warn(`Catalog: ${summary(added)}; read ${countOf(sources.length, 'source')}\n`)
  return options.dryRun === true && changes.length > 0 ? 2 : 0
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
  const entries = sources.flatMap((source) => faultsOf(faults, () => readSource(source, warnings)) ?? [])
  if (faults.length > 0) throw new FunctionError([...warnings, ...faults])
  return entries
}

/** Runs an action; the faults of a FunctionError are added to a list. */
function faultsOf<Made>(faults: Result[], act: () => Made): Made | undefined {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error
    faults.push(...error.results)
    return undefined
  }
}

function addAll(catalog: KrmObject, entries: readonly CatalogEntry[]): readonly Added[] {
  const faults: Result[] = []
  const added = entries.flatMap((entry) => {
    const change = faultsOf(faults, () => addToCatalog(catalog, entry))
    return change === undefined ? [] : [{ entry, change }]
  })
  if (faults.length > 0) throw new FunctionError(faults)
  return added
}

/** A file with a Catalog, as it is edited. */
interface CatalogFile {
  readonly read: FolderPackage
  readonly catalog: KrmObject
}

/**
 * Returns the Catalog of a file, and a new one for a file that is missing.
 *
 * @throws FunctionError for a file that cannot be read or holds no Catalog or several, and with the faults of the Catalog
 */
function openCatalog(path: string, host: Host): CatalogFile {
  const place = host.locate(path)
  if (!existsSync(place)) return newCatalog(path)
  const { file, results } = readPackageFile(path, readBoundedFile(place, `'${path}'`))
  if (file === undefined || hasErrors(results)) throw new FunctionError(results)
  const objects = file.documents.flatMap(({ object }) => object ?? [])
  const [catalog, ...others] = objects.filter(isCatalog)
  if (catalog === undefined) throw new FunctionError([noCatalog(path)])
  if (others.length > 0) throw new FunctionError(others.map(secondCatalog))
  const faults = catalogFaults(catalog)
  if (hasErrors(faults)) throw new FunctionError(faults)
  return { read: { files: [file], list: ResourceList.of(objects), results }, catalog }
}

const NEW_CATALOG = `apiVersion: fn.krm-variants.dev/v1alpha1
kind: Catalog
metadata:
  name: catalog
  annotations:
    config.kubernetes.io/local-config: "true"
spec:
  packages: []
`

/** Returns a Catalog for a file that is to be made. The Catalog has the name of the file. */
function newCatalog(path: string): CatalogFile {
  const catalog = KrmObject.fromDocument(NEW_CATALOG, { path, index: 0, line: 1 })
  catalog.set(['metadata', 'name'], toDNSLabel(posix.basename(path).replace(/\.[^.]*$/, '')) || 'catalog')
  return { read: { files: [], list: ResourceList.of([catalog]), results: [] }, catalog }
}

function noCatalog(path: string): Result {
  const message = 'must hold a Catalog of fn.krm-variants.dev/v1alpha1, holds none; name another file with --into, a missing file is made'
  return { severity: 'error', message, file: { path, index: 0 }, tags: { rule: 'catalog-file' } }
}

function secondCatalog(object: KrmObject): Result {
  const message = 'must be Catalog once in the file that --into names'
  return faultToResult(object, { severity: 'error', rule: 'catalog-file', path: ['kind'], message })
}

const SIGNS = { add: '+', change: '~', same: '=' } as const

function addedText(
  added: readonly Added[],
  changes: readonly FileChange[],
  before: Uint8Array,
  { into, diff }: AddOptions,
  styles: Styles,
): string {
  const style = { add: styles.added, change: styles.changed, same: styles.faint }
  const lines = added.map(({ entry, change }) => `    ${style[change](`${SIGNS[change]} ${printable(describe(entry))}`)}\n`)
  const [written] = changes
  const sign = written === undefined ? '=' : written.op === 'create' ? '+' : '~'
  const hunks = written === undefined || diff !== true ? '' : diffOf(before, written, into)
  return `${sign} ${printable(into)}\n${lines.join('')}${hunks}`
}

function diffOf(before: Uint8Array, { op, text }: FileChange, path: string): string {
  const name = printable(path)
  const hunks = diffFiles(before, Buffer.from(text))?.hunks ?? ''
  return `--- ${op === 'create' ? '/dev/null' : `a/${name}`}\n+++ b/${name}\n${printableText(hunks)}`
}

/** Returns an entry in words: `xpkg.example.org/acme/nop v0.2.1: digest not known, 2 dependencies, 3 objects`. */
function describe({ ecosystem, id, version, fields }: CatalogEntry): string {
  const { digest, dependencies, components, brings } = fields
  const counts = [
    ...(Array.isArray(dependencies) ? [dependencies.length === 1 ? '1 dependency' : `${dependencies.length} dependencies`] : []),
    ...(Array.isArray(brings) ? [countOf(brings.length, 'object')] : []),
  ]
  if (ecosystem === 'glasskube') {
    const more = Array.isArray(components) ? [countOf(components.length, 'component')] : []
    return `${`${id} ${version}`.trim()}: ${counts.length === 0 ? 'dependencies not known' : [...counts, ...more].join(', ')}`
  }
  return `${id} ${version}: ${[typeof digest === 'string' ? digest.slice(0, 'sha256:'.length + 12) : 'digest not known', ...counts].join(', ')}`
}

function summary(added: readonly Added[]): string {
  const counted = (['add', 'change'] as const).flatMap((op) => {
    const count = added.filter(({ change }) => change === op).length
    return count === 0 ? [] : [`${countOf(count, 'version')} to ${op}`]
  })
  return counted.length === 0 ? 'nothing to do' : counted.join(', ')
}
