import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deployment } from './fleet-input.ts'
import { measureOnce, nodeProgram } from './measure.ts'
import { buildGoFunctions, kptVersion } from './peers.ts'
import { type Bench, type Row, scaled, writeInput } from './row.ts'

const CATALOG = 'ghcr.io/kptdev/krm-functions-catalog'
const BUILT_IN = `  - image: ${CATALOG}/set-labels:v0.2.0
    configMap: {site: north}
  - image: ${CATALOG}/set-namespace:v0.4.1
    configMap: {namespace: shop}
  - image: ${CATALOG}/apply-setters:v0.2.0
    configMap: {replicas: "5"}
`

/** `run` of pipelines of three functions, beside `kpt fn render` with the functions on the Go SDK as programs. */
export function pipelines(bench: Bench): readonly Row[] {
  const [large, packages] = [scaled(bench, 1000), scaled(bench, 50)]
  return [
    besideKpt(bench, { work: `run of a package of ${large} resources, 3 functions`, packages: 1, resources: large, times: 5 }),
    besideKpt(bench, { work: `run of ${packages} packages of 20 resources, 3 functions`, packages, resources: 20, times: 10 }),
  ]
}

interface Size {
  readonly work: string
  readonly packages: number
  /** Of each package. */
  readonly resources: number
  readonly times: number
}

function besideKpt(bench: Bench, { work, packages, resources, times }: Size): Row {
  const [ours, kpts] = [join(bench.folder, 'by-run'), join(bench.folder, 'by-kpt')]
  const go = kptVersion() === undefined ? undefined : buildGoFunctions(bench.folder)
  const names = Array.from({ length: packages }, (_, index) => `package-${index}`)
  for (const name of names) {
    writePackage(join(ours, name), resources, BUILT_IN)
    writePackage(join(kpts, name), resources, programsOf(go ?? ''))
  }
  const cost = measureOnce(nodeProgram(bench.folder, ['dist/krm-variants.mjs', 'run', ...names.map((name) => join(ours, name))]))
  const script = writeInput(
    bench,
    'by-kpt.sh',
    names.map((name) => `kpt fn render '${join(kpts, name)}' --allow-exec || exit 3\n`).join(''),
  )
  const beside = go && { what: 'kpt fn render', cost: measureOnce({ command: 'bash', args: [script] }) }
  for (const folder of [ours, kpts]) rmSync(folder, { recursive: true })
  return { work, ours: cost, ...(beside && { beside }), asked: { times, byClock: true } }
}

/** Returns the steps of a pipeline that does the same by the functions on the Go SDK. */
export function programsOf(go: string): string {
  return ['labels', 'namespace', 'replicas'].map((name) => `  - exec: ${go} ${name}\n`).join('')
}

function writePackage(folder: string, resources: number, mutators: string): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, 'Kptfile'),
    `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\npipeline:\n  mutators:\n${mutators}`,
  )
  for (let index = 0; index < resources; index++) writeFileSync(join(folder, `r${index}.yaml`), deployment(`r${index}`, 3))
}
