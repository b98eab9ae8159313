import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { checks } from './checks.ts'
import { diffs } from './diffs.ts'
import { functions } from './functions.ts'
import { growth } from './growth.ts'
import { kptVersion, PEERS } from './peers.ts'
import { pipelines } from './pipelines.ts'
import { compareWithRecorded, record } from './recorded.ts'
import { renders } from './renders.ts'
import { type Bench, missesOf, type Row } from './row.ts'
import { shards } from './shards.ts'
import { starts } from './starts.ts'
import { type ComparedRow, formatTable } from './table.ts'

/** The works of users, in the order of the table. */
const WORKS: readonly ((bench: Bench) => readonly Row[])[] = [starts, functions, pipelines, renders, diffs, checks, shards, growth]

/**
 * `npm run bench -- [--quick] [--record] [--only WORK]`: builds the bundles, and prints what the work of users costs beside the programs
 * that they would use instead. `--quick` has inputs of a fiftieth and judges nothing; `--record` writes the figures of a tag; `--only
 * renders` measures the rows of one function. Exit code 1 when a demand is missed, or a row is slower than at the last tag.
 */
function main(): void {
  const option = { type: 'boolean', default: false } as const
  const { values } = parseArgs({ options: { quick: option, record: option, only: { type: 'string' } } })
  const folder = mkdtempSync(join(tmpdir(), 'krm-variants-bench-'))
  try {
    build()
    const bench = { folder, quick: values.quick, runs: values.quick ? 1 : 5 }
    const rows = worksNamed(values.only).flatMap((work) => work(bench))
    const compared: readonly ComparedRow[] = values.quick ? rows.map((row) => ({ row })) : compareWithRecorded(rows)
    console.log(`${machine()}\n\n${formatTable(compared, !values.quick)}`)
    if (values.record && !values.quick) record(rows)
    const isMissed = compared.some(({ row, isSlower }) => missesOf(row).length > 0 || isSlower === true)
    process.exitCode = isMissed && !values.quick ? 1 : 0
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Returns the works to measure, all without a name. @throws Error for a name that no work has */
function worksNamed(only: string | undefined): typeof WORKS {
  const works = WORKS.filter(({ name }) => only === undefined || name === only)
  if (works.length === 0) throw new Error(`--only must be one of ${WORKS.map(({ name }) => name).join(', ')}, got '${only}'`)
  return works
}

function build(): void {
  const { status } = spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error('npm run build failed')
}

/** Returns the machine and the versions of the programs beside, in a sentence. */
function machine(): string {
  const { length } = cpus()
  const peers = Object.entries(PEERS).map(([name, module]) => `${name} ${module.slice(module.indexOf('@') + 1)}`)
  return `${length} cores (${cpus()[0]?.model}), Node ${process.versions.node}, kpt ${kptVersion() ?? 'missing'}, ${peers.join(', ')}.`
}

main()
