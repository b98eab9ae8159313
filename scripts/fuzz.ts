import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { diff } from './fuzz/diff.ts'
import { edits } from './fuzz/edits.ts'
import { emitter } from './fuzz/emitter.ts'
import { fastReader } from './fuzz/fast-reader.ts'
import { functionRuns } from './fuzz/function-runs.ts'
import { merge } from './fuzz/merge.ts'
import { mergePackagesTarget } from './fuzz/merge-packages.ts'
import { resolveRuns } from './fuzz/resolve-runs.ts'
import { satisfy } from './fuzz/satisfy.ts'
import { scalars } from './fuzz/scalars.ts'
import { slicer } from './fuzz/slicer.ts'
import { splice } from './fuzz/splice.ts'
import type { FuzzTarget } from './fuzz/target.ts'
import { wrongTypes } from './fuzz/wrong-types.ts'

const TARGETS: readonly FuzzTarget[] = [
  diff,
  edits,
  emitter,
  fastReader,
  merge,
  mergePackagesTarget,
  satisfy,
  scalars,
  slicer,
  splice,
  wrongTypes,
  ...functionRuns,
  ...resolveRuns,
]

/**
 * `npm run fuzz -- [NAME ...] [--count N] [--seed N]`: runs the named targets, or all, and prints a line for each.
 * Exit code 1 when any case failed.
 */
function main(): void {
  const { values, positionals } = parseArgs({ options: { count: { type: 'string' }, seed: { type: 'string' } }, allowPositionals: true })
  const unknown = positionals.filter((name) => !TARGETS.some((target) => target.name === name))
  if (unknown.length > 0)
    throw new Error(`no fuzz target '${unknown.join("', '")}'; there are ${TARGETS.map(({ name }) => name).join(', ')}`)
  const chosen = TARGETS.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
  const failures = chosen.map((target) => report(target, Number(values.count ?? target.count), Number(values.seed ?? 1)))
  process.exitCode = failures.some((count) => count > 0) ? 1 : 0
}

/** Runs one target and prints its line and its failures; returns how many there were. */
function report(target: FuzzTarget, count: number, seed: number): number {
  const start = performance.now()
  const { cases, failures, examples, note } = target.run(count, seed)
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`${target.name}: ${cases} cases, ${failures} failures, ${seconds} s${note === undefined ? '' : ` (${note})`}`)
  for (const example of examples) console.log(`  seed ${seed}: ${example}`)
  return failures
}

main()
