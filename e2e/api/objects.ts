import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Alias, Document, isMap, isSeq, type Node, parseAllDocuments, visit, type YAMLMap } from 'yaml'
import { recordRun } from '../../testdata/cli/recorded-run.ts'
import { readGoldenCase } from '../../testdata/golden-case.ts'
import { findGoldenFolders } from '../../testdata/golden-folders.ts'
import { ROOT } from '../run-program.ts'

/** An object that is applied, and where it is from: `fan-out/matrix`, `examples/fleet/sets/tills.yaml`, `render examples/fleet`. */
export interface FoundObject {
  readonly from: string
  readonly apiVersion: string
  readonly kind: string
  readonly namespace?: string
  readonly name: string
  /** The YAML that is sent. */
  readonly text: string
}

/** The objects in the outputs of golden cases that succeed. */
export function objectsOfGoldenCases(): readonly FoundObject[] {
  return findGoldenFolders().flatMap(({ functionName, caseName, folder }) => {
    const { exitCode, expectedFile } = readGoldenCase(folder)
    return exitCode === 0 ? objectsIn(readFileSync(expectedFile, 'utf8'), `${functionName}/${caseName}`) : []
  })
}

/** The objects in the files of the examples. */
export function objectsOfExamples(): readonly FoundObject[] {
  return yamlFilesIn(join(ROOT, 'examples')).flatMap(([path, text]) => objectsIn(text, `examples/${path}`))
}

/** Commands that write, each in a copy of a folder of the repository. What `check --fix` cannot fix stays an error. */
const WRITING_COMMANDS: readonly { readonly args: readonly string[]; readonly folder: string; readonly exitCode?: number }[] = [
  { args: ['fn', 'fan-out', '.', '--write'], folder: 'examples/fleet' },
  { args: ['fn', 'fan-out', '.', '--write'], folder: 'examples/matrix/fleet' },
  { args: ['render', 'fleet', '--allow-outside', '--out', 'clusters'], folder: 'examples' },
  { args: ['run', '.'], folder: 'testdata/cli/run-builtin/input/shop' },
  { args: ['outdated', '.', '--write'], folder: 'testdata/cli/outdated/input' },
  { args: ['check', '.', '--fix', '--target', 'porch'], folder: 'testdata/cli/check-target-porch/input', exitCode: 1 },
  { args: ['resolve', '.'], folder: 'testdata/cli/resolve-dry-run/input' },
  ...['examples/sync/fleet', 'examples/fleet', 'examples/matrix/fleet'].flatMap((folder) =>
    ['flux', 'argocd', 'config-sync'].map((system) => ({ args: ['sync', '.', '--for', system], folder })),
  ),
  { args: ['adopt', '--from-cluster', 'cluster/sets.yaml', 'fleet'], folder: 'testdata/cli/adopt-dry-run/input' },
]

/** The objects in the files that commands write. Throws for a command that fails, or writes nothing. */
export async function objectsOfCommands(): Promise<readonly FoundObject[]> {
  const written = await Promise.all(WRITING_COMMANDS.map(({ args, folder, exitCode = 0 }) => objectsOfCommand(args, folder, exitCode)))
  return written.flat()
}

async function objectsOfCommand(args: readonly string[], folder: string, expected: number): Promise<readonly FoundObject[]> {
  const copy = mkdtempSync(join(tmpdir(), 'krm-variants-written-'))
  try {
    cpSync(join(ROOT, folder), copy, { recursive: true })
    const before = new Map(yamlFilesIn(copy))
    const { exitCode, both } = await recordRun(copy, args)
    const written = yamlFilesIn(copy).filter(([path, text]) => before.get(path) !== text)
    const from = `${args.filter((arg) => arg !== '.').join(' ')} in ${folder}`
    if (exitCode !== expected || written.length === 0)
      throw new Error(`${from}: exit code ${exitCode}, ${written.length} files written\n${both}`)
    return written.flatMap(([, text]) => objectsIn(text, from))
  } finally {
    rmSync(copy, { recursive: true })
  }
}

/** Returns the files below a folder that kpt reads as resources, with their paths in the folder. */
function yamlFilesIn(folder: string): readonly (readonly [string, string])[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).filter((path) => /\.ya?ml$|\/Kptfile$/.test(path))
  return paths
    .filter((path) => !path.includes('/node_modules/'))
    .sort()
    .map((path): [string, string] => [path.slice(folder.length + 1), readFileSync(path, 'utf8')])
}

/** The fields that an API server writes itself: objects that were read from a cluster have them, and applied again they must not. */
const WRITTEN_BY_SERVER = ['uid', 'resourceVersion', 'generation', 'creationTimestamp', 'managedFields', 'selfLink']

/** Returns the objects in a text: those of each document, and the items of a ResourceList. */
function objectsIn(text: string, from: string): readonly FoundObject[] {
  return parseAllDocuments(text).flatMap((document) => {
    if (document.errors.length > 0) throw new Error(`${from}: ${document.errors[0]?.message}`)
    const items = document.get('kind') === 'ResourceList' ? document.get('items') : undefined
    return (isSeq(items) ? items.items : [document.contents]).flatMap((node) => objectsOfNode(document, node, from))
  })
}

function objectsOfNode(document: Document.Parsed, node: unknown, from: string): readonly FoundObject[] {
  if (!isMap(node)) return []
  const value = node.toJS(document)
  const { apiVersion, kind, metadata } = value
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || typeof metadata?.name !== 'string') return []
  const namespace = typeof metadata.namespace === 'string' ? { namespace: metadata.namespace } : {}
  return [{ from, apiVersion, kind, ...namespace, name: metadata.name, text: textOf(node, value) }]
}

/** Returns the text of an object as a person applies it. Plain scalars keep their form, so that the server reads them in its own way. */
function textOf(node: YAMLMap, value: unknown): string {
  for (const field of WRITTEN_BY_SERVER) node.deleteIn(['metadata', field])
  const aliases: Alias[] = []
  visit(node, { Alias: (_, alias) => void aliases.push(alias) })
  const document = new Document<Node>()
  document.contents = node
  return aliases.length > 0 ? JSON.stringify(value) : String(document)
}
