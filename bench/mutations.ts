import { type Bench, costOf, judge, type Row, scaled, writeInput } from './bench.ts'
import { listOf, packageOf, wire } from './inputs.ts'
import { type Cost, workOf } from './measure.ts'

/** A variant that asks for all three mutations. */
export const VARIANT = `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata:
  name: nationwide-edge-network
  namespace: default
spec:
  upstream:
    repo: catalog
    package: network
    revision: 1
  downstream:
    repo: edge
    package: network
  packageContext:
    data:
      region: eu-1
      tier: prod
  pipeline:
    mutators:
    - name: labels
      image: ghcr.io/kptdev/krm-functions-catalog/set-labels:v0.2.0
      configMap:
        site: edge
  injectors:
  - name: edge-endpoints
`

/** The lines of the context after that variant's values are written. */
export const MUTATIONS_CONTEXT = '  region: eu-1\n  tier: prod\n'

const INJECTION_POINT = `apiVersion: v1
kind: ConfigMap
metadata:
  name: endpoints
  annotations:
    kpt.dev/config-injection: required
${wire('endpoints.yaml', 0)}data:
  dns: to be injected
`

const SOURCE = `apiVersion: v1
kind: ConfigMap
metadata:
  name: edge-endpoints
  namespace: default
  annotations:
${wire('sources/endpoints.yaml', 0)}data:
  dns: 10.0.0.10
`

/** The functions in the order of the mutations (seed 000, Order of Mutations). */
export const MUTATIONS = ['set-context', 'prepend-pipeline', 'inject-config'] as const

/** The three mutations, one process after the other, each on what the one before wrote. */
export function mutations(bench: Bench): readonly Row[] {
  const count = scaled(bench, 10_000)
  let stdin = writeInput(bench, 'package.yaml', listOf(packageOf(count, '', [INJECTION_POINT, SOURCE]), VARIANT))
  const costs: Cost[] = []
  for (const name of MUTATIONS) {
    costs.push(costOf(bench, `dist/${name}.mjs`, stdin))
    stdin = `${stdin}.out`
  }
  return [judge(bench, `three mutations on a package of ${count} resources`, together(costs), 7.5)]
}

/** Returns the sums of the costs; N is the mean of theirs. */
function together(costs: readonly Cost[]): Cost {
  const usages = costs.flatMap(({ usage }) => usage ?? [])
  return {
    seconds: costs.reduce((sum, { seconds }) => sum + seconds, 0),
    copySeconds: costs.reduce((sum, { copySeconds = 0 }) => sum + copySeconds, 0) / costs.length,
    usage: {
      cpuSeconds: usages.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
      judgedSeconds: costs.reduce((sum, cost) => sum + workOf(cost), 0),
      megabytes: Math.max(...usages.map(({ megabytes }) => megabytes)),
    },
  }
}
