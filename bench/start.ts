import { readdirSync } from 'node:fs'
import { type Bench, type Row, writeInput } from './bench.ts'
import { listOf } from './inputs.ts'
import { type Cost, measure } from './measure.ts'

/** A bundle may take so many seconds longer than Node itself. */
const ALLOWANCE = 0.04

/** Processes this short differ much from run to run. */
const RUNS = 21

/** The slowest function bundle on an empty list, beside Node that does nothing. */
export function start(bench: Bench): readonly Row[] {
  const stdin = writeInput(bench, 'empty.yaml', listOf([]).replace('items:', 'items: []'))
  const node = (...args: readonly string[]): Cost =>
    measure({ command: process.execPath, args, stdin, stdout: `${stdin}.out` }, bench.quick ? 1 : RUNS)
  const bare = node('-e', '0')
  const bundles = readdirSync('dist').filter((name) => name.endsWith('.mjs') && name !== 'krm-variants.mjs')
  const costs = bundles.map((name) => ({ name, ours: node(`dist/${name}`) }))
  const slowest = costs.reduce((a, b) => (a.ours.seconds > b.ours.seconds ? a : b))
  return [
    {
      what: `start, the slowest of ${bundles.length}: ${slowest.name}`,
      ours: slowest.ours,
      baseline: { what: 'node -e 0', ...bare },
      must: 'baseline + 40 ms',
      ...(!bench.quick && { met: slowest.ours.seconds <= bare.seconds + ALLOWANCE }),
    },
  ]
}
