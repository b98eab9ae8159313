import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bench, type Row, scaled } from './bench.ts'
import { askFor, type FleetSize, writeFleet } from './fleet-input.ts'
import { type Cost, measureOnce, usageReporter, workOf } from './measure.ts'

const TOOL = 'dist/krm-variants.mjs'
const RESOURCES = 40
const FEW_RESOURCES = 4
/** The packages that inject one of the context objects. */
const INJECTING = 5
const MOST_LINES = 30
const MOST_MEGABYTES = 400

/**
 * `diff` of a large fleet whose packages the repository does not hold, beside `render` of one of the two states. Where all packages change,
 * the functions are left out: they run for each state, so that with a function on every resource `diff` takes twice the time of `render`.
 */
export function diffs(bench: Bench): readonly Row[] {
  const few = scaled(bench, 2500)
  const folder = join(bench.folder, 'compared')
  makeRepository(folder, { variants: few, resources: RESOURCES })
  const out = join(bench.folder, 'compared-out')
  const state = run(bench, ['render', folder, '--out', out, '--dry-run', '--no-run'])
  const render = run(bench, ['render', folder, '--out', out])
  rmSync(out, { recursive: true })
  askFor(folder, 2)
  injectGroups(folder)
  const line = run(bench, ['diff', 'HEAD', folder, '--no-run'])
  git(folder, 'commit', '--quiet', '--all', '--message', 'second')
  writeFileSync(join(folder, 'groups.yaml'), readFileSync(join(folder, 'groups.yaml'), 'utf8').replace('value: g1-', 'value: new-'))
  const injected = run(bench, ['diff', 'HEAD', folder])
  const [summary = ''] = readFileSync(join(bench.folder, 'diff.out'), 'utf8').split('\n')
  const isFive = summary.startsWith(`Fleet: ${INJECTING} of `)
  rmSync(folder, { recursive: true })
  return [
    {
      what: `diff of ${few} packages of ${RESOURCES} resources without their functions, one upstream line changed`,
      ours: line,
      baseline: { what: 'render --dry-run --no-run of one state', ...state },
      must: `1.5 x baseline, ${MOST_MEGABYTES} MB`,
      ...(!bench.quick && { met: workOf(line) <= 1.5 * workOf(state) && (line.usage?.megabytes ?? 0) <= MOST_MEGABYTES }),
    },
    {
      what: `the same with functions, one object changed that ${INJECTING} packages inject${isFive ? '' : ` (${summary})`}`,
      ours: injected,
      baseline: { what: 'render', ...render },
      must: 'baseline / 5',
      ...(!bench.quick && { met: isFive && workOf(injected) <= workOf(render) / 5 }),
    },
    manyPackages(bench),
  ]
}

/** One image of 10,000 packages changes: that is one change, however many clusters it reaches. */
function manyPackages(bench: Bench): Row {
  const variants = scaled(bench, 10_000)
  const folder = join(bench.folder, 'many-compared')
  makeRepository(folder, { variants, resources: FEW_RESOURCES })
  const file = join(folder, 'catalog/network@v1/r3.yaml')
  writeFileSync(file, readFileSync(file, 'utf8').replace('r3:1.0', 'r3:1.1'))
  const ours = run(bench, ['diff', 'HEAD', folder, '--no-run'])
  const lines = readFileSync(join(bench.folder, 'diff.out'), 'utf8').split('\n').length - 1
  rmSync(folder, { recursive: true })
  return {
    what: `diff of ${variants} packages, one image changed: ${lines} lines`,
    ours,
    must: `${MOST_LINES} lines`,
    met: lines < MOST_LINES,
  }
}

function makeRepository(folder: string, size: FleetSize): void {
  mkdirSync(folder)
  writeFleet(folder, size)
  const repositories = join(folder, 'repositories.yaml')
  let site = 0
  const grouped = readFileSync(repositories, 'utf8').replaceAll(
    /^ {4}region: .*\n/gm,
    (line) => `${line}    group: g${Math.floor(site++ / INJECTING)}\n`,
  )
  writeFileSync(repositories, grouped)
  const groups = Array.from({ length: Math.ceil(size.variants / INJECTING) }, (_, i) => contextObject(`g${i}`, `g${i}-value`))
  writeFileSync(join(folder, 'groups.yaml'), groups.join('---\n'))
  for (const revision of [1, 2])
    writeFileSync(join(folder, `catalog/network@v${revision}/point.yaml`), contextObject('point', 'none', 'optional'))
  injectGroups(folder)
  git(folder, 'init', '--quiet')
  git(folder, 'add', '--all')
  git(folder, 'commit', '--quiet', '--message', 'first')
}

/** Has the set inject the object of each site's group; `askFor` writes the set without that. */
function injectGroups(folder: string): void {
  const file = join(folder, 'set.yaml')
  const injectors = "      injectors:\n      - nameExpr: repository.labels['group']\n        kind: SiteGroup\n      pipeline:\n"
  writeFileSync(file, readFileSync(file, 'utf8').replace('      pipeline:\n', injectors))
}

function contextObject(name: string, value: string, injection?: string): string {
  const annotations = injection === undefined ? '' : `\n  annotations:\n    kpt.dev/config-injection: ${injection}`
  return `apiVersion: example.com/v1\nkind: SiteGroup\nmetadata:\n  name: ${name}\n  namespace: fleet${annotations}\nspec:\n  value: ${value}\n`
}

/** Runs git in a folder. @throws Error with what git says */
export function git(folder: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
}

function run({ folder: place, identityInput: copied }: Bench, args: readonly string[]): Cost {
  const stdin = join(place, 'nothing')
  writeFileSync(stdin, '')
  const stdout = join(place, 'diff.out')
  return measureOnce({ command: process.execPath, args: [...usageReporter(place), TOOL, ...args], stdin, stdout, copied })
}
