import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { readFolders, runFolders } from '../../../cli/run/run-folders.ts'
import { UsageError } from '../../../cli/usage-error.ts'
import { asRecord, isRecord, type JsonRecord, type JsonValue, lookup, scalarText } from '../../../src/json.ts'
import { objectsOf, readResources } from '../../../src/package/read-whole-package.ts'
import type { KrmObject } from '../../../src/resource-list/krm-object.ts'
import { FunctionError } from '../../../src/result.ts'
import type { Adapter, Difference } from '../adapter.ts'
import { differ, differByField } from '../difference.ts'
import { hasKfn, vectorRunners } from './functions.ts'
import { KNOWN_DIFFERENCES } from './known-differences.ts'

/**
 * Runs of `kpt fn render`. Compared are the exit code and every file: resources by their values, other files by their bytes. What kpt notes in
 * the status of the root Kptfile about the run is not compared in any case: `run` notes nothing (docs/kpt.md, the first row).
 */
export const KPT_RENDER: Adapter = {
  folder: 'kpt',
  cases: (file) => {
    // Recorded calls of functions, which the cases use, are no cases.
    if (!Array.isArray(file)) return []
    const newest = file.filter((vector) => isRecord(vector) && !scalarText(vector.kpt).endsWith('beta.56'))
    const runnable = newest.filter((vector) => hasKfn() || !JSON.stringify(lookup(asRecord(vector), 'functions')).includes('"kfn"'))
    if (runnable.length < newest.length)
      process.stderr.write(`kpt: ${newest.length - runnable.length} cases left out, Go builds their function kfn\n`)
    return runnable
  },
  known: KNOWN_DIFFERENCES,
  run: (vector) => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kpt-render-')))
    try {
      return compare(vector, folder)
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
}

function compare(vector: JsonRecord, folder: string): readonly Difference[] {
  writeInput(vector, folder)
  const exitCode = run(vector, folder)
  const after = readFiles(folder)
  const changes = asRecord(vector.filesAfter)
  const before = asRecord(vector.files)
  const paths = [...new Set([...Object.keys(before), ...Object.keys(changes), ...after.keys()])].sort()
  const files = paths.flatMap((path) => {
    const expected = Object.hasOwn(changes, path) ? changes[path] : before[path]
    return differByField(path, meaningOf(path, after.get(path)), meaningOf(path, typeof expected === 'string' ? expected : undefined))
  })
  return [...differ('exit code', exitCode, Number(vector.exitCode)), ...files]
}

function writeInput(vector: JsonRecord, folder: string): void {
  const modes = asRecord(vector.modes)
  for (const [path, text] of Object.entries(asRecord(vector.files))) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    const mode = path.endsWith('.sh') ? '0755' : '0644'
    writeFileSync(join(folder, path), scalarText(text), { mode: Number.parseInt(scalarText(modes[path] ?? mode), 8) })
  }
  for (const [path, target] of Object.entries(asRecord(vector.symlinks))) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    symlinkSync(scalarText(target), join(folder, path))
  }
}

/** Runs our side with the arguments of the recorded command; returns its exit code. */
function run(vector: JsonRecord, folder: string): number {
  const cwd = join(folder, scalarText(vector.cwd) === '.' ? '' : scalarText(vector.cwd))
  const { dirs, flags } = argumentsOf(vector)
  if (flags.has('-o')) return Number.NaN
  try {
    const read = readFolders(dirs, { locate: (path) => join(cwd, path) })
    const { failed } = runFolders(read, vectorRunners(vector, { folder, cwd, flags }), { dryRun: false, diff: false })
    return failed > 0 ? 1 : 0
  } catch (error) {
    if (error instanceof FunctionError || error instanceof UsageError) return 1
    throw error
  }
}

/** The words of `kpt fn render DIR --flag value`. */
function argumentsOf({ command }: JsonRecord): { readonly dirs: readonly string[]; readonly flags: ReadonlyMap<string, string> } {
  const words = (Array.isArray(command) ? command.map(scalarText) : scalarText(command).split(' ')).slice(3)
  const flags = new Map<string, string>()
  const dirs: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (!word.startsWith('-')) dirs.push(word)
    else if (['-o', '--image-prefix', '--results-dir'].includes(word)) flags.set(word, words[++at] ?? '')
    else flags.set(word, '')
  }
  return { dirs: dirs.length === 0 ? ['.'] : dirs, flags }
}

function readFiles(folder: string): ReadonlyMap<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path))
  const files = paths.filter((path) => lstatSync(path).isFile() && realpathSync(dirname(path)) === dirname(path))
  return new Map(files.map((path) => [relative(folder, path), readFileSync(path, 'utf8').replaceAll(folder, '$DIR')]))
}

function meaningOf(path: string, text: string | undefined): JsonValue | undefined {
  if (text === undefined) return undefined
  if (!/Kptfile$|\.(?:ya?ml|json)$/.test(path)) return text
  const { layout } = readResources(path, Buffer.from(text))
  if (layout === undefined) return text.trim()
  try {
    return objectsOf(layout).map(comparedValue)
  } catch (error) {
    if (error instanceof FunctionError) return text
    throw error
  }
}

/** The value of a resource; of a Kptfile without what kpt notes about a run. */
function comparedValue(object: KrmObject): JsonRecord {
  const value = object.toJson()
  const { status, ...others } = value
  if (object.kind !== 'Kptfile' || !isRecord(status)) return value
  const { renderStatus: _, conditions, ...left } = status
  const kept = Array.isArray(conditions) ? conditions.filter((condition) => asRecord(condition).type !== 'Rendered') : []
  const noted = { ...left, ...(kept.length > 0 && { conditions: kept }) }
  return Object.keys(noted).length === 0 ? others : { ...others, status: noted }
}
