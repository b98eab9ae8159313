import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkDependencies } from '../functions/check-dependencies/check-dependencies.ts'
import { ResourceList } from '../src/resource-list/resource-list.ts'
import { printResourceList } from './conformance-runner/wire.ts'
import { randomRuns } from './random-runs.ts'

const NAMES = ['a', 'b', 'c', 'd']
const VERSIONS = ['v1.0.0', 'v2.0.0', 'v3.0.0']
const RANGES = ['>=v1.0.0', '>=v2.0.0', '>=v3.0.0', '<v2.0.0', '<v3.0.0', '>=v2.0.0, <v3.0.0']

const source = (name: string): string => `xpkg.example.org/acme/${name}`
const nameOf = (id: string | undefined): string => id?.split('/').at(-1) ?? ''

const dependency = fc.record({ provider: fc.constantFrom(...NAMES).map(source), version: fc.constantFrom(...RANGES) })
const versions = fc.tuple(
  ...VERSIONS.map((version) =>
    fc.uniqueArray(dependency, { maxLength: 2, selector: ({ provider }) => provider }).map((dependencies) => ({ version, dependencies })),
  ),
)
type Known = typeof versions extends fc.Arbitrary<infer Value> ? Value : never
type Installed = ReadonlyMap<string, string>

const universe = fc.record({
  known: fc.tuple(...NAMES.map(() => versions)),
  installed: fc
    .tuple(...NAMES.map(() => fc.constantFrom(...VERSIONS)))
    .map((each) => new Map(NAMES.map((name, i) => [name, each[i] ?? '']))),
})

/** Returns what check-dependencies says of conflicts where every package is installed. */
function conflicts(known: readonly Known[], installed: Installed) {
  const catalog = {
    apiVersion: 'fn.krm-variants.dev/v1alpha1',
    kind: 'Catalog',
    metadata: { name: 'known' },
    spec: { packages: NAMES.map((name, i) => ({ ecosystem: 'crossplane', id: source(name), kind: 'Provider', versions: known[i] })) },
  }
  const providers = [...installed].map(([name, version]) => ({
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'Provider',
    metadata: { name },
    spec: { package: `${source(name)}:${version}` },
  }))
  const items = [catalog, ...providers].map((object, i) => ({ object, path: `object-${i}.yaml`, index: 0 }))
  const list = ResourceList.parse(printResourceList(items))
  checkDependencies(list)
  return list.results.filter(({ tags }) => tags.rule === 'dependency-conflict')
}

/**
 * `; a v2.0.0 together with b v3.0.0 satisfies all`, `; updating b to v3.0.0 satisfies all`: what is to be moved, and what else is
 * satisfied then.
 */
function proposalOf(message: string, dependency: string): { readonly moves: Installed; readonly satisfied: string } | undefined {
  const [, first, to, second, too] = /; (\S+) (v\S+) together with (\S+) (v\S+) satisfies all$/.exec(message) ?? []
  if (to !== undefined && too !== undefined)
    return {
      moves: new Map([
        [nameOf(first), to],
        [nameOf(second), too],
      ]),
      satisfied: dependency,
    }
  const [, only, alone] = /; updating (\S+) to (v\S+) satisfies all$/.exec(message) ?? []
  return alone === undefined ? undefined : { moves: new Map([[nameOf(only), alone]]), satisfied: dependency }
}

test('two updates that are said to satisfy all do: on and of what moves no requirement is violated then', () => {
  let proposals = 0
  const check = ({ known, installed }: { known: readonly Known[]; installed: Installed }) => {
    for (const { message, tags } of conflicts(known, installed)) {
      const proposal = proposalOf(message, nameOf(tags.dependency))
      if (proposal === undefined) continue
      proposals++
      const left = conflicts(known, new Map([...installed, ...proposal.moves]))
      const violated = left.filter((each) => {
        const [by, on] = [nameOf(each.tags.package), nameOf(each.tags.dependency)]
        return on === proposal.satisfied || proposal.moves.has(on) || proposal.moves.has(by)
      })
      expect(violated.map((each) => each.message)).toEqual([])
    }
  }
  fc.assert(fc.property(universe, check), { numRuns: randomRuns(100) })
  expect(proposals).toBeGreaterThan(6)
})
