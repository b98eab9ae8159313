import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { testFolder } from '../../testdata/test-folder.ts'
import { ROOT } from '../run-program.ts'
import { type BuildAnswer, buildAsFlux, buildFluxProgram, type FluxObject, removeFluxProgram } from './flux-build.ts'
import { GO } from './present-hosts.ts'
import { randomNumbers, randomPackage } from './random-packages.ts'
import { CLUSTERS, renderedFleet } from './rendered-fleet.ts'

// What `sync` and `render` wrote, built by the packages of kustomize-controller 1.9.6 (fluxcd/pkg/kustomize 1.35.7).

/** How many random fleets are built; `FLEETS` names another number. */
const FLEETS = Number(process.env.FLEETS ?? 12)

/** Returns the objects that the files of a package hold for a cluster, in an order of their own. */
function objectsIn(folder: string): readonly FluxObject[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && /\.ya?ml$/.test(entry.name) && entry.name !== 'kustomization.yaml',
  )
  const documents = files.flatMap(({ parentPath, name }) => parseAllDocuments(readFileSync(join(parentPath, name), 'utf8')))
  const objects = documents.map((document) => document.toJS()).flatMap((value) => (value?.kind === 'List' ? value.items : (value ?? [])))
  return sorted(objects.filter(({ metadata }) => metadata.annotations?.['config.kubernetes.io/local-config'] !== 'true'))
}

function sorted(objects: readonly FluxObject[]): readonly FluxObject[] {
  const keyOf = ({ kind, metadata: { namespace = '', name } }: FluxObject) => `${kind} ${namespace} ${name}`
  return objects.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
}

/** Returns each Kustomization that `sync` wrote, with what the controller makes of it. */
function built({ folder }: TestRepository): ReadonlyMap<string, BuildAnswer> {
  const files = readdirSync(join(folder, 'fleet/flux')).filter((name) => name.startsWith('kustomization-'))
  const kustomizations = files.map((name) => parse(readFileSync(join(folder, 'fleet/flux', name), 'utf8')))
  const answers = buildAsFlux(kustomizations.map((kustomization) => ({ root: folder, kustomization })))
  return new Map(kustomizations.map(({ spec }, index) => [spec.path, answers[index] ?? { objects: [], error: 'no answer' }]))
}

/** Returns what differs between the packages of a fleet and what Flux makes of them, after what `sync` said; and the number of objects. */
async function judge(
  fleet: TestRepository,
  names: readonly string[],
): Promise<{ readonly faults: readonly string[]; readonly count: number }> {
  const { stdout, stderr, exitCode } = await fleet.run('sync', 'fleet', '--for', 'flux', '--out', 'packages')
  const findings = `${stdout}${stderr}`.split('\n').filter((line) => /\[sync-(refused-file|twins)\]/.test(line))
  const answers = exitCode === 0 ? built(fleet) : undefined
  const faults: string[] = []
  let count = 0
  for (const path of CLUSTERS.flatMap((each) => names.map((name) => `packages/${each}/${name}`))) {
    const answer = answers?.get(`./${path}`) ?? buildAsFlux([{ root: fleet.folder, kustomization: { spec: { path } } }])[0]
    const { error = 'no answer', objects = [] } = answer ?? {}
    const told = findings.filter((line) => line.includes(path.replace(/^.*\//, '/')))
    if ((error !== '') !== told.length > 0) faults.push(`${path}: ${error || 'is built'}; sync says: ${told.join(' | ') || 'nothing'}`)
    if (error !== '') continue
    const [is, expected] = [sorted(objects), objectsIn(join(fleet.folder, path))]
    if (!isDeepStrictEqual(is, expected)) faults.push(`${path}: ${JSON.stringify(is)} instead of ${JSON.stringify(expected)}`)
    count += is.length
  }
  return { faults, count }
}

const DNS = {
  'a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: dns}\ndata: {zone: "${zone}"}\n',
  'b.yaml': 'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: dns}\nrules: []\n',
}

describe.skipIf(!GO.present)("with Flux's packages", () => {
  beforeAll(buildFluxProgram)
  afterAll(removeFluxProgram)

  test(`Flux applies exactly the objects of each package, or sync says that it refuses the package (${FLEETS} random fleets)`, async () => {
    let count = 0
    for (let seed = 1; seed <= FLEETS; seed++) {
      const random = randomNumbers(seed)
      const names = Array.from({ length: 1 + Math.floor(random() * 3) }, (_, index) => `pkg${index}`)
      const fleet = await renderedFleet(Object.fromEntries(names.map((name) => [name, randomPackage(random)])))
      const judged = await judge(fleet, names)
      expect({ seed, faults: judged.faults }).toEqual({ seed, faults: [] })
      count += judged.count
    }
    console.log(`${FLEETS} fleets, ${count} objects`)
    expect(count).toBeGreaterThan(FLEETS)
  })

  test('edits of people in a Kustomization change its objects: postBuild, patches, commonMetadata; and so does targetNamespace', async () => {
    const fleet = await renderedFleet({ dns: DNS })
    fleet.write(
      'fleet/sync.yaml',
      'apiVersion: fn.krm-variants.dev/v1alpha1\nkind: GenerateSync\nmetadata: {name: s}\nspec: {for: flux, namespaceExpr: "\'shop\'"}\n',
    )
    const args = ['sync', 'fleet', '--for', 'flux', '--out', 'packages']
    expect((await fleet.run(...args)).exitCode).toBe(0)
    const edits = `
  postBuild: {substitute: {zone: ber.example.com}}
  commonMetadata: {labels: {team: net}}
  patches:
  - target: {kind: ConfigMap}
    patch: |
      - {op: add, path: /data/by, value: people}`
    fleet.replace('fleet/flux/kustomization-ber-dns.yaml', '\nspec:', `\nspec:${edits}`)
    expect((await fleet.run(...args)).exitCode).toBe(0)
    const { error, objects = [] } = built(fleet).get('./packages/ber/dns') ?? {}
    const annotations = expect.anything()
    expect({ error, objects: sorted(objects) }).toEqual({
      error: '',
      objects: [
        {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'ClusterRole',
          metadata: { name: 'dns', annotations, labels: { team: 'net' } },
          rules: [],
        },
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'dns', namespace: 'shop', annotations, labels: { team: 'net' } },
          data: { zone: 'ber.example.com', by: 'people' },
        },
      ],
    })
  })

  test('Flux renames a Namespace for which sync refuses `targetNamespace`, and refuses two', async () => {
    const namespace = (name: string) => `apiVersion: v1\nkind: Namespace\nmetadata: {name: ${name}}\n`
    const fleet = await renderedFleet({
      one: { 'a.yaml': namespace('platform') },
      two: { 'a.yaml': namespace('a'), 'b.yaml': namespace('b') },
    })
    const ask = (name: string) => ({
      root: fleet.folder,
      kustomization: { spec: { path: `packages/ber/${name}`, targetNamespace: 'prod' } },
    })
    const [one, two] = buildAsFlux([ask('one'), ask('two')])
    expect(one?.objects.map(({ metadata }) => metadata.name)).toEqual(['prod'])
    expect(two?.error).toContain('namespace transformation produces ID conflict')
    fleet.write(
      'fleet/sync.yaml',
      'apiVersion: fn.krm-variants.dev/v1alpha1\nkind: GenerateSync\nmetadata: {name: s}\nspec: {for: flux, namespaceExpr: "\'prod\'"}\n',
    )
    const { stderr, exitCode } = await fleet.run('sync', 'fleet', '--out', 'packages')
    expect(exitCode).toBe(1)
    for (const name of ["'platform'", "'a'", "'b'"]) expect(stderr).toContain(`error: Namespace ${name} must not be in a package with`)
  })

  test('every package of the examples that render makes is built as it is', async () => {
    let count = 0
    for (const example of ['fleet', 'matrix', 'lifecycles', 'policies', 'fleet-of-packages', 'sync']) count += await judgeExample(example)
    console.log(`the examples have ${count} packages`)
    expect(count).toBeGreaterThan(5)
  })
})

/** Renders an example and builds each package that `render` made. Returns their number; 0 for an example that is not for `render`. */
async function judgeExample(example: string): Promise<number> {
  const folder = testFolder()
  cpSync(join(ROOT, 'examples'), join(folder, 'examples'), { recursive: true })
  const fleet = new TestRepository(folder)
  await fleet.run('render', `examples/${example}`, '--out', 'packages', '--allow-outside')
  if (!existsSync(join(folder, 'packages'))) return 0
  const kptfiles = readdirSync(join(folder, 'packages'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    /^[^/]+\/[^/]+\/Kptfile$/.test(path),
  )
  const paths = kptfiles.map((path) => `packages/${dirname(path)}`)
  const answers = buildAsFlux(paths.map((path) => ({ root: folder, kustomization: { spec: { path } } })))
  for (const [index, path] of paths.entries()) {
    const { error, objects = [] } = answers[index] ?? {}
    expect({ example, path, error, objects: sorted(objects) }).toEqual({ example, path, error: '', objects: objectsIn(join(folder, path)) })
  }
  return paths.length
}
