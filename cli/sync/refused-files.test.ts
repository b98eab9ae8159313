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
