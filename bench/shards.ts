import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bench, type Row, scaled } from './bench.ts'
import { writeFleet } from './fleet-input.ts'
import { type Cost, measureOnce, usageReporter, workOf } from './measure.ts'

const TOOL = 'dist/krm-variants.mjs'
const FEW_RESOURCES = 4

/** Fleets that are planned once for many shards, and one shard of each. */
export function shards(bench: Bench): readonly Row[] {
  return [
    ...fleetInShards(bench, { variants: 100_000, shards: 100, planned: [12, 1000], rendered: [1.5, 150] }),
    ...fleetInShards(bench, { variants: 1_000_000, shards: 1000, planned: [120, 4000], rendered: [2, 200] }),
  ]
}

/** The numbers of variants and shards, and the most that the plan and the render of one shard may cost. */
interface ShardedSize {
  readonly variants: number
  readonly shards: number
  readonly planned: Limit
  readonly rendered: Limit
}

type Limit = readonly [seconds: number, megabytes: number]

function fleetInShards(bench: Bench, size: ShardedSize): readonly Row[] {
  const variants = scaled(bench, size.variants)
  const count = scaled(bench, size.shards)
  const folder = join(bench.folder, 'sharded')
  mkdirSync(folder)
  writeFleet(folder, { variants, resources: FEW_RESOURCES })
  const planned = join(bench.folder, 'shards')
  const out = join(bench.folder, 'shards-out')
  const prepared = run(bench, ['plan', folder, '--shards', String(count), '--out', planned])
  const one = run(bench, ['render', folder, '--plan', planned, '--shard', `1/${count}`, '--out', out, '--offline', '--no-run'])
  const made = readdirSync(out).length
  for (const each of [folder, planned, out]) rmSync(each, { recursive: true })
  return [
    judged(bench, `plan of ${variants} variants for ${count} shards`, prepared, size.planned),
    judged(bench, `render of one of these shards, ${made} packages`, one, size.rendered),
  ]
}

function judged({ quick }: Bench, what: string, ours: Cost, [seconds, megabytes]: Limit): Row {
  const met = workOf(ours) <= seconds && (ours.usage?.megabytes ?? 0) <= megabytes
  return { what, ours, must: `${seconds} s, ${megabytes} MB`, ...(!quick && { met }) }
}

function run(bench: Bench, args: readonly string[]): Cost {
  const stdin = join(bench.folder, 'nothing')
  writeFileSync(stdin, '')
  const program = { command: process.execPath, args: [...usageReporter(bench.folder), TOOL, ...args] }
  return measureOnce({ ...program, stdin, stdout: join(bench.folder, 'shards.out'), copied: bench.identityInput })
}
