import { type Bench, costOf, judge, judgeByCopies, type Row, scaled, writeInput } from './bench.ts'
import { cluster, listOf, repository, upstream, variantSet } from './inputs.ts'
import { tenTimes, workOf } from './measure.ts'

const FAN_OUT = 'dist/fan-out.mjs'

/** Five expressions: the downstream package, two labels, the context, an injector. */
const FIVE = `      labelExprs:
      - key: tier
        valueExpr: target.labels.tier
      - key: zone
        valueExpr: "has(target.labels.zone) ? target.labels.zone : 'none'"
      packageContext:
        dataExprs:
        - key: region
          valueExpr: repository.labels['region']
      injectors:
      - kind: Endpoints
        nameExpr: target.labels['region'] + '-endpoints'
`

/** Ten more, annotations all of them. */
const TEN_MORE = `      annotationExprs:
${Array.from({ length: 10 }, (_, i) => `      - key: note-${i}\n        valueExpr: "packageDefault + '-' + target.annotations['serial'] + '-${i}'"\n`).join('')}`

function objectTarget(expressions: string): string {
  return `  - objectSelector:
      apiVersion: infra.example.com/v1
      kind: Cluster
      matchLabels:
        tier: prod
    template:
      downstream:
        repo: edge
        packageExpr: target.name
${expressions}`
}

function objectFleet(count: number, expressions: string): string {
  const clusters = Array.from({ length: count }, (_, i) => cluster(i))
  return listOf([variantSet(objectTarget(expressions)), upstream(), repository('edge', 0), ...clusters])
}

const REPOSITORY_TARGET = `  - repositorySelector:
      matchLabels:
        env: prod
    template:
      labels:
        managed-by: fan-out
`

function repositoryFleet(count: number): string {
  const repositories = Array.from({ length: count }, (_, i) => repository(`edge-${String(i).padStart(6, '0')}`, i))
  return listOf([variantSet(REPOSITORY_TARGET), upstream(), ...repositories])
}

/** Fan-out of whole fleets, and that ten times as many variants take ten times as long. */
export function fanOut(bench: Bench): readonly Row[] {
  const [count, many] = [scaled(bench, 10_000), scaled(bench, 100_000)]
  const cost = (name: string, text: string) => costOf(bench, FAN_OUT, writeInput(bench, name, text))
  const five = cost('fan-out-5.yaml', objectFleet(count, FIVE))
  const large = cost('fan-out-large.yaml', objectFleet(many, FIVE))
  return [
    judgeByCopies(bench, `fan-out of ${count} variants, 5 expressions each`, five, 6),
    judgeByCopies(
      bench,
      `fan-out of ${count} variants, 15 expressions each`,
      cost('fan-out-15.yaml', objectFleet(count, FIVE + TEN_MORE)),
      8,
    ),
    judge(bench, `fan-out to ${count} Repositories, no expressions`, cost('fan-out-repositories.yaml', repositoryFleet(count)), 11),
    {
      what: `fan-out of ${many} variants, 5 expressions each`,
      ours: large,
      baseline: { what: `10 x ${count} variants`, ...tenTimes(five) },
      must: 'baseline + 15 %, 1200 MB',
      ...(!bench.quick && { met: workOf(large) <= workOf(five) * 11.5 && (large.usage?.megabytes ?? 0) < 1200 }),
    },
  ]
}
