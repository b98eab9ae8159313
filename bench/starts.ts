import { join } from 'node:path'
import { listOf, repository, upstream, variantSet } from './inputs.ts'
import { type Cost, measureInTurn, nodeProgram } from './measure.ts'
import { type Bench, type Row, writeInput } from './row.ts'

/** Processes this short differ much from run to run. */
const RUNS = 21

/**
 * Measures a start beside Node that does nothing. From Node 22.1 on the first run keeps its compiled code; the least cost is that of a later
 * run.
 */
export function starts(bench: Bench): readonly Row[] {
  const stdin = writeInput(bench, 'ten.yaml', TEN_RESOURCES)
  const env = { NODE_COMPILE_CACHE: join(bench.folder, 'code') }
  const args = [['-e', '0'], ['dist/krm-variants.mjs', 'rule', 'no-match'], ['dist/fan-out.mjs']]
  const programs = args.map((each) => nodeProgram(bench.folder, each, { stdin, env }))
  const [bare, rule, fanOut] = measureInTurn(programs, bench.quick ? 1 : RUNS)
  if (bare === undefined || rule === undefined || fanOut === undefined) throw new Error('each program must have a cost')
  const row = (work: string, ours: Cost, secondsMore: number): Row => ({
    work,
    ours,
    beside: { what: 'bare Node', cost: bare },
    asked: { secondsMore },
  })
  return [row('start: krm-variants rule', rule, 0.06), row('start: fan-out on ten resources', fanOut, 0.04)]
}

const TARGET = `  - repositorySelector:
      matchLabels:
        env: prod
    template:
      downstream:
        packageExpr: "'tills-' + repository.name"
`

const TEN_RESOURCES = listOf([
  ...Array.from({ length: 8 }, (_, index) => repository(`store-${index}`, index)),
  upstream(),
  variantSet(TARGET),
])
