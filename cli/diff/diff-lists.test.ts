import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { stringify } from 'yaml'
import type { DiffReport } from '../../src/diff/report.ts'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { randomRuns } from '../../testdata/random-runs.ts'

const folder = mkdtempSync(join(tmpdir(), 'krm-variants-lists-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** An object of a package, as its file has it. */
interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
  readonly [field: string]: unknown
}

const VARIANTS = `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: dns}
spec:
  upstream: {repo: catalog, package: dns, revision: 1}
  targets: [{repositories: [{name: ber-01}, {name: ham-01}]}]
`

const list = (items: readonly unknown[]) => ({ apiVersion: 'v1', kind: 'List', metadata: { resourceVersion: '' }, items })
const documents = (objects: readonly unknown[]) => objects.map((each) => stringify(each)).join('---\n')

/** The files in which people have several objects, all of them with the same objects. */
const WRAPPED: readonly ((objects: readonly Manifest[]) => Readonly<Record<string, string>>)[] = [
  (objects) => ({ 'all.yaml': stringify(list(objects)) }),
  // Not on one line: two changes of one line are one cause.
  (objects) => ({ 'all.yaml': `${JSON.stringify(list(objects), undefined, 1)}\n` }),
  (objects) => ({ 'all.json': `${JSON.stringify(list(objects), undefined, 2)}\n` }),
  (objects) => ({ 'all.yaml': stringify(list([list(objects.slice(0, 2)), list([]), ...objects.slice(2)]), { indentSeq: false }) }),
  (objects) => ({ 'one.yaml': documents(objects.slice(0, 1)), 'others.yaml': documents(objects.slice(1).map((each) => list([each]))) }),
  (objects) => ({
    'all.yaml': documents(
      [...new Set(objects.map(({ kind }) => kind))].map((kind) => {
        const own = objects.filter((each) => each.kind === kind)
        return { apiVersion: own[0]?.apiVersion, kind: `${kind}List`, items: own.map(({ apiVersion: _, kind: __, ...entry }) => entry) }
      }),
    ),
  }),
]

const name = fc.constantFrom('a', 'b', 'c')
const text = fc.constantFrom('x', 'two\nlines\n', '8', 'no', "it's")
const manifest: fc.Arbitrary<Manifest> = fc.oneof(
  fc.record({
    apiVersion: fc.constant('v1'),
    kind: fc.constantFrom('ConfigMap', 'Secret'),
    metadata: fc.record({ name }),
    data: fc.dictionary(name, text),
  }),
  fc.record({ apiVersion: fc.constant('v1'), kind: fc.constantFrom('PersistentVolumeClaim', 'Namespace'), metadata: fc.record({ name }) }),
  fc.record({
    apiVersion: fc.constant('apps/v1'),
    kind: fc.constant('Deployment'),
    metadata: fc.record({ name, namespace: name }),
    spec: fc.record({
      replicas: fc.nat(3),
      template: fc.record({
        spec: fc.record({
          hostNetwork: fc.boolean(),
          containers: fc.uniqueArray(fc.record({ name, image: fc.constantFrom('r/a:1', 'r/a') }), { selector: (each) => each.name }),
        }),
      }),
    }),
  }),
)
const state = fc.uniqueArray(manifest, {
  minLength: 1,
  maxLength: 6,
  selector: ({ kind, metadata: { name: own, namespace } }) => [kind, namespace, own].join('/'),
})

/** Returns the parts of a report that are about objects and not about their files. */
function aboutObjects(json: string): unknown {
  const { groups, dangers, counts }: DiffReport = JSON.parse(json, (key, value) => (OF_FILES.has(key) ? undefined : value))
  return {
    groups: groups.map((group) => ({ ...group, objects: group.objects.map(({ before: _, after: __, ...object }) => object) })),
    dangers: dangers.map((danger) => ({ ...danger, groups: danger.groups.length })),
    clusters: counts.clusters,
  }
}

const OF_FILES: ReadonlySet<string> = new Set(['line', 'file', 'id'])

let count = 0

/** Returns the report of a change of the upstream package from some files to others. */
async function reportOf(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>) {
  const fleet = new TestRepository(join(folder, String(count++)))
  fleet.write('set.yaml', VARIANTS)
  fleet.write('catalog/dns@v1/Kptfile', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: dns}\n')
  for (const [path, file] of Object.entries(before)) fleet.write(`catalog/dns@v1/${path}`, file)
  fleet.commit('start')
  for (const path of Object.keys(before)) fleet.remove(`catalog/dns@v1/${path}`)
  for (const [path, file] of Object.entries(after)) fleet.write(`catalog/dns@v1/${path}`, file)
  const { stdout } = await fleet.run('diff', 'start', '--format', 'json')
  return aboutObjects(stdout)
}

test('the changes of objects in Lists are those of the same objects in documents of their own', async () => {
  const wraps = fc.constantFrom(...WRAPPED)
  await fc.assert(
    fc.asyncProperty(state, state, wraps, wraps, async (before, after, wrapBefore, wrapAfter) => {
      const plain = await reportOf({ 'all.yaml': documents(before) }, { 'all.yaml': documents(after) })
      const wrapped = await reportOf(wrapBefore(before), wrapAfter(after))
      expect(wrapped).toEqual(plain)
    }),
    { numRuns: randomRuns(2) },
  )
})

test('a policy that an entry of a List breaks is an error of diff and of check, at the line of the entry', async () => {
  const fleet = new TestRepository(join(folder, String(count++)))
  fleet.write('set.yaml', VARIANTS)
  fleet.write('catalog/dns@v1/Kptfile', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: dns}\n')
  fleet.write('catalog/dns@v1/all.yaml', stringify(list([{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } }])))
  fleet.write(
    'policy.yaml',
    "apiVersion: fleet.krm-variants.dev/v1alpha1\nkind: FleetPolicy\nmetadata: {name: p}\nspec: {forEach: objects, validations: [{expression: item.kind != 'Pod'}]}\n",
  )
  await fleet.run('render', '.', '--out', '.')
  fleet.commit('start')
  expect(await fleet.run('diff', 'start')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Pod a of package') })
  const { exitCode, stdout } = await fleet.run('check', '.')
  expect([exitCode, stdout]).toEqual([1, expect.stringMatching(/ber-01\/dns\/all\.yaml:9:13: error: Pod a of package/)])
})
