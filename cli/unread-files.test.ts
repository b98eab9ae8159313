import { execFileSync } from 'node:child_process'
import { lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TestRepository } from '../testdata/diff/fleet-repository.ts'
import { randomRuns } from '../testdata/random-runs.ts'

/** The commands that read a fleet. Those that write come last. */
const COMMANDS = [
  'check',
  'plan',
  'rings',
  'outdated',
  'explain',
  'graph',
  'diff start',
  'sync --dry-run',
  'render --dry-run',
  'explain --behind',
  'resolve --dry-run',
  'outdated --write',
  'sync',
  'fn fan-out --write',
  'check --fix',
  'render',
] as const

interface Shape {
  readonly clusters: number
  readonly packages: number
  readonly variants: boolean
  readonly out: 'packages' | '.' | '../packages'
}

const DAMAGES = [
  'junk',
  'junk with braces',
  'a loop of links',
  'a link to nothing',
  'a pipe',
  'a sparse entry',
  'no kind',
  'a list',
  'cut',
  'bytes',
] as const
type Damage = (typeof DAMAGES)[number]

const CLUSTERS = ['ams', 'ber', 'nyc']
const PACKAGES = ['web', 'dns']

async function makeFleet({ clusters, packages, out, variants }: Shape): Promise<TestRepository> {
  const fleet = new TestRepository(mkdtempSync(join(tmpdir(), 'krm-variants-unread-')))
  const own = PACKAGES.slice(0, packages)
  for (const name of CLUSTERS.slice(0, clusters))
    fleet.write(
      `fleet/clusters/${name}.yaml`,
      `apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata:\n  name: ${name}\n  labels: {env: prod}\nspec: {type: git, git: {repo: "https://git.example.com/f.git", branch: main, directory: /${name}}}\n`,
    )
  fleet.write(
    'fleet/base.yaml',
    `apiVersion: fleet.krm-variants.dev/v1alpha1\nkind: PackageVariantMatrix\nmetadata:\n  name: base\nspec:\n  upstreams: [${own.map((name) => `{repo: catalog, package: ${name}, revision: 1}`).join(', ')}]\n  targets:\n  - repositorySelector: {matchLabels: {env: prod}}\n  rings:\n  - name: all\n`,
  )
  fleet.write(
    'fleet/render.yaml',
    `apiVersion: fn.krm-variants.dev/v1alpha1\nkind: RenderVariants\nmetadata: {name: r}\nspec: {out: ${out}, fleet: f}\n`,
  )
  fleet.write(
    'fleet/sync.yaml',
    'apiVersion: fn.krm-variants.dev/v1alpha1\nkind: GenerateSync\nmetadata: {name: s}\nspec: {system: flux}\n',
  )
  for (const name of own) {
    fleet.write(`fleet/catalog/${name}@v1/Kptfile`, `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: ${name}\n`)
    fleet.write(`fleet/catalog/${name}@v1/a.yaml`, `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  x: "1"\n`)
  }
  if (variants) await fleet.run('fn', 'fan-out', 'fleet', '--write')
  await fleet.run('render', 'fleet', '--allow-outside')
  const edited = filesBelow(fleet.folder).find((path) => path.endsWith(`ams/${own[0]}/a.yaml`)) ?? ''
  fleet.replace(edited, '  x: "1"\n', '  x: "1"\n  person: mine\n')
  fleet.commit('start')
  return fleet
}

/** Returns the paths of all files and links of a folder but those of git. */
function filesBelow(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !path.startsWith('.git/'))
    .sort()
}

/** Returns the text of each file, and the target of each link. */
function stateOf(folder: string): Readonly<Record<string, string>> {
  const read = (place: string) => {
    const stats = lstatSync(place)
    if (stats.isSymbolicLink()) return `link to ${readlinkSync(place)}`
    return stats.isFIFO() ? 'a pipe' : readFileSync(place, 'utf8')
  }
  return Object.fromEntries(filesBelow(folder).map((path) => [path, read(join(folder, path))]))
}

function damageFile(fleet: TestRepository, path: string, damage: Damage): void {
  const place = join(fleet.folder, path)
  if (damage === 'a sparse entry') {
    fleet.git('sparse-checkout', 'set', '--no-cone', '/*', `!/${path}`)
    return
  }
  const text = readFileSync(place, 'utf8')
  rmSync(place)
  if (damage === 'junk') writeFileSync(place, `${text}spec\n`)
  if (damage === 'junk with braces') writeFileSync(place, `# {{ docs }}\n${text}spec\n`)
  if (damage === 'no kind') writeFileSync(place, text.replace(/^kind: .*\n/m, ''))
  if (damage === 'a list') writeFileSync(place, `${text.replaceAll(/^/gm, '  ').replace(/^ {2}/, '- ').trimEnd()}\n`)
  if (damage === 'cut') writeFileSync(place, text.slice(0, text.length / 2))
  if (damage === 'bytes') writeFileSync(place, Buffer.from([0xff, 0xfe, 0x00, 0x41, 0x0a]))
  if (damage === 'a loop of links') symlinkSync(path.split('/').at(-1) ?? '', place)
  if (damage === 'a link to nothing') symlinkSync('nowhere', place)
  if (damage === 'a pipe') execFileSync('mkfifo', [place])
}

const shapes = fc.record({
  clusters: fc.integer({ min: 1, max: 3 }),
  packages: fc.integer({ min: 1, max: 2 }),
  variants: fc.boolean(),
  out: fc.constantFrom<Shape['out']>('packages', '.', '../packages'),
})

test('no command removes or makes a package because of a file that it cannot read, and none ends well without naming the file', async () => {
  const property = fc.asyncProperty(shapes, fc.nat(), fc.constantFrom(...DAMAGES), async (shape, index, damage) => {
    const fleet = await makeFleet(shape)
    const files = filesBelow(fleet.folder)
    const path = files[index % files.length] ?? ''
    damageFile(fleet, path, damage)
    const before = stateOf(fleet.folder)
    const said: string[] = []
    for (const command of COMMANDS) {
      const { exitCode, stdout, stderr } = await fleet.run(
        ...command.split(' '),
        'fleet',
        ...(ALLOWS.has(command) ? ['--allow-outside'] : []),
      )
      if (exitCode === 0 && mustName({ command, path, damage }) && !names(`${stdout}${stderr}`, path))
        said.push(`${command} of ${path} with ${damage}: 0\n${stdout}${stderr}`)
      expect([command, path, damage, keptOf(command, before, fleet.folder)]).toEqual([command, path, damage, before])
    }
    rmSync(fleet.folder, { recursive: true })
    expect(said).toEqual([])
  })
  await fc.assert(property, { numRuns: randomRuns(2), endOnFailure: true })
}, 600_000)

/** The commands that say something of rendered packages. */
const READ_PACKAGES: ReadonlySet<string> = new Set(['check', 'rings', 'diff start', 'render', 'render --dry-run'])

/** Returns true for a file of a rendered package. */
function isInPackage(path: string): boolean {
  return CLUSTERS.some((cluster) => path.includes(`/${cluster}/`))
}

/** Returns the files that a command may not touch, and removes those that it made. */
function keptOf(command: string, before: Readonly<Record<string, string>>, folder: string): Readonly<Record<string, string>> {
  const after = stateOf(folder)
  if (!MAKES_FILES.has(command)) return after
  const made = Object.keys(after).filter((path) => !(path in before))
  for (const path of made) rmSync(join(folder, path))
  return Object.fromEntries(Object.entries(after).filter(([path]) => !made.includes(path) || isInPackage(path)))
}

interface Asked {
  readonly command: string
  readonly path: string
  readonly damage: Damage
}

/** Returns true if a command that ends well must name the file. What is sound YAML may be no object of the fleet. */
function mustName({ command, path, damage }: Asked): boolean {
  if (damage === 'no kind' || damage === 'a list' || damage === 'cut') return false
  return !isInPackage(path) || READ_PACKAGES.has(command) || (command === 'outdated' && path.endsWith('Kptfile'))
}

function names(said: string, path: string): boolean {
  return said.includes(path.split('/').slice(0, -1).join('/')) || said.includes(path)
}

/** The commands that write files beside those that are there. */
const MAKES_FILES: ReadonlySet<string> = new Set(['fn fan-out --write', 'sync'])

const ALLOWS: ReadonlySet<string> = new Set(['check', 'plan', 'diff start', 'render', 'render --dry-run'])
