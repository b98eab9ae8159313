import { posix, relative } from 'node:path'
import type { Command } from 'commander'
import { makeFolder } from '../../src/folder/make-folder.ts'
import { writeFiles } from '../../src/folder/write-files.ts'
import { printable } from '../../src/printable.ts'
import { FunctionError } from '../../src/result.ts'
import { didYouMean } from '../../src/schema/nearest-name.ts'
import { publishSchema } from '../../src/schema/publish-schema.ts'
import type { Schema } from '../../src/schema/schema.ts'
import { loadFleetNow, requireFolder } from '../fleet/read-fleet.ts'
import { SCHEMAS } from '../generated/schemas.ts'
import { holdingFolders } from '../hold-folders.ts'
import type { ExitCode, Host } from '../host.ts'
import { pathIn, placeFile, printResults } from '../print/print-results.ts'
import { printJson } from '../print/print-value.ts'
import { errorStylesFor } from '../print/styles.ts'
import { refuseUnwritable } from '../refuse-unwritable.ts'
import { UsageError, writingTo } from '../usage-error.ts'
import { type Modeline, modeline, planModelines, schemaFile } from './modelines.ts'

const BY_KIND: ReadonlyMap<string, Schema> = new Map(SCHEMAS.map((schema) => [schema.title ?? '', schema]))

const EXAMPLES = `
Examples:
  krm-variants schema PackageVariantSet
  krm-variants schema --write .schemas
  krm-variants schema --write .schemas --into fleet`

interface SchemaOptions {
  readonly write?: string
  readonly into?: string
}

/** Adds `schema [KIND]`: prints the JSON Schemas, for editors and for checks in other tools. */
export function addSchema(program: Command, host: Host, finish: (code: ExitCode) => void): void {
  program
    .command('schema')
    .description('print the JSON Schema of a kind, or a list of all')
    .argument('[kind]', `one of ${[...BY_KIND.keys()].join(', ')}`)
    .option('--write <dir>', 'write a file for each kind there instead, and say how an editor finds it')
    .option('--into <folder>', 'with --write, put the line that names its schema into every file of the folder that holds one kind')
    .addHelpText('after', EXAMPLES)
    .action(async (kind: string | undefined, options: SchemaOptions) => {
      const dirs = [options.write ?? [], options.into ?? []].flat()
      await holdingFolders({ dirs, isWriting: options.write !== undefined }, host, () => showSchemas(kind, options, host))
      finish(0)
    })
}

/**
 * @throws UsageError for what cannot be asked, and when the operating system refuses to write; FunctionError with files that cannot be read
 */
function showSchemas(kind: string | undefined, { write, into }: SchemaOptions, host: Host): void {
  const schemas = kind === undefined ? SCHEMAS : [findSchema(kind)]
  if (write !== undefined && into !== undefined) writeIntoFiles(schemas, write, into, host)
  else if (write !== undefined) writeAndTell(schemas, write, host)
  else if (into !== undefined) throw new UsageError('`--into` must come with `--write`, the folder of the schemas that the line names')
  else host.write(`${printJson(kind === undefined ? schemas.map(publishSchema) : publishSchema(findSchema(kind)), 2)}\n`)
}

/** Returns the schema of a kind. @throws UsageError when no schema has the kind */
function findSchema(kind: string): Schema {
  const schema = BY_KIND.get(kind)
  if (schema === undefined) {
    const kinds = [...BY_KIND.keys()]
    throw new UsageError(`no schema of kind '${kind}'; the kinds are ${kinds.join(', ')}${didYouMean(kind, kinds)}`)
  }
  return schema
}

function writeAndTell(schemas: readonly Schema[], dir: string, host: Host): void {
  writeSchemas(schemas, dir, host)
  host.warn('The first line of a YAML file names the schema of the file for editors; the path is relative to that file:\n')
  for (const schema of schemas) host.warn(`  ${modeline(posix.join(dir, schemaFile(schema)))}\n`)
}

/** Writes schemas and modelines. All files are read before the first is written. */
function writeIntoFiles(schemas: readonly Schema[], dir: string, into: string, host: Host): void {
  const folder = requireFolder(into, host)
  const { files, results } = loadFleetNow(into, host)
  const inFolder = files.map((file) => ({ ...file, path: pathIn(into, file.path) }))
  const planned = planModelines(inFolder, { schemas, folder: slashed(relative(folder, host.locate(dir))) })
  const changes = planned.flatMap((each) =>
    each.does === 'write' ? [{ path: each.path, op: 'update' as const, text: each.text, before: each.before }] : [],
  )
  const unwritable = refuseUnwritable(folder, changes, (path) => placeFile(path, into))
  if (unwritable.length > 0) throw new FunctionError(unwritable)
  host.warn(printResults(results, errorStylesFor(host, {})))
  writeSchemas(schemas, dir, host)
  writingTo(into, () => writeFiles(folder, changes))
  tellModelines(planned, into, host)
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/')
}

function tellModelines(planned: readonly Modeline[], into: string, host: Host): void {
  for (const each of planned) {
    if (each.does === 'write') host.write(`~ ${printable(`${placeFile(each.path, into)}: ${each.line}`)}\n`)
    if (each.does === 'leave') host.warn(`${printable(`${placeFile(each.path, into)}: left as it is: ${each.why}`)}\n`)
  }
  const count = (does: Modeline['does']) => planned.filter((each) => each.does === does).length
  host.warn(`schema: ${count('write')} written, ${count('keep')} as they should be, ${count('leave')} left\n`)
}

/** @throws UsageError when the operating system refuses to write there */
function writeSchemas(schemas: readonly Schema[], dir: string, host: Host): void {
  const files = schemas.map(
    (schema) => ({ path: schemaFile(schema), op: 'update', text: `${printJson(publishSchema(schema), 2)}\n` }) as const,
  )
  writingTo(dir, () => {
    const folder = host.locate(dir)
    makeFolder(folder)
    writeFiles(folder, files)
  })
}
