import { createHash } from 'node:crypto'
import { readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import type { SetPlan } from '../../src/fleet/plan-fan-out.ts'
import { equalJson, isRecord, type JsonRecord, type JsonValue, lookup } from '../../src/json.ts'
import { diskTree, type FileTree } from '../../src/package/file-tree.ts'
import type { NamedFolder } from '../../src/package/named-folder.ts'
import { writeFiles } from '../../src/package/write-files.ts'
import { nameFirst } from '../../src/wording.ts'
import type { Host } from '../host.ts'
import { printJson } from '../print/print-value.ts'
import { UsageError } from '../usage-error.ts'

/** Of schemas/output/saved-plan.json. */
const FORMAT_VERSION = 1
const NAMED_FILES = 5
/** What no plan is made from. */
const LEFT_OUT = ['.git', 'node_modules']

/**
 * Saves a plan with what it was made from: the digest of every file of the folder, and the tool as `--version` tells it, its commit included.
 *
 * @throws StagingError when the file cannot be written
 */
export function savePlan(file: string, dir: string, sets: readonly SetPlan[], host: Host): void {
  const place = host.locate(file)
  const saved = { formatVersion: FORMAT_VERSION, version: host.version, files: digests(host.locate(dir), place), changes: changesOf(sets) }
  writeFiles(dirname(place), [{ path: basename(place), op: 'update', text: `${printJson(saved, 2)}\n` }])
}

/**
 * Makes sure that what is about to be done is a saved plan.
 *
 * @throws UsageError when it is no plan of this very version and commit, when the folder changed since, or when the sets ask for something else now
 */
export function requireSavedPlan(file: string, { disk, shown }: NamedFolder, plan: () => readonly SetPlan[], host: Host): void {
  const saved = readSaved(file, host)
  const version = lookup(saved, 'version')
  if (version !== host.version)
    throw new UsageError(`'${file}' is a plan of version ${String(version)}, this is ${host.version}: plan again with --out`)
  const changed = differences(lookup(saved, 'files'), digests(disk, host.locate(file)))
  if (changed.length > 0)
    throw new UsageError(`'${shown}' changed since '${file}' was planned: ${nameFirst(changed, NAMED_FILES)}; plan again with --out`)
  if (!equalJson(lookup(saved, 'changes'), changesOf(plan())))
    throw new UsageError(`'${file}' is not what the sets of '${shown}' ask for: plan again with --out`)
}

function readSaved(file: string, host: Host): JsonRecord {
  const text = readFileSync(host.locate(file), 'utf8')
  const saved = parseJson(text)
  if (!isRecord(saved) || lookup(saved, 'formatVersion') !== FORMAT_VERSION)
    throw new UsageError(`'${file}' must be a plan that plan --out saved`)
  return saved
}

function parseJson(text: string): JsonValue {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Every change as JSON has it, whole numbers that JavaScript would round as text. */
function changesOf(sets: readonly SetPlan[]): JsonValue {
  const changes = sets.flatMap(({ changes: all }) =>
    all.flatMap(({ op, namespace, name, existing, after }) =>
      op === 'unchanged' ? [] : [{ op, namespace, name, was: existing?.name, spec: after }],
    ),
  )
  return JSON.parse(printJson(changes))
}

/** The digest of each file below a folder, by path; without the saved plan itself. */
function digests(folder: string, saved: string): JsonRecord {
  const tree = diskTree(folder)
  const own = relative(realpathSync(folder), saved)
  const found = filesBelow(tree, '').filter((path) => path !== own)
  return Object.fromEntries(found.map((path) => [path, createHash('sha256').update(tree.read(path)).digest('hex')]))
}

function filesBelow(tree: FileTree, folder: string): readonly string[] {
  return tree.list(folder).flatMap(({ name, type }) => {
    const path = join(folder, name)
    if (type === 'file') return [path]
    return LEFT_OUT.includes(name) ? [] : filesBelow(tree, path)
  })
}

/** The files that are new, gone or other than they were. */
function differences(before: JsonValue | undefined, after: JsonRecord): readonly string[] {
  const old = isRecord(before) ? before : {}
  return [...new Set([...Object.keys(old), ...Object.keys(after)])].filter((path) => lookup(old, path) !== lookup(after, path)).sort()
}
