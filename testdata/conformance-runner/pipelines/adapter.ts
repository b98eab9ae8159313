import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { readFolders, runFolders, writeRuns } from '../../../cli/run/run-folders.ts'
import { UsageError } from '../../../cli/usage-error.ts'
import { asRecord, equalJson, isRecord, type JsonRecord, type JsonValue, lookup, scalarText } from '../../../src/json.ts'
import { finish } from '../../../src/progress.ts'
import { FunctionError, type Result } from '../../../src/result.ts'
import type { Adapter, Difference } from '../adapter.ts'
import { differ, differByField } from '../difference.ts'
import { itemsIn, withoutPlace } from '../resource-list.ts'
import { isResourceFile, resourcesIn } from '../written-resource.ts'
import { hasKfn, isBuiltIn, replayedCases, vectorRunners } from './functions.ts'
import { KNOWN_DIFFERENCES } from './known-differences.ts'

/**
 * Runs of `kpt fn render`. Compared are the exit code and every file: resources by their values, other files by their bytes. The status of
 * the root Kptfile is compared where functions ran, without the words of errors, and without the results of built-in functions, which the
 * vectors of the catalog compare. A run that is refused before the first function writes no status (docs/kpt.md 1, 12). `render-calls.json`
 * has the real functions of packages: each package runs once more with them alone, and each call must get what it got in kpt.
 */
export const KPT_RENDER: Adapter = {
  folder: 'kpt',
  cases: (file) => {
    if (isRecord(file)) return replayedCases(file)
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
  const before = readFiles(folder)
  const { exitCode, rules } = run(vector, folder)
  const after = readFiles(folder)
  const isRefused =
    exitCode === 1 && [...before].every(([path, text]) => equalJson(refusedValue(path, after.get(path)), refusedValue(path, text)))
  if (isRefused && Number(vector.exitCode) !== 1)
    return [{ what: 'refused', expected: Number(vector.exitCode), actual: [...new Set(rules)] }]
  return [...differ('exit code', exitCode, Number(vector.exitCode)), ...compareFiles(vector, after), ...compareOutput(vector, after)]
}

/** A file of a refused package: its bytes, and of a Kptfile all but its status. */
function refusedValue(path: string, text: string | undefined): JsonValue | undefined {
  return path.endsWith('Kptfile') ? text?.replace(/^status:\n(?: .*\n)*/m, '') : text
}

function compareFiles(vector: JsonRecord, after: ReadonlyMap<string, string>): readonly Difference[] {
  const changes = asRecord(vector.filesAfter)
  const before = asRecord(vector.files)
  const paths = [...new Set([...Object.keys(before), ...Object.keys(changes), ...after.keys()])].sort()
  const isElsewhere = outputOf(vector) !== undefined
  return paths.flatMap((path) => {
    if (path === 'results/results.yaml' || (isElsewhere && (path.startsWith('out/') || path.startsWith('pkg/')))) return []
    const recorded = Object.hasOwn(changes, path) ? changes[path] : before[path]
    const [actual, expected] = [meaningOf(path, after.get(path)), meaningOf(path, typeof recorded === 'string' ? recorded : undefined)]
    const isRoot = path === join(scalarText(vector.cwd), argumentsOf(vector).dirs[0] ?? '', 'Kptfile')
    return differByField(
      path,
      isRoot ? withComparedStatus(actual, actual, vector) : actual,
      isRoot ? withComparedStatus(expected, actual, vector) : expected,
    )
  })
}

/** With `-o` kpt prints the result or writes another folder: `run` writes the same resources to the package (docs/kpt.md 2). */
function compareOutput(vector: JsonRecord, after: ReadonlyMap<string, string>): readonly Difference[] {
  const output = outputOf(vector)
  if (output === undefined || Number(vector.exitCode) !== 0) return []
  const out = Object.entries(asRecord(vector.filesAfter)).filter(([path]) => path.startsWith('out/'))
  const expected =
    output === 'stdout'
      ? itemsIn(scalarText(vector.stdout)).map(({ value, annotations }) =>
          withoutPlace({ ...value, metadata: { ...asRecord(value.metadata), annotations } }),
        )
      : output === 'unwrap'
        ? meaningOf('out.yaml', scalarText(vector.stdout))
        : out.flatMap(([path, text]) => meaningOf(path, scalarText(text)) ?? [])
  const actual = [...after].flatMap(([path, text]) => (/^pkg\/.*(?:Kptfile|\.yaml)$/.test(path) ? (meaningOf(path, text) ?? []) : []))
  return differ('output', inAnyOrder(actual), inAnyOrder(expected))
}

function inAnyOrder(values: JsonValue | undefined): readonly string[] {
  return Array.isArray(values) ? values.map((value: JsonValue) => JSON.stringify(value, Object.keys(flatKeys(value)).sort())).sort() : []
}

/** Every key at any depth. */
function flatKeys(value: JsonValue): Record<string, true> {
  if (Array.isArray(value)) return Object.assign({}, ...value.map(flatKeys))
  if (!isRecord(value)) return {}
  return Object.assign({}, ...Object.entries(value).map(([key, member]) => ({ [key]: true, ...flatKeys(member ?? null) })))
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

/** Runs our side with the arguments of the recorded command; returns its exit code and the rules of its errors. */
function run(vector: JsonRecord, folder: string): { readonly exitCode: number; readonly rules: readonly string[] } {
  const cwd = join(folder, scalarText(vector.cwd) === '.' ? '' : scalarText(vector.cwd))
  const { dirs, flags } = argumentsOf(vector)
  const rulesOf = (results: readonly Result[]) => results.flatMap(({ severity, tags }) => (severity === 'error' ? [tags.rule] : []))
  try {
    const read = readFolders(dirs, { locate: (path) => join(cwd, path) })
    const status = !flags.has('-o')
    const ran = finish(runFolders(read, vectorRunners(vector, { folder, cwd, flags }), { status }))
    const { failed, faults } = writeRuns(ran, { dryRun: false, diff: false })
    return { exitCode: failed > 0 ? 1 : 0, rules: rulesOf([...ran.results, ...faults]) }
  } catch (error) {
    if (error instanceof FunctionError) return { exitCode: 1, rules: rulesOf(error.results) }
    if (error instanceof UsageError) return { exitCode: 1, rules: [] }
    throw error
  }
}

function outputOf(vector: JsonRecord): string | undefined {
  return argumentsOf(vector).flags.get('-o')
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
  if (!isResourceFile(path)) return text
  return resourcesIn(path, text)?.map(({ value }) => withoutPlace(value)) ?? text.trim()
}

/** The Kptfile with what is compared of its status: nothing if our run was refused before the first function. */
function withComparedStatus(documents: JsonValue | undefined, ours: JsonValue | undefined, vector: JsonRecord): JsonValue | undefined {
  if (!Array.isArray(documents)) return documents
  const isWritten = conditionsOf(Array.isArray(ours) ? ours[0] : undefined).some((condition) => asRecord(condition).type === 'Rendered')
  return documents.map((document: JsonValue, index) => {
    if (index > 0 || !isRecord(document)) return document
    const { status, ...others } = document
    const { renderStatus, conditions: _, ...left } = asRecord(status)
    const conditions = conditionsOf(document).flatMap((condition) => {
      const { message, ...compared } = asRecord(condition)
      if (compared.type !== 'Rendered') return [condition]
      return isWritten ? [compared] : []
    })
    const compared = {
      ...left,
      ...(conditions.length > 0 && { conditions }),
      ...(isWritten && isRecord(renderStatus) && { renderStatus: comparedRenderStatus(renderStatus, vector) }),
    }
    return Object.keys(compared).length === 0 ? others : { ...others, status: compared }
  })
}

function conditionsOf(kptfile: JsonValue | undefined): readonly JsonValue[] {
  const conditions = lookup(asRecord(lookup(asRecord(kptfile), 'status')), 'conditions')
  return Array.isArray(conditions) ? conditions : []
}

function comparedRenderStatus({ errorSummary: _, ...stages }: JsonRecord, vector: JsonRecord): JsonRecord {
  const isBuiltin = (image: JsonValue | undefined) =>
    Object.keys(asRecord(vector.functions)).some((name) => isSameImage(name, scalarText(image)) && isBuiltIn(vector, name))
  return Object.fromEntries(
    Object.entries(stages).map(([stage, steps]) => [
      stage,
      (Array.isArray(steps) ? steps : []).map((step: JsonValue) => {
        const { executionError, results, errorResults, stderr, ...compared } = asRecord(step)
        if (isBuiltin(compared.image)) return compared
        return {
          ...compared,
          ...(stderr !== undefined && { stderr }),
          ...(results !== undefined && { results }),
          ...(errorResults !== undefined && { errorResults }),
        }
      }),
    ]),
  )
}

function isSameImage(name: string, resolved: string): boolean {
  return resolved === name || resolved.endsWith(`/${name}`) || resolved.endsWith(`/${name}:latest`) || resolved === `${name}:latest`
}
