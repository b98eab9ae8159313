import { mkdirSync } from 'node:fs'
import { posix } from 'node:path'
import type { Command } from 'commander'
import { writeFiles } from '../src/package/write-files.ts'
import { didYouMean } from '../src/schema/nearest-name.ts'
import { publishSchema } from '../src/schema/publish-schema.ts'
import type { Schema } from '../src/schema/schema.ts'
import { SCHEMAS } from './generated/registry.ts'
import type { ExitCode, Host } from './host.ts'
import { printJson } from './print/print-value.ts'
import { systemFault } from './system-fault.ts'
import { UsageError } from './usage-error.ts'

const BY_KIND: ReadonlyMap<string, Schema> = new Map(SCHEMAS.map((schema) => [schema.title ?? '', schema]))

const EXAMPLES = `
Examples:
  krm-variants schema PackageVariantSet
  krm-variants schema --write .schemas`

/** `schema [KIND]`: the JSON Schemas, for editors and for checks in other tools. */
export function addSchema(program: Command, host: Host, finish: (code: ExitCode) => void): void {
  program
    .command('schema')
    .description('print the JSON Schema of a kind, or a list of all')
    .argument('[kind]', `one of ${[...BY_KIND.keys()].join(', ')}`)
    .option('--write <dir>', 'write a file for each kind there instead, and say how an editor finds it')
    .addHelpText('after', EXAMPLES)
    .action((kind: string | undefined, { write }: { readonly write?: string }) => {
      const schemas = kind === undefined ? SCHEMAS : [findSchema(kind)]
      if (write === undefined)
        host.write(`${printJson(kind === undefined ? schemas.map(publishSchema) : publishSchema(findSchema(kind)), 2)}\n`)
      else writeSchemas(schemas, write, host)
      finish(0)
    })
}

/** @throws UsageError when there is no such kind */
function findSchema(kind: string): Schema {
  const schema = BY_KIND.get(kind)
  if (schema === undefined) {
    const kinds = [...BY_KIND.keys()]
    throw new UsageError(`no schema of kind '${kind}'; the kinds are ${kinds.join(', ')}${didYouMean(kind, kinds)}`)
  }
  return schema
}

/** @throws UsageError when the operating system refuses to write there */
function writeSchemas(schemas: readonly Schema[], dir: string, host: Host): void {
  const files = schemas.map((schema) => ({ name: posix.basename(schema.$id ?? ''), text: `${printJson(publishSchema(schema), 2)}\n` }))
  try {
    const folder = host.locate(dir)
    mkdirSync(folder, { recursive: true })
    writeFiles(
      folder,
      files.map(({ name, text }) => ({ path: name, op: 'update', text })),
    )
  } catch (error) {
    const fault = systemFault(error)
    throw fault === undefined ? error : new UsageError(`cannot write to the folder '${dir}': ${fault}`)
  }
  host.warn('The first line of a YAML file tells an editor which schema it has; the path is relative to that file:\n')
  for (const { name } of files) host.warn(`  # yaml-language-server: $schema=${posix.join(dir, name)}\n`)
}
