import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bench, type Row, scaled } from './bench.ts'
import { writeFleet } from './fleet-input.ts'
import { type Cost, measureOnce, usageReporter, workOf } from './measure.ts'

const TOOL = 'dist/krm-variants.mjs'
const FEW_RESOURCES = 4
const SHARDS = 100

/** A fleet that is planned once for a hundred shards, and one of the shards. */
export function shards(bench: Bench): readonly Row[] {
  const variants = scaled(bench, 100_000)
  const folder = join(bench.folder, 'sharded')
  mkdirSync(folder)
  writeFleet(folder, { variants, resources: FEW_RESOURCES })
  const planned = join(bench.folder, 'shards')
  const out = join(bench.folder, 'shards-out')
  const prepared = run(bench, ['plan', folder, '--shards', String(SHARDS), '--out', planned])
  const one = run(bench, ['render', folder, '--plan', planned, '--shard', `1/${SHARDS}`, '--out', out, '--offline', '--no-run'])
  const made = readdirSync(out).length
  for (const each of [folder, planned, out]) rmSync(each, { recursive: true })
  return [
    { what: `plan of ${variants} variants for ${SHARDS} shards`, ours: prepared, must: '12 s', ...judged(bench, prepared, 12) },
    { what: `render of one of these shards, ${made} packages`, ours: one, must: '1.5 s, 150 MB', ...judged(bench, one, 1.5, 150) },
  ]
}

function judged({ quick }: Bench, cost: Cost, seconds: number, megabytes?: number): Pick<Row, 'met'> {
  const isSmall = megabytes === undefined || (cost.usage?.megabytes ?? 0) <= megabytes
  return quick ? {} : { met: workOf(cost) <= seconds && isSmall }
}

function run(bench: Bench, args: readonly string[]): Cost {
  const stdin = join(bench.folder, 'nothing')
  writeFileSync(stdin, '')
  const program = { command: process.execPath, args: [...usageReporter(bench.folder), TOOL, ...args] }
  return measureOnce({ ...program, stdin, stdout: join(bench.folder, 'shards.out'), copied: bench.identityInput })
}
