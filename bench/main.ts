import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Bench, type Row, scaled, writeInput } from './bench.ts'
import { dependencies } from './dependencies.ts'
import { diffs } from './diffs.ts'
import { edits } from './edits.ts'
import { fanOut } from './fan-out.ts'
import { goBaseline } from './go-baseline.ts'
import { growth } from './growth.ts'
import { listOf, packageOf } from './inputs.ts'
import type { Cost } from './measure.ts'
import { merges } from './merges.ts'
import { MUTATIONS_CONTEXT, mutations, VARIANT } from './mutations.ts'
import { nothingToDo } from './nothing-to-do.ts'
import { peers } from './peers.ts'
import { pipelines } from './pipelines.ts'
import { plans } from './plans.ts'
import { compareWithRecorded, record } from './recorded.ts'
import { renders } from './renders.ts'
import { secondRun } from './second-run.ts'
import { shards } from './shards.ts'
import { simulations } from './simulations.ts'
import { start } from './start.ts'
import { formatTable } from './table.ts'

/** In the order in which they run: the last reads what those before it wrote. */
const ROWS: readonly ((bench: Bench) => readonly Row[] | Promise<readonly Row[]>)[] = [
  start,
  nothingToDo,
  edits,
  fanOut,
  mutations,
  dependencies,
  celRows,
  merges,
  plans,
  renders,
  shards,
  pipelines,
  diffs,
  peers,
  simulations,
  growth,
  secondRun,
]

/**
 * `npm run bench -- [--quick] [--json] [--record] [--only ROWS]`: builds the bundles and prints their costs as whole processes, the least of five
 * runs. Rows are judged by processor time: beside G, the Go SDK's identity function on 20,000 items; in N, Node that copies the same
 * bytes in the same run; and beside the N of the last tag, which `--record` writes. `--quick` has inputs of a fiftieth and judges
 * nothing; `--only peers` prints the rows of one function. Exit code 1 when a limit is missed, or a row is slower than at the last tag.
 */
async function main(): Promise<void> {
  const option = { type: 'boolean', default: false } as const
  const { values } = parseArgs({ options: { quick: option, json: option, record: option, only: { type: 'string' } } })
  const folder = mkdtempSync(join(tmpdir(), 'krm-variants-bench-'))
  try {
    build()
    const measured = await measureAll(prepare(folder, values), values.only)
    const rows = values.quick ? measured : compareWithRecorded(measured)
    if (values.record && !values.quick) record(measured)
    console.log(values.json ? JSON.stringify(rows, undefined, 2) : formatTable(rows))
    process.exitCode = rows.some(({ met, isSlower }) => met === false || isSlower === true) ? 1 : 0
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function build(): void {
  const { status } = spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error('npm run build failed')
}

/** The large list, and the baseline on it. */
function prepare(folder: string, { quick }: Pick<Bench, 'quick'>): Bench {
  const sizes = { folder, quick, runs: quick ? 1 : 5, baseline: undefined, identityInput: '' }
  const list = listOf(packageOf(scaled(sizes, 20_000), MUTATIONS_CONTEXT), VARIANT)
  const identityInput = writeInput(sizes, 'large.yaml', list)
  return { ...sizes, identityInput, baseline: goBaseline(folder, identityInput, sizes.runs) }
}

async function measureAll(bench: Bench, only: string | undefined): Promise<readonly Row[]> {
  const rows: Row[] = bench.baseline === undefined ? [] : [baselineRow(bench.identityInput, bench.baseline)]
  for (const row of ROWS.filter(({ name }) => only === undefined || name === only)) rows.push(...(await row(bench)))
  return rows
}

function baselineRow(input: string, ours: Cost): Row {
  const megabytes = (statSync(input).size / 1e6).toFixed(1)
  const { copySeconds: _, ...cost } = ours
  return { what: `G: identity on the Go SDK, the large list of ${megabytes} MB`, ours: cost, must: '' }
}

/** Not whole processes: our CEL beside the same in JavaScript. Left out of a quick run. */
async function celRows({ quick }: Bench): Promise<readonly Row[]> {
  if (quick) return []
  const { run } = await import('./cel.ts')
  return run().map(({ what, ours, baseline, limit }) => ({
    what,
    ours: { seconds: ours },
    baseline: { what: 'JavaScript', seconds: baseline },
    must: `${limit} s`,
    met: ours <= limit,
  }))
}

await main()
