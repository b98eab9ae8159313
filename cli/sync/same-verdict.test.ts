import { expect, test } from 'vitest'
import { TestFolder } from '../../testdata/cli/test-folder.ts'

const repository = (
  name: string,
  git = `{repo: "https://git.example.com/fleet.git", branch: main, directory: packages/${name}}`,
): string => `
apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata: {name: ${name}}
spec: {type: git, deployment: true, git: ${git}}
---`

const setOf = (target: string): string => `
apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: dns}
spec:
  upstream: {repo: catalog, package: dns, revision: 1}
  targets:
  - ${target}
`

const SET = setOf('repositories: [{name: ber, packageNames: [dns]}, {name: ham, packageNames: [dns]}]')
const OPTIONS = `apiVersion: fn.krm-variants.dev/v1alpha1
kind: GenerateSync
metadata: {name: flux}
spec: {for: flux`

/** Fleets that are deployed by a GenerateSync, or by the objects that `sync` wrote earlier. */
const FLEETS: readonly (readonly [what: string, fleet: string, options: string | undefined, says: RegExp])[] = [
  [
    'a listed repository that is missing',
    repository('ber') + SET,
    `${OPTIONS}}\n`,
    /must be a Repository in namespace 'default', got 'ham'/,
  ],
  ['a listed repository that left', repository('ber') + SET, undefined, /must be a Repository in namespace 'default', got 'ham'/],
  [
    'a variant of no Repository',
    `${repository('ber')}
apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: dns}
spec: {upstream: {repo: catalog, package: dns, revision: 1}, downstream: {repo: ham, package: dns}}
`,
    `${OPTIONS}}\n`,
    /`spec.downstream.repo` must be a Repository in namespace 'default', got 'ham'/,
  ],
  [
    'a Repository without an address',
    repository('ber') + repository('ham', '{branch: main}') + SET,
    undefined,
    /`spec.git.repo` must be set/,
  ],
  [
    'a Repository with a password in its address',
    repository('ber') + repository('ham', '{repo: "https://me:secret@git.example.com/a.git"}') + SET,
    `${OPTIONS}}\n`,
    /must not hold a password/,
  ],
  [
    'two packages of one name',
    repository('ber') + setOf('repositories: [{name: ber, packageNames: [teams/web, teams-web]}]'),
    `${OPTIONS}}\n`,
    /ber-teams-web/,
  ],
  ['a requirement of an unknown set', repository('ber') + repository('ham') + SET, `${OPTIONS}, dependsOn: {dns: [certs]}}\n`, /certs/],
  ['nothing', repository('ber') + repository('ham') + SET, `${OPTIONS}}\n`, /^/],
]

test.each(FLEETS)('check and sync end alike for %s', async (what, fleet, options, says) => {
  const test = new TestFolder()
  test.write('fleet/catalog/dns@v1/Kptfile', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: dns}\n')
  test.write('fleet/catalog/dns@v1/a.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: dns}\n')
  test.write('fleet/fleet.yaml', repository('ber') + repository('ham') + SET)
  if (options === undefined) await test.run('sync', 'fleet', '--for', 'flux')
  else test.write('fleet/sync.yaml', options)
  test.write('fleet/fleet.yaml', fleet)
  const check = await test.run('check', 'fleet')
  const sync = await test.run('sync', 'fleet', ...(options === undefined ? ['--for', 'flux'] : []))
  const said = check.stdout + sync.stderr
  expect([check.exitCode, sync.exitCode], said).toEqual(what === 'nothing' ? [0, 0] : [1, 1])
  expect([check.stdout, sync.stderr], said).toEqual([expect.stringMatching(says), expect.stringMatching(says)])
})

test('check and sync both say that a merge of two branches lost a cluster in an ApplicationSet, in every run', async () => {
  const test = new TestFolder()
  const argocd = OPTIONS.replace('{for: flux', '{for: argocd, per: set, destinationExpr: repository.name}')
  test.write('fleet/fleet.yaml', repository('ber') + repository('ham') + SET)
  test.write('fleet/sync.yaml', argocd)
  await test.run('sync', 'fleet')
  const file = 'fleet/argocd/applicationset-dns.yaml'
  test.write(file, test.read(file).replace(/^ {6}- name: ham-dns\n(?: {8}.*\n)+/m, ''))
  expect(test.read(file)).not.toContain('- name: ham-dns')
  const lost = /applicationset-dns\.yaml:\S+ warning: `spec\.generators\[0\]\.list\.elements` lacks 'ham-dns', .* \[sync-entry-missing\]/
  expect((await test.run('check', 'fleet')).stdout).toMatch(lost)
  for (const run of [await test.run('sync', 'fleet'), await test.run('sync', 'fleet')])
    expect([run.exitCode, run.stderr]).toEqual([0, expect.stringMatching(lost)])
})
