import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { diffJson } from '../../cli/diff/diff.ts'
import { diff } from '../../scripts/fuzz/diff.ts'
import { diffFleets } from '../../src/diff/diff-fleets.ts'
import { type FleetState, StateRenderer } from '../../src/diff/fleet-state.ts'
import { renderedFiles } from '../../src/diff/package-objects.ts'
import { answered } from '../../src/pipeline/calls.ts'
import { finish } from '../../src/progress.ts'
import { randomRuns } from '../random-runs.ts'
import { applyReport, type ClusterObjects, identityOf } from './apply-report.ts'
import { fleetState } from './fleet-state.ts'

/** A random fleet: stores with labels, a package in revisions, regions with endpoints, and what the set does with them. */
interface RandomFleet {
  readonly stores: readonly { readonly name: string; readonly region: string; readonly isOpen: boolean }[]
  readonly endpoints: Readonly<Record<string, string>>
  readonly upstream: readonly RandomObject[]
  readonly revision: number
  readonly prefix: string
  readonly labels: Readonly<Record<string, string>>
}

interface RandomObject {
  readonly kind: string
  readonly name: string
  readonly spec: unknown
  readonly file: string
}

const word = fc.constantFrom('a', 'b', 'c', 'north', 'tills', '1.0', '2', 'x y', 'ham-01')
const container = fc.record({ name: fc.constantFrom('till', 'agent', 'proxy'), image: word, args: fc.array(word, { maxLength: 3 }) })
const containers = fc.uniqueArray(container, { selector: ({ name }) => name, maxLength: 3 })
const port = fc.record({ containerPort: fc.constantFrom(80, 443), protocol: fc.constantFrom('TCP', 'UDP') })
const spec = fc.oneof(
  fc.record({ template: fc.record({ spec: fc.record({ containers }) }), replicas: fc.constantFrom(0, 1, 2) }),
  fc.record({ ports: fc.array(port, { maxLength: 3 }), list: fc.array(fc.oneof(word, fc.integer()), { maxLength: 3 }) }),
  fc.dictionary(word, fc.oneof(word, fc.array(fc.record({ name: word, value: word }), { maxLength: 3 })), { maxKeys: 3 }),
)
const object: fc.Arbitrary<RandomObject> = fc.record({
  kind: fc.constantFrom('Deployment', 'Thing', 'Part'),
  name: fc.constantFrom('one', 'two', 'three', 'four'),
  spec,
  file: fc.constantFrom('a.yaml', 'b.yaml', 'c.yaml'),
})
const fleet: fc.Arbitrary<RandomFleet> = fc.record({
  stores: fc.uniqueArray(
    fc.record({
      name: fc.constantFrom('ham-01', 'ber-01', 'muc-01', 'cgn-01'),
      region: fc.constantFrom('north', 'south'),
      isOpen: fc.boolean(),
    }),
    { selector: ({ name }) => name, minLength: 1, maxLength: 4 },
  ),
  endpoints: fc.record({ north: word, south: word }),
  upstream: fc.uniqueArray(object, { selector: ({ kind, name }) => `${kind} ${name}`, minLength: 1, maxLength: 5 }),
  revision: fc.constantFrom(1, 2),
  prefix: fc.constantFrom('till.', 'pos.'),
  labels: fc.dictionary(fc.constantFrom('team', 'tier'), fc.constantFrom('a', 'b'), { maxKeys: 2 }),
})

/** A pair of fleets: two of their own, or the second with some parts of the first. */
const pair = fc
  .tuple(fleet, fleet, fc.subarray(['stores', 'endpoints', 'upstream', 'revision', 'prefix', 'labels'] as const))
  .map(([from, other, kept]): readonly [RandomFleet, RandomFleet] => [
    from,
    { ...other, ...Object.fromEntries(kept.map((key) => [key, from[key]])) },
  ])

const POINT = {
  apiVersion: 'retail.example.com/v1',
  kind: 'Endpoints',
  metadata: { name: 'endpoints', annotations: { 'kpt.dev/config-injection': 'required' } },
  spec: {},
}

function itemsOf({ stores, endpoints, revision, prefix }: RandomFleet): readonly object[] {
  const set = {
    apiVersion: 'config.porch.kpt.dev/v1alpha2',
    kind: 'PackageVariantSet',
    metadata: { name: 'tills', namespace: 'fleet' },
    spec: {
      upstream: { repo: 'catalog', package: 'tills', revision },
      targets: [
        {
          objectSelector: { apiVersion: 'retail.example.com/v1', kind: 'Store', matchLabels: { status: 'open' } },
          template: {
            downstream: { repoExpr: "'store-' + target.name" },
            packageContext: { dataExprs: [{ key: 'host', valueExpr: `'${prefix}' + target.name` }] },
            injectors: [{ kind: 'Endpoints', nameExpr: "target.labels.region + '-endpoints'" }],
          },
        },
      ],
    },
  }
  const targets = stores.map(({ name, region, isOpen }) => ({
    apiVersion: 'retail.example.com/v1',
    kind: 'Store',
    metadata: { name, namespace: 'fleet', labels: { region, status: isOpen ? 'open' : 'closed' } },
  }))
  const injected = Object.entries(endpoints).map(([region, metrics]) => ({
    apiVersion: 'retail.example.com/v1',
    kind: 'Endpoints',
    metadata: { name: `${region}-endpoints`, namespace: 'fleet' },
    spec: { metrics },
  }))
  return [set, ...targets, ...injected]
}

function upstreamFiles({ upstream, labels }: RandomFleet): ReadonlyMap<string, string> {
  const files = new Map<string, string>([
    ['Kptfile', stringify({ apiVersion: 'kpt.dev/v1', kind: 'Kptfile', metadata: { name: 'tills' } })],
    ['endpoints.yaml', stringify(POINT)],
  ])
  for (const { kind, name, spec: own, file } of upstream) {
    const text = stringify({
      apiVersion: kind === 'Deployment' ? 'apps/v1' : 'example.com/v1',
      kind,
      metadata: { name, labels },
      spec: own,
    })
    files.set(file, files.has(file) ? `${files.get(file)}---\n${text}` : text)
  }
  return files
}

function stateOf(random: RandomFleet, name: string): FleetState {
  const items = itemsOf(random).map((item, index) => [`fleet/${index}.yaml`, stringify(item)] as const)
  const upstream = Array.from(upstreamFiles(random), ([path, text]) => [`catalog/tills@${random.revision}/${path}`, text] as const)
  const state = fleetState(new Map([...items, ...upstream].map(([path, text]) => [path, text.trimEnd().split('\n')])), name)
  if (state === undefined) throw new Error('must be a fleet that can be rendered')
  return state
}

/** Returns the objects that clusters get, rendered and read without the code that compares. */
function objectsOf({ plan }: FleetState): ClusterObjects {
  const renderer = new StateRenderer(plan)
  return new Map(
    plan.steps.map((step) => {
      const contents = [...renderedFiles(answered(renderer.render(step)))].filter(([path]) => path !== 'Kptfile')
      const values = contents.flatMap(([, content]) =>
        content instanceof Uint8Array ? [] : content.map((each) => withoutIdentifier(JSON.parse(JSON.stringify(each.toJson())))),
      )
      const reaching = values.filter(({ metadata }) => metadata.annotations?.['config.kubernetes.io/local-config'] !== 'true')
      return [step.folder, new Map(reaching.map((value) => [identityOf({ ...value, ...value.metadata }), value]))]
    }),
  )
}

/** Removes the mark that a clone writes for later updates, which is no change for a reviewer. */
function withoutIdentifier<Value extends { metadata: { annotations?: Record<string, string> } }>(value: Value): Value {
  const { metadata } = value
  delete metadata.annotations?.['internal.kpt.dev/upstream-identifier']
  if (metadata.annotations !== undefined && Object.keys(metadata.annotations).length === 0) delete metadata.annotations
  return value
}

const sorted = (objects: ClusterObjects) =>
  [...objects].map(([folder, own]) => [folder, [...own].sort(([a], [b]) => (a < b ? -1 : 1))]).sort()

describe('the changes between two fleets', () => {
  test('applied to the objects of FROM give those of TO, each is told once, and no cluster is missing', () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const [from, to] = [stateOf(before, 'from'), stateOf(after, 'to')]
        const report = JSON.parse(diffJson(finish(diffFleets(from, to, { withComments: false }))))
        const [old, present] = [objectsOf(from), objectsOf(to)]
        const applied = applyReport(report, old)
        expect(sorted(applied)).toEqual(sorted(present))
        const differing = [...new Set([...old.keys(), ...present.keys()])].filter(
          (folder) => !isDeepStrictEqual(old.get(folder), present.get(folder)),
        )
        expect(report.counts.changed).toBe(differing.length)
        expect(report.counts.clusters).toBe(new Set(differing.map((folder) => folder.split('/')[0])).size)
        for (const { causes } of report.groups) expect(causes.length).toBeGreaterThan(0)
      }),
      { numRuns: randomRuns(15) },
    )
  }, 300_000)

  test('are none between a fleet and itself', () => {
    fc.assert(
      fc.property(fleet, (random) => {
        const report = finish(diffFleets(stateOf(random, 'from'), stateOf(random, 'to'), { withComments: true }))
        expect([report.packages, report.groups, report.dangers]).toEqual([[], [], []])
      }),
      { numRuns: randomRuns(4) },
    )
  }, 300_000)
})

test('the changes of random fleets are those of two full renders, and the lines that causes name made them', () => {
  const asked = randomRuns(3)
  const { cases, examples, failures } = diff.run(asked, 11)
  expect(examples.join('\n')).toBe('')
  expect([cases, failures]).toEqual([asked, 0])
}, 120_000)
