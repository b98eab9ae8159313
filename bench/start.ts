import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Bench, type Row, writeInput } from './bench.ts'
import { buildGoFunctions } from './go-baseline.ts'
import { listOf, wire } from './inputs.ts'
import { measure, measureInTurn, type Program, usageReporter, workOf } from './measure.ts'

/** A bundle may take so many seconds of the processor more than Node itself. */
const ALLOWANCE = 0.04

/** A snapshot of Node 20 lacks methods that its modules have. */
const NODE_OF_IMAGES = 24

/** Processes this short differ much from run to run. */
const RUNS = 21

/**
 * What a start costs: the slowest function bundle on an empty list, and fan-out on ten resources with one expression, as a bundle and as
 * the start-up snapshot of an image, beside Node that does nothing and a Go function.
 */
export function start(bench: Bench): readonly Row[] {
  const empty = writeInput(bench, 'empty.yaml', listOf([]).replace('items:', 'items: []'))
  const ten = writeInput(bench, 'ten.yaml', TEN_RESOURCES)
  const bundles = readdirSync('dist').filter((name) => name.endsWith('.mjs') && name !== 'krm-variants.mjs')
  const programs = [['-e', '0'], ...bundles.map((name) => [`dist/${name}`])].map((args) => nodeOn(bench, empty, args))
  const [bareCost, ...ofBundles] = measureInTurn(programs, runsOf(bench))
  if (bareCost === undefined) throw new Error('each program must have a cost')
  const bare = { what: 'node -e 0', ...bareCost }
  const costs = ofBundles.map((ours, index) => ({ name: bundles[index], ours }))
  const slowest = costs.reduce((a, b) => (workOf(a.ours) > workOf(b.ours) ? a : b))
  const met = !bench.quick && { met: workOf(slowest.ours) <= workOf(bare) + ALLOWANCE }
  const row = { what: `start, the slowest of ${bundles.length}: ${slowest.name}`, ours: slowest.ours, baseline: bare }
  return [{ ...row, must: 'baseline + 40 ms', ...met }, ...tenResources(bench, ten, bare), ...goRow(bench, ten, bare)]
}

function tenResources(bench: Bench, ten: string, bare: Required<Row>['baseline']): readonly Row[] {
  const what = 'fan-out of 10 resources, one expression'
  const row = (name: string, program: Program) => ({ what: name, ours: measure(program, runsOf(bench)), baseline: bare, must: '' })
  const rows = [row(`${what}: bundle`, nodeOn(bench, ten, ['dist/fan-out.mjs']))]
  if (Number.parseInt(process.versions.node, 10) < NODE_OF_IMAGES) return rows
  const args = ['--snapshot-blob', snapshotOf(bench, 'fan-out'), 'program']
  return [...rows, row(`${what}: snapshot`, { command: process.execPath, args, stdin: ten, stdout: `${ten}.out` })]
}

/** A Go function that changes nothing: what the unit of the other rows takes to start. */
function goRow(bench: Bench, ten: string, bare: Required<Row>['baseline']): readonly Row[] {
  const command = buildGoFunctions(bench.folder)
  if (command === undefined) return []
  const program = { command, args: [], stdin: ten, stdout: `${ten}.go` }
  const [ours] = measureInTurn([program], runsOf(bench))
  return ours === undefined ? [] : [{ what: 'the same list through the Go SDK', ours, baseline: bare, must: '' }]
}

/** Returns what the Dockerfile makes, by the Node that runs this. */
function snapshotOf({ folder }: Bench, name: string): string {
  const blob = join(folder, `${name}.blob`)
  const steps = [
    ['scripts/images.mjs', '--programs'],
    ['--no-warnings', '--snapshot-blob', blob, '--build-snapshot', `dist/images/${name}.cjs`],
  ]
  for (const args of steps) {
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
  }
  return blob
}

function nodeOn({ folder }: Bench, stdin: string, args: readonly string[]): Program {
  return { command: process.execPath, args: [...usageReporter(folder), ...args], stdin, stdout: `${stdin}.out` }
}

function runsOf({ quick }: Bench): number {
  return quick ? 1 : RUNS
}

const repository = (index: number) => `apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata:
  name: store-${index}
  labels:
    env: prod
  annotations:
${wire(`repository-${index}.yaml`, index)}`

const SET = `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata:
  name: tills
  annotations:
${wire('set.yaml', 9)}spec:
  upstream:
    repo: catalog
    package: tills
    revision: 3
  targets:
  - repositorySelector:
      matchLabels:
        env: prod
    template:
      downstream:
        packageExpr: "'tills-' + repository.name"
`

const TEN_RESOURCES = listOf([...Array.from({ length: 9 }, (_, index) => repository(index)), SET])
