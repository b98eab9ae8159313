import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'
import { compile } from '../src/cel/program.ts'
import { prepareVariables } from '../src/cel/variables.ts'

/** A time of ours and the same work done by a baseline in the same run, in seconds, and ours / baseline. */
export interface BenchRow {
  readonly what: string
  readonly ours: number
  readonly baseline: number
  readonly ratio: number
  /** Seconds that ours may take. */
  readonly limit: number
}

interface VisibleObject {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
}
interface Variables {
  readonly repoDefault: string
  readonly packageDefault: string
  readonly upstream: VisibleObject
  readonly repository: VisibleObject
  readonly target: VisibleObject
}

/** Expressions of the kinds that PackageVariantSets have (seed 000, Package Variant Set API; seed 001), and the same in JavaScript. */
const EXPRESSIONS: readonly (readonly [cel: string, javascript: (variables: Variables) => string])[] = [
  ["repository.labels['region'] + '-endpoints'", ({ repository }) => `${repository.labels.region}-endpoints`],
  ['target.name', ({ target }) => target.name],
  [
    "'cluster-' + target.labels.env + (has(target.labels.tier) ? '-' + target.labels.tier : '')",
    ({ target: { labels } }) => `cluster-${labels.env}${'tier' in labels ? `-${labels.tier}` : ''}`,
  ],
  ["upstream.name.matches('^up.*') ? 'm' : 'n'", ({ upstream }) => (/^up.*/.test(upstream.name) ? 'm' : 'n')],
  [
    "target.labels.exists(k, k == 'env') ? 'has-env' : 'no-env'",
    ({ target }) => (Object.keys(target.labels).some((k) => k === 'env') ? 'has-env' : 'no-env'),
  ],
  ["packageDefault + '-' + repoDefault", ({ packageDefault, repoDefault }) => `${packageDefault}-${repoDefault}`],
]
const SCOPE = ['repoDefault', 'packageDefault', 'upstream', 'repository', 'target']
const VARIABLES = {
  repoDefault: 'edge-07',
  packageDefault: 'network',
  upstream: { name: 'upstream.network.v1', namespace: 'default', labels: { app: 'network' }, annotations: {} },
  repository: { name: 'edge-07', namespace: 'default', labels: { region: 'us-east1', site: 'edge' }, annotations: {} },
  target: { name: 'edge-07', namespace: 'default', labels: { env: 'prod', region: 'us-east1', tier: 'gold' }, annotations: { note: 'n' } },
}
const EVALUATIONS = 150_000
const COMPILATIONS = 1_000

/** CEL in templates beside the same in JavaScript, which has neither types nor limits nor places of errors. */
export function run(): readonly BenchRow[] {
  return [evaluationRow(), compilationRow()]
}

function evaluationRow(): BenchRow {
  const variables = prepareVariables(new Map(Object.entries(VARIABLES)))
  const programs = EXPRESSIONS.map(([cel]) => compile(cel, SCOPE))
  return {
    ...measure(
      EVALUATIONS,
      (i) => programs[i % programs.length]?.evaluate(variables),
      (i) => EXPRESSIONS[i % EXPRESSIONS.length]?.[1](VARIABLES),
    ),
    what: `${EVALUATIONS} evaluations of CEL`,
    limit: 0.08,
  }
}

/** The engine of JavaScript knows a text again; a number makes each another. */
function compilationRow(): BenchRow {
  let scripts = 0
  return {
    ...measure(
      COMPILATIONS,
      (i) => compile(EXPRESSIONS[i % EXPRESSIONS.length]?.[0] ?? '', SCOPE),
      (i) => new Script(`${scripts++}, ${EXPRESSIONS[i % EXPRESSIONS.length]?.[1]}`),
    ),
    what: `${COMPILATIONS} compilations of CEL`,
    limit: 0.2,
  }
}
/** Both in turns, warm; the best of three, since other work on the machine only adds. */
function measure(count: number, work: (i: number) => unknown, baselineWork: (i: number) => unknown): Omit<BenchRow, 'what' | 'limit'> {
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
    console.log(`${what}: ${ours.toFixed(3)} s, JavaScript ${baseline.toFixed(3)} s, ratio ${ratio.toFixed(2)}`)
  }
}
