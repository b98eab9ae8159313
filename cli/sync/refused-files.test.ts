import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TestFolder } from '../../testdata/cli/test-folder.ts'

const FLEET = `apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata: {name: ber, labels: {deploy: "true"}}
spec: {type: git, deployment: true, git: {repo: "https://git.example.com/fleet.git", branch: main, directory: packages/ber}}
---
apiVersion: fleet.krm-variants.dev/v1alpha1
kind: PackageVariantMatrix
metadata: {name: base}
spec:
  upstreams: [{repo: catalog, package: dns, revision: 1}]
  targets:
  - repositorySelector: {matchLabels: {deploy: "true"}}
`

test('a list in a package outside of the fleet is refused by Flux, and left out of Argo CD', async () => {
  const test = new TestFolder()
  test.write('fleet/fleet.yaml', FLEET)
  test.write('fleet/catalog/dns@v1/Kptfile', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: dns}\n')
  test.write('fleet/catalog/dns@v1/a.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: dns}\n')
  test.write('fleet/catalog/dns@v1/list.yaml', '- a\n- b\n')
  await test.run('render', 'fleet', '--out', 'packages')
  const flux = await test.run('sync', 'fleet', '--for', 'flux', '--out', 'packages', '--dry-run')
  expect(flux.stderr + flux.stdout).toContain(
    'warning: packages/ber/dns/list.yaml holds no Kubernetes object: Flux applies nothing of the package',
  )
  await test.run('sync', 'fleet', '--for', 'argocd', '--out', 'packages')
  expect(test.read('fleet/argocd/application-ber-dns.yaml')).toContain("exclude: '{package-context.yaml,*/package-context.yaml,list.yaml}'")
})

test.each([
  ['values.yaml', 'replicas: 1\n', 'packages/ber/dns/values.yaml holds no Kubernetes object'],
  ['list.yaml', '- a\n- b\n', 'packages/ber/dns/list.yaml holds no Kubernetes object'],
  ['twice.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: dns}\n', 'Flux applies nothing of the package'],
])('check warns of %s as sync does, once Flux deploys the fleet', async (name, text, message) => {
  for (const [at, place] of ['fleet', '.'].entries()) {
    const test = new TestFolder()
    test.write('fleet/fleet.yaml', FLEET)
    test.write('fleet/catalog/dns@v1/Kptfile', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: dns}\n')
    test.write('fleet/catalog/dns@v1/a.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: dns}\n')
    await test.run('render', 'fleet', '--out', 'packages')
    await test.run('sync', 'fleet', '--for', 'flux', '--out', 'packages')
    expect((await test.run('check', place, '--out', 'packages')).stdout).not.toContain(message)
    test.write(`packages/ber/dns/${name}`, text)
    const sync = await test.run('sync', 'fleet', '--for', 'flux', '--out', 'packages', '--dry-run')
    expect([at, sync.stderr + sync.stdout]).toEqual([at, expect.stringContaining(message)])
    const check = await test.run('check', place, '--out', 'packages')
    expect([at, check.stderr + check.stdout]).toEqual([at, expect.stringContaining(message)])
  }
})

test('a link to a file of the package is no twin for Flux, which packs no links, and a file behind a link still is', async () => {
  const test = new TestFolder()
  test.write('fleet/fleet.yaml', FLEET)
  test.write('fleet/catalog/dns@v1/Kptfile', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: dns}\n')
  test.write('fleet/catalog/dns@v1/b.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: dns}\n')
  await test.run('render', 'fleet', '--out', 'packages')
  symlinkSync('b.yaml', join(test.folder, 'packages/ber/dns/a.yaml'))
  const sync = () => test.run('sync', 'fleet', '--for', 'flux', '--out', 'packages')
  expect(await sync()).toMatchObject({ exitCode: 0, stderr: expect.not.stringContaining('sync-twins') })
  test.write('packages/ber/dns/c.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: dns}\n')
  expect((await sync()).stderr).toContain('must not be in one package with another one, at packages/ber/dns/b.yaml:3')
})
