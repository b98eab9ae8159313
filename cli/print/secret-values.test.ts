import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'

const folder = mkdtempSync(join(tmpdir(), 'krm-variants-secrets-'))
afterAll(() => rmSync(folder, { recursive: true }))

const VARIANTS = `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: web, namespace: fleet}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  downstream: {repo: edge, package: web}
---
apiVersion: fleet.krm-variants.dev/v1alpha1
kind: FleetPolicy
metadata: {name: objects}
spec:
  forEach: objects
  where: item.kind == 'Secret' && has(item.stringData)
  validations:
  - {expression: 'false', messageExpression: "'got ' + string(item.stringData.password)"}
  - {expression: int(item.stringData.a) > 1}
---
apiVersion: fleet.krm-variants.dev/v1alpha1
kind: FleetPolicy
metadata: {name: packages}
spec:
  forEach: packages
  validations: [{expression: 'false', messageExpression: "'got ' + item.objects.filter(o, o.kind == 'Secret').map(o, string(o.?stringData.?a.orValue(''))).join(' ')"}]
`

/** Returns a Kptfile whose functions write into Secrets too, and report what they do. */
const kptfile = (revision: number) => `apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}
pipeline:
  mutators:
  - image: set-annotations:v0.1
    configMap: {revision: "${revision}"}
  - image: search-replace:v0.2
    configMap:
      by-value-regex: (marked.*)
      put-value: replaced-\${1}
    selectors: [{name: replaced}]
`

/** The ways in which a file has a Secret. */
const FORMS: readonly ((name: string, data: Readonly<Record<string, unknown>>) => Readonly<Record<string, string>>)[] = [
  (name, data) => ({ [`${name}.yaml`]: stringify(secretOf(name, data)) }),
  (name, data) => ({ [`${name}.yaml`]: stringify(secretOf(name, encoded(data), 'data')) }),
  (name, data) => ({ [`${name}.yaml`]: stringify({ apiVersion: 'v1', kind: 'List', metadata: { name }, items: [secretOf(name, data)] }) }),
  (name, data) => ({
    [`${name}.yaml`]: stringify({
      apiVersion: 'v1',
      kind: 'SecretList',
      metadata: { name },
      items: [secretOf(name, encoded(data), 'data')],
    }),
  }),
  (name, data) => ({ [`${name}.json`]: JSON.stringify(secretOf(name, data)) }),
  (name, data) => ({ [`${name}.yaml`]: stringify(applied(secretOf(name, data))) }),
  (name, data) => ({ [`${name}.yaml`]: stringify(noted(secretOf(name, encoded(data), 'data'), Object.values(data).join(' '))) }),
  (name, data) => ({ [`${name}.yaml`]: `${JSON.stringify(secretOf(name, data))}\n` }),
]

const secretOf = (name: string, data: unknown, field = 'stringData') => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name },
  [field]: data,
})
const encoded = (data: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(String(value)).toString('base64')]))
const noted = (secret: ReturnType<typeof secretOf>, note: string) => ({
  ...secret,
  metadata: { ...secret.metadata, annotations: { note } },
})
const applied = (secret: ReturnType<typeof secretOf>) => ({
  ...secret,
  metadata: { ...secret.metadata, annotations: { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(secret) } },
})

const value = fc.oneof(
  fc.stringMatching(/^marked[a-z0-9]{6}$/),
  fc.stringMatching(/^marked[a-z0-9]{6}(: [#'"]| - |\n)[a-z]{3}$/),
  fc.integer({ min: 760_000_000, max: 769_999_999 }),
)
const data = fc.dictionary(fc.constantFrom('a', 'password', 'x.y'), value, { minKeys: 1 })
const secrets = fc.array(fc.record({ name: fc.constantFrom('one', 'two', 'replaced'), data, form: fc.nat(FORMS.length - 1) }), {
  minLength: 1,
  maxLength: 4,
})

const filesOf = (all: typeof secrets extends fc.Arbitrary<infer T> ? T : never) =>
  Object.assign({}, ...all.map(({ name, data: own, form }) => FORMS[form]?.(name, own)))

const COMMANDS: readonly (readonly string[])[] = [
  ...['text', 'markdown', 'json', 'html', 'sarif', 'github'].map((format) => ['diff', 'start', '.', '--format', format]),
  ['diff', 'start', '.', '--unified', '--comments'],
  ...['text', 'json', 'sarif', 'github', 'junit'].map((format) => ['check', '.', '--format', format]),
  ['render', '.', '--out', '.', '--dry-run', '--diff'],
  ['render', '.', '--out', '.', '--dry-run', '--format', 'json'],
  ['outdated', '.', '--format', 'json'],
  ['plan', '--format', 'json', '.'],
  ['explain', 'web', '.'],
  ['run', 'edge/web', '--dry-run', '--diff'],
  ['render', '.', '--out', '.'],
  ['fn', 'set-labels', 'edge/web', '--write', '--', 'team=shop'],
]

let count = 0

test('no command prints a value of a Secret, in any format', async () => {
  let notShown = 0
  await fc.assert(
    fc.asyncProperty(secrets, secrets, secrets, async (before, after, edited) => {
      const fleet = new TestRepository(join(folder, String(count++)))
      fleet.write('set.yaml', VARIANTS)
      for (const [revision, all] of [
        [1, before],
        [2, after],
      ] as const) {
        fleet.write(`catalog/web@v${revision}/Kptfile`, kptfile(revision))
        for (const [path, file] of Object.entries(filesOf(all))) fleet.write(`catalog/web@v${revision}/${path}`, String(file))
      }
      await fleet.run('render', '.', '--out', '.')
      for (const [path, file] of Object.entries(filesOf(edited))) fleet.write(`edge/web/${path}`, String(file))
      fleet.commit('start')
      fleet.replace('set.yaml', 'revision: 1', 'revision: 2')
      for (const args of COMMANDS) {
        const { stdout, stderr } = await fleet.run(...args)
        const shown = /.{0,80}(?:marked[a-z0-9]{3}|bWFya2Vk|\b76\d{7}\b|\bNzY\w{9}\b).{0,80}/.exec(stdout + stderr)
        expect([args.join(' '), shown?.[0]]).toEqual([args.join(' '), undefined])
        notShown += (stdout + stderr).split('not-shown').length - 1
      }
    }),
    { numRuns: Number(process.env.SECRET_RUNS ?? 2), endOnFailure: true },
  )
  expect(notShown).toBeGreaterThan(10)
})
