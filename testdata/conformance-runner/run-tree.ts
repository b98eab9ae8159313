import { posix } from 'node:path'
import { isRecord, type JsonValue } from '../../src/json.ts'
import type { Adapter } from './adapter.ts'
import { formatDifference } from './difference.ts'
import { filesOfTree, type VectorFile } from './vector-file.ts'
import { judge, thrown, type Verdict } from './verdict.ts'

/** How many of the cases of a folder are equal. */
export interface Count {
  readonly equal: number
  readonly cases: number
}

/** The outcome of some files of vectors. */
export interface Report {
  /** A line for each file, below it the differences in full. */
  readonly lines: readonly string[]
  /** The number of cases that were run, and of those that are equal, by the folder of their files. */
  readonly folders: ReadonlyMap<string, Count>
  /** The number of cases that were run. */
  readonly cases: number
  readonly failed: boolean
}

/** Runs every file of a tree, of a part of one, or a single file. One without any case fails. */
export async function runTree(root: string, adapters: readonly Adapter[]): Promise<Report> {
  const report = await runFiles(filesOfTree(root), adapters)
  return report.cases > 0 ? report : { ...report, lines: [...report.lines, `${root}: no case found`], failed: true }
}

/** Runs files of vectors. One that no adapter is for fails, as does one that cannot be read; what is no JSON is only named. */
export async function runFiles(files: readonly VectorFile[], adapters: readonly Adapter[]): Promise<Report> {
  const reports: Report[] = []
  for (const file of files) reports.push(await runFile(file, adapters))
  return {
    lines: reports.flatMap(({ lines }) => lines),
    folders: sumFolders(reports),
    cases: reports.reduce((sum, { cases }) => sum + cases, 0),
    failed: reports.some(({ failed }) => failed),
  }
}

/** Returns the sums of the counts of each folder. */
export function sumFolders(reports: readonly Report[]): Map<string, Count> {
  const sums = new Map<string, Count>()
  for (const [folder, { equal, cases }] of reports.flatMap(({ folders }) => [...folders])) {
    const sum = sums.get(folder) ?? { equal: 0, cases: 0 }
    sums.set(folder, { equal: sum.equal + equal, cases: sum.cases + cases })
  }
  return sums
}

async function runFile(file: VectorFile, adapters: readonly Adapter[]): Promise<Report> {
  if (!file.name.endsWith('.json')) return { lines: [`${file.name}: no vectors, not read`], folders: new Map(), cases: 0, failed: false }
  const adapter = adapterOf(file, adapters)
  if (adapter === undefined) return { lines: [`${file.name}: no adapter for this folder`], folders: new Map(), cases: 0, failed: true }
  try {
    const verdicts: Verdict[] = []
    for (const [index, vector] of adapter.cases(file.read()).entries()) verdicts.push(await judge(adapter, vector, index))
    return reportOf(file.name, verdicts)
  } catch (error) {
    return { lines: [`${file.name}: ${formatDifference(thrown('reading it', error))}`], folders: new Map(), cases: 0, failed: true }
  }
}

/** The adapter whose folder the file lies in; where the tree is only a part of one, the folders above it count too. */
function adapterOf({ name, path }: VectorFile, adapters: readonly Adapter[]): Adapter | undefined {
  const longestFirst = [...adapters].sort((a, b) => b.folder.length - a.folder.length)
  return longestFirst.find(({ folder }) => name.startsWith(`${folder}/`)) ?? longestFirst.find(({ folder }) => path.includes(`/${folder}/`))
}

function reportOf(file: string, verdicts: readonly Verdict[]): Report {
  const count = (outcome: Verdict['outcome']): number => verdicts.filter((verdict) => verdict.outcome === outcome).length
  const known = count('known') === 0 ? '' : `, ${count('known')} known`
  return {
    lines: [`${file}: ${count('equal')} of ${verdicts.length} equal${known}`, ...verdicts.flatMap(describe)],
    folders: new Map([[posix.dirname(file), { equal: count('equal'), cases: verdicts.length }]]),
    cases: verdicts.length,
    failed: count('different') > 0,
  }
}

/** Of a known case the rules, each once; of another every difference, those that a rule explains with their row. */
function describe({ name, outcome, judged }: Verdict): readonly string[] {
  if (outcome === 'known') return [...new Set(judged.map(({ known }) => `  ${name}: known, ${known?.row}: ${known?.reason}`))]
  return judged.map(
    ({ difference, known }) => `  ${name}: ${formatDifference(difference)}${known === undefined ? '' : ` (known, ${known.row})`}`,
  )
}

/** The cases of a file that is a list of them; a file that is null has none. */
export function casesOfList(file: JsonValue): readonly JsonValue[] {
  if (file === null || (isRecord(file) && Object.keys(file).length === 0)) return []
  if (Array.isArray(file)) return file
  throw new Error('a file of vectors must be a list of cases')
}
