import { expect, test } from 'vitest'
import { TestFolder } from '../../testdata/cli/test-folder.ts'

const PACKAGES = ['dns', 'ingress', 'logs', 'metrics', 'store']

const cluster = (name: string) => `---
apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata: {name: ${name}, labels: {store: "true"}}
spec: {type: git, deployment: true, git: {repo: "https://git.example.com/fleet.git", branch: main, directory: packages/${name}}}
`

const matrix = (packages: readonly string[]) => `apiVersion: fleet.krm-variants.dev/v1alpha1
kind: PackageVariantMatrix
metadata: {name: base}
spec:
  upstreams: [${packages.map((name) => `{repo: catalog, package: ${name}, revision: 1}`).join(', ')}]
  targets:
  - repositorySelector: {matchLabels: {store: "true"}}
`

test('forty clusters with five packages are at most 60 lines, also when all of them leave', async () => {
  const test = new TestFolder()
  const names = Array.from({ length: 40 }, (_, index) => `store-${String(index).padStart(2, '0')}`)
  test.write('fleet/clusters.yaml', names.map(cluster).join(''))
  test.write('fleet/matrix.yaml', matrix(PACKAGES))
  const first = await test.run('sync', 'fleet', '--for', 'flux')
  const lines = `${first.stdout}${first.stderr}`.split('\n')
  expect(lines.length).toBeLessThanOrEqual(60)
  expect(lines).toContain('+ 40 Kustomizations of dns in 40 clusters, fleet/flux/')
  expect(lines).toContain(
    '    flux-system/store-00-dns, flux-system/store-01-dns, flux-system/store-02-dns, flux-system/store-03-dns and 36 more',
  )
  test.write('fleet/matrix.yaml', matrix(['dns']))
  const left = await test.run('sync', 'fleet', '--for', 'flux')
  expect(left.exitCode).toBe(0)
  expect(`${left.stdout}${left.stderr}`.split('\n').length).toBeLessThanOrEqual(60)
})
