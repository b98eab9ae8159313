import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Bench, type Row, writeInput } from './bench.ts'
import { listOf, wire } from './inputs.ts'
import { type Cost, measure, type Program } from './measure.ts'

/** A bundle may take so many seconds longer than Node itself. */
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
  const bare = { what: 'node -e 0', ...nodeOn(bench, empty, '-e', '0') }
  const bundles = readdirSync('dist').filter((name) => name.endsWith('.mjs') && name !== 'krm-variants.mjs')
  const costs = bundles.map((name) => ({ name, ours: nodeOn(bench, empty, `dist/${name}`) }))
  const slowest = costs.reduce((a, b) => (a.ours.seconds > b.ours.seconds ? a : b))
  const met = !bench.quick && { met: slowest.ours.seconds <= bare.seconds + ALLOWANCE }
  const row = { what: `start, the slowest of ${bundles.length}: ${slowest.name}`, ours: slowest.ours, baseline: bare }
  return [{ ...row, must: 'baseline + 40 ms', ...met }, ...tenResources(bench, ten, bare), ...goRow(bench, ten, bare)]
}

function tenResources(bench: Bench, ten: string, bare: Required<Row>['baseline']): readonly Row[] {
  const what = 'fan-out of 10 resources, one expression'
  const rows = [{ what: `${what}: bundle`, ours: nodeOn(bench, ten, 'dist/fan-out.mjs'), baseline: bare, must: '' }]
  if (Number.parseInt(process.versions.node, 10) < NODE_OF_IMAGES) return rows
  const blob = snapshotOf(bench, 'fan-out')
  return [...rows, { what: `${what}: snapshot`, ours: nodeOn(bench, ten, '--snapshot-blob', blob, 'program'), baseline: bare, must: '' }]
}

/** A Go function that changes nothing: what the unit of the other rows takes to start. */
function goRow(bench: Bench, ten: string, bare: Required<Row>['baseline']): readonly Row[] {
  if (bench.baseline === undefined) return []
  const program = { command: join(bench.folder, 'identity'), args: [], stdin: ten, stdout: `${ten}.go` }
  return [{ what: 'the same list through the Go SDK', ours: measureStart(bench, program), baseline: bare, must: '' }]
}

/** What the Dockerfile makes, by the Node that runs this. */
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

function nodeOn(bench: Bench, stdin: string, ...args: readonly string[]): Cost {
  return measureStart(bench, { command: process.execPath, args, stdin, stdout: `${stdin}.out` })
}

function measureStart({ quick }: Bench, program: Program): Cost {
  return measure(program, quick ? 1 : RUNS)
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
