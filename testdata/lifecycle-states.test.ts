import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { resolveDependencies } from '../functions/resolve-dependencies/resolve-dependencies.ts'
import { evaluate } from '../src/run.ts'
import { printResourceList } from './conformance-runner/wire.ts'
import { randomRuns } from './random-runs.ts'

const SOURCE = 'xpkg.example.org/acme'
const PACKAGES = ['helm', 'sql']
const DIGESTS = ['a', 'b', 'c']
// Of one image, now and then: then the revisions of both have one name in seed 003.
const digestOf = (name: string, digest: string): string =>
  (name === 'helm' || digest === 'c' ? digest : digest.toUpperCase().replace('A', 'd').replace('B', 'e')).repeat(64)

const DEFINITIONS = ['charts.acme.org', 'releases.acme.org', 'tables.acme.org']

interface Owner {
  readonly kind: string
  readonly name: string
  readonly controller?: boolean
}

interface Item {
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly labels?: Readonly<Record<string, string>>
    readonly ownerReferences?: readonly Owner[]
  }
  readonly spec: { readonly desiredState?: string; readonly revision?: number }
}

/** Everything that the two packages bring in any version; they want the same definitions. */
const catalog = {
  apiVersion: 'fn.krm-variants.dev/v1alpha1',
  kind: 'Catalog',
  metadata: { name: 'known' },
  spec: {
    packages: PACKAGES.map((name) => ({
      ecosystem: 'crossplane',
      id: `${SOURCE}/${name}`,
      kind: 'Provider',
      versions: DIGESTS.map((digest, i) => ({
        version: `v1.${i}.0`,
        digest: `sha256:${digestOf(name, digest)}`,
        dependencies: [],
        brings: DEFINITIONS.slice(i).map((each) => ({
          apiVersion: 'apiextensions.k8s.io/v1',
          kind: 'CustomResourceDefinition',
          name: each,
        })),
      })),
    })),
  },
}

const revision = (parent: string) =>
  fc.record({
    name: fc.constantFrom(...DIGESTS.map((digest) => digestOf(parent, digest)), `${parent}-old`, `${parent}-older`),
    state: fc.constantFrom('Active', 'Inactive'),
    version: fc.integer({ min: 0, max: 2 }),
  })

const provider = (name: string) =>
  fc
    .record({
      version: fc.integer({ min: 0, max: 2 }),
      policy: fc.constantFrom('Automatic', 'Manual'),
      limit: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
      revisions: fc.uniqueArray(revision(name), { selector: (each) => each.name, maxLength: 4 }),
      current: fc.integer({ min: -1, max: 3 }),
    })
    .map(({ version, policy, limit, revisions, current }) => {
      const currentRevision = revisions[current]?.name
      const parent = {
        apiVersion: 'pkg.crossplane.io/v1',
        kind: 'Provider',
        metadata: { name, uid: `${name}-uid` },
        spec: {
          package: `${SOURCE}/${name}:v1.${version}.0`,
          revisionActivationPolicy: policy,
          ...(limit !== undefined && { revisionHistoryLimit: limit }),
        },
        ...(currentRevision !== undefined && { status: { currentRevision } }),
      }
      const made = revisions.map((each, i) => ({
        apiVersion: 'pkg.crossplane.io/v1',
        kind: 'ProviderRevision',
        metadata: { name: each.name, uid: `${name}-${each.name}-uid`, labels: { 'pkg.crossplane.io/package': name } },
        spec: { desiredState: each.state, image: `${SOURCE}/${name}:v1.${each.version}.0`, revision: i + 1 },
      }))
      return [parent, ...made]
    })

/** A cluster: two packages with revisions in any state, and objects that any of these own. */
const cluster = fc.tuple(provider('helm'), fc.option(provider('sql')), fc.infiniteStream(fc.nat())).map(([helm, sql, chance]) => {
  // Names of revisions are unique in a cluster.
  const taken = new Set(helm.map(({ metadata }) => metadata.name))
  const packages = [...helm, ...(sql ?? []).filter(({ metadata }) => !taken.has(metadata.name))]
  const next = (below: number): number => Number(chance.next().value) % below
  const definitions = DEFINITIONS.map((name) => {
    const owners = packages.filter(() => next(3) === 0)
    const controller = next(owners.length + 2)
    const ownerReferences = owners.map(({ apiVersion, kind, metadata }, i) => ({
      apiVersion,
      kind,
      name: metadata.name,
      uid: metadata.uid,
      ...(i === controller && { controller: true }),
    }))
    return {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name, ownerReferences },
      spec: { group: 'acme.org', names: { kind: name.replace('.acme.org', '') }, versions: [{ name: 'v1', served: true }] },
    }
  })
  return [catalog, ...packages, ...definitions]
})

function run(objects: readonly object[], crossplaneSemantics: string) {
  const spec = { lifecycle: true, crossplaneSemantics }
  const config = { apiVersion: 'fn.krm-variants.dev/v1alpha1', kind: 'ResolveDependencies', spec }
  const items = objects.map((object, i) => ({ object, path: `object-${i}.yaml`, index: 0 }))
  const { stdout, exitCode } = evaluate(resolveDependencies, printResourceList(items, config))
  const read: readonly Item[] = parse(stdout).items
  return { exitCode, stdout, items: read, again: () => evaluate(resolveDependencies, stdout) }
}

test.each(['current', 'seed'])(
  '%s: whatever is observed ends with one Active revision and one controller at most, and rests there',
  (semantics) => {
    fc.assert(
      fc.property(cluster, (objects) => {
        const { exitCode, items, stdout, again } = run(objects, semantics)
        // Two Active revisions of which neither is known to be current.
        if (exitCode === 1) {
          expect(stdout).toContain('rule: revision-many-active')
          return
        }
        for (const name of PACKAGES) {
          const own = items.filter(
            ({ kind, metadata }) => kind === 'ProviderRevision' && metadata.labels?.['pkg.crossplane.io/package'] === name,
          )
          expect(own.filter(({ spec }) => spec.desiredState === 'Active').length).toBeLessThan(2)
          expect(new Set(own.map(({ spec }) => spec.revision)).size).toBe(own.length)
        }
        for (const { metadata } of items) {
          expect((metadata.ownerReferences ?? []).filter(({ controller }) => controller).length).toBeLessThan(2)
        }
        expect(again()).toMatchObject({ exitCode: 0, stdout })
      }),
      { numRuns: randomRuns(10) },
    )
  },
)
