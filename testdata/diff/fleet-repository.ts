import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type RecordedRun, recordRun } from '../cli/recorded-run.ts'

/** Git as a test needs it: the same commits on every machine, and no configuration of the user. */
const ENVIRONMENT = {
  PATH: process.env.PATH,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_AUTHOR_DATE: '2026-11-02T08:00:00Z',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
  GIT_COMMITTER_DATE: '2026-11-02T08:00:00Z',
  // A commit starts no further programs that look if the repository needs maintenance.
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'maintenance.auto',
  GIT_CONFIG_VALUE_0: 'false',
}

/** A git repository that a test makes and changes, commit by commit. */
export class TestRepository {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
    if (existsSync(join(folder, '.git'))) return
    // What `git init` makes, without its process.
    for (const part of ['objects', 'refs/heads']) mkdirSync(join(folder, '.git', part), { recursive: true })
    this.write('.git/HEAD', 'ref: refs/heads/main\n')
  }

  /** Returns a copy in a new folder, with the history: for a test that changes what tests of the same file begin with. */
  copyTo(folder: string): TestRepository {
    cpSync(this.folder, folder, { recursive: true })
    return new TestRepository(folder)
  }

  /** Runs git and returns what it prints. */
  git(...args: readonly string[]): string {
    const { status, stdout, stderr } = spawnSync('git', ['-C', this.folder, ...args], { encoding: 'utf8', env: ENVIRONMENT })
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
    return stdout.trim()
  }

  write(path: string, text: string): void {
    const place = join(this.folder, path)
    mkdirSync(dirname(place), { recursive: true })
    writeFileSync(place, text)
  }

  /** Replaces a text of a file. @throws Error  when the file does not hold the text */
  replace(path: string, before: string, after: string): void {
    const text = readFileSync(join(this.folder, path), 'utf8')
    if (!text.includes(before)) throw new Error(`${path} must hold '${before}'`)
    this.write(path, text.replace(before, after))
  }

  remove(path: string): void {
    rmSync(join(this.folder, path), { recursive: true })
  }

  /** Commits everything and gives the commit a tag. */
  commit(tag: string): void {
    this.git('add', '--all')
    this.git('commit', '--quiet', '--allow-empty', '--message', tag)
    this.#tag(tag)
  }

  /** Does what `git tag --force` does after a commit, without its process. In a submodule, git's folder is elsewhere and git does it. */
  #tag(tag: string): void {
    const folder = join(this.folder, '.git')
    if (!statSync(folder).isDirectory()) return void this.git('tag', '--force', tag)
    const head = readFileSync(join(folder, 'HEAD'), 'utf8')
    const commit = head.startsWith('ref: ') ? readFileSync(join(folder, head.slice('ref: '.length).trim()), 'utf8') : head
    this.write(`.git/refs/tags/${tag}`, commit)
  }

  /** Runs the tool in the repository. */
  run(...args: readonly string[]): Promise<RecordedRun> {
    return recordRun(this.folder, args)
  }
}

const STORES: readonly (readonly [name: string, region: string])[] = [
  ['ham-01', 'north'],
  ['ham-02', 'north'],
  ['ber-01', 'north'],
  ['kel-01', 'north'],
  ['muc-01', 'south'],
  ['muc-02', 'south'],
  ['cgn-01', 'west'],
  ['dus-01', 'west'],
]

const SET = `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata:
  name: tills
  namespace: fleet
spec:
  upstream:
    repo: catalog
    package: tills
    revision: 3
  targets:
    - objectSelector:
        apiVersion: retail.example.com/v1
        kind: Store
        matchLabels:
          status: open
      template:
        downstream:
          repoExpr: "'store-' + target.name"
        deletionPolicy: delete
        injectors:
          - kind: ServiceEndpoints
            nameExpr: target.labels.region + '-endpoints'
        pipeline:
          mutators:
            - name: labels
              image: ghcr.io/kptdev/krm-functions-catalog/set-labels:v0.2.1
              configMap:
                team: payments
            - name: setters
              image: ghcr.io/kptdev/krm-functions-catalog/apply-setters:v0.2.1
              configMap:
                replicas: "2"
              configMapExprs:
                - key: till-host
                  valueExpr: "'till.' + target.name + '.example.com'"
`

const KPTFILE = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: tills
info:
  description: The tills of a store
`

const TILLS = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: till-server
  namespace: tills
spec:
  replicas: 2 # kpt-set: \${replicas}
  selector:
    matchLabels:
      app: till-server
  template:
    metadata:
      labels:
        app: till-server
    spec:
      containers:
        - name: till
          image: registry.example.com/tills:2026.1
          env:
            - name: HOST
              value: till.example.com # kpt-set: \${till-host}
`

const JOURNAL = `apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: journal
  namespace: tills
spec:
  accessModes: [ReadWriteOnce]
  resources:
    requests:
      storage: 10Gi
`

const ENDPOINTS = `apiVersion: retail.example.com/v1
kind: ServiceEndpoints
metadata:
  name: endpoints
  namespace: tills
  annotations:
    kpt.dev/config-injection: required
spec:
  metrics: https://metrics.example.com
`

const PROBE = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: probe
  namespace: probes
spec:
  selector:
    matchLabels:
      app: probe
  template:
    metadata:
      labels:
        app: probe
    spec:
      containers:
        - name: probe
          image: registry.example.com/probe:1.0
`

const PROBE_SET = `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata:
  name: probes
  namespace: fleet
spec:
  upstream:
    repo: probes
    package: probe
    revision: 1
  targets:
    - repositories:
        - name: store-ham-01
        - name: store-muc-01
`

const OPTIONS = `apiVersion: fn.krm-variants.dev/v1alpha1
kind: RenderVariants
metadata:
  name: render
  annotations:
    config.kubernetes.io/local-config: "true"
spec:
  out: clusters
  repositories:
    probes:
      git:
        repo: ../probes
      trusted: true
`

function store(name: string, region: string): string {
  return `apiVersion: retail.example.com/v1
kind: Store
metadata:
  name: ${name}
  namespace: fleet
  labels:
    region: ${region}
    status: open
`
}

function endpoints(region: string): string {
  return `apiVersion: retail.example.com/v1
kind: ServiceEndpoints
metadata:
  name: ${region}-endpoints
  namespace: fleet
spec:
  metrics: https://metrics.${region}.example.com
`
}

/** A change of the fleet, in a commit of its own: its tag, and what a person does. */
export interface FleetCommit {
  readonly tag: string
  readonly act: (fleet: TestRepository, probes: TestRepository) => void
}

/** The eight kinds of change. */
export const EIGHT_CHANGES: readonly FleetCommit[] = [
  { tag: 'set', act: (fleet) => fleet.replace('sets/tills.yaml', 'replicas: "2"', 'replicas: "0"') },
  { tag: 'expression', act: (fleet) => fleet.replace('sets/tills.yaml', "'till.' +", "'pos.' +") },
  {
    tag: 'target-label',
    act: (fleet) =>
      fleet.replace(
        'stores/stores.yaml',
        'name: kel-01\n  namespace: fleet\n  labels:\n    region: north\n    status: open',
        'name: kel-01\n  namespace: fleet\n  labels:\n    region: north\n    status: closed',
      ),
  },
  { tag: 'context-object', act: (fleet) => fleet.replace('endpoints/regions.yaml', 'https://metrics.north.', 'https://m.north.') },
  { tag: 'upstream-revision', act: (fleet) => fleet.replace('sets/tills.yaml', 'revision: 3', 'revision: 4') },
  {
    tag: 'moved-tag',
    act: (_, probes) => {
      probes.git('checkout', '--quiet', '--detach', 'first')
      probes.replace('probe/probe.yaml', 'probe:1.0', 'probe:1.1')
      probes.commit('probe/v1')
    },
  },
  {
    tag: 'hand-edit',
    act: (fleet) =>
      fleet.replace(
        'clusters/store-ber-01/tills/tills.yaml',
        'image: registry.example.com/tills:2026.1',
        'image: registry.example.com/tills:2026.1-ber',
      ),
  },
  { tag: 'pipeline-function', act: (fleet) => fleet.replace('sets/tills.yaml', 'team: payments', 'team: checkout') },
]

/** Makes the fleet of eight stores with its packages rendered and committed, tagged `start`, and the repository of an upstream package. */
export async function makeFleet(folder: string): Promise<{ readonly fleet: TestRepository; readonly probes: TestRepository }> {
  const probes = new TestRepository(join(folder, 'probes'))
  probes.write('probe/Kptfile', KPTFILE.replaceAll('tills', 'probe'))
  probes.write('probe/probe.yaml', PROBE)
  probes.commit('probe/v1')
  probes.git('tag', 'first')
  const fleet = new TestRepository(join(folder, 'fleet'))
  fleet.write('sets/tills.yaml', SET)
  fleet.write('sets/probes.yaml', PROBE_SET)
  fleet.write('render.yaml', OPTIONS)
  fleet.write('stores/stores.yaml', STORES.map(([name, region]) => store(name, region)).join('---\n'))
  fleet.write('endpoints/regions.yaml', ['north', 'south', 'west'].map(endpoints).join('---\n'))
  for (const [revision, image] of [
    ['v3', 'tills:2026.1'],
    ['v4', 'tills:2026.2'],
  ] as const) {
    const at = `catalog/tills@${revision}`
    fleet.write(`${at}/Kptfile`, KPTFILE)
    fleet.write(`${at}/tills.yaml`, TILLS.replace('tills:2026.1', image))
    fleet.write(`${at}/journal.yaml`, JOURNAL)
    fleet.write(`${at}/endpoints.yaml`, ENDPOINTS)
  }
  fleet.commit('fleet')
  const rendered = await fleet.run('render', '.', '--out', 'clusters')
  if (rendered.exitCode !== 0) throw new Error(`render: ${rendered.both}`)
  fleet.commit('start')
  return { fleet, probes }
}

/** Makes a commit with some of the changes, on the commit `start`, and gives the commit a tag. */
export function commitChanges(
  { fleet, probes }: Awaited<ReturnType<typeof makeFleet>>,
  tag: string,
  changes: readonly FleetCommit[],
): void {
  fleet.git('checkout', '--quiet', '--detach', 'start')
  fleet.git('clean', '--quiet', '--force', '-d')
  probes.git('tag', '--force', 'probe/v1', 'first')
  for (const { act } of changes) act(fleet, probes)
  fleet.commit(tag)
}
