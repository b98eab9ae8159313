import { CHECK, contextOnly, fleetOf, listOf, packageOf } from './inputs.ts'
import { measureInTurn, nodeProgram } from './measure.ts'
import { buildGoFunctions } from './peers.ts'
import { type Asked, type Bench, type Row, scaled, writeInput } from './row.ts'

const LABELS = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: labels\ndata:\n  site: north\n'

/** KRM functions on large lists, as whole processes, beside functions on the Go SDK that read the same lists. */
export function functions(bench: Bench): readonly Row[] {
  const [resources, variants] = [scaled(bench, 20_000), scaled(bench, 10_000)]
  const list = writeInput(bench, 'large.yaml', listOf(packageOf(resources), contextOnly()))
  const checked = writeInput(bench, 'checked.yaml', listOf(packageOf(resources), CHECK))
  const labels = writeInput(bench, 'labels.yaml', listOf(packageOf(resources), LABELS))
  const fleet = writeInput(bench, 'fleet.yaml', fleetOf(variants))
  const what = `on ${resources} resources`
  return [
    besideGo(bench, {
      work: `set-context ${what}, nothing to do`,
      args: ['dist/set-context.mjs'],
      list,
      asked: { times: 15, megabytes: 200 },
    }),
    besideGo(bench, {
      work: `check-dependencies ${what}, which reads each`,
      args: ['dist/check-dependencies.mjs'],
      list: checked,
      asked: {},
    }),
    besideGo(bench, {
      work: `set-labels ${what}, a label on each`,
      args: [...TOOL, 'set-labels'],
      list: labels,
      go: ['labels'],
      asked: { times: 8 },
    }),
    besideGo(bench, {
      work: `fan-out of ${variants} variants, 5 expressions each`,
      args: ['dist/fan-out.mjs'],
      list: fleet,
      asked: { times: 8 },
    }),
  ]
}

const TOOL = ['dist/krm-variants.mjs', 'fn']

interface Call {
  readonly work: string
  readonly args: readonly string[]
  /** The path of the list. */
  readonly list: string
  /** The function on the Go SDK; without this field the one that changes nothing. */
  readonly go?: readonly string[]
  readonly asked: Asked
}

function besideGo({ folder, runs }: Bench, { work, args, list, go = [], asked }: Call): Row {
  const command = buildGoFunctions(folder)
  const program = nodeProgram(folder, args, { stdin: list, stdout: `${list}.out` })
  const programs = command === undefined ? [program] : [program, { command, args: go, stdin: list, stdout: `${list}.go` }]
  const [ours, cost] = measureInTurn(programs, runs)
  if (ours === undefined) throw new Error('each program must have a cost')
  return { work, ours, ...(cost && { beside: { what: `the Go SDK, ${go[0] ?? 'identity'}`, cost } }), asked }
}
