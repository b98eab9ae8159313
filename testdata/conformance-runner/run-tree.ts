import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { isRecord, type JsonRecord, type JsonValue, lookup } from '../../src/json.ts'
import type { Adapter, KnownDifference } from './adapter.ts'

/** What came of a tree of vectors. */
export interface Report {
  /** A line for each file, below it the differences in full. */
  readonly lines: readonly string[]
  /** How many cases were run. */
  readonly cases: number
  readonly failed: boolean
}

/** Runs every vector file below a folder. A tree without a case fails, as does a file that no adapter is for. */
export function runTree(root: string, adapters: readonly Adapter[]): Report {
  const reports = vectorFiles(root).map((file) => runFile(root, file, adapters))
  const cases = reports.reduce((sum, report) => sum + report.cases, 0)
  const empty = cases === 0 ? [`${root}: no case found`] : []
  return {
    lines: [...reports.flatMap((report) => report.lines), ...empty],
    cases,
    failed: empty.length > 0 || reports.some((report) => report.failed),
  }
}

/** Every .json below a folder, as a path below it with slashes, in order. */
function vectorFiles(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
}

function runFile(root: string, file: string, adapters: readonly Adapter[]): Report {
  const adapter = adapters.find(({ folder }) => file.startsWith(`${folder}/`))
  if (adapter === undefined) return { lines: [`${file}: no adapter for this folder`], cases: 0, failed: true }
  const content: JsonValue = JSON.parse(readFileSync(join(root, file), 'utf8'))
  const verdicts = adapter.cases(content).map((vector, index) => judge(adapter, vector, index))
  const known = verdicts.filter((verdict) => verdict.known !== undefined).length
  const equal = verdicts.filter(({ differences }) => differences.length === 0).length
  const head = `${file}: ${equal} of ${verdicts.length} equal${known === 0 ? '' : `, ${known} known`}`
  const unknown = verdicts.filter((verdict) => verdict.differences.length > 0 && verdict.known === undefined)
  const details = verdicts.flatMap((verdict) => describe(verdict))
  return { lines: [head, ...details], cases: verdicts.length, failed: unknown.length > 0 }
}

interface Verdict {
  readonly name: string
  readonly differences: readonly string[]
  readonly known: KnownDifference | undefined
}

function judge(adapter: Adapter, vector: JsonRecord, index: number): Verdict {
  const name = lookup(vector, 'name')
  const differences = runCase(adapter, vector)
  const explains = ({ holds, shows }: KnownDifference): boolean => holds(vector) && differences.some((text) => shows.test(text))
  const known = differences.length === 0 ? undefined : adapter.known.find(explains)
  return { name: typeof name === 'string' && name !== '' ? name : `#${index}`, differences, known }
}

/** A case that throws differs: the other cases run all the same. */
function runCase(adapter: Adapter, vector: JsonRecord): readonly string[] {
  try {
    return adapter.run(vector)
  } catch (error) {
    return [`threw ${error instanceof Error ? error.stack : String(error)}`]
  }
}

function describe({ name, differences, known }: Verdict): string[] {
  if (known !== undefined) return [`  ${name}: known, ${known.row}: ${known.reason}`]
  return differences.map((difference) => `  ${name}: ${difference}`)
}

/** The cases of a file that is a list of them. */
export function casesOfList(file: JsonValue): readonly JsonRecord[] {
  if (Array.isArray(file) && file.every(isRecord)) return file
  throw new Error('a file of vectors must be a list of cases')
}
