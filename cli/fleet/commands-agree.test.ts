import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { expect, test } from 'vitest'
import { type JsonValue, memberOf, scalarText } from '../../src/json.ts'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'

/** The odd things, one of which a random fleet has beside its sets. */
const ODDITIES = [
  'nothing',
  'outside',
  'link',
  'ignored',
  'sparse',
  'unreadable-set',
  'broken-package',
  'deleted-kptfile',
  'moved',
  'selecting',
  'bare-upstream',
  'submodule',
] as const

type Oddity = (typeof ODDITIES)[number]

/** Returns numbers that look random and are the same in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0
    return (state >>> 8) % below
  }
}

/** A fleet of one to four clusters and one to three sets, of which the last may be a matrix with rings. */
class RandomFleet {
  readonly repository: TestRepository
  readonly clusters: readonly string[]
  readonly sets: readonly string[]
  readonly out: string
  readonly flags: readonly string[]

  constructor(folder: string, seed: number, oddity: Oddity) {
    const pick = numbers(seed)
    this.repository = new TestRepository(join(folder, 'repository'))
    this.clusters = Array.from({ length: 1 + pick(4) }, (_, i) => `c${i}`)
    this.sets = Array.from({ length: 1 + pick(3) }, (_, i) => `s${i}`)
    this.out = oddity === 'outside' ? '../packages' : 'packages'
    this.flags = oddity === 'outside' ? ['--allow-outside'] : []
    const { repository } = this
    const [bare, upstream] = [
      join(folder, 'upstream.git'),
      oddity === 'bare-upstream' ? new TestRepository(join(folder, 'upstream')) : undefined,
    ]
    const found = upstream === undefined ? '' : `, repositories: {catalog: {git: {repo: ${bare}}}}`
    repository.write(
      'fleet/render.yaml',
      `${head('RenderVariants', 'r', 'fn.krm-variants.dev/v1alpha1')}spec: {out: ${this.out}${found}}\n`,
    )
    for (const [i, cluster] of this.clusters.entries()) repository.write(`fleet/repositories/${cluster}.yaml`, repositoryText(cluster, i))
    for (const [i, set] of this.sets.entries()) {
      const [catalog, place] = upstream === undefined ? [repository, `fleet/catalog/${set}@v1`] : [upstream, set]
      catalog.write(`${place}/Kptfile`, head('Kptfile', set, 'kpt.dev/v1'))
      const config = `${siteHead(set)}data: {a: b}\n`
      catalog.write(`${place}/cm.yaml`, config)
      catalog.write(`${place}/provider.yaml`, providerText(set))
      repository.write(`fleet/sets/${set}.yaml`, i === 2 ? matrixText(set) : setText(set, pick(2) === 0))
    }
    if (selects(oddity, pick)) this.#selectSites()
    repository.commit('v1')
    upstream?.commit('v1')
    upstream?.git('clone', '--quiet', '--bare', '.', bare)
    if (oddity === 'submodule') {
      const outer = new TestRepository(folder)
      outer.git('submodule', 'add', '--quiet', './repository', 'repository')
      outer.git('submodule', 'absorbgitdirs')
    }
  }

  /** Makes the first set select objects, of which the packages have some, too. */
  #selectSites(): void {
    for (const cluster of this.clusters) this.repository.write(`fleet/sites/${cluster}.yaml`, siteHead(cluster))
    this.repository.write('fleet/sets/s0.yaml', selectingText('s0'))
  }

  /** Returns a path below the folder of packages, as the caller sees it. */
  shown(path: string): string {
    return posix.join('fleet', this.out, path)
  }

  /** Returns the exit code and the JSON of a command. */
  async run(
    command: string,
    ...args: readonly string[]
  ): Promise<{ readonly exitCode: number; readonly json: JsonValue; readonly said: string }> {
    const { stdout, both, exitCode } = await this.repository.run(...command.split(' '), 'fleet', '--format', 'json', ...args)
    return { exitCode, json: stdout === '' ? null : JSON.parse(stdout), said: both }
  }
}

function head(kind: string, name: string, apiVersion: string): string {
  return `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: ${name}}\n`
}

/** Returns true for a fleet whose first set selects objects. Without its Kptfile a package is none, and what it holds may be a target. */
function selects(oddity: Oddity, pick: (below: number) => number): boolean {
  return oddity === 'selecting' || (oddity !== 'deleted-kptfile' && pick(3) === 0)
}

/** Returns the head of a ConfigMap that a set selects, as a target or in a package, where it is none. */
function siteHead(name: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, labels: {site: 'yes'}}\n`
}

function providerText(set: string): string {
  return `${head('Provider', set, 'pkg.crossplane.io/v1')}spec: {package: 'xpkg.example.org/acme/${set}:v1.0.0'}\n`
}

function repositoryText(cluster: string, i: number): string {
  const git = `git: {repo: 'https://git.example.com/fleet.git', branch: main, directory: fleet/packages/${cluster}}`
  return `apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata: {name: ${cluster}, labels: {ring: ${i === 0 ? 'canary' : 'all'}, odd: '${i % 2}'}}
spec: {type: git, deployment: true, ${git}}
`
}

function setText(set: string, isAll: boolean): string {
  return `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: ${set}}
spec:
  upstream: {repo: catalog, package: ${set}, revision: 1}
  targets:
  - repositorySelector: {matchLabels: ${isAll ? "{odd: '0'}" : '{}'}, matchExpressions: [{key: ring, operator: Exists}]}
`
}

function selectingText(set: string): string {
  return `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: ${set}}
spec:
  upstream: {repo: catalog, package: ${set}, revision: 1}
  targets:
  - objectSelector: {apiVersion: v1, kind: ConfigMap, matchLabels: {site: 'yes'}}
    template: {downstream: {repoExpr: target.name}}
`
}

function matrixText(set: string): string {
  return `apiVersion: fleet.krm-variants.dev/v1alpha1
kind: PackageVariantMatrix
metadata: {name: ${set}}
spec:
  upstreams:
  - {repo: catalog, package: ${set}, revision: 1}
  targets:
  - repositorySelector: {matchExpressions: [{key: ring, operator: Exists}]}
  rings:
  - {name: canary, where: "repository.labels.ring == 'canary'"}
  - {name: all}
`
}

function listAt(value: JsonValue, key: string): readonly JsonValue[] {
  const found = memberOf(value, key)
  return Array.isArray(found) ? found : []
}

/** Returns the packages that a plan of a folder asks for. */
function wantedBy(plan: JsonValue): readonly string[] {
  const changes = listAt(plan, 'sets').flatMap((set) => listAt(set, 'changes'))
  const places = changes.filter((change) => memberOf(change, 'op') !== 'remove').map((change) => memberOf(change, 'downstream'))
  return places.map((place) => `${scalarText(memberOf(place, 'repo'))}/${scalarText(memberOf(place, 'package'))}`).sort()
}

function foldersOf(report: JsonValue): readonly string[] {
  return listAt(report, 'packages')
    .map((each) => scalarText(memberOf(each, 'folder')))
    .sort()
}

function count(value: JsonValue, ...keys: readonly string[]): number {
  const found = keys.reduce<JsonValue | undefined>((each, key) => memberOf(each, key), value)
  return typeof found === 'number' ? found : 0
}

/** Compares what the commands say of a fleet whose packages are rendered and committed. */
async function agree(fleet: RandomFleet, ...args: readonly string[]): Promise<void> {
  const { json: plan, said } = await fleet.run('plan', ...args)
  const wanted = wantedBy(plan)
  const label = `${args.join(' ')}\n${said}`
  const render = await fleet.run('render --dry-run', ...args)
  expect(count(render.json, 'counts', 'unchanged'), `render ${label}${render.said}`).toBe(wanted.length)
  expect([render.exitCode, foldersOf(render.json)], `render ${label}${render.said}`).toEqual([0, []])
  expect(count(plan, 'packages', 'counts', 'unchanged'), `plan ${label}`).toBe(wanted.length)
  const diff = await fleet.run('diff', ...args)
  expect([diff.exitCode, count(diff.json, 'counts', 'packages'), foldersOf(diff.json)], `diff ${label}${diff.said}`).toEqual([
    0,
    wanted.length,
    [],
  ])
  const { stdout, exitCode: compared } = await fleet.repository.run('diff', 'v1', 'fleet', '--format', 'json', ...args)
  const since: JsonValue = JSON.parse(stdout)
  expect([compared, count(since, 'counts', 'packages'), foldersOf(since)], `diff v1 ${label}`).toEqual([2, wanted.length, wanted])
  const behind = await fleet.run('explain --behind', ...args)
  expect([count(behind.json, 'packages'), count(behind.json, 'without')], `explain ${label}${behind.said}`).toEqual([wanted.length, 0])
  const rings = await fleet.run('rings', ...args)
  const inRings = listAt(rings.json, 'rings').map((ring) => [count(ring, 'packages'), count(ring, 'there')])
  expect(
    inRings.reduce((sum, [packages = 0]) => sum + packages, 0),
    `rings ${label}${rings.said}`,
  ).toBe(wanted.filter((each) => each.endsWith('/s2')).length)
  expect(rings.exitCode, `rings ${label}${rings.said}`).toBe(0)
  const outdated = await fleet.run('outdated', ...args)
  expect([outdated.exitCode, listAt(outdated.json, 'outdated')], `outdated ${label}${outdated.said}`).toEqual([0, []])
  const check = await fleet.run('check', ...args)
  expect([check.exitCode, count(check.json, 'counts', 'errors')], `check ${label}${check.said}`).toEqual([0, 0])
  const resolved = await fleet.run('resolve --dry-run', ...args)
  expect(resolved.exitCode, `resolve ${label}${resolved.said}`).toBe(0)
  const graph = await fleet.repository.run('graph', 'fleet', ...args)
  const drawn = new Set(Array.from(graph.stdout.matchAll(/\["(?:\w+\/)?(s\d-c\d-s\d)"\]:::variant/g), ([, name]) => name))
  expect([graph.exitCode, [...drawn].sort()], `graph ${label}${graph.both}`).toEqual([
    0,
    wanted.map((place) => `${posix.basename(place)}-${place.replace('/', '-')}`).sort(),
  ])
  const run = await fleet.repository.run('run', '--dry-run', ...wanted.map((place) => fleet.shown(place)))
  expect([run.exitCode, run.stderr], 'run').toEqual([
    0,
    expect.stringMatching(new RegExp(`in ${wanted.length} packages?: nothing to change`)),
  ])
}

/** Expects that `explain` finds the object of each package. */
async function explainEach(fleet: RandomFleet, wanted: readonly string[]): Promise<void> {
  for (const place of wanted) {
    const [cluster = '', name = ''] = place.split('/')
    const { json, said, exitCode } = await fleet.run(`explain ConfigMap/${name}`, ...fleet.flags, '--cluster', cluster)
    const file = memberOf(memberOf(json, 'rendered'), 'place')
    expect([exitCode, memberOf(json, 'package'), file], `explain ${place} ${said}`).toEqual([0, place, fleet.shown(`${place}/cm.yaml:1`)])
  }
}

/** The commands that cannot answer for a fleet of which something may be missing. */
const COMMANDS = ['plan', 'render --dry-run', 'diff', 'check', 'explain --behind', 'rings', 'outdated', 'sync --for flux --dry-run']

async function refuse(fleet: RandomFleet, commands: readonly string[]): Promise<void> {
  for (const command of commands) {
    const { exitCode, said } = await fleet.run(command, ...fleet.flags)
    expect([command, exitCode], said).toEqual([command, 1])
  }
}

/** Returns the package that an oddity is about, REPOSITORY/PACKAGE: the first one of the last set. */
function altered({ sets }: RandomFleet, wanted: readonly string[]): string {
  return wanted.find((each) => each.endsWith(`/${sets.at(-1)}`)) ?? ''
}

/** Changes a rendered fleet. */
function alter({ repository, sets, out }: RandomFleet, oddity: Oddity, place: string): void {
  const set = `fleet/sets/${sets.at(-1)}.yaml`
  const changes: Readonly<Partial<Record<Oddity, () => void>>> = {
    link: () => {
      mkdirSync(join(repository.folder, 'elsewhere'), { recursive: true })
      renameSync(join(repository.folder, set), join(repository.folder, 'elsewhere/set.yaml'))
      symlinkSync('../../elsewhere/set.yaml', join(repository.folder, set))
      repository.commit('link')
    },
    ignored: () => repository.write('fleet/.krmignore', `sets/${sets.at(-1)}.yaml\n`),
    'unreadable-set': () => repository.write(set, 'spec: [\n'),
    'broken-package': () => repository.write(`fleet/packages/${place}/cm.yaml`, 'data: [\n'),
    'deleted-kptfile': () => rmSync(join(repository.folder, 'fleet', out, place, 'Kptfile')),
    moved: () => renameSync(join(repository.folder, 'fleet/packages'), join(repository.folder, 'fleet/former')),
    sparse: () => void repository.git('sparse-checkout', 'set', '--no-cone', '/*', `!/fleet/packages/${place}/`),
  }
  changes[oddity]?.()
}

/** The commands that must end with an error. A file that render leaves as it is, is a warning of render, and a change of diff. */
const REFUSING: Readonly<Partial<Record<Oddity, readonly string[]>>> = {
  'unreadable-set': COMMANDS,
  'broken-package': COMMANDS.filter((each) => !['plan', 'diff', 'render --dry-run'].includes(each)),
  sparse: COMMANDS.filter((each) => each !== 'plan'),
  moved: COMMANDS,
}

async function judge(fleet: RandomFleet, oddity: Oddity, wanted: readonly string[]): Promise<void> {
  const { clusters, flags } = fleet
  const refusing = REFUSING[oddity]
  if (refusing !== undefined) {
    const [cluster, name] = altered(fleet, wanted).split('/')
    return refuse(fleet, [...refusing, `explain ConfigMap/${name} --cluster ${cluster}`])
  }
  if (oddity === 'deleted-kptfile') {
    for (const command of ['render --dry-run', 'check', 'rings', 'outdated', 'explain --behind'])
      expect((await fleet.run(command)).said, command).toMatch(/no Kptfile/)
  } else if (oddity === 'ignored') {
    const gone = wanted.filter((each) => each.endsWith(`/${fleet.sets.at(-1)}`))
    const found = [await fleet.run('render --dry-run', '--discard-edits'), await fleet.run('diff')]
    if (gone.length < wanted.length) expect(found.map(({ json }) => foldersOf(json))).toEqual([gone, gone])
  } else {
    await agree(fleet, ...flags)
    await explainEach(fleet, wanted)
    const cluster = clusters.findLast((each) => wanted.some((place) => place.startsWith(`${each}/`)))
    // One cluster is the whole fleet.
    if (cluster !== undefined && clusters.length > 1) await agree(fleet, ...flags, '--cluster', cluster)
  }
}

/** `SEEDS=300` makes that many fleets, `FROM=100` begins with another one. */
const SEEDS = Array.from({ length: Number(process.env.SEEDS ?? ODDITIES.length) }, (_, i) => i + Number(process.env.FROM ?? 0))

test.each(SEEDS)('the commands agree on the packages and clusters of random fleet %i', async (seed) => {
  const oddity = ODDITIES[seed % ODDITIES.length] ?? 'nothing'
  const folder = mkdtempSync(join(tmpdir(), 'krm-variants-agree-'))
  try {
    const fleet = new RandomFleet(folder, seed, oddity)
    const { repository, flags } = fleet
    const wanted = wantedBy((await fleet.run('plan', ...flags)).json)
    const render = await fleet.run('render --dry-run', ...flags)
    expect(foldersOf(render.json), render.said).toEqual(wanted)
    expect((await fleet.run('render', ...flags)).exitCode).toBe(0)
    repository.commit('rendered')
    alter(fleet, oddity, altered(fleet, wanted))
    await judge(fleet, oddity, wanted)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
