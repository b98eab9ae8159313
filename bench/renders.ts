import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { type Bench, judge, type Row, scaled } from './bench.ts'
import { askFor, CHANGED, type FleetSize, writeFleet } from './fleet-input.ts'
import { type Cost, measureOnce, usageReporter, workOf } from './measure.ts'

const TOOL = 'dist/krm-variants.mjs'
const RESOURCES = 40
/** A fleet of ten times the variants has as many files as the other. */
const FEW_RESOURCES = 4

/**
 * A fleet rendered to folders, each size once: what is measured is also the input of the next row. Beside it `kpt pkg get` and `kpt fn render` in a
 * loop, on a few variants.
 */
export function renders(bench: Bench): readonly Row[] {
  const few = scaled(bench, 2500)
  const folder = join(bench.folder, 'fleet')
  const first = renderNew(bench, folder, { variants: few, resources: RESOURCES })
  const [second, isExact] = renderChanged(bench, folder)
  const third = render(bench, folder)
  rmSync(folder, { recursive: true })
  const rows = [
    judge(bench, `render of ${few} variants of a package of ${RESOURCES} resources`, first, 1 / 1.5, 700),
    {
      what: `again, one line changed upstream${isExact ? '' : ', and more was written than that'}`,
      ours: second,
      baseline: { what: 'the first render', ...first },
      must: 'baseline / 3',
      ...(!bench.quick && { met: isExact && workOf(second) <= workOf(first) / 3 }),
    },
    {
      what: 'again, nothing changed',
      ours: third,
      baseline: { what: 'the first render', ...first },
      must: '0.5 x baseline',
      ...(!bench.quick && { met: workOf(third) <= 0.5 * workOf(first) }),
    },
  ]
  return [...rows, withFunctions(bench, few), tenTimes(bench, few), besideKpt(bench)]
}

/** Three functions of the catalog, in each package with values of its own, beside the same render without them. */
function withFunctions(bench: Bench, variants: number): Row {
  const folder = join(bench.folder, 'functions')
  const size = { variants, resources: RESOURCES, hasFunctions: true }
  const left = renderNew(bench, folder, size)
  rmSync(folder, { recursive: true })
  const ours = renderNew(bench, folder, size, [])
  rmSync(folder, { recursive: true })
  return {
    what: `render of ${variants} variants of a package of ${RESOURCES} resources with 3 functions`,
    ours,
    baseline: { what: 'with --no-run', ...left },
    must: '6 x baseline, 250 MB',
    ...(!bench.quick && { met: workOf(ours) <= 6 * workOf(left) && (ours.usage?.megabytes ?? 0) <= 250 }),
  }
}

/** Ten times the variants, of a small package. */
function tenTimes(bench: Bench, few: number): Row {
  const [small, large] = [few, few * 10].map((variants) => {
    const folder = join(bench.folder, `fleet-${variants}`)
    const cost = renderNew(bench, folder, { variants, resources: FEW_RESOURCES })
    rmSync(folder, { recursive: true })
    return cost
  }) as [Cost, Cost]
  const isSmall = (large.usage?.megabytes ?? 0) <= 1.3 * (small.usage?.megabytes ?? 0)
  return {
    what: `render of ${few * 10} variants of a package of ${FEW_RESOURCES} resources`,
    ours: large,
    baseline: { what: `${few} variants`, ...small },
    must: '11 x baseline, 1.3 x memory',
    ...(!bench.quick && { met: workOf(large) <= 11 * workOf(small) && isSmall }),
  }
}

const KPT_VARIANTS = 50

/** Returns the row of the work without us: a clone and a render for every variant, one after the other. */
function besideKpt(bench: Bench): Row {
  const folder = join(bench.folder, 'kpt-fleet')
  const variants = scaled(bench, KPT_VARIANTS)
  const ours = renderNew(bench, folder, { variants, resources: RESOURCES })
  const catalog = join(folder, 'catalog')
  const git = (...args: readonly string[]) => run('git', ['-C', catalog, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args])
  renameSync(join(catalog, 'network@v1'), join(catalog, 'network'))
  git('init', '--quiet', '--initial-branch', 'main')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'first')
  const start = performance.now()
  const done = Array.from({ length: variants }, (_, number) => makeByKpt(folder, catalog, `site-${number}`)).every((made) => made)
  const seconds = (performance.now() - start) / 1000
  rmSync(folder, { recursive: true })
  return {
    what: `render of ${variants} variants${done ? '' : ' (kpt could not)'}`,
    ours,
    ...(done && { baseline: { what: 'kpt pkg get, fn render', seconds } }),
    must: '',
  }
}

function makeByKpt(folder: string, catalog: string, name: string): boolean {
  const place = join(folder, 'by-kpt', name)
  mkdirSync(join(folder, 'by-kpt'), { recursive: true })
  const got = spawnSync('kpt', ['pkg', 'get', `${catalog}/.git/network@main`, place, '--for-deployment'])
  return got.status === 0 && spawnSync('kpt', ['fn', 'render', place]).status === 0
}

function renderNew(bench: Bench, folder: string, size: FleetSize, options: readonly string[] = LEFT): Cost {
  mkdirSync(folder, { recursive: true })
  writeFleet(folder, size)
  return render(bench, folder, options)
}

/** The functions are left to kpt, so that the rows show what else a render takes. */
const LEFT = ['--no-run']

/** The second render, and whether it wrote nothing but the resource that changed and the Kptfile that says so. */
function renderChanged(bench: Bench, folder: string): readonly [Cost, boolean] {
  askFor(folder, 2)
  const before = inodesOf(join(folder, 'out'))
  const cost = render(bench, folder)
  const after = inodesOf(join(folder, 'out'))
  const written = [...after].filter(([path, inode]) => before.get(path) !== inode).map(([path]) => path)
  return [cost, written.every((path) => path.endsWith(`/${CHANGED}`) || path.endsWith('/Kptfile'))]
}

/** A file that is written is another one, since it takes the place of the old. */
function inodesOf(folder: string): ReadonlyMap<string, number> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    entries.map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [path, statSync(path).ino]
    }),
  )
}

function render({ folder: place, identityInput: copied }: Bench, folder: string, options: readonly string[] = LEFT): Cost {
  const input = join(place, 'nothing')
  writeFileSync(input, '')
  const args = [...usageReporter(place), TOOL, 'render', folder, '--out', join(folder, 'out'), '--offline', ...options]
  return measureOnce({ command: process.execPath, args, stdin: input, stdout: join(place, 'render.out'), copied })
}

function run(command: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`)
}
