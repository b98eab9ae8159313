import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { type Bench, type Row, scaled } from './bench.ts'
import { type Cost, measureOnce, usageReporter } from './measure.ts'

const TOOL = 'dist/krm-variants.mjs'
const RESOURCES = 1000
const PACKAGES = 50
const FEW_RESOURCES = 20
const KFN = '../shared/pipelines/kpt/kfn.go'

/**
 * Pipelines of three functions, beside `kpt fn render` with a Go program for each function. The Go program is the test function of the
 * recorded runs, which sets the same fields.
 */
export function pipelines(bench: Bench): readonly Row[] {
  const kfn = buildKfn(bench.folder)
  const resources = scaled(bench, RESOURCES)
  const packages = scaled(bench, PACKAGES)
  return [
    besideKpt(bench, { what: `run of a package of ${resources} resources x 3 functions`, packages: 1, resources, part: 20 }, kfn),
    besideKpt(bench, { what: `run of ${packages} packages x 3 functions`, packages, resources: FEW_RESOURCES, part: 50 }, kfn),
  ]
}

interface Size {
  readonly what: string
  readonly packages: number
  readonly resources: number
  /** The time of kpt is divided by this. */
  readonly part: number
}

function besideKpt(bench: Bench, { what, packages, resources, part }: Size, kfn: string | undefined): Row {
  const [ours, kpts] = ['ours', 'kpt'].map((name) => join(bench.folder, `pipelines-${name}`)) as [string, string]
  const names = Array.from({ length: packages }, (_, index) => `package-${index}`)
  for (const name of names) {
    writePackage(join(ours, name), resources, BUILT_IN)
    writePackage(join(kpts, name), resources, kfnPipeline(kfn ?? ''))
  }
  const cost = runOurs(
    bench,
    names.map((name) => join(ours, name)),
  )
  const seconds = kfn === undefined ? undefined : renderByKpt(names.map((name) => join(kpts, name)))
  rmSync(ours, { recursive: true })
  rmSync(kpts, { recursive: true })
  const must = `kpt / ${part}`
  if (seconds === undefined) return { what: `${what}${kfn === undefined ? '' : ' (kpt could not)'}`, ours: cost, must: '' }
  return {
    what,
    ours: cost,
    baseline: { what: 'kpt fn render', seconds },
    must,
    ...(!bench.quick && { met: cost.seconds <= seconds / part }),
  }
}

function runOurs({ folder, identityInput: copied }: Bench, dirs: readonly string[]): Cost {
  const stdin = join(folder, 'nothing')
  writeFileSync(stdin, '')
  const args = [...usageReporter(folder), TOOL, 'run', ...dirs]
  return measureOnce({ command: process.execPath, args, stdin, stdout: `${stdin}.out`, copied })
}

/** The seconds of one `kpt fn render` after the other; undefined where kpt is missing or fails. */
function renderByKpt(dirs: readonly string[]): number | undefined {
  const start = performance.now()
  const done = dirs.every((dir) => spawnSync('kpt', ['fn', 'render', dir, '--allow-exec']).status === 0)
  return done ? (performance.now() - start) / 1000 : undefined
}

/** Builds the test function; undefined without Go or without its source. */
function buildKfn(folder: string): string | undefined {
  const place = join(folder, 'kfn')
  if (!existsSync(KFN)) return undefined
  mkdirSync(place)
  copyFileSync(KFN, join(place, 'main.go'))
  writeFileSync(join(place, 'go.mod'), 'module kfn\n\ngo 1.21\n\nrequire sigs.k8s.io/kustomize/kyaml v0.20.1\n')
  const options = { cwd: place, stdio: 'ignore', env: { ...process.env, GOFLAGS: '-mod=mod' } } as const
  return spawnSync('go', ['build', '-o', 'kfn', '.'], options).status === 0 ? join(place, 'kfn') : undefined
}

const CATALOG = 'ghcr.io/kptdev/krm-functions-catalog'
const BUILT_IN = `  - image: ${CATALOG}/set-namespace:v0.4.1
    configMap: {namespace: shop}
  - image: ${CATALOG}/set-labels:v0.2.0
    configMap: {site: north}
  - image: ${CATALOG}/apply-setters:v0.2.0
    configMap: {replicas: "5"}
`

function kfnPipeline(kfn: string): string {
  const steps = [
    ['metadata, namespace', 'shop'],
    ['metadata, labels, site', 'north'],
    ['spec, replicas', '5'],
  ]
  return steps
    .map(
      ([path, value]) =>
        `  - exec: ${kfn}\n    configMap:\n      ops: "[{op: set, path: [${path}], value: ${value}, match: {kind: Deployment}}]"\n`,
    )
    .join('')
}

function writePackage(folder: string, resources: number, mutators: string): void {
  mkdirSync(folder, { recursive: true })
  const kptfile = `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\npipeline:\n  mutators:\n${mutators}`
  writeFileSync(join(folder, 'Kptfile'), kptfile)
  for (let index = 0; index < resources; index++) writeFileSync(join(folder, `till-${index}.yaml`), deployment(index))
}

function deployment(index: number): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: till-${index}
  labels:
    app: till
spec:
  replicas: 3 # kpt-set: \${replicas}
  selector:
    matchLabels:
      app: till
  template:
    metadata:
      labels:
        app: till
    spec:
      containers:
      - name: till
        image: till:1.${index} # pinned
        ports:
        - containerPort: 8080
`
}
