import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkDependencies } from '../../functions/check-dependencies/check-dependencies.ts'
import { resolveDependencies } from '../../functions/resolve-dependencies/resolve-dependencies.ts'
import { clusterSuffix } from '../../src/grouped-results.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { ResourceList } from '../../src/resource-list/resource-list.ts'
import { hasErrors } from '../../src/result.ts'
import { resultsOf } from '../../src/run.ts'
import { timed } from '../../testdata/processor-time.ts'
import { randomRuns } from '../../testdata/random-runs.ts'

const NAMES = ['a', 'b', 'c']
const VERSIONS = ['1.0.0', '1.1.0', '2.0.0']
const RANGES = ['>=1.0.0', '<2.0.0', '>=1.1.0 <2.0.0']
const ECOSYSTEMS = ['carvel', 'crossplane', 'glasskube'] as const

/** A package on a cluster. */
interface Installed {
  readonly ecosystem: (typeof ECOSYSTEMS)[number]
  readonly name: string
  readonly version: string
}

/** The packages that each version of a package requires. */
type Universe = Readonly<Record<string, readonly (readonly [name: string, range: string])[]>>

const INSTALLED = fc.record({
  ecosystem: fc.constantFrom(...ECOSYSTEMS),
  name: fc.constantFrom(...NAMES),
  version: fc.constantFrom(...VERSIONS),
})
const REQUIRED = fc.array(fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom(...RANGES)), { minLength: 1, maxLength: 2 })
const UNIVERSE: fc.Arbitrary<Universe> = fc.record(Object.fromEntries(NAMES.map((name) => [name, REQUIRED])))

/** Returns the fields that differ between the ecosystems. */
function formsOf(ecosystem: Installed['ecosystem']) {
  const prefix = ecosystem === 'crossplane' ? 'v' : ''
  const idOf = (name: string) => ({ carvel: `${name}.example.org`, crossplane: `reg.example.org/x/${name}`, glasskube: name })[ecosystem]
  const dependency = (name: string, range: string) =>
    ({
      carvel: { package: { refName: idOf(name), version: range } },
      crossplane: { provider: idOf(name), version: range.replace(/(\d)/, 'v$1') },
      glasskube: { name: idOf(name), version: range.replaceAll(' ', ', ') },
    })[ecosystem]
  return { prefix, idOf, dependency }
}

function catalogOf(universe: Universe): KrmObject {
  const packages = ECOSYSTEMS.flatMap((ecosystem) => {
    const { prefix, idOf, dependency } = formsOf(ecosystem)
    return Object.entries(universe).map(([name, required]) => {
      const others = required.filter(([other], i) => other !== name && required.findIndex(([each]) => each === other) === i)
      const dependencies = others.map(([other, range]) => dependency(other, range))
      const versions = VERSIONS.map((version) => ({ version: `${prefix}${version}`, dependencies }))
      return { ecosystem, id: idOf(name), ...(ecosystem === 'crossplane' && { kind: 'Provider' }), versions }
    })
  })
  return objectAt({ apiVersion: 'fn.krm-variants.dev/v1alpha1', kind: 'Catalog', metadata: { name: 'c' }, spec: { packages } }, 'c.yaml')
}

function installOf({ ecosystem, name, version }: Installed, path: string): KrmObject {
  const { prefix, idOf } = formsOf(ecosystem)
  const metadata = { name, ...(ecosystem === 'carvel' && { namespace: 'apps' }) }
  const selection = { refName: idOf(name), versionSelection: { constraints: version } }
  const written = {
    carvel: {
      apiVersion: 'packaging.carvel.dev/v1alpha1',
      kind: 'PackageInstall',
      spec: { serviceAccountName: 'sa', packageRef: selection },
    },
    crossplane: { apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', spec: { package: `${idOf(name)}:${prefix}${version}` } },
    glasskube: { apiVersion: 'packages.glasskube.dev/v1alpha1', kind: 'ClusterPackage', spec: { packageInfo: { name, version } } },
  }[ecosystem]
  return objectAt({ ...written, metadata }, `${path}/${ecosystem}-${name}.yaml`)
}

function objectAt(value: object, path: string): KrmObject {
  return KrmObject.fromDocument(JSON.stringify(value), { path, index: 0, line: 1 })
}

const OPTIONS = objectAt(
  { apiVersion: 'fn.krm-variants.dev/v1alpha1', kind: 'RenderVariants', metadata: { name: 'r' }, spec: { out: 'out' } },
  'r.yaml',
)

function repositoryOf(name: string): KrmObject {
  const spec = { type: 'git', deployment: true }
  return objectAt({ apiVersion: 'config.porch.kpt.dev/v1alpha1', kind: 'Repository', metadata: { name }, spec }, `${name}.yaml`)
}

interface Fleet {
  readonly universe: Universe
  readonly clusters: readonly (readonly Installed[])[]
}

/** Returns a fleet of so many clusters, each with one package of each name and ecosystem at most. */
function fleetOf(clusters: number): fc.Arbitrary<Fleet> {
  const installs = fc.uniqueArray(INSTALLED, { maxLength: 5, selector: ({ ecosystem, name }) => `${ecosystem} ${name}` })
  return fc.record({ universe: UNIVERSE, clusters: fc.array(installs, { minLength: clusters, maxLength: clusters }) })
}

function nameOf(index: number): string {
  return `c${String(index).padStart(2, '0')}`
}

/** Returns the resources of a fleet with the packages of all clusters, or of one alone. */
function itemsOf({ universe, clusters }: Fleet, only?: number): readonly KrmObject[] {
  const installs = clusters.flatMap((own, i) =>
    only === undefined || only === i ? own.map((each) => installOf(each, `out/${nameOf(i)}/p`)) : [],
  )
  return [OPTIONS, catalogOf(universe), ...(only === undefined ? clusters.map((_, i) => repositoryOf(nameOf(i))) : []), ...installs]
}

/** Returns the findings of a check, sorted, without the end that names the cluster. */
function findingsIn(items: readonly KrmObject[]): ReadonlyMap<string, readonly string[]> {
  const list = ResourceList.of(items)
  checkDependencies(list)
  const found = new Map<string, string[]>()
  for (const { message, severity, tags, file } of list.results) {
    const cluster = tags.cluster ?? ''
    const suffix = clusterSuffix(cluster)
    const text = `${severity} ${tags.rule} ${file?.path} ${message.endsWith(suffix) ? message.slice(0, -suffix.length) : message}`
    found.set(cluster, [...(found.get(cluster) ?? []), text].sort())
  }
  return found
}

test.each([
  [1, randomRuns(8)],
  [2, randomRuns(8)],
  [40, randomRuns(2)],
])('the findings on each of %i clusters are those of its packages alone', (clusters, numRuns) => {
  let seen = 0
  fc.assert(
    fc.property(fleetOf(clusters), (fleet) => {
      const together = findingsIn(itemsOf(fleet))
      fleet.clusters.forEach((_, i) => {
        const alone = [...findingsIn(itemsOf(fleet, i)).values()].flat()
        const own = together.get(nameOf(i)) ?? []
        seen += own.length
        expect([...own, ...(together.get('') ?? [])].sort()).toEqual(alone.sort())
      })
    }),
    { numRuns },
  )
  expect(seen).toBeGreaterThan(0)
})

/** A cluster that misses a package, beside two without packages. */
const MISSING: Fleet = {
  universe: { a: [['b', '>=1.0.0']], b: [], c: [] },
  clusters: [[{ ecosystem: 'carvel', name: 'a', version: '1.0.0' }], [], []],
}

test('resolve changes only clusters that miss something, and with `into` only the package of that name', { timeout: 60_000 }, () => {
  let written = 0
  const config = objectAt(
    { apiVersion: 'fn.krm-variants.dev/v1alpha1', kind: 'ResolveDependencies', metadata: { name: 'r' }, spec: { into: 'dependencies' } },
    'o.yaml',
  )
  fc.assert(
    fc.property(fleetOf(3), (fleet) => {
      const before = itemsOf(fleet)
      const list = ResourceList.of(before, config)
      if (hasErrors(resultsOf(resolveDependencies, list))) return
      const added = list.items.filter((item) => !before.includes(item))
      for (const i of fleet.clusters.keys()) {
        const alone = ResourceList.of(itemsOf(fleet, i), config)
        resultsOf(resolveDependencies, alone)
        const own = alone.items.filter(({ file }) => file?.path.startsWith('dependencies/'))
        const here = added.filter(({ file }) => file?.path.startsWith(`out/${nameOf(i)}/dependencies/`))
        expect(here.map((item) => item.toText()).sort()).toEqual(own.map((item) => item.toText()).sort())
        written += here.length
      }
      expect(added.every(({ file }) => /^out\/c\d\d\/dependencies\/(?:Kptfile|dependencies\.yaml)$/.test(file?.path ?? ''))).toBe(true)
    }),
    { numRuns: randomRuns(8), examples: [[MISSING]] },
  )
  expect(written).toBeGreaterThan(0)
})

test('a check of 40 clusters takes at most 1.3 times the time of the checks of each cluster alone', { timeout: 60_000 }, () => {
  const universe = { a: [['b', '>=1.0.0']], b: [['c', '<2.0.0']], c: [] } as const
  const own = ECOSYSTEMS.flatMap((ecosystem) => NAMES.map((name) => ({ ecosystem, name, version: '1.0.0' })))
  const fleet = { universe, clusters: Array.from({ length: 40 }, () => own) }
  const together = () => void findingsIn(itemsOf(fleet))
  const each = () => fleet.clusters.forEach((_, i) => void findingsIn(itemsOf(fleet, i)))
  // In turn, so that both meet the same machine; the first runs still compile.
  const rounds = Array.from({ length: 5 }, () => [timed(together).time, timed(each).time] as const)
  const [whole, alone] = [Math.min(...rounds.map(([time]) => time)), Math.min(...rounds.map(([, time]) => time))]
  if (process.env.SHOW_TIMES !== undefined) console.log(`40 clusters: ${whole} together, ${alone} each alone, ${whole / alone}`)
  expect(whole).toBeLessThan(1.3 * alone)
})
