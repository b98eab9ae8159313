import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bench, judge, type Row, scaled } from './bench.ts'
import { askFor, writeFleet } from './fleet-input.ts'
import { measure, usageReporter } from './measure.ts'

const TOOL = 'dist/krm-variants.mjs'
const FEW_RESOURCES = 4

/** `plan` of a large fleet: every variant is new; then every variant is there, each in a file, and the set asks for another revision. */
export function plans(bench: Bench): readonly Row[] {
  const variants = scaled(bench, 10_000)
  const folder = join(bench.folder, 'planned')
  mkdirSync(folder)
  writeFleet(folder, { variants, resources: FEW_RESOURCES })
  const created = plan(bench, folder, `${variants} to create`)
  spawnSync(process.execPath, [TOOL, 'fn', 'fan-out', folder, '--write'])
  askFor(folder, 2)
  const updated = plan(bench, folder, `${variants} to update`)
  rmSync(folder, { recursive: true })
  return [
    judge(bench, `plan of ${variants} new variants`, created, 3, 400),
    judge(bench, `plan of another revision for ${variants} variants in a file each`, updated, 3, 400),
  ]
}

function plan(bench: Bench, folder: string, expected: string) {
  const [stdin, stdout] = [join(bench.folder, 'nothing'), join(bench.folder, 'plan.out')]
  writeFileSync(stdin, '')
  const args = [...usageReporter(bench.folder), TOOL, 'plan', folder]
  const cost = measure({ command: process.execPath, args, stdin, stdout, copied: bench.identityInput }, bench.runs)
  const [summary = ''] = readFileSync(stdout, 'utf8').split('\n')
  if (summary !== `Plan: ${expected}`) throw new Error(`the plan of ${folder} must be to have ${expected}: ${summary}`)
  return cost
}
