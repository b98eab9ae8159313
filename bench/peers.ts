import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bench, bundleOn, type Row, scaled } from './bench.ts'
import { git } from './diffs.ts'
import { askFor, writeFleet } from './fleet-input.ts'
import { buildGoFunctions } from './go-baseline.ts'
import { type Cost, measureInTurn, measureOnce, type Program, tenTimes, usageReporter, workOf } from './measure.ts'

const TOOL = 'dist/krm-variants.mjs'

/** The programs that users would take instead, as the Go module proxy has them. */
const PEERS = {
  kubeconform: 'github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0',
  dyff: 'github.com/homeport/dyff/cmd/dyff@v1.12.0',
  kustomize: 'sigs.k8s.io/kustomize/kustomize/v5@v5.8.1',
} as const

type Peer = keyof typeof PEERS

/**
 * The work of users beside the programs that they would take instead, on the same files. A row has no baseline where a program cannot be built.
 */
export function peers(bench: Bench): readonly Row[] {
  return [labelOnEach(bench), checkOfFleet(bench), diffOfFleet(bench)]
}

const LABEL = 'functionConfig:\n  apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: labels\n  data:\n    site: north\n'

/** A label on each item of the large list: the function set-labels beside the same on the Go SDK. */
function labelOnEach(bench: Bench): Row {
  const list = readFileSync(bench.identityInput, 'utf8')
  const stdin = join(bench.folder, 'labels.yaml')
  writeFileSync(stdin, `${list.slice(0, list.indexOf('functionConfig:'))}${LABEL}`)
  const ours = { ...bundleOn(bench, TOOL, stdin), args: [...usageReporter(bench.folder), TOOL, 'fn', 'set-labels'] }
  const command = buildGoFunctions(bench.folder)
  const programs = command === undefined ? [ours] : [ours, { command, args: ['label'], stdin, stdout: `${stdin}.go` }]
  const [cost = NO_COST, theirs] = measureInTurn(programs, bench.runs)
  return beside(bench, 'a label on each of the large list', cost, { what: 'the Go SDK', cost: theirs, part: 8 })
}

const CHECKED_RESOURCES = 10

/** `check` of a rendered fleet, beside kubeconform, which judges the schema of each Deployment and nothing else. */
function checkOfFleet(bench: Bench): Row {
  const variants = scaled(bench, 2500)
  const folder = join(bench.folder, 'checked')
  writeFleet(folder, { variants, resources: CHECKED_RESOURCES })
  writeFileSync(join(folder, 'render.yaml'), RENDERED_BESIDE)
  spawnSync(process.execPath, [TOOL, 'render', folder])
  const schemas = join(bench.folder, 'schemas')
  mkdirSync(schemas, { recursive: true })
  writeFileSync(join(schemas, 'deployment.json'), JSON.stringify(DEPLOYMENT))
  const location = join(schemas, '{{.ResourceKind}}.json')
  const conform = build(bench, 'kubeconform')
  const [ours, theirs] = [
    ourRun(bench, ['check', folder]),
    conform === undefined
      ? undefined
      : peerRun(bench, `'${conform}' -ignore-missing-schemas -schema-location '${location}' -ignore-filename-pattern Kptfile '${folder}'`),
  ]
  rmSync(folder, { recursive: true })
  const what = `check of a fleet of ${variants} packages of ${CHECKED_RESOURCES} resources`
  return beside(bench, what, ours, { what: 'kubeconform', cost: theirs, part: 1 })
}

const RENDERED_BESIDE = `apiVersion: fn.krm-variants.dev/v1alpha1
kind: RenderVariants
metadata:
  name: render
  annotations:
    config.kubernetes.io/local-config: "true"
spec:
  out: packages
`

/** As much of the schema of a Deployment as the fleet of the benchmark uses. */
const DEPLOYMENT = {
  type: 'object',
  required: ['spec'],
  properties: {
    metadata: { type: 'object', properties: { name: { type: 'string' }, labels: { additionalProperties: { type: 'string' } } } },
    spec: {
      type: 'object',
      required: ['selector', 'template'],
      properties: { replicas: { type: 'integer' }, selector: { type: 'object' }, template: { type: 'object' } },
    },
  },
}

const COMPARED_RESOURCES = 20

/** `diff` of one changed line in all packages, beside a loop of two `kustomize build` and `dyff` for each package, on a tenth of them. */
function diffOfFleet(bench: Bench): Row {
  const variants = scaled(bench, 500)
  const folder = join(bench.folder, 'both')
  writeFleet(folder, { variants, resources: COMPARED_RESOURCES })
  git(folder, 'init', '--quiet')
  git(folder, 'add', '--all')
  git(folder, 'commit', '--quiet', '--message', 'first')
  const states = [1, 2].map((revision) => {
    const out = join(bench.folder, `state-${revision}`)
    askFor(folder, revision)
    spawnSync(process.execPath, [TOOL, 'render', folder, '--out', out])
    for (const place of packagesOf(out)) writeFileSync(join(place, 'kustomization.yaml'), kustomizationOf(place))
    return out
  })
  const ours = ourRun(bench, ['diff', 'HEAD', folder])
  const isDone = readFileSync(join(bench.folder, 'peer.out'), 'utf8').startsWith(`Fleet: ${variants} of ${variants} packages change`)
  const [from = '', to = ''] = states
  const some = packagesOf(from).slice(0, Math.ceil(variants / 10))
  const [kustomize, dyff] = [build(bench, 'kustomize'), build(bench, 'dyff')]
  const loop = some.map((place) => {
    const [a, b] = [`${place}.from`, `${place}.to`]
    return `'${kustomize}' build '${place}' > '${a}'; '${kustomize}' build '${place.replace(from, to)}' > '${b}'; '${dyff}' between '${a}' '${b}'`
  })
  const script = join(bench.folder, 'loop.sh')
  writeFileSync(script, `${loop.join('\n')}\n`)
  const tenth = kustomize === undefined || dyff === undefined ? undefined : peerRun(bench, `sh '${script}'`)
  for (const place of [folder, ...states]) rmSync(place, { recursive: true, force: true })
  const what = `diff of ${variants} packages of ${COMPARED_RESOURCES} resources, one upstream line changed${isDone ? '' : ' (not found)'}`
  return beside(bench, what, ours, { what: 'kustomize and dyff, a tenth times 10', cost: tenth && tenTimes(tenth), part: 5 })
}

function packagesOf(out: string): readonly string[] {
  return readdirSync(out).flatMap((cluster) => readdirSync(join(out, cluster)).map((name) => join(out, cluster, name)))
}

function kustomizationOf(place: string): string {
  const files = readdirSync(place).filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
  return `resources:\n${files.map((name) => `- ${name}\n`).join('')}`
}

const NO_COST: Cost = { seconds: 0 }

interface Beside {
  readonly what: string
  readonly cost: Cost | undefined
  /** The work of the peer is divided by this. */
  readonly part: number
}

function beside({ quick }: Bench, what: string, ours: Cost, peer: Beside): Row {
  if (peer.cost === undefined) return { what: `${what} (${peer.what} cannot be built)`, ours, must: '' }
  const met = workOf(ours) <= workOf(peer.cost) / peer.part
  const must = peer.part === 1 ? 'baseline' : `baseline / ${peer.part}`
  return { what, ours, baseline: { what: peer.what, ...peer.cost }, must, ...(!quick && { met }) }
}

function ourRun(bench: Bench, args: readonly string[]): Cost {
  return measureOnce(program(bench, process.execPath, [...usageReporter(bench.folder), TOOL, ...args]))
}

/** Returns the cost of a shell command. The shell reports the processor time of its children, and not their memory. */
function peerRun(bench: Bench, command: string): Cost {
  const report = 'read -r user system < "$0"; printf "0 %.0f %.0f" "$(tr -d . <<< "$user")000" "$(tr -d . <<< "$system")000" >&3'
  const times = join(bench.folder, 'times')
  const script = `TIMEFORMAT='%U %S'; { time { ${command}; } > /dev/null 2>&1; } 2> "$0"; ${report}`
  return measureOnce(program(bench, 'bash', ['-c', script, times]))
}

function program({ folder, identityInput: copied }: Bench, command: string, args: readonly string[]): Program {
  const stdin = join(folder, 'nothing')
  writeFileSync(stdin, '')
  return { command, args, stdin, stdout: join(folder, 'peer.out'), copied }
}

/** Returns the path of a program, built on first use; undefined if it cannot be built. */
function build({ folder }: Bench, peer: Peer): string | undefined {
  const path = join(folder, 'peers', peer)
  if (existsSync(path)) return path
  const { status } = spawnSync('go', ['install', PEERS[peer]], { env: { ...process.env, GOBIN: join(folder, 'peers') } })
  return status === 0 ? path : undefined
}
