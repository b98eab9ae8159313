import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bench, bundleOn, type Row } from './bench.ts'
import { measure } from './measure.ts'
import { MUTATIONS } from './mutations.ts'

/** The outputs of the rows before this one, and the bundles that wrote each, one after the other. */
const OUTPUTS: readonly (readonly [output: string, bundles: readonly string[]])[] = [
  ['fan-out-5.yaml.out', ['fan-out']],
  ['fan-out-15.yaml.out', ['fan-out']],
  ['fan-out-repositories.yaml.out', ['fan-out']],
  // A result tells the state that the last function reached, so all of them run again.
  [`package.yaml${'.out'.repeat(MUTATIONS.length)}`, MUTATIONS],
]

/** Every function once more on its own output: not a byte may change. */
export function secondRun(bench: Bench): readonly Row[] {
  const runs = OUTPUTS.map(([output, bundles]) => again(bench, join(bench.folder, output), bundles))
  const changed = runs.filter((run) => run.changed).map(({ bundles }) => bundles.join(', '))
  const seconds = runs.reduce((sum, run) => sum + run.seconds, 0)
  return [
    {
      what: `second run on ${runs.length} outputs${changed.length === 0 ? '' : `, changed by ${changed.join(', ')}`}`,
      ours: { seconds },
      must: 'changes no byte',
      met: changed.length === 0,
    },
  ]
}

function again(bench: Bench, first: string, bundles: readonly string[]) {
  let stdin = first
  let seconds = 0
  for (const bundle of bundles) {
    const program = bundleOn(bench, `dist/${bundle}.mjs`, stdin)
    seconds += measure(program, 1).seconds
    stdin = program.stdout
  }
  return { bundles, seconds, changed: !readFileSync(first).equals(readFileSync(stdin)) }
}
