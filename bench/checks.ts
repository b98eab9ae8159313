import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderOrThrow, writeFleet } from './fleet-input.ts'
import { carvelList } from './inputs.ts'
import { measureInTurn, measureOnce, nodeProgram } from './measure.ts'
import { buildPeer } from './peers.ts'
import { type Bench, type Row, scaled, writeInput } from './row.ts'

const TOOL = 'dist/krm-variants.mjs'
const RESOURCES = 10

/**
 * `check` of a rendered fleet, beside kubeconform, which judges the schema of each Deployment and nothing else; and of many Carvel
 * Packages.
 */
export function checks(bench: Bench): readonly Row[] {
  return [fleetCheck(bench), carvelCheck(bench)]
}

function fleetCheck(bench: Bench): Row {
  const variants = scaled(bench, 2500)
  const folder = join(bench.folder, 'checked')
  mkdirSync(folder)
  writeFleet(folder, { variants, resources: RESOURCES })
  writeFileSync(join(folder, 'render.yaml'), RENDERED_BESIDE)
  renderOrThrow([folder])
  const schemas = join(bench.folder, 'schemas')
  mkdirSync(schemas)
  writeFileSync(join(schemas, 'deployment.json'), JSON.stringify(DEPLOYMENT))
  const command = buildPeer(bench.folder, 'kubeconform')
  const location = ['-schema-location', join(schemas, '{{.ResourceKind}}.json')]
  const peer = command && { command, args: ['-ignore-missing-schemas', ...location, '-ignore-filename-pattern', 'Kptfile', folder] }
  const [ours, cost] = measureInTurn([nodeProgram(bench.folder, [TOOL, 'check', folder]), ...(peer ? [peer] : [])], 1)
  if (ours === undefined) throw new Error('each program must have a cost')
  rmSync(folder, { recursive: true })
  const work = `check of a fleet of ${variants} packages of ${RESOURCES} resources`
  return { work, ours, ...(cost && { beside: { what: 'kubeconform', cost } }), asked: { times: 1 } }
}

const RENDERED_BESIDE = `apiVersion: fn.krm-variants.dev/v1alpha1
kind: RenderVariants
metadata:
  name: render
  annotations:
    config.kubernetes.io/local-config: "true"
spec:
  out: packages
`

/** As much of the schema of a Deployment as the fleet of the benchmark uses. */
const DEPLOYMENT = {
  type: 'object',
  required: ['spec'],
  properties: {
    metadata: { type: 'object', properties: { name: { type: 'string' }, labels: { additionalProperties: { type: 'string' } } } },
    spec: {
      type: 'object',
      required: ['selector', 'template'],
      properties: { replicas: { type: 'integer' }, selector: { type: 'object' }, template: { type: 'object' } },
    },
  },
}

function carvelCheck(bench: Bench): Row {
  const count = scaled(bench, 10_000)
  const costOf = (packages: number) => {
    const stdin = writeInput(bench, `carvel-${packages}.yaml`, carvelList(packages))
    return measureOnce(nodeProgram(bench.folder, ['dist/check-dependencies.mjs'], { stdin }))
  }
  const [small, large] = [costOf(count / 10), costOf(count)]
  const work = `check-dependencies of ${count} Carvel packages of 20 versions`
  return { work, ours: large, beside: { what: 'a tenth', cost: small }, asked: { exponent: 1.1, megabytes: 1000 } }
}
