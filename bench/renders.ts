import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { askFor, commitAll, writeFleet } from './fleet-input.ts'
import { type Cost, measure, measureOnce, nodeProgram, times } from './measure.ts'
import { buildGoFunctions, kptVersion } from './peers.ts'
import { programsOf } from './pipelines.ts'
import { type Bench, type Row, scaled, writeInput } from './row.ts'

const RESOURCES = 40
/** How many packages kpt makes; its cost is taken times `VARIANTS / BY_KPT`. */
const BY_KPT = 50
const VARIANTS = 2500
const FEW_RESOURCES = 4

/** A fleet rendered to folders with three functions for each package, beside `kpt pkg get` and `kpt fn render` for a part of the fleet. */
export function renders(bench: Bench): readonly Row[] {
  const variants = scaled(bench, VARIANTS)
  const folder = join(bench.folder, 'rendered')
  mkdirSync(folder)
  writeFleet(folder, { variants, resources: RESOURCES, hasFunctions: true })
  const first = render(bench, folder)
  const unchanged = measure(renderProgram(bench, folder), bench.runs)
  askFor(folder, 2)
  const changed = render(bench, folder)
  rmSync(folder, { recursive: true })
  const kpt = byKpt(bench)
  const what = `render of ${variants} packages of ${RESOURCES} resources, 3 functions`
  return [
    {
      work: what,
      ours: first,
      ...(kpt && {
        beside: { what: `kpt pkg get, kpt fn render of ${BY_KPT}, times ${VARIANTS / BY_KPT}`, cost: times(VARIANTS / BY_KPT, kpt) },
      }),
      asked: { times: 50 },
    },
    { work: 'the same, nothing changed', ours: unchanged, asked: { seconds: 1.2 } },
    { work: 'the same, one upstream line changed', ours: changed, beside: { what: 'the first render', cost: first }, asked: { times: 1 } },
    ...manyPackages(bench),
  ]
}

/** Ten times the packages, of few resources and without their functions. */
function manyPackages(bench: Bench): readonly Row[] {
  const costOf = (variants: number) => {
    const folder = join(bench.folder, `rendered-${variants}`)
    mkdirSync(folder)
    writeFleet(folder, { variants, resources: FEW_RESOURCES })
    const cost = render(bench, folder, ['--no-run'])
    rmSync(folder, { recursive: true })
    return cost
  }
  const variants = scaled(bench, VARIANTS * 10)
  const [small, large] = [costOf(variants / 10), costOf(variants)]
  const work = `render of ${variants} packages of ${FEW_RESOURCES} resources without functions`
  return [{ work, ours: large, beside: { what: 'a tenth', cost: small }, asked: { exponent: 1.1, megabytes: 400 } }]
}

/**
 * Returns the cost of packages that kpt makes one after the other, with the same functions in their Kptfile; undefined without kpt or Go.
 */
function byKpt(bench: Bench): Cost | undefined {
  const go = kptVersion() === undefined ? undefined : buildGoFunctions(bench.folder)
  if (go === undefined) return undefined
  const folder = join(bench.folder, 'made-by-kpt')
  mkdirSync(folder)
  writeFleet(folder, { variants: 1, resources: RESOURCES })
  const catalog = join(folder, 'catalog')
  renameSync(join(catalog, 'network@v1'), join(catalog, 'network'))
  writeFileSync(
    join(catalog, 'network/Kptfile'),
    `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: network\npipeline:\n  mutators:\n${programsOf(go)}`,
  )
  commitAll(catalog)
  const packages = Array.from({ length: scaled(bench, BY_KPT) }, (_, number) => join(folder, `site-${number}`))
  const steps = packages.map(
    (place) =>
      `kpt pkg get '${catalog}/.git/network@main' '${place}' --for-deployment && kpt fn render '${place}' --allow-exec || exit 3\n`,
  )
  const cost = measureOnce({ command: 'bash', args: [writeInput(bench, 'made-by-kpt.sh', steps.join(''))] })
  rmSync(folder, { recursive: true })
  return cost
}

function render(bench: Bench, folder: string, options: readonly string[] = []): Cost {
  return measureOnce(renderProgram(bench, folder, options))
}

function renderProgram(bench: Bench, folder: string, options: readonly string[] = []) {
  return nodeProgram(bench.folder, ['dist/krm-variants.mjs', 'render', folder, '--out', join(folder, 'out'), '--offline', ...options])
}
