import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The size of a fleet. */
export interface FleetSize {
  readonly variants: number
  /** Of the package. */
  readonly resources: number
  /** If true, each variant has three functions of the catalog with values of its own, else one function. */
  readonly hasFunctions?: boolean
}

/** The resource that the second revision changes, in one line. */
const CHANGED = 'r3.yaml'

const KPTFILE = 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: network\ninfo:\n  description: The network of a site\n'

/** Writes a fleet: one set, its repositories, and a package in two revisions that differ in one line. */
export function writeFleet(folder: string, { variants, resources, hasFunctions = false }: FleetSize): void {
  for (const revision of [1, 2]) writePackage(join(folder, `catalog/network@v${revision}`), revision, resources)
  const repositories = Array.from({ length: variants }, (_, number) => repository(number))
  writeFileSync(join(folder, 'repositories.yaml'), repositories.join('---\n'))
  writeFileSync(join(folder, 'set.yaml'), `${SET}${hasFunctions ? MORE_FUNCTIONS : ''}`)
}

/** Has the set ask for a revision. */
export function askFor(folder: string, revision: number): void {
  const file = join(folder, 'set.yaml')
  writeFileSync(file, readFileSync(file, 'utf8').replace(/revision: \d+/, `revision: ${revision}`))
}

/** Runs `render` with arguments. @throws Error with what it says if it does not end with 0 */
export function renderOrThrow(args: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, ['dist/krm-variants.mjs', 'render', ...args], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`render ${args.join(' ')}: ${stderr}`)
}

/** Makes a folder a git repository with one commit. @throws Error with what git says */
export function commitAll(folder: string): void {
  const steps = [
    ['init', '--quiet', '--initial-branch', 'main'],
    ['add', '--all'],
    ['commit', '--quiet', '--message', 'first'],
  ]
  for (const step of steps) {
    const git = spawnSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...step], { encoding: 'utf8' })
    if (git.status !== 0) throw new Error(`git ${step.join(' ')}: ${git.stderr}`)
  }
}

function writePackage(folder: string, revision: number, resources: number): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'Kptfile'), KPTFILE)
  for (let number = 0; number < resources; number++) {
    const name = `r${number}`
    writeFileSync(join(folder, `${name}.yaml`), deployment(name, `${name}.yaml` === CHANGED ? revision : 1))
  }
}

function repository(number: number): string {
  const metadata = `  name: site-${String(number).padStart(6, '0')}\n  namespace: fleet\n  labels:\n    region: r${number % 10}\n`
  return `apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata:\n${metadata}spec:\n  type: git\n`
}

const SET = `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata:
  name: network
  namespace: fleet
spec:
  upstream: {repo: catalog, package: network, revision: 1}
  targets:
  - repositorySelector:
      matchLabels: {}
    template:
      packageContext:
        dataExprs:
        - key: site
          valueExpr: repository.name
        - key: region
          valueExpr: repository.labels['region']
      pipeline:
        mutators:
        - name: labels
          image: ghcr.io/kptdev/krm-functions-catalog/set-labels:v0.2.0
          configMapExprs:
          - key: site
            valueExpr: repository.name
`

const MORE_FUNCTIONS = `        - name: namespace
          image: ghcr.io/kptdev/krm-functions-catalog/set-namespace:v0.4.1
          configMapExprs:
          - key: namespace
            valueExpr: repository.name
        - name: setters
          image: ghcr.io/kptdev/krm-functions-catalog/apply-setters:v0.2.0
          configMapExprs:
          - key: mode
            valueExpr: repository.name
`

/** A resource with what the functions of the fleet set. */
export function deployment(name: string, replicas: number): string {
  return `# What ${name} does
apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  labels:
    app: ${name}
spec:
  replicas: ${replicas} # kpt-set: \${replicas}
  selector:
    matchLabels: {app: ${name}}
  template:
    metadata:
      labels: {app: ${name}}
    spec:
      containers:
      - name: main
        image: registry.example.com/${name}:1.0
        env:
        - name: MODE
          value: prod # kpt-set: \${mode}
        resources:
          requests: {cpu: 100m, memory: 64Mi}
`
}
