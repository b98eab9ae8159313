import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeFleet } from './fleet-input.ts'
import { measureOnce, nodeProgram } from './measure.ts'
import { type Bench, type Row, scaled } from './row.ts'

/** A fleet of a million variants that is planned once for a thousand shards, and one of the shards. */
export function shards(bench: Bench): readonly Row[] {
  const [variants, count] = [scaled(bench, 1_000_000), scaled(bench, 1000)]
  const folder = join(bench.folder, 'sharded')
  mkdirSync(folder)
  writeFleet(folder, { variants, resources: 4 })
  const planned = join(bench.folder, 'shards')
  const out = join(bench.folder, 'shards-out')
  const run = (...args: readonly string[]) => measureOnce(nodeProgram(bench.folder, ['dist/krm-variants.mjs', ...args]))
  const prepared = run('plan', folder, '--shards', String(count), '--out', planned)
  const one = run('render', folder, '--plan', planned, '--shard', `1/${count}`, '--out', out, '--offline', '--no-run')
  for (const each of [folder, planned, out]) rmSync(each, { recursive: true })
  return [
    { work: `plan of ${variants} variants for ${count} shards`, ours: prepared, asked: { seconds: 150, megabytes: 4000 } },
    { work: 'render of one of these shards', ours: one, asked: { seconds: 3 } },
  ]
}
