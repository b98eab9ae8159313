import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bench, bundleOn, type Row } from './bench.ts'
import { measure } from './measure.ts'
import { MUTATIONS } from './mutations.ts'

/** What the rows before this one wrote: input, and the bundles that wrote the output beside it. */
const OUTPUTS: readonly (readonly [input: string, bundle: string])[] = [
  ['fan-out-5.yaml', 'fan-out'],
  ['fan-out-15.yaml', 'fan-out'],
  ['fan-out-repositories.yaml', 'fan-out'],
  ...MUTATIONS.map((name) => ['package.yaml.out.out', name] as const),
]

/** Every function once more on its own output: not a byte may change. */
export function secondRun(bench: Bench): readonly Row[] {
  const runs = OUTPUTS.map(([input, bundle]) => again(bench, join(bench.folder, `${input}.out`), bundle))
  const changed = runs.filter((run) => run.changed).map(({ bundle }) => bundle)
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

function again(bench: Bench, stdin: string, bundle: string): { bundle: string; seconds: number; changed: boolean } {
  const program = bundleOn(bench, `dist/${bundle}.mjs`, stdin)
  const { seconds } = measure(program, 1)
  return { bundle, seconds, changed: !readFileSync(stdin).equals(readFileSync(program.stdout)) }
}
