import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { type CelInput, celEnv, celMap, parse, plan } from '@bufbuild/cel'
import { compile } from '../src/cel/program.ts'
import { prepareVariables } from '../src/cel/variables.ts'

/** A time of ours and the same work done by a baseline in the same run, in seconds, and ours / baseline. */
export interface BenchRow {
  readonly what: string
  readonly ours: number
  readonly baseline: number
  readonly ratio: number
}

/** Expressions of the kinds that PackageVariantSets have (seed 000, Package Variant Set API; seed 001). */
const EXPRESSIONS = [
  "repository.labels['region'] + '-endpoints'",
  'target.name',
  "'cluster-' + target.labels.env + (has(target.labels.tier) ? '-' + target.labels.tier : '')",
  "upstream.name.matches('^up.*') ? 'm' : 'n'",
  "target.labels.exists(k, k == 'env') ? 'has-env' : 'no-env'",
  "packageDefault + '-' + repoDefault",
]
const SCOPE = ['repoDefault', 'packageDefault', 'upstream', 'repository', 'target']
const DEFAULTS = { repoDefault: 'edge-07', packageDefault: 'network' }
const OBJECTS = {
  upstream: { name: 'upstream.network.v1', namespace: 'default', labels: { app: 'network' }, annotations: {} },
  repository: { name: 'edge-07', namespace: 'default', labels: { region: 'us-east1', site: 'edge' }, annotations: {} },
  target: { name: 'edge-07', namespace: 'default', labels: { env: 'prod', region: 'us-east1', tier: 'gold' }, annotations: { note: 'n' } },
}
const ENGINE = celEnv()
const EVALUATIONS = 150_000
const COMPILATIONS = 1_000

/** CEL in templates beside the engine alone, which has no checker, no limits, no cache of patterns and other words for errors. */
export function run(): readonly BenchRow[] {
  return [evaluationRow(), compilationRow()]
}

function evaluationRow(): BenchRow {
  const variables = prepareVariables(new Map(Object.entries({ ...DEFAULTS, ...OBJECTS })))
  const bindings = { ...DEFAULTS, ...Object.fromEntries(Object.entries(OBJECTS).map(([name, object]) => [name, engineMap(object)])) }
  const programs = EXPRESSIONS.map((expression) => compile(expression, SCOPE))
  const plans = EXPRESSIONS.map(planAlone)
  return {
    ...measure(
      EVALUATIONS,
      (i) => programs[i % programs.length]?.evaluate(variables),
      (i) => plans[i % plans.length]?.(bindings),
    ),
    what: `${EVALUATIONS} evaluations of CEL`,
  }
}

function compilationRow(): BenchRow {
  const at = (i: number) => EXPRESSIONS[i % EXPRESSIONS.length] ?? ''
  return {
    ...measure(
      COMPILATIONS,
      (i) => compile(at(i), SCOPE),
      (i) => planAlone(at(i)),
    ),
    what: `${COMPILATIONS} compilations of CEL`,
  }
}

function planAlone(expression: string): (bindings: Readonly<Record<string, CelInput>>) => unknown {
  return plan(ENGINE, parse(expression))
}

function engineMap(object: Readonly<Record<string, string | Readonly<Record<string, string>>>>): CelInput {
  return celMap(new Map(Object.entries(object).map(([key, value]) => [key, typeof value === 'string' ? value : engineMap(value)])))
}

/** Both in turns, warm; the best of three, since other work on the machine only adds. */
function measure(count: number, work: (i: number) => unknown, baselineWork: (i: number) => unknown): Omit<BenchRow, 'what'> {
  const rounds = Array.from({ length: 4 }, () => [seconds(count, work), seconds(count, baselineWork)] as const).slice(1)
  const ours = Math.min(...rounds.map(([time]) => time))
  const baseline = Math.min(...rounds.map(([, time]) => time))
  return { ours, baseline, ratio: ours / baseline }
}

function seconds(count: number, work: (i: number) => unknown): number {
  const start = performance.now()
  for (let i = 0; i < count; i++) work(i)
  return (performance.now() - start) / 1000
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { what, ours, baseline, ratio } of run()) {
    console.log(`${what}: ${ours.toFixed(3)} s, the engine alone ${baseline.toFixed(3)} s, ratio ${ratio.toFixed(2)}`)
  }
}
